//! Zcash Sapling: its public circuits, with the parameters of its ceremony, proved by us; the consensus checks of
//! `sapling-crypto`, which end in bellman's verifier, are the judge.

mod note;
mod parameters;

use std::sync::Arc;

use bellman::Circuit;
use bls12_381::{Bls12, Scalar};
use groth16::{Parameters, Proof, create_proof, prepare_verifying_key, verify_proof};
use interlock_core::key::ProvingKey;
use interlock_judges::adapter::from_bellman;
use interlock_judges::proving::{FACTORS, accepts, random, reproducible, signals};
use sapling_crypto::SaplingVerificationContext;
use sapling_crypto::circuit::{OutputParameters, SpendParameters};

use crate::parameters::{OUTPUT, SPEND, opened, parameters};

/// A proof of a circuit, and what stands around it.
struct Outcome {
    /// With blinding from the operating system.
    proof: Vec<u8>,
    signals: Vec<Scalar>,
}

/// Proves; compares with bellman's bytes; lets both verifiers judge the proof, and with a changed signal refuse it.
fn prove(name: &str, file: &[u8], circuit: impl Circuit<Scalar> + Clone) -> Outcome {
    let (r1cs, witness) = from_bellman(circuit.clone());
    assert_eq!(r1cs.first_unsatisfied(&witness).unwrap(), None, "{name}");
    let key = Arc::new(ProvingKey::from_bellman(&opened(name, file), &r1cs).unwrap());
    // What we write is what the ceremony wrote, up to its transcript.
    let mut written = Vec::new();
    key.write_bellman(&mut written).unwrap();
    assert!(file.starts_with(&written), "{name}");
    assert_eq!(file.len() - written.len(), parameters::TRANSCRIPT_BYTES, "{name}");

    let theirs = Parameters::<Bls12>::read(file, false).unwrap();
    let [r, s] = FACTORS.map(|factor| Scalar::from_bytes(&factor).unwrap());
    let mut bytes = Vec::new();
    create_proof::<Bls12, _, _>(circuit, &theirs, r, s).unwrap().write(&mut bytes).unwrap();
    assert_eq!(reproducible(&key, &witness), bytes, "{name}: bellman's bytes");

    let proof = random(&key, &witness);
    assert_ne!(proof, bytes);
    let vk = key.verifying_key().unwrap();
    let good = signals(&key, &witness);
    let theirs = prepare_verifying_key(&theirs.vk);
    let parsed = Proof::read(proof.as_slice()).unwrap();
    let as_theirs = |signals: &[[u8; 32]]| -> Vec<Scalar> {
        signals.iter().map(|signal| Scalar::from_bytes(signal).unwrap()).collect()
    };
    assert!(accepts(&vk, &good, &proof), "{name}");
    verify_proof(&theirs, &parsed, &as_theirs(&good)).unwrap();
    for changed in 0..good.len() {
        let mut bad = good.clone();
        bad[changed][0] ^= 1;
        assert!(!accepts(&vk, &bad, &proof), "{name}: signal {changed}");
        assert!(verify_proof(&theirs, &parsed, &as_theirs(&bad)).is_err(), "{name}: signal {changed}");
    }
    Outcome { proof, signals: as_theirs(&good) }
}

#[test]
fn the_files_are_the_published_ones() {
    let files = parameters();
    SPEND.check("spend", &files.spend);
    OUTPUT.check("output", &files.output);
}

#[test]
fn a_spend_is_accepted_by_zcash() {
    let file = &parameters().spend;
    let spend = note::Spent::new();
    let outcome = prove("spend", file, spend.circuit());
    assert_eq!(outcome.signals.len(), 7);

    let vk = SpendParameters::read(file.as_slice(), false).unwrap().prepared_verifying_key();
    let check = |nullifier: &[u8; 32], anchor: Scalar| {
        SaplingVerificationContext::new().check_spend(
            &spend.value_commitment(),
            anchor,
            nullifier,
            spend.randomised_key(),
            &note::SIGHASH,
            spend.signature(),
            Proof::read(outcome.proof.as_slice()).unwrap(),
            &vk,
        )
    };
    let nullifier = spend.nullifier();
    assert!(check(&nullifier, spend.anchor()));
    assert!(!check(&nullifier, spend.anchor() + Scalar::one()), "another tree");
    let mut other = nullifier;
    other[7] ^= 1;
    assert!(!check(&other, spend.anchor()), "another nullifier");
}

#[test]
fn an_output_is_accepted_by_zcash() {
    let file = &parameters().output;
    let output = note::Received::new();
    let outcome = prove("output", file, output.circuit());
    assert_eq!(outcome.signals.len(), 5);

    let vk = OutputParameters::read(file.as_slice(), false).unwrap().prepared_verifying_key();
    let check = |value| {
        SaplingVerificationContext::new().check_output(
            &output.value_commitment(value),
            output.note_commitment(),
            output.ephemeral_key(),
            Proof::read(outcome.proof.as_slice()).unwrap(),
            &vk,
        )
    };
    assert!(check(note::RECEIVED));
    assert!(!check(note::RECEIVED + 1), "another value");
}
