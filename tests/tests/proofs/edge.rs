//! Edge circuits: our proofs judged by snarkjs, snarkjs' by us, on both curves and both doors.

use interlock_core::format::snarkjs_json::{
    JsonFile, proof_from_json, public_from_json, verifying_key_from_json,
};
use interlock_core::groth16::{Blinding, ProveError, verify};
use interlock_curves::{Bls12_381, Bn254, ProvingCurve};
use interlock_tests::circuits::edge_cases;
use interlock_tests::judge::Judge;
use interlock_tests::{linked, loaded};

use crate::{open, prove_on, write};

#[test]
fn each_edge_circuit_on_both_curves() {
    let mut judge = Judge::start();
    both_directions::<Bn254>(&mut judge);
    both_directions::<Bls12_381>(&mut judge);
}

fn both_directions<E: ProvingCurve>(judge: &mut Judge) {
    for sample in edge_cases::<E>() {
        let folder = tempfile::tempdir().unwrap();
        let at = |file: &str| folder.path().join(file);
        sample.write(folder.path());
        let (key, witness) = open(folder.path());
        let vk = key.verifying_key::<E>().unwrap();
        let blinding = Blinding::from_seed(&[3; 32]);
        let by_linked = prove_on(&[linked()], &key, &witness, &blinding, None).unwrap();
        let by_loaded = prove_on(&[loaded()], &key, &witness, &blinding, None).unwrap();
        assert_eq!(by_linked.proof, by_loaded.proof, "{} {}", E::CURVE, sample.name);

        write(folder.path(), &by_linked, &vk);
        judge.vkey(&at("circuit.zkey"), &at("vk.json"));
        let theirs = std::fs::read_to_string(at("vk.json")).unwrap();
        assert_eq!(std::fs::read_to_string(at("our_vk.json")).unwrap(), theirs, "{}", sample.name);
        let accepted = judge.verifies(&at("vk.json"), &at("our_public.json"), &at("our_proof.json"));
        assert!(accepted, "snarkjs refuses our proof: {} {}", E::CURVE, sample.name);

        judge.prove(&at("circuit.zkey"), &at("witness.wtns"), &at("proof.json"), &at("public.json"));
        let json = |file: &str| JsonFile::open(at(file)).unwrap();
        let vk = verifying_key_from_json::<E>(&json("vk.json")).unwrap();
        let signals = public_from_json::<E>(&json("public.json")).unwrap();
        assert_eq!(signals, by_linked.signals, "{}", sample.name);
        let proof = proof_from_json::<E>(&json("proof.json")).unwrap();
        assert!(
            verify(&vk, &signals, &proof).unwrap(),
            "we refuse snarkjs' proof: {} {}",
            E::CURVE,
            sample.name
        );
    }
}

#[test]
fn a_wrong_witness_is_told_as_such() {
    wrong_witness::<Bn254>();
    wrong_witness::<Bls12_381>();
}

fn wrong_witness<E: ProvingCurve>() {
    let samples = edge_cases::<E>();
    let sample = samples.iter().find(|sample| sample.name == "one constraint").unwrap();
    let folder = tempfile::tempdir().unwrap();
    sample.write(folder.path());
    let (key, witness) = open(folder.path());
    let with = |index: usize, value: u64| {
        let mut scalars = witness.scalars::<E>().unwrap().to_vec();
        scalars[index] = E::ScalarField::from(value);
        interlock_core::format::Witness::from_scalars::<E>(&scalars)
    };
    let blinding = Blinding::<E>::from_seed(&[4; 32]);
    for backends in [vec![linked()], vec![loaded()]] {
        let error = prove_on(&backends, &key, &with(2, 8), &blinding, None).unwrap_err();
        assert!(matches!(error, ProveError::Unsatisfied { .. }), "{error}");
        let error = prove_on(&backends, &key, &with(0, 2), &blinding, None).unwrap_err();
        assert!(matches!(error, ProveError::NotOne), "{error}");
    }
    let other = samples.iter().find(|sample| sample.name == "no public input").unwrap();
    let error = prove_on(&[linked()], &key, &other.witness, &blinding, None).unwrap_err();
    assert!(matches!(error, ProveError::WitnessLength { witness: 4, key: 3 }), "{error}");
}
