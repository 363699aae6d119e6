//! Every fixture on both curves: snarkjs accepts our proofs, we accept snarkjs'.

use interlock_core::format::snarkjs_json::{
    JsonFile, proof_from_json, public_from_json, verifying_key_from_json,
};
use interlock_core::groth16::{Blinding, verify};
use interlock_curves::{ProvingCurve, with_curve};
use interlock_tests::judge::Judge;
use interlock_tests::places::{Fixture, fixtures};
use interlock_tests::{linked, loaded};

use crate::{open, prove_on, write};

#[test]
fn each_fixture() {
    let mut judge = Judge::start();
    for fixture in fixtures() {
        with_curve!(fixture.curve, E => both_directions::<E>(&fixture, &mut judge));
    }
}

fn both_directions<E: ProvingCurve>(fixture: &Fixture, judge: &mut Judge) {
    let (key, witness) = open(&fixture.folder);
    let json = |file: &str| JsonFile::open(fixture.file(file)).unwrap();
    let vk = verifying_key_from_json::<E>(&json("verification_key.json")).unwrap();
    assert_eq!(key.verifying_key::<E>().unwrap(), vk, "{}", fixture.name);
    let signals = public_from_json::<E>(&json("public.json")).unwrap();
    let theirs = proof_from_json::<E>(&json("proof.json")).unwrap();
    assert!(verify(&vk, &signals, &theirs).unwrap(), "we refuse snarkjs' proof: {}", fixture.name);

    let seed = Blinding::from_seed(&[5; 32]);
    let by_linked = prove_on(&[linked()], &key, &witness, &seed, None).unwrap();
    let by_loaded = prove_on(&[loaded()], &key, &witness, &seed, None).unwrap();
    assert_eq!(by_linked.proof, by_loaded.proof, "{}", fixture.name);
    assert_eq!(by_linked.signals, signals, "{}", fixture.name);

    let random = prove_on(&[loaded()], &key, &witness, &Blinding::random().unwrap(), None).unwrap();
    assert_ne!(random.proof, by_loaded.proof, "blinding changes every proof: {}", fixture.name);
    let folder = tempfile::tempdir().unwrap();
    for proved in [&by_linked, &random] {
        write(folder.path(), proved, &vk);
        let at = |file: &str| folder.path().join(file);
        let accepted = judge.verifies(
            &fixture.file("verification_key.json"),
            &at("our_public.json"),
            &at("our_proof.json"),
        );
        assert!(accepted, "snarkjs refuses our proof: {}", fixture.name);
    }
}
