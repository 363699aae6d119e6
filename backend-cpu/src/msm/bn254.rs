//! BN254: our windowed multiplication over arkworks' field arithmetic.
//!
//! (arkworks' own starts thread pools of its own inside the caller's, which no limit on threads would hold.)

use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ff::AdditiveGroup;
use interlock_curves::{Bn254, Curve, ProvingCurve};
use interlock_sdk::{BackendError, CancelToken};

use crate::msm::batch_affine::Segments;
use crate::msm::group::MsmGroup;
#[cfg(target_arch = "x86_64")]
use crate::msm::vector;
use crate::msm::windowed::{self, Scalar};
#[cfg(target_arch = "x86_64")]
use crate::simd::{Bn254Base, Fp, Fp2};

/// G1 of BN254.
#[derive(Debug)]
pub struct Bn254G1;

/// G2 of BN254.
#[derive(Debug)]
pub struct Bn254G2;

/// Bits of a scalar below r.
const SCALAR_BITS: usize = 254;

macro_rules! bn254_group {
    ($group:ty, $config:ty, $field:ty, $bytes:expr, $jacobian_bytes:expr, $read:path, $write:path) => {
        impl MsmGroup for $group {
            const POINT_BYTES: usize = $bytes;
            type Sum = Projective<$config>;

            fn zero() -> Self::Sum {
                Projective::ZERO
            }

            fn add(a: Self::Sum, b: Self::Sum) -> Self::Sum {
                a + b
            }

            fn sum(points: &[u8], chosen: &[u32]) -> Self::Sum {
                #[cfg(target_arch = "x86_64")]
                if let Some(ifma) = vector::takes(chosen.len()) {
                    return vector::sum::<$field, _>(points, chosen, ifma);
                }
                sum(chosen.iter().map(|&i| read(points, i)).collect())
            }

            fn multiply(
                points: &[u8],
                chosen: &[u32],
                scalars: &[u8],
                scalar_bytes: usize,
                cancel: &CancelToken,
            ) -> Result<Self::Sum, BackendError> {
                if chosen.is_empty() {
                    return Ok(Projective::ZERO);
                }
                assert_eq!(scalars.len(), chosen.len() * scalar_bytes, "one scalar per point");
                let bits = if scalar_bytes == 32 { SCALAR_BITS } else { 8 * scalar_bytes };
                #[cfg(target_arch = "x86_64")]
                if let Some(ifma) = vector::takes(chosen.len()) {
                    let scalars = (scalars, scalar_bytes, bits);
                    return vector::multiply::<$field, _>(points, chosen, scalars, ifma, cancel);
                }
                let point = |i: usize| read::<Affine<$config>>(points, chosen[i]);
                windowed::multiply(chosen.len(), &Scalar(point), scalars, scalar_bytes, bits, cancel)
            }

            fn encode(sum: &Self::Sum) -> Vec<u8> {
                let mut bytes = vec![0; $jacobian_bytes];
                $write(sum, &mut bytes);
                bytes
            }
        }

        impl WirePoint for Affine<$config> {
            const BYTES: usize = $bytes;

            #[inline]
            fn read(bytes: &[u8]) -> Self {
                $read(bytes)
            }
        }
    };
}

/// A point that is read from the wire without checks.
trait WirePoint {
    const BYTES: usize;
    fn read(bytes: &[u8]) -> Self;
}

#[inline]
fn read<A: WirePoint>(points: &[u8], i: u32) -> A {
    let at = i as usize * A::BYTES;
    A::read(&points[at..at + A::BYTES])
}

/// The sum of points, as one segment.
fn sum<P: SWCurveConfig>(points: Vec<Affine<P>>) -> Projective<P> {
    let count = points.len() as u32;
    Segments::new(points, vec![count]).sums().fold(Projective::ZERO, |sum, point| sum + point)
}

bn254_group!(
    Bn254G1,
    ark_bn254::g1::Config,
    Fp<Bn254Base, 5>,
    Curve::Bn254.g1_bytes(),
    Curve::Bn254.g1_jacobian_bytes(),
    Bn254::g1_unchecked,
    Bn254::write_g1_jacobian
);
bn254_group!(
    Bn254G2,
    ark_bn254::g2::Config,
    Fp2<Bn254Base, 5>,
    Curve::Bn254.g2_bytes(),
    Curve::Bn254.g2_jacobian_bytes(),
    Bn254::g2_unchecked,
    Bn254::write_g2_jacobian
);
