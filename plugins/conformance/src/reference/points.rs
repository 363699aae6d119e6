//! Points whose discrete logarithms are known, so that a sum over any number of them is one multiplication:
//! `Σ sᵢ·(kᵢ·G) = (Σ sᵢ·kᵢ)·G`.

use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use ark_ff::{One, Zero};
use interlock_core::format::{MappedFile, Section};
use interlock_curves::{PointError, ProvingCurve};

use super::Fr;
use crate::outcome::{Outcome, Stop, failed};

/// Points `kᵢ·G` in both groups.
#[derive(Clone)]
pub(crate) struct Points<E: ProvingCurve> {
    pub(crate) logs: Vec<Fr<E>>,
    pub(crate) g1: Vec<E::G1Affine>,
    pub(crate) g2: Vec<E::G2Affine>,
}

/// What `kᵢ` are, for reports.
pub(crate) const POINTS: &str = "bases kᵢ·G with k₀ = 3, kᵢ₊₁ = 2kᵢ + 1";

impl<E: ProvingCurve> Points<E> {
    /// `k₀ = 3`, `kᵢ₊₁ = 2·kᵢ + 1`: distinct points for a doubling and an addition each.
    pub(crate) fn chain(n: usize) -> Self {
        let next = |k: &Fr<E>| Some(*k + k + Fr::<E>::one());
        let logs: Vec<Fr<E>> = std::iter::successors(Some(Fr::<E>::from(3_u64)), next).take(n).collect();
        Self { logs, g1: chain(E::G1::generator(), n), g2: chain(E::G2::generator(), n) }
    }

    /// Those at these positions; negated where it says so, infinity for `None`.
    pub(crate) fn pick(&self, choose: impl IntoIterator<Item = Option<(usize, bool)>>) -> Self {
        let mut picked = Self { logs: Vec::new(), g1: Vec::new(), g2: Vec::new() };
        for choice in choose {
            let (log, g1, g2) = match choice {
                None => (Fr::<E>::zero(), E::G1Affine::zero(), E::G2Affine::zero()),
                Some((at, false)) => (self.logs[at], self.g1[at], self.g2[at]),
                Some((at, true)) => (
                    -self.logs[at],
                    (-self.g1[at].into_group()).into_affine(),
                    (-self.g2[at].into_group()).into_affine(),
                ),
            };
            picked.logs.push(log);
            picked.g1.push(g1);
            picked.g2.push(g2);
        }
        picked
    }

    pub(crate) fn first(&self, n: usize) -> Self {
        Self { logs: self.logs[..n].to_vec(), g1: self.g1[..n].to_vec(), g2: self.g2[..n].to_vec() }
    }

    pub(crate) fn len(&self) -> usize {
        self.logs.len()
    }

    /// `Σ sᵢ·kᵢ`.
    pub(crate) fn log_of_sum(&self, scalars: &[Fr<E>]) -> Fr<E> {
        self.logs.iter().zip(scalars).map(|(log, scalar)| *log * scalar).sum()
    }

    pub(crate) fn g1_wire(&self) -> Vec<u8> {
        let size = E::CURVE.g1_bytes();
        let mut bytes = vec![0; size * self.len()];
        self.g1.iter().zip(bytes.chunks_exact_mut(size)).for_each(|(point, out)| E::write_g1(point, out));
        bytes
    }

    pub(crate) fn g2_wire(&self) -> Vec<u8> {
        let size = E::CURVE.g2_bytes();
        let mut bytes = vec![0; size * self.len()];
        self.g2.iter().zip(bytes.chunks_exact_mut(size)).for_each(|(point, out)| E::write_g2(point, out));
        bytes
    }
}

fn chain<G: CurveGroup>(generator: G, n: usize) -> Vec<G::Affine> {
    let first = generator + generator + generator;
    let next = |point: &G| Some(*point + point + generator);
    let points: Vec<G> = std::iter::successors(Some(first), next).take(n).collect();
    G::normalize_batch(&points)
}

/// Bytes as a section of a file, in which `odd` bytes stand before them.
pub(crate) fn section(bytes: &[u8], odd: usize) -> Result<Section, Stop> {
    let mut padded = vec![0xff; odd];
    padded.extend_from_slice(bytes);
    padded.push(0xff);
    MappedFile::from_bytes("bases", padded)
        .ok()
        .and_then(|file| Section::new(file, odd..odd + bytes.len()))
        .ok_or_else(|| failed("memory for bases", "enough of it", "none"))
}

/// That a sum of G1 is `log·G`.
pub(crate) fn expect_g1<E: ProvingCurve>(input: &str, log: Fr<E>, sum: &[u8]) -> Outcome {
    expect(input, E::G1::generator() * log, E::read_g1_jacobian(sum))
}

/// That a sum of G2 is `log·G`.
pub(crate) fn expect_g2<E: ProvingCurve>(input: &str, log: Fr<E>, sum: &[u8]) -> Outcome {
    expect(input, E::G2::generator() * log, E::read_g2_jacobian(sum))
}

fn expect<G: CurveGroup>(input: &str, expected: G, sum: Result<G, PointError>) -> Outcome {
    let expected = expected.into_affine();
    match sum {
        Err(error) => Err(failed(input, expected, format_args!("bytes that are no point: {error}"))),
        Ok(sum) if sum.into_affine() == expected => Ok(()),
        Ok(sum) => Err(failed(input, expected, sum.into_affine())),
    }
}
