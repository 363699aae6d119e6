//! Keys with bases outside the subgroup: the pairing equation need not notice, a verifier's checks do.

use std::sync::Arc;

use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{PrimeField, UniformRand};
use ark_std::rand::SeedableRng;
use ark_std::rand::rngs::StdRng;
use interlock_core::format::{Witness, Zkey};
use interlock_core::groth16::{Blinding, ProveError};
use interlock_core::key::ProvingKey;
use interlock_curves::{Bls12_381, Bn254, ProvingCurve};
use interlock_tests::linked;
use interlock_tests::places::fixture;

use crate::prove_on;

/// A point of the curve whose order divides the cofactor: r times a random one.
fn torsion<P: SWCurveConfig>() -> Affine<P> {
    let mut rng = StdRng::seed_from_u64(1);
    loop {
        let x = P::BaseField::rand(&mut rng);
        let Some(point) = Affine::<P>::get_point_from_x_unchecked(x, true) else { continue };
        let point = point.mul_bigint(P::ScalarField::MODULUS).into_affine();
        if !point.is_zero() {
            return point;
        }
    }
}

/// Adds a point to every base of a section of the `multiplier` key, and proves.
fn prove_shifted<E: ProvingCurve>(section: u32, point_bytes: usize, shift: impl Fn(&mut [u8])) -> ProveError {
    let fixture = fixture(E::CURVE, "multiplier");
    let mut bytes = std::fs::read(fixture.file("circuit.zkey")).unwrap();
    let word = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let mut at = 12;
    while word(&bytes, at) != section {
        at += 12 + word(&bytes, at + 4) as usize;
    }
    let length = word(&bytes, at + 4) as usize;
    bytes[at + 12..at + 12 + length].chunks_exact_mut(point_bytes).for_each(shift);
    let key = Arc::new(ProvingKey::from_zkey(&Zkey::from_bytes("shifted", bytes).unwrap()).unwrap());
    let witness = Witness::open(fixture.file("witness.wtns")).unwrap();
    prove_on(&[linked()], &key, &witness, &Blinding::<E>::from_seed(&[6; 32]), None).unwrap_err()
}

#[test]
fn g1_bases_outside_the_subgroup_are_named() {
    let torsion = torsion::<ark_bls12_381::g1::Config>();
    for (section, name) in [(5, "A"), (6, "B1"), (8, "L"), (9, "H")] {
        let error = prove_shifted::<Bls12_381>(section, 96, |bytes| {
            let point = Bls12_381::read_g1(bytes).unwrap();
            Bls12_381::write_g1(&(point + torsion).into_affine(), bytes);
        });
        assert!(
            matches!(&error, ProveError::OutsideSubgroup { query, .. } if *query == name),
            "{name}: {error}"
        );
    }
}

#[test]
fn g2_bases_outside_the_subgroup_are_named() {
    let (bn, bls) = (torsion::<ark_bn254::g2::Config>(), torsion::<ark_bls12_381::g2::Config>());
    let on_bn = prove_shifted::<Bn254>(7, 128, |bytes| {
        let point = Bn254::read_g2(bytes).unwrap();
        Bn254::write_g2(&(point + bn).into_affine(), bytes);
    });
    let on_bls = prove_shifted::<Bls12_381>(7, 192, |bytes| {
        let point = Bls12_381::read_g2(bytes).unwrap();
        Bls12_381::write_g2(&(point + bls).into_affine(), bytes);
    });
    for error in [on_bn, on_bls] {
        assert!(matches!(error, ProveError::OutsideSubgroup { query: "B2", .. }), "{error}");
    }
}
