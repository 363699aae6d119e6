//! Encodings of scalars and points, on both curves.

use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use ark_ff::{Field, PrimeField, UniformRand, Zero};
use ark_std::test_rng;
use interlock_curves::{Bls12_381, Bn254, Curve, PointError, ProvingCurve, WireField};
use proptest::prelude::*;

fn scalar_round_trip<E: ProvingCurve>(bytes: [u8; 32]) {
    let reduced = E::ScalarField::from_le_bytes_mod_order(&bytes);
    assert_eq!(E::scalar_from_canonical(&E::scalar_to_canonical(&reduced)), Some(reduced));
    assert_eq!(E::scalar_from_montgomery(&E::scalar_to_montgomery(&reduced)), Some(reduced));
    // The Montgomery bytes are the canonical bytes of x·2^256.
    let shifted = reduced * E::ScalarField::from(2u64).pow([256u64]);
    assert_eq!(E::scalar_to_montgomery(&reduced), E::scalar_to_canonical(&shifted));
    match E::scalar_from_canonical(&bytes) {
        Some(scalar) => assert_eq!(E::scalar_to_canonical(&scalar), bytes),
        None => assert_ne!(E::scalar_to_canonical(&reduced), bytes),
    }
}

proptest! {
    #[test]
    fn scalars(bytes: [u8; 32]) {
        scalar_round_trip::<Bn254>(bytes);
        scalar_round_trip::<Bls12_381>(bytes);
    }

    #[test]
    fn any_bytes_are_safe(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        any_bytes::<Bn254>(&bytes);
        any_bytes::<Bls12_381>(&bytes);
    }
}

fn any_bytes<E: ProvingCurve>(bytes: &[u8]) {
    let doubled = E::g1_unchecked(bytes) + E::g1_unchecked(bytes);
    let _ = doubled.into_affine();
    let _ = (E::g2_unchecked(bytes) + E::g2_unchecked(bytes)).into_affine();
    // Random bytes of the right length are a point with negligible probability; most lengths are wrong.
    for n in [E::CURVE.g1_bytes(), E::CURVE.g2_bytes(), E::CURVE.g1_jacobian_bytes(), bytes.len()] {
        let part = &bytes[..n.min(bytes.len())];
        let _ = (E::read_g1(part), E::read_g2(part), E::read_g1_jacobian(part), E::read_g2_jacobian(part));
    }
}

#[test]
fn scalar_modulus_is_rejected() {
    fn check<E: ProvingCurve>() {
        let r = *E::CURVE.scalar_modulus_le();
        assert_eq!(E::scalar_from_canonical(&r), None);
        assert_eq!(E::scalar_from_montgomery(&r), None);
        assert_eq!(E::scalar_from_canonical(&[0xff; 32]), None);
        let mut below = r;
        below[0] -= 1;
        assert_eq!(E::scalar_from_canonical(&below), Some(-E::ScalarField::from(1u64)));
        assert!(E::scalar_from_montgomery(&below).is_some());
    }
    check::<Bn254>();
    check::<Bls12_381>();
}

fn points<E: ProvingCurve>() {
    let rng = &mut test_rng();
    let curve = E::CURVE;
    for _ in 0..20 {
        let (p, q) = (E::G1::rand(rng), E::G2::rand(rng));
        let mut g1 = vec![0xaa; curve.g1_bytes()];
        let mut g2 = vec![0xaa; curve.g2_bytes()];
        E::write_g1(&p.into_affine(), &mut g1);
        E::write_g2(&q.into_affine(), &mut g2);
        assert_eq!(E::read_g1(&g1), Ok(p.into_affine()));
        assert_eq!(E::read_g2(&g2), Ok(q.into_affine()));
        assert_eq!(E::g1_unchecked(&g1), p.into_affine());
        assert_eq!(E::g2_unchecked(&g2), q.into_affine());
        assert!(E::g1_in_subgroup(&p.into_affine()) && E::g2_in_subgroup(&q.into_affine()));

        let mut j1 = vec![0xaa; curve.g1_jacobian_bytes()];
        let mut j2 = vec![0xaa; curve.g2_jacobian_bytes()];
        E::write_g1_jacobian(&p, &mut j1);
        E::write_g2_jacobian(&q, &mut j2);
        assert_eq!(E::read_g1_jacobian(&j1), Ok(p));
        assert_eq!(E::read_g2_jacobian(&j2), Ok(q));

        // Every bit of the low byte of y takes the point off the curve.
        let y = curve.base_field_bytes();
        g1[y] ^= 1;
        assert_eq!(E::read_g1(&g1), Err(PointError::NotOnCurve));
        g2[2 * y] ^= 1;
        assert_eq!(E::read_g2(&g2), Err(PointError::NotOnCurve));
        j1[2 * y] ^= 1;
        assert_eq!(E::read_g1_jacobian(&j1), Err(PointError::NotOnCurve));
        j2[4 * y] ^= 1;
        assert_eq!(E::read_g2_jacobian(&j2), Err(PointError::NotOnCurve));
    }
}

fn infinity_and_errors<E: ProvingCurve>() {
    let curve = E::CURVE;
    let n = curve.base_field_bytes();
    let (g1, g2) = (vec![0; 2 * n], vec![0; 4 * n]);
    assert!(E::read_g1(&g1).unwrap().is_zero() && E::g1_unchecked(&g1).is_zero());
    assert!(E::read_g2(&g2).unwrap().is_zero() && E::g2_unchecked(&g2).is_zero());
    let mut out = vec![1; 4 * n];
    E::write_g1(&E::G1Affine::zero(), &mut out);
    assert!(out[..2 * n].iter().all(|b| *b == 0) && out[2 * n..].iter().all(|b| *b == 1));
    E::write_g2(&E::G2Affine::zero(), &mut out);
    assert!(out.iter().all(|b| *b == 0));

    // Z = 0 is infinity whatever X and Y are.
    let mut jacobian = vec![0; 3 * n];
    jacobian[0] = 7;
    assert!(E::read_g1_jacobian(&jacobian).unwrap().is_zero());
    let mut out = vec![1; 6 * n];
    E::write_g1_jacobian(&(E::G1::generator() - E::G1::generator()), &mut out);
    assert!(out[..3 * n].iter().all(|b| *b == 0));
    assert!(E::read_g1_jacobian(&out[..3 * n]).unwrap().is_zero());

    assert_eq!(E::read_g1(&g1[1..]), Err(PointError::Length { expected: 2 * n, found: 2 * n - 1 }));
    assert_eq!(E::read_g2(&g1), Err(PointError::Length { expected: 4 * n, found: 2 * n }));
    assert_eq!(E::read_g1_jacobian(&g1), Err(PointError::Length { expected: 3 * n, found: 2 * n }));

    let q = curve.base_modulus_le();
    for (at, name) in [(0, "x"), (1, "y")] {
        let mut bytes = g1.clone();
        bytes[at * n..(at + 1) * n].copy_from_slice(q);
        assert_eq!(E::read_g1(&bytes), Err(PointError::Coordinate { name }));
    }
    for (at, name) in [(0, "x"), (1, "x"), (2, "y"), (3, "y")] {
        let mut bytes = g2.clone();
        bytes[at * n..(at + 1) * n].fill(0xff);
        assert_eq!(E::read_g2(&bytes), Err(PointError::Coordinate { name }));
    }
    for (at, name) in [(0, "X"), (1, "Y"), (2, "Z")] {
        let mut bytes = vec![0; 3 * n];
        bytes[at * n..(at + 1) * n].copy_from_slice(q);
        assert_eq!(E::read_g1_jacobian(&bytes), Err(PointError::Coordinate { name }));
    }
}

#[test]
fn bn254_points() {
    points::<Bn254>();
    infinity_and_errors::<Bn254>();
}

#[test]
fn bls12_381_points() {
    points::<Bls12_381>();
    infinity_and_errors::<Bls12_381>();
}

#[test]
fn generator_of_bn254_is_one_two() {
    // x = 1, y = 2 in Montgomery form: R and 2R mod q.
    let mut bytes = vec![0; 64];
    Bn254::write_g1(&ark_bn254::G1Affine::generator(), &mut bytes);
    assert_eq!(ark_bn254::Fq::from_montgomery(&bytes[..32]), Some(ark_bn254::Fq::from(1)));
    assert_eq!(ark_bn254::Fq::from_montgomery(&bytes[32..]), Some(ark_bn254::Fq::from(2)));
    let mut canonical = [0; 32];
    ark_bn254::Fq::from(2).write_canonical(&mut canonical);
    assert_eq!(canonical[0], 2);
    assert_eq!(Curve::Bn254.base_field_bytes(), ark_bn254::Fq::BYTES);
}

#[test]
fn points_outside_the_subgroup_are_told_apart() {
    // On BLS12-381 the cofactors are not 1: (0, 2) is on G1's curve y² = x³ + 4 with order 3.
    let mut bytes = vec![0; 96];
    ark_bls12_381::Fq::from(2).write_montgomery(&mut bytes[48..]);
    let point = Bls12_381::read_g1(&bytes).unwrap();
    assert!(!Bls12_381::g1_in_subgroup(&point));

    // On the twists nearly every point is outside: take the first x that has a y.
    fn twist<E: ProvingCurve>(find: impl Fn(u64) -> Option<E::G2Affine>) {
        let point = (1..).find_map(find).unwrap();
        assert!(!E::g2_in_subgroup(&point));
        let mut bytes = vec![0; E::CURVE.g2_bytes()];
        E::write_g2(&point, &mut bytes);
        assert_eq!(E::read_g2(&bytes), Ok(point), "the reader checks the curve only");
    }
    twist::<Bn254>(|x| ark_bn254::G2Affine::get_point_from_x_unchecked(ark_bn254::Fq2::from(x), false));
    twist::<Bls12_381>(|x| {
        ark_bls12_381::G2Affine::get_point_from_x_unchecked(ark_bls12_381::Fq2::from(x), false)
    });
}
