//! Batches of proofs.

use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use ark_ff::{Field, One};
use interlock_core::groth16::batch::{BatchError, verify_batch};
use interlock_core::groth16::verify;
use interlock_core::groth16::verify::WrongSignalCount;
use interlock_core::types::{Proof, PublicSignals, VerifyingKey};
use interlock_curves::{Bls12_381, Bn254, ProvingCurve};
use interlock_tests::places::fixture;
use interlock_tests::random::{generator, scalar};
use rand_chacha::ChaCha20Rng;

use crate::{Judged, fresh, judged, made};

type Batch<E> = Vec<(PublicSignals<E>, Proof<E>)>;

/// Another proof of the same statement without the witness (Bowe and Gabizon, *Making Groth's zk-SNARK simulation
/// extractable in the random oracle model*, 2018, section 1): for random t, u, `(A, B, C)` becomes
/// `(A/t, t·B + t·u·δ, C + u·A)`.
fn rerandomised<E: ProvingCurve>(key: &VerifyingKey<E>, proof: &Proof<E>, rng: &mut ChaCha20Rng) -> Proof<E> {
    let (t, u) = (scalar::<E::ScalarField>(rng), scalar::<E::ScalarField>(rng));
    Proof {
        a: (proof.a * t.inverse().unwrap()).into_affine(),
        b: (proof.b * t + key.delta_g2 * (t * u)).into_affine(),
        c: (proof.c + proof.a * u).into_affine(),
    }
}

/// `n` good proofs, all different: snarkjs' proof, a fresh one of ours, then re-randomised ones of both.
fn good<E: ProvingCurve>(name: &str, n: usize, seed: u64) -> (VerifyingKey<E>, Batch<E>) {
    let fixture = fixture(E::CURVE, name);
    let Judged { key, signals, theirs } = judged::<E>(&fixture);
    let ours = fresh::<E>(&fixture);
    let mut rng = generator(seed);
    let mut proofs = vec![theirs, ours];
    proofs.extend((2..n).map(|i| rerandomised(&key, if i % 2 == 0 { &theirs } else { &ours }, &mut rng)));
    proofs.truncate(n);
    (key, proofs.into_iter().map(|proof| (signals.clone(), proof)).collect())
}

/// Ways in which a proof can be bad.
fn spoil<E: ProvingCurve>((signals, proof): &mut (PublicSignals<E>, Proof<E>), how: usize) {
    let shifted = |point: E::G1Affine| (point + E::G1::generator()).into_affine();
    match how % 5 {
        0 => proof.a = shifted(proof.a),
        1 => proof.b = (proof.b + E::G2::generator()).into_affine(),
        2 => proof.c = shifted(proof.c),
        3 => signals.0[0] += E::ScalarField::one(),
        _ => proof.a = E::G1Affine::zero(),
    }
}

fn names<E: ProvingCurve>(key: &VerifyingKey<E>, batch: &Batch<E>, bad: &[usize]) {
    let one_by_one: Vec<usize> =
        (0..batch.len()).filter(|&i| !verify(key, &batch[i].0, &batch[i].1).unwrap()).collect();
    assert_eq!(one_by_one, bad);
    assert_eq!(verify_batch(key, batch, 2).unwrap(), bad);
}

/// Runs a test on both curves.
macro_rules! on_both_curves {
    ($($name:ident)*) => { $(
        #[test]
        fn $name() {
            generic::$name::<Bn254>();
            generic::$name::<Bls12_381>();
        }
    )* };
}

on_both_curves! {
    good_batches_of_any_size
    one_bad_proof_is_named_wherever_it_is
    several_bad_proofs_are_named
    errors_that_cancel_are_found
    wrong_counts_are_told_before_anything_is_computed
    any_number_of_signals
}

mod generic {
    use super::*;

    pub(super) fn good_batches_of_any_size<E: ProvingCurve>() {
        for (name, sizes) in [("membership", [0, 1, 2, 33]), ("multiplier", [3, 4, 5, 8])] {
            for n in sizes {
                let (key, batch) = good::<E>(name, n, 1);
                assert_eq!(batch.len(), n);
                for threads in [0, 1, 3] {
                    assert!(verify_batch(&key, &batch, threads).unwrap().is_empty(), "{n} on {threads}");
                }
            }
        }
    }

    pub(super) fn one_bad_proof_is_named_wherever_it_is<E: ProvingCurve>() {
        for n in [1, 2, 33] {
            let (key, batch) = good::<E>("membership", n, 2);
            for i in 0..n {
                let mut batch = batch.clone();
                spoil(&mut batch[i], i);
                assert_eq!(verify_batch(&key, &batch, 2).unwrap(), [i]);
            }
        }
    }

    pub(super) fn several_bad_proofs_are_named<E: ProvingCurve>() {
        let (key, batch) = good::<E>("multiplier", 33, 3);
        let sets: [Vec<usize>; 6] = [
            vec![0, 1],
            vec![0, 16, 32],
            (3..12).collect(),
            (0..33).step_by(2).collect(),
            (1..33).collect(),
            (0..33).collect(),
        ];
        for set in sets {
            let mut batch = batch.clone();
            for (how, &i) in set.iter().enumerate() {
                spoil(&mut batch[i], how);
            }
            names(&key, &batch, &set);
        }
    }

    /// Without weights the product over both would be one: C + D and C − D.
    pub(super) fn errors_that_cancel_are_found<E: ProvingCurve>() {
        let (key, mut batch) = good::<E>("multiplier", 6, 4);
        let error = E::G1::generator() * scalar::<E::ScalarField>(&mut generator(9));
        batch[2].1.c = (error + batch[2].1.c).into_affine();
        batch[3].1.c = (-error + batch[3].1.c).into_affine();
        names(&key, &batch, &[2, 3]);
        // And two proofs that have swapped their parts.
        let (key, mut batch) = good::<E>("multiplier", 5, 5);
        (batch[0].1.c, batch[4].1.c) = (batch[4].1.c, batch[0].1.c);
        names(&key, &batch, &[0, 4]);
    }

    pub(super) fn wrong_counts_are_told_before_anything_is_computed<E: ProvingCurve>() {
        let (mut key, mut batch) = good::<E>("multiplier", 3, 6);
        let wanted = key.n_public();
        let told = |key: &VerifyingKey<E>, batch: &Batch<E>| match verify_batch(key, batch, 1) {
            Err(BatchError::Signals { index, source }) => (index, source),
            other => panic!("{other:?}"),
        };
        batch[1].0.0.push(E::ScalarField::one());
        assert_eq!(told(&key, &batch), (1, WrongSignalCount { wanted, got: wanted + 1 }));
        batch[1].0.0.truncate(wanted - 1);
        batch[2].0.0.clear();
        assert_eq!(told(&key, &batch), (1, WrongSignalCount { wanted, got: wanted - 1 }));
        // A key without even the constant's point fits nothing.
        key.ic.clear();
        batch.iter_mut().for_each(|(signals, _)| signals.0.clear());
        assert_eq!(told(&key, &batch), (0, WrongSignalCount { wanted: 0, got: 0 }));
        assert!(verify_batch(&key, &[], 1).unwrap().is_empty());
    }

    pub(super) fn any_number_of_signals<E: ProvingCurve>() {
        for n in [0, 1, 40] {
            let (key, signals, proof) = made::<E>(n, 7);
            let rng = &mut generator(8);
            let mut batch: Batch<E> =
                (0..9).map(|_| (signals.clone(), rerandomised(&key, &proof, rng))).collect();
            names(&key, &batch, &[]);
            spoil(&mut batch[8], 2);
            names(&key, &batch, &[8]);
        }
    }
}
