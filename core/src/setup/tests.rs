//! Keys made here, proved with in the plainest way and judged by the pairing equation.

use ark_ec::{AffineRepr, CurveGroup, PrimeGroup, pairing::PairingOutput};
use ark_ff::{Field, One, Zero};
use interlock_curves::{
    Bls12_381, Bn254, Curve, ProvingCurve,
    roots::{RootFamily, coset_shift_snarkjs, root_of_unity},
    with_curve,
};

use super::*;
use crate::{
    format::{Csr, R1cs, Witness, Zkey},
    types::{Proof, VerifyingKey},
};

/// `constraints` steps `y ← y · (y + x₁ + … + xₚ + 3)` from a private start, the last `y` being the public output; with
/// its witness. `inputs` public inputs; a circuit without constraints has no output either.
fn chain<E: ProvingCurve>(constraints: usize, inputs: u32) -> (R1cs, Witness) {
    let outputs = u32::from(constraints > 0);
    let mut builder = R1cs::builder(E::CURVE, outputs, inputs, 1);
    let mut values = vec![E::ScalarField::one(); 1 + outputs as usize];
    values.extend((0..inputs).map(|i| E::ScalarField::from(10 + u64::from(i))));
    let start = 1 + outputs + inputs;
    values.push(E::ScalarField::from(5u64));

    let (mut wire, mut value) = (start, values[start as usize]);
    for step in 0..constraints {
        let mut sum = vec![(wire, 1), (0, 3)];
        sum.extend((0..inputs).map(|i| (1 + outputs + i, 1)));
        let factor = value
            + E::ScalarField::from(3u64)
            + (0..inputs).map(|i| E::ScalarField::from(10 + u64::from(i))).sum::<E::ScalarField>();
        let next = if step + 1 == constraints { 1 } else { builder.wire() };
        value *= factor;
        if next == 1 {
            values[1] = value;
        } else {
            values.push(value);
        }
        builder.constraint(&[(wire, -2), (wire, 3)], &sum, &[(next, 1)]);
        wire = next;
    }
    (builder.build().unwrap(), Witness::from_scalars::<E>(&values))
}

fn key_bytes<E: ProvingCurve>(r1cs: &R1cs) -> Vec<u8> {
    let mut out = Vec::new();
    setup_zkey(r1cs, &ToxicWaste::<E>::from_seed([1; 32]), &mut out).unwrap();
    out
}

/// Values of the polynomial through `rows` (on the domain) at the coset `shift · ωʲ`.
fn on_coset<E: ProvingCurve>(
    rows: &[E::ScalarField],
    omega: E::ScalarField,
    shift: E::ScalarField,
) -> Vec<E::ScalarField> {
    let n = rows.len() as u64;
    let n_inverse = E::ScalarField::from(n).inverse().unwrap();
    let coefficients: Vec<E::ScalarField> = (0..n)
        .map(|k| {
            let sum: E::ScalarField =
                rows.iter().zip(0u64..).map(|(row, i)| *row * omega.pow([(n - i * k % n) % n])).sum();
            sum * n_inverse
        })
        .collect();
    (0..n)
        .map(|j| {
            let x = shift * omega.pow([j]);
            coefficients.iter().rev().fold(E::ScalarField::zero(), |sum, coefficient| sum * x + coefficient)
        })
        .collect()
}

/// A matrix times the witness.
fn rows<E: ProvingCurve>(matrix: &Csr, witness: &[E::ScalarField]) -> Vec<E::ScalarField> {
    let r_inverse = E::ScalarField::from(2u64).pow([256]).inverse().unwrap();
    (0..matrix.rows)
        .map(|row| {
            (matrix.row_offsets[row]..matrix.row_offsets[row + 1])
                .map(|at| {
                    let at = at as usize;
                    let value = matrix.values[32 * at..32 * at + 32].try_into().unwrap();
                    // As Montgomery limbs the value is coefficient · R.
                    let coefficient = E::scalar_from_montgomery(value).unwrap() * r_inverse;
                    coefficient * witness[matrix.col_indices[at] as usize]
                })
                .sum()
        })
        .collect()
}

fn msm_g1<E: ProvingCurve>(bases: &[u8], scalars: &[E::ScalarField]) -> E::G1 {
    let points = bases.chunks_exact(E::CURVE.g1_bytes());
    assert_eq!(points.len(), scalars.len());
    points.zip(scalars).map(|(point, scalar)| E::read_g1(point).unwrap() * scalar).sum()
}

fn prove<E: ProvingCurve>(key: &Zkey, witness: &Witness) -> Proof<E> {
    let w = witness.scalars::<E>().unwrap();
    let (a_matrix, b_matrix) = key.matrices().unwrap();
    let (a, b) = (rows::<E>(&a_matrix, &w), rows::<E>(&b_matrix, &w));
    let c: Vec<E::ScalarField> = a.iter().zip(&b).map(|(a, b)| *a * b).collect();
    let omega = root_of_unity::<E>(key.log_domain(), RootFamily::Snarkjs).unwrap();
    let shift = coset_shift_snarkjs::<E>(key.log_domain()).unwrap();
    let [a, b, c] = [a, b, c].map(|rows| on_coset::<E>(&rows, omega, shift));
    let h: Vec<E::ScalarField> = a.iter().zip(&b).zip(&c).map(|((a, b), c)| *a * b - c).collect();

    let points = key.header_points::<E>().unwrap();
    let (r, s) = (E::ScalarField::from(77u64), E::ScalarField::from(78u64));
    let a = points.alpha_g1 + msm_g1::<E>(&key.a(), &w) + points.delta_g1 * r;
    let b1 = points.beta_g1 + msm_g1::<E>(&key.b1(), &w) + points.delta_g1 * s;
    let b2 = key
        .b2()
        .chunks_exact(E::CURVE.g2_bytes())
        .zip(w.iter())
        .map(|(point, scalar)| E::read_g2(point).unwrap() * scalar)
        .sum::<E::G2>()
        + points.beta_g2
        + points.delta_g2 * s;
    let private = &w[key.n_public() as usize + 1..];
    let c = msm_g1::<E>(&key.l(), private) + msm_g1::<E>(&key.h(), &h) + a * s + b1 * r
        - points.delta_g1 * (r * s);
    Proof { a: a.into_affine(), b: b2.into_affine(), c: c.into_affine() }
}

fn verify<E: ProvingCurve>(key: &VerifyingKey<E>, public: &[E::ScalarField], proof: &Proof<E>) -> bool {
    assert_eq!(public.len(), key.n_public());
    let inputs: E::G1 = key.ic[1..].iter().zip(public).map(|(point, value)| *point * value).sum();
    let inputs = (inputs + key.ic[0]).into_affine();
    let product: PairingOutput<E> = E::multi_pairing(
        [(-proof.a.into_group()).into_affine(), key.alpha_g1, inputs, proof.c],
        [proof.b, key.beta_g2, key.gamma_g2, key.delta_g2],
    );
    product.is_zero()
}

#[test]
fn proofs_under_these_keys_verify() {
    fn check<E: ProvingCurve>() {
        for (constraints, inputs, domain) in [
            (0, 0, 2),
            (0, 1, 2),
            (1, 0, 4),
            (1, 1, 4),
            (1, 2, 8),
            (4, 0, 8),
            (5, 1, 8),
            (6, 1, 16),
            (11, 3, 16),
        ] {
            let (r1cs, witness) = chain::<E>(constraints, inputs);
            assert_eq!(r1cs.first_unsatisfied(&witness).unwrap(), None);
            let key = Zkey::from_bytes("key.zkey", key_bytes::<E>(&r1cs)).unwrap();
            assert_eq!(key.domain_size(), domain, "{constraints} constraints, {inputs} inputs");
            assert_eq!((key.n_vars(), key.n_public()), (r1cs.n_wires(), r1cs.n_public()));
            let vk = export_vk::<E>(&key).unwrap();
            let proof = prove::<E>(&key, &witness);
            let scalars = witness.scalars::<E>().unwrap();
            let public = &scalars[1..=key.n_public() as usize];
            assert!(verify(&vk, public, &proof), "{constraints} constraints, {inputs} inputs");
            if let Some(last) = public.len().checked_sub(1) {
                let mut wrong = public.to_vec();
                wrong[last] += E::ScalarField::one();
                assert!(!verify(&vk, &wrong, &proof));
            }
        }
    }
    check::<Bn254>();
    check::<Bls12_381>();
}

#[test]
fn a_wrong_witness_does_not_verify() {
    let (r1cs, witness) = chain::<Bls12_381>(6, 1);
    let key = Zkey::from_bytes("key.zkey", key_bytes::<Bls12_381>(&r1cs)).unwrap();
    let mut values = witness.scalars::<Bls12_381>().unwrap();
    let last = values.len() - 1;
    values[last] += ark_bls12_381::Fr::one();
    let wrong = Witness::from_scalars::<Bls12_381>(&values);
    assert!(r1cs.first_unsatisfied(&wrong).unwrap().is_some());
    let proof = prove::<Bls12_381>(&key, &wrong);
    assert!(!verify(&export_vk(&key).unwrap(), &values[1..3], &proof));
}

#[test]
fn keys_are_marked_and_reproducible() {
    for curve in Curve::ALL {
        with_curve!(curve, E => {
            let (r1cs, _) = chain::<E>(3, 1);
            let bytes = key_bytes::<E>(&r1cs);
            assert_eq!(bytes, key_bytes::<E>(&r1cs));
            let mut other = Vec::new();
            setup_zkey(&r1cs, &ToxicWaste::<E>::random().unwrap(), &mut other).unwrap();
            assert_ne!(bytes, other);
            let key = Zkey::from_bytes("key.zkey", bytes).unwrap();
            assert_eq!(key.insecure_marker().as_deref(), Some(INSECURE_TEXT));
            assert_eq!(key.contribution_count(), Some(0));
            assert_eq!(key.header_points::<E>().unwrap().gamma_g2, <E as ark_ec::pairing::Pairing>::G2Affine::generator());
            // Wires that no constraint uses in B are at infinity there.
            assert!(key.b1().chunks_exact(curve.g1_bytes()).any(|point| point.iter().all(|byte| *byte == 0)));
        });
    }
}

#[test]
fn refusals() {
    let (r1cs, _) = chain::<Bn254>(3, 1);
    let error = setup_zkey(&r1cs, &ToxicWaste::<Bls12_381>::from_seed([1; 32]), &mut Vec::new()).unwrap_err();
    assert!(matches!(error, SetupError::CurveMismatch { .. }), "{error}");
    let one = ark_bn254::Fr::one();
    let error =
        setup_zkey(&r1cs, &ToxicWaste::<Bn254>::new(one, one, one, one), &mut Vec::new()).unwrap_err();
    assert!(matches!(error, SetupError::DegenerateSecrets), "{error}");
    // τ in the domain of twice the size only.
    let tau = root_of_unity::<Bn254>(4, RootFamily::Snarkjs).unwrap();
    let error =
        setup_zkey(&r1cs, &ToxicWaste::<Bn254>::new(tau, one, one, one), &mut Vec::new()).unwrap_err();
    assert!(matches!(error, SetupError::DegenerateSecrets), "{error}");
    let toxic = ToxicWaste::<Bn254>::new(one + one, one, one, ark_bn254::Fr::zero());
    assert!(setup_zkey(&r1cs, &toxic, &mut Vec::new()).is_err(), "delta is zero");
    let huge = R1cs::builder(Curve::Bn254, 0, 1 << 28, 0).build().unwrap();
    let error = qap::log_domain(&huge).unwrap_err();
    assert!(matches!(error, SetupError::TooManyRows { log_domain: 29, max: 27, .. }), "{error}");
}

#[test]
fn generators_are_in_the_key() {
    // With δ = 1 the header's δ points are the generators, so the encoding is the curve's own.
    let (r1cs, _) = chain::<Bls12_381>(1, 0);
    let f = |n: u64| ark_bls12_381::Fr::from(n);
    let mut out = Vec::new();
    setup_zkey(&r1cs, &ToxicWaste::<Bls12_381>::new(f(9), f(2), f(3), f(1)), &mut out).unwrap();
    let key = Zkey::from_bytes("key.zkey", out).unwrap();
    let points = key.header_points::<Bls12_381>().unwrap();
    assert_eq!(points.delta_g1, ark_bls12_381::G1Affine::generator());
    assert_eq!(points.alpha_g1, (ark_bls12_381::G1Projective::generator() * f(2)).into_affine());
    assert_eq!(points.beta_g2, (ark_bls12_381::G2Projective::generator() * f(3)).into_affine());
}
