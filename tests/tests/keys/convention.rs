//! Between snarkjs' convention and arkworks' and bellman's: with the same r and s, a converted key gives the same proof.
//! The judges are snarkjs and ark-groth16, with keys of one convention that the other side made.

use ark_serialize::CanonicalDeserialize;
use groth16::Parameters;
use interlock_core::format::arkworks::{ArkProvingKey, Compressed};
use interlock_core::format::snarkjs_json::{proof_to_json, public_to_json, verifying_key_to_json};
use interlock_core::format::{MappedFile, R1cs, Witness, Zkey};
use interlock_core::key::{ConventionError, ExportError, ProvingKey, Quotient};
use interlock_core::setup::{ToxicWaste, setup_zkey};
use interlock_core::types::PublicSignals;
use interlock_curves::roots::RootFamily;
use interlock_curves::{Bls12_381, Bn254, Curve, ProvingCurve};
use interlock_tests::circuits::Sample;
use interlock_tests::judge::Judge;
use interlock_tests::places::committed;

use crate::arkworks::{serialised, their_key, their_proof};
use crate::bellman::{their_proof as bellman_proof, written as bellman_bytes};
use crate::{Fr, our_proof, samples};

fn zkey(bytes: Vec<u8>) -> ProvingKey {
    ProvingKey::from_zkey(&Zkey::from_bytes("some.zkey", bytes).unwrap()).unwrap()
}

fn made_zkey<E: ProvingCurve>(r1cs: &R1cs) -> Vec<u8> {
    let mut bytes = Vec::new();
    setup_zkey::<E>(r1cs, &ToxicWaste::from_seed([9; 32]), &mut bytes).unwrap();
    bytes
}

fn written_zkey(key: &ProvingKey) -> Vec<u8> {
    let mut bytes = Vec::new();
    key.write_zkey(None, &mut bytes).unwrap();
    bytes
}

fn arkworks_key<E: ProvingCurve>(bytes: Vec<u8>, r1cs: &R1cs) -> ProvingKey {
    let opened = ArkProvingKey::from_bytes("ark.key", bytes, E::CURVE, Compressed::No).unwrap();
    ProvingKey::from_arkworks(&opened, r1cs).unwrap()
}

#[test]
fn snarkjs_keys_prove_the_same_as_coefficients() {
    snarkjs_to_coefficients::<Bn254>();
    snarkjs_to_coefficients::<Bls12_381>();
}

fn snarkjs_to_coefficients<E: ProvingCurve>() {
    for sample in samples::<E>() {
        let name = sample.name;
        let key = zkey(made_zkey::<E>(&sample.r1cs));
        let converted = key.to_coefficients().unwrap();
        assert_eq!(converted.quotient, Quotient::Coefficients);
        let proof = our_proof::<E>(key.clone(), &sample.witness);
        assert_eq!(our_proof::<E>(converted.clone(), &sample.witness), proof, "{name} on {}", E::CURVE);
        // There and back: other H points, but for the last coefficient, and the same proof.
        let back = converted.to_coset_values().unwrap();
        assert_eq!((&back.a_matrix, &back.b_matrix), (&key.a_matrix, &key.b_matrix), "{name}");
        assert_eq!(our_proof::<E>(back, &sample.witness), proof, "{name}");

        // With arkworks as prover, where its rows are the key's: always on BN254.
        let mut bytes = Vec::new();
        let outcome = converted.write_arkworks(Compressed::No, &mut bytes);
        if E::CURVE == Curve::Bls12_381 && converted.domain.log_size > 2 {
            assert!(matches!(outcome, Err(ExportError::Rows)), "{name}: {outcome:?}");
            continue;
        }
        outcome.unwrap();
        let theirs = ark_groth16::ProvingKey::<E>::deserialize_uncompressed(bytes.as_slice()).unwrap();
        let theirs = their_proof(&sample, &theirs);
        assert_eq!((proof.a, proof.b, proof.c), (theirs.a, theirs.b, theirs.c), "{name}");
    }
}

#[test]
fn arkworks_keys_become_zkeys_and_come_back() {
    arkworks_there_and_back::<Bn254>();
    arkworks_there_and_back::<Bls12_381>();
}

fn arkworks_there_and_back<E: ProvingCurve>() {
    let mut judge = Judge::start();
    for sample in samples::<E>() {
        let name = sample.name;
        let theirs = their_key::<E>(&sample);
        let bytes = serialised(&theirs, Compressed::No);
        let key = arkworks_key::<E>(bytes.clone(), &sample.r1cs);
        let file = written_zkey(&key.to_coset_values().unwrap());
        let converted = zkey(file.clone());
        assert_eq!(converted.root_family(), Some(RootFamily::Snarkjs));
        assert_eq!(
            our_proof::<E>(converted.clone(), &sample.witness),
            our_proof(key, &sample.witness),
            "{name}"
        );

        let mut back = Vec::new();
        converted.to_coefficients().unwrap().write_arkworks(Compressed::No, &mut back).unwrap();
        assert!(back == bytes, "{name} on {}: the bytes of the way back differ", E::CURVE);
        judged_by_snarkjs::<E>(&mut judge, &file, &converted, &sample);
    }
}

#[test]
fn bellman_parameters_become_zkeys_and_come_back() {
    let mut compared = 0;
    let mut judge = Judge::start();
    for sample in samples::<Bls12_381>() {
        let Some(params) = crate::bellman::their_params(&sample) else { continue };
        let bytes = bellman_bytes(&params);
        let opened =
            interlock_core::format::bellman::BellmanParams::from_bytes("some.params", bytes.clone()).unwrap();
        let key = ProvingKey::from_bellman(&opened, &sample.r1cs).unwrap();
        let file = written_zkey(&key.to_coset_values().unwrap());
        let converted = zkey(file.clone());
        judged_by_snarkjs::<Bls12_381>(&mut judge, &file, &converted, &sample);
        let mut back = Vec::new();
        converted.to_coefficients().unwrap().write_bellman(&mut back).unwrap();
        assert!(back == bytes, "{}: the bytes of the way back differ", sample.name);
        let params = Parameters::read(back.as_slice(), true).unwrap();
        let proof = our_proof::<Bls12_381>(converted, &sample.witness);
        let mut ours = Vec::new();
        interlock_core::format::bellman::write_proof(&proof, &mut ours).unwrap();
        assert_eq!(ours, bellman_proof(&sample, &params), "{}", sample.name);
        compared += 1;
    }
    assert!(compared >= 8, "bellman took only {compared} circuits");
}

/// snarkjs proves with the key, takes its own proof and ours, and refuses ours for another statement.
fn judged_by_snarkjs<E: ProvingCurve>(judge: &mut Judge, file: &[u8], key: &ProvingKey, sample: &Sample) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("circuit.zkey"), file).unwrap();
    let mut witness = Vec::new();
    sample.witness.write(&mut witness).unwrap();
    std::fs::write(path("witness.wtns"), witness).unwrap();
    let (vk, proof, public) = (path("vk.json"), path("proof.json"), path("public.json"));
    judge.prove(&path("circuit.zkey"), &path("witness.wtns"), &proof, &public);
    judge.vkey(&path("circuit.zkey"), &vk);
    assert!(judge.verifies(&vk, &public, &proof), "snarkjs refuses its proof of {}", sample.name);

    let ours = our_proof::<E>(key.clone(), &sample.witness);
    std::fs::write(&proof, proof_to_json(&ours)).unwrap();
    std::fs::write(&vk, verifying_key_to_json(&key.verifying_key::<E>().unwrap())).unwrap();
    assert!(judge.verifies(&vk, &public, &proof), "snarkjs refuses our proof of {}", sample.name);
    if key.n_public > 0 {
        let mut signals = signals::<E>(&sample.witness, key.n_public);
        signals.0[0] += Fr::<E>::from(1u64);
        std::fs::write(&public, public_to_json(&signals)).unwrap();
        assert!(!judge.verifies(&vk, &public, &proof), "snarkjs takes another statement of {}", sample.name);
    }
}

fn signals<E: ProvingCurve>(witness: &Witness, n_public: usize) -> PublicSignals<E> {
    PublicSignals(witness.scalars::<E>().unwrap()[1..=n_public].to_vec())
}

#[test]
fn ceremony_keys_of_the_fixtures_prove_the_same() {
    for fixture in committed() {
        let key = ProvingKey::from_zkey(&Zkey::open(fixture.file("circuit.zkey")).unwrap()).unwrap();
        let witness = Witness::open(fixture.file("witness.wtns")).unwrap();
        let converted = key.to_coefficients().unwrap();
        match fixture.curve {
            Curve::Bn254 => {
                assert_eq!(our_proof::<Bn254>(converted, &witness), our_proof(key, &witness));
            }
            _ => assert_eq!(our_proof::<Bls12_381>(converted, &witness), our_proof(key, &witness)),
        }
    }
}

#[test]
fn only_what_fits_is_converted_or_written() {
    let sample = &samples::<Bls12_381>()[0];
    let key = zkey(made_zkey::<Bls12_381>(&sample.r1cs));
    let refused = |outcome: Result<(), ExportError>| outcome.unwrap_err();
    let mut out = Vec::new();
    assert!(matches!(refused(key.write_arkworks(Compressed::No, &mut out)), ExportError::Quotient));
    assert!(matches!(refused(key.write_bellman(&mut out)), ExportError::Quotient));
    let coefficients = key.to_coefficients().unwrap();
    assert!(matches!(refused(coefficients.write_zkey(None, &mut out)), ExportError::Quotient));
    assert!(out.is_empty());

    let mut short = key.clone();
    let file = MappedFile::from_bytes("H", key.h.points[96..].to_vec()).unwrap();
    let range = 0..file.bytes().len();
    short.h.points = interlock_core::format::Section::new(file, range).unwrap();
    let rows = key.domain_size();
    let wanted = ConventionError::Length { expected: rows, found: rows - 1 };
    assert_eq!(short.to_coefficients().unwrap_err(), wanted);
    let mut foreign = key;
    foreign.domain.generator[0] ^= 1;
    assert_eq!(foreign.to_coefficients().unwrap_err(), ConventionError::Domain);
}
