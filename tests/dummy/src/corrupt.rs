//! Wrong results that look right.

use ark_ec::PrimeGroup;
use ark_ec::pairing::Pairing;
use interlock_curves::{Curve, ProvingCurve, with_curve};
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
