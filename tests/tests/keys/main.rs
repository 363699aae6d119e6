//! Keys of others. arkworks' and bellman's own code makes keys, proofs and files, and ours must be the same bytes; keys
//! of real ceremonies are proved with, and snarkjs judges.

mod arkworks;
mod bellman;
mod convention;
mod conversion;
mod damage;
mod npm;
mod seeds;
mod synthesis;

use std::sync::Arc;

use interlock_core::backend::DeviceOptions;
use interlock_core::format::r1cs::Coefficient;
use interlock_core::format::{R1cs, Witness};
use interlock_core::groth16::{Blinding, CancelFlag, ProveOptions, prove};
use interlock_core::key::ProvingKey;
use interlock_core::types::Proof;
use interlock_curves::ProvingCurve;
use interlock_tests::circuits::{Sample, edge_cases};
use interlock_tests::random::{generator, scalar};

type Fr<E> = <E as ark_ec::pairing::Pairing>::ScalarField;

/// The edge cases, and two circuits that are about which signals have points in A and B.
fn samples<E: ProvingCurve>() -> Vec<Sample> {
    let mut samples = edge_cases::<E>();
    samples.push(scattered::<E>());
    samples.push(repeated_terms::<E>());
    samples
}

/// Two inputs of which one occurs in B only; private signals that occur in A only, B only, C only, both.
fn scattered<E: ProvingCurve>() -> Sample {
    let mut builder = R1cs::builder(E::CURVE, 1, 2, 4);
    // Wires: 1 = out, 2 = p, 3 = q; 4 = x, 5 = y, 6 = z, 7 = t.
    builder.constraint(&[(4, 1)], &[(2, 1)], &[(6, 1)]);
    builder.constraint(&[(4, 2), (0, 1)], &[(5, 1), (0, 3)], &[(7, 1)]);
    builder.constraint(&[(7, 1)], &[(7, 1), (2, -1)], &[(1, 1)]);
    builder.constraint(&[], &[], &[(3, 1), (2, -1), (0, -1)]);
    let (p, x, y) = (11_i64, 5, 6);
    let t = (2 * x + 1) * (y + 3);
    let values = [1, t * (t - p), p, p + 1, x, y, x * p, t].map(|value| Fr::<E>::from(value as u64));
    sample::<E>("scattered", builder.build().unwrap(), &values)
}

/// Wires that occur more than once in a row, and coefficients of zero; nothing cancels out.
fn repeated_terms<E: ProvingCurve>() -> Sample {
    let mut builder = R1cs::builder(E::CURVE, 0, 1, 3);
    builder.constraint::<Coefficient>(
        &[(2, 1.into()), (3, 2.into()), (2, 4.into()), (1, 0.into())],
        &[(3, 1.into()), (3, 1.into()), (4, 0.into())],
        &[(4, 1.into())],
    );
    builder.constraint(&[(1, 1)], &[(0, 1)], &[(1, 1)]);
    let (x, y) = (7_u64, 9_u64);
    let values = [1, 3, x, y, (5 * x + 2 * y) * 2 * y].map(Fr::<E>::from);
    sample::<E>("repeated terms", builder.build().unwrap(), &values)
}

fn sample<E: ProvingCurve>(name: &'static str, r1cs: R1cs, values: &[Fr<E>]) -> Sample {
    let witness = Witness::from_scalars::<E>(values);
    assert_eq!(r1cs.first_unsatisfied(&witness).unwrap(), None, "{name}");
    Sample { name, r1cs, witness }
}

/// Fixed r and s.
fn blinding<E: ProvingCurve>() -> (Fr<E>, Fr<E>) {
    let mut rng = generator(20_260);
    (scalar(&mut rng), scalar(&mut rng))
}

/// A proof on the linked backend, verified.
fn our_proof<E: ProvingCurve>(key: ProvingKey, witness: &Witness) -> Proof<E> {
    let backend = interlock_tests::linked();
    let options = ProveOptions {
        backends: &[Arc::clone(&backend)],
        device: DeviceOptions { threads: Some(2), ..DeviceOptions::default() },
        self_check: true,
        check_against: None,
        reference: Some(&backend),
        observer: &(),
        cancel: &CancelFlag::default(),
    };
    let (r, s) = blinding::<E>();
    prove(&Arc::new(key), witness, &Blinding::<E>::from_scalars(r, s), &options).unwrap().proof
}
