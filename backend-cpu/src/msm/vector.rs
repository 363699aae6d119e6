//! The windowed multiplication over vector sums, where the processor has them.

use std::sync::LazyLock;

use ark_ec::short_weierstrass::{Projective, SWCurveConfig};
use interlock_sdk::{BackendError, CancelToken};

use crate::msm::windowed::{self, Kernel};
use crate::simd::{Field, Ifma, OPPOSITE, Points, Scratch, Segments};

/// Below so many points scalar code is as fast.
const LEAST: usize = 64;

/// The variable that keeps the vector kernels from being used when it is `off`: for comparisons, and for finding faults.
pub(crate) const SWITCH: &str = "INTERLOCK_CPU_SIMD";

static IFMA: LazyLock<Option<Ifma>> = LazyLock::new(|| {
    let off = std::env::var_os(SWITCH).is_some_and(|value| value == "off");
    if off { None } else { Ifma::detect() }
});

/// Whether vector kernels take an MSM of `n` terms.
pub(super) fn takes(n: usize) -> Option<Ifma> {
    if n >= LEAST { *IFMA } else { None }
}

/// The instructions that the kernels use, for people.
pub(crate) fn description() -> &'static str {
    if IFMA.is_some() { "AVX-512 IFMA" } else { "portable" }
}

impl<F: Field, P: SWCurveConfig<BaseField = F::Ark>> Kernel<P> for Points<F> {
    /// About two additions of seven multiplications, with their share of batches that are not full.
    const BUCKET_COST: usize = 20;

    type Scratch = Scratch<F>;

    fn scratch(&self) -> Scratch<F> {
        self.scratch()
    }

    fn weighted(
        &self,
        order: &mut [u32],
        opposite: impl Fn(u32) -> bool,
        ends: Vec<u32>,
        scratch: &mut Scratch<F>,
    ) -> Projective<P> {
        for index in order.iter_mut().filter(|index| opposite(**index)) {
            *index |= OPPOSITE;
        }
        Segments::new(self, order, ends, scratch).weighted()
    }
}

/// `Σ scalars[i] · points[chosen[i]]`: see [`MsmGroup::multiply`](crate::msm::MsmGroup::multiply).
pub(super) fn multiply<F: Field, P: SWCurveConfig<BaseField = F::Ark>>(
    points: &[u8],
    chosen: &[u32],
    (scalars, scalar_bytes, bits): (&[u8], usize, usize),
    ifma: Ifma,
    cancel: &CancelToken,
) -> Result<Projective<P>, BackendError> {
    let points = Points::<F>::new(words(points), chosen, ifma);
    windowed::multiply(chosen.len(), &points, scalars, scalar_bytes, bits, cancel)
}

/// The sum of the chosen points; one thread, when it is called in a piece of parallel work.
pub(super) fn sum<F: Field, P: SWCurveConfig<BaseField = F::Ark>>(
    points: &[u8],
    chosen: &[u32],
    ifma: Ifma,
) -> Projective<P> {
    let points = Points::<F>::new(words(points), chosen, ifma);
    let count = chosen.len() as u32;
    let order: Vec<u32> = (0..count).collect();
    Segments::new(&points, &order, vec![count], &mut points.scratch()).total()
}

/// Bytes that are aligned to their words, as words.
fn words(bytes: &[u8]) -> &[u64] {
    // SAFETY: eight bytes are a valid u64, whatever they are.
    let (before, words, after) = unsafe { bytes.align_to() };
    assert!(before.is_empty() && after.is_empty(), "points are aligned to their limbs");
    words
}
