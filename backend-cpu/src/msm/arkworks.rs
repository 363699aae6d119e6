//! BN254: arkworks' Pippenger.

use ark_ec::scalar_mul::variable_base::VariableBaseMSM;
use ark_ff::{AdditiveGroup, BigInt};
use interlock_curves::{Bn254, Curve, ProvingCurve};
use interlock_sdk::{BackendError, CancelToken};
use rayon::prelude::*;
use zeroize::Zeroize;

use crate::msm::group::MsmGroup;

/// G1 of BN254.
#[derive(Debug)]
pub struct Bn254G1;

/// G2 of BN254.
#[derive(Debug)]
pub struct Bn254G2;

/// Points per parallel piece of a gather.
const PIECE: usize = 1024;

macro_rules! arkworks_group {
    ($group:ty, $projective:ty, $bytes:expr, $jacobian_bytes:expr, $read:path, $write:path) => {
        impl MsmGroup for $group {
            const POINT_BYTES: usize = $bytes;
            type Sum = $projective;

            fn zero() -> $projective {
                <$projective>::ZERO
            }

            fn add(a: $projective, b: $projective) -> $projective {
                a + b
            }

            fn sum(points: &[u8], chosen: &[u32]) -> $projective {
                chosen.iter().fold(<$projective>::ZERO, |sum, &i| {
                    let at = i as usize * $bytes;
                    sum + $read(&points[at..at + $bytes])
                })
            }

            fn multiply(
                points: &[u8],
                chosen: &[u32],
                scalars: &[u8],
                scalar_bytes: usize,
                cancel: &CancelToken,
            ) -> Result<$projective, BackendError> {
                if chosen.is_empty() {
                    return Ok(<$projective>::ZERO);
                }
                assert_eq!(scalars.len(), chosen.len() * scalar_bytes, "one scalar per point");
                cancel.check()?;
                let gather = |&i: &u32| {
                    let at = i as usize * $bytes;
                    $read(&points[at..at + $bytes])
                };
                let bases: Vec<_> = chosen.par_iter().with_min_len(PIECE).map(gather).collect();
                let limbs = |bytes: &[u8]| {
                    let mut limbs = [0; 4];
                    for (limb, bytes) in limbs.iter_mut().zip(bytes.chunks_exact(8)) {
                        *limb = u64::from_le_bytes(std::array::from_fn(|i| bytes[i]));
                    }
                    BigInt::new(limbs)
                };
                let mut scalars: Vec<_> =
                    scalars.par_chunks_exact(scalar_bytes).with_min_len(PIECE).map(limbs).collect();
                let sum = <$projective>::msm_bigint(&bases, &scalars);
                scalars.zeroize();
                Ok(sum)
            }

            fn encode(sum: &$projective) -> Vec<u8> {
                let mut bytes = vec![0; $jacobian_bytes];
                $write(sum, &mut bytes);
                bytes
            }
        }
    };
}

arkworks_group!(
    Bn254G1,
    <Bn254 as ark_ec::pairing::Pairing>::G1,
    Curve::Bn254.g1_bytes(),
    Curve::Bn254.g1_jacobian_bytes(),
    Bn254::g1_unchecked,
    Bn254::write_g1_jacobian
);
arkworks_group!(
    Bn254G2,
    <Bn254 as ark_ec::pairing::Pairing>::G2,
    Curve::Bn254.g2_bytes(),
    Curve::Bn254.g2_jacobian_bytes(),
    Bn254::g2_unchecked,
    Bn254::write_g2_jacobian
);
