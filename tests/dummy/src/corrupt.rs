//! Wrong results that look right.

use ark_ec::PrimeGroup;
use ark_ec::pairing::Pairing;
use interlock_curves::{Curve, ProvingCurve, WireField, with_curve};
use interlock_sdk::{CurveId, Group};

fn curve(id: CurveId) -> Curve {
    match id {
        CurveId::Bn254 => Curve::Bn254,
        CurveId::Bls12_381 => Curve::Bls12_381,
    }
}

/// Adds the group's generator to a Jacobian sum on the wire: another point of the group, whatever the sum is. What is no
/// point becomes infinity.
pub(crate) fn another_sum(id: CurveId, group: Group, sum: &mut [u8]) {
    with_curve!(curve(id), E => match group {
        Group::G1 => match E::read_g1_jacobian(sum) {
            Ok(point) => E::write_g1_jacobian(&another(point), sum),
            Err(_) => sum.fill(0),
        },
        Group::G2 => match E::read_g2_jacobian(sum) {
            Ok(point) => E::write_g2_jacobian(&another(point), sum),
            Err(_) => sum.fill(0),
        },
    });
}

fn another<G: PrimeGroup>(point: G) -> G {
    point + G::generator()
}

/// Three, in Montgomery form: by it, scalars of either form become three times what they are.
pub(crate) fn three(id: CurveId) -> [u8; 32] {
    with_curve!(curve(id), E => E::scalar_to_montgomery(&<E as Pairing>::ScalarField::from(3_u64)))
}

/// Changes one limb of 64 bits.
pub(crate) fn flip(bytes: &mut [u8], seed: u64) {
    let limbs = bytes.len() / 8;
    if limbs > 0 {
        let (at, change) = chosen(seed, limbs);
        for (byte, other) in bytes[8 * at..8 * at + 8].iter_mut().zip(change.to_le_bytes()) {
            *byte ^= other;
        }
    }
}

/// Changes one limb of one of these scalars.
pub(crate) fn another_limb<F: WireField>(scalars: &mut [F], seed: u64) {
    if scalars.is_empty() {
        return;
    }
    let (at, seed) = chosen(seed, scalars.len());
    let mut bytes = [0; 32];
    scalars[at].write_montgomery(&mut bytes);
    flip(&mut bytes, seed);
    scalars[at] = F::from_montgomery_unchecked(&bytes);
}

/// One of `n`, and a number that is not 0 (the finaliser of SplitMix64).
fn chosen(seed: u64, n: usize) -> (usize, u64) {
    let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    ((mixed % n as u64) as usize, mixed.rotate_left(29) | 1)
}
