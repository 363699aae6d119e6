//! The examples do what they say.

#[path = "../examples/batch_verify.rs"]
mod batch_verify;
#[path = "../examples/prove_file.rs"]
#[allow(dead_code, reason = "its main function reads the program's arguments, which are a test's here")]
mod prove_file;

use std::path::Path;

use interlock_core::format::snarkjs_json::{
    JsonFile, proof_from_json, public_from_json, verifying_key_from_json,
};
use interlock_core::groth16::verify;
use interlock_curves::{Curve, ProvingCurve, with_curve};

#[test]
fn a_file_is_proved() {
    for curve in Curve::ALL {
        with_curve!(curve, E => proves::<E>());
    }
}

fn proves<E: ProvingCurve>() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
    let folder = fixtures.join(E::CURVE.name()).join("membership");
    let (proof, public) =
        prove_file::run(&folder.join("circuit.zkey"), &folder.join("witness.wtns")).unwrap();
    // Against snarkjs's verification key and public signals.
    let theirs = |name: &str| JsonFile::open(folder.join(name)).unwrap();
    let key = verifying_key_from_json::<E>(&theirs("verification_key.json")).unwrap();
    let signals = public_from_json::<E>(&theirs("public.json")).unwrap();
    let ours = |text: String| JsonFile::from_bytes("ours", text.as_bytes()).unwrap();
    assert_eq!(public_from_json::<E>(&ours(public)).unwrap(), signals);
    assert!(verify(&key, &signals, &proof_from_json::<E>(&ours(proof)).unwrap()).unwrap());
}

#[test]
fn a_bad_proof_is_named() {
    batch_verify::main().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(batch_verify::run().unwrap(), (vec![], vec![5]));
}
