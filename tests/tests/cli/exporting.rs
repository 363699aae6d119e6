//! `interlock export`.

use std::path::PathBuf;

use interlock_core::export::{calldata, solidity};
use interlock_core::files::{KeyFile, ProofFile, VerifyingKeyFile};
use interlock_core::format::arkworks::Compressed;
use interlock_core::format::snarkjs_json::{JsonFile, public_from_json};
use interlock_curves::{Bls12_381, Bn254, Curve, with_curve};
use interlock_tests::judge::Judge;
use interlock_tests::places::fixture;
use interlock_tests::program::call;
use serde_json::Value;

use crate::Home;
use crate::library::{arkworks_key, bellman_params, sample};

fn export(home: &Home, words: &[&str], files: &[PathBuf]) -> (i32, String, String) {
    let words = std::iter::once("export").chain(words.iter().copied()).map(PathBuf::from);
    call(home.path(), words.chain(files.iter().cloned()))
}

#[test]
fn verification_keys_are_those_of_snarkjs() {
    let mut judge = Judge::start();
    for curve in [Curve::Bn254, Curve::Bls12_381] {
        let home = Home::new();
        let key = fixture(curve, "membership").file("circuit.zkey");
        judge.vkey(&key, &home.at("snarkjs.json"));
        let (code, stdout, stderr) = export(&home, &["vk"], &[key.clone(), home.at("vk.json")]);
        assert_eq!((code, stdout.as_str()), (0, ""), "{stderr}");
        let old = ["inspect".into(), key.clone(), "--export-vkey".into(), home.at("old.json")];
        assert_eq!(call(home.path(), old).0, 0);
        let read = |file: &str| std::fs::read(home.at(file)).unwrap();
        assert_eq!(read("vk.json"), read("old.json"));
        with_curve!(curve, E => {
            let key = |file: &str| VerifyingKeyFile::open(home.at(file)).unwrap().read::<E>().unwrap();
            assert_eq!(key("vk.json"), key("snarkjs.json"));
            let (code, stdout, stderr) =
                export(&home, &["vk", "--to", "arkworks", "--json"], &[key_path(curve), home.at("vk.ark")]);
            assert_eq!(code, 0, "{stderr}");
            let report: Value = serde_json::from_str(&stdout).unwrap();
            assert_eq!((&report["command"], &report["format"]), (&"export vk".into(), &"arkworks".into()));
            assert_eq!(key("vk.ark"), key("snarkjs.json"));
        });
    }
}

fn key_path(curve: Curve) -> PathBuf {
    fixture(curve, "membership").file("circuit.zkey")
}

#[test]
fn keys_of_other_families_give_theirs() {
    let home = Home::new();
    let sample = sample::<Bls12_381>("domain exactly full");
    let params = bellman_params(&sample);
    let (mut bytes, mut vk) = (Vec::new(), Vec::new());
    params.write(&mut bytes).unwrap();
    params.vk.write(&mut vk).unwrap();
    let files = [home.write("c.params", &bytes), home.at("c.vk")];
    let (code, _, stderr) = export(&home, &["vk", "--to", "bellman"], &files);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(std::fs::read(home.at("c.vk")).unwrap(), vk, "the bytes that bellman writes");

    let ark = home.write(
        "ark.key",
        &arkworks_key::<Bn254>(&crate::library::sample::<Bn254>("wide values"), Compressed::No),
    );
    let old = ["inspect".into(), ark.clone(), "--export-vkey".into(), home.at("ark.json")];
    let (code, _, stderr) = call(home.path(), old);
    assert_eq!(code, 0, "{stderr}");
    let wanted = KeyFile::open(&ark).unwrap().verifying_key::<Bn254>().unwrap();
    assert_eq!(VerifyingKeyFile::open(home.at("ark.json")).unwrap().read::<Bn254>().unwrap(), wanted);
    let (code, _, stderr) = export(&home, &["vk", "--to", "bellman"], &[ark, home.at("no.vk")]);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("bls12-381 only") && !home.at("no.vk").exists(), "{stderr}");
}

#[test]
fn a_proving_key_where_a_verification_key_is_needed_gets_the_command() {
    let home = Home::new();
    let fixture = fixture(Curve::Bn254, "multiplier");
    let key = fixture.file("circuit.zkey");
    let args = ["verify".into(), key.clone(), fixture.file("public.json"), fixture.file("proof.json")];
    let (code, _, stderr) = call(home.path(), args);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains(&format!("interlock export vk {} vk.json", key.display())), "{stderr}");
    let (code, _, stderr) =
        export(&home, &["vk"], &[fixture.file("verification_key.json"), home.at("vk.json")]);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("is a verification key"), "{stderr}");
}

#[test]
fn contracts_are_the_librarys_and_for_bn254_only() {
    let home = Home::new();
    let good = fixture(Curve::Bn254, "membership");
    let vk = good.file("verification_key.json");
    let key = VerifyingKeyFile::open(&vk).unwrap().read::<Bn254>().unwrap();
    // From the verification key and from the proving key.
    for (file, name) in [(vk, "Groth16Verifier"), (good.file("circuit.zkey"), "Members")] {
        let (code, _, stderr) =
            export(&home, &["solidity", "--contract", name], &[file, home.at("Verifier.sol")]);
        assert_eq!(code, 0, "{stderr}");
        let text = std::fs::read_to_string(home.at("Verifier.sol")).unwrap();
        assert_eq!(text, solidity(&key, name).unwrap());
        std::fs::remove_file(home.at("Verifier.sol")).unwrap();
    }
    let bls = fixture(Curve::Bls12_381, "multiplier");
    for file in [bls.file("circuit.zkey"), bls.file("verification_key.json")] {
        let (code, _, stderr) = export(&home, &["solidity"], &[file, home.at("Verifier.sol")]);
        assert!(code == 3 && stderr.contains("bls12-381"), "{code}: {stderr}");
    }
    let files = [good.file("circuit.zkey"), home.at("Verifier.sol")];
    let (code, _, stderr) = export(&home, &["solidity", "--contract", "1 bad"], &files);
    assert_eq!(code, 2, "{stderr}");
    assert!(home.files().is_empty());
}

#[test]
fn calldata_goes_to_stdout_or_a_file() {
    let home = Home::new();
    let good = fixture(Curve::Bn254, "membership");
    let files = [good.file("proof.json"), good.file("public.json")];
    let proof = ProofFile::open(&files[0]).unwrap().read::<Bn254>().unwrap();
    let public = public_from_json::<Bn254>(&JsonFile::open(&files[1]).unwrap()).unwrap();
    let wanted = calldata(&proof, &public);
    let (code, stdout, stderr) = export(&home, &["calldata"], &files);
    assert_eq!((code, stdout), (0, format!("{wanted}\n")), "{stderr}");
    let (code, stdout, stderr) = export(&home, &["calldata", "--out", "call.txt"], &files);
    assert_eq!((code, stdout.as_str()), (0, ""), "{stderr}");
    assert_eq!(std::fs::read_to_string(home.at("call.txt")).unwrap(), format!("{wanted}\n"));
    let (_, stdout, _) = export(&home, &["calldata", "--json"], &files);
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(report["calldata"], serde_json::from_str::<Value>(&format!("[{wanted}]")).unwrap());

    let bls = fixture(Curve::Bls12_381, "membership");
    let (code, _, stderr) = export(&home, &["calldata"], &[bls.file("proof.json"), bls.file("public.json")]);
    assert!(code == 3 && stderr.contains("bls12-381"), "{code}: {stderr}");
    let (code, _, stderr) = export(&home, &["calldata"], &[files[1].clone(), files[0].clone()]);
    assert!(code == 3 && stderr.contains("the order is PROOF PUBLIC"), "{code}: {stderr}");
}

/// A contract is where forged proofs cost most.
#[test]
fn a_contract_of_an_insecure_key_says_so() {
    let home = Home::new();
    let circuit = fixture(Curve::Bn254, "multiplier").file("circuit.r1cs");
    let setup = ["setup".into(), circuit, home.at("own.zkey"), "--vkey".into(), home.at("vk.json")];
    assert_eq!(call(home.path(), setup).0, 0);
    let (code, _, stderr) = export(&home, &["solidity"], &[home.at("own.zkey"), home.at("own.sol")]);
    assert!(code == 0 && stderr.contains("own.zkey: ") && stderr.contains("warning"), "{stderr}");
    let source = std::fs::read_to_string(home.at("own.sol")).unwrap();
    let mut lines = source.lines();
    assert!(lines.next().unwrap().contains("SPDX-License-Identifier"));
    assert!(lines.next().unwrap().starts_with("// WARNING: "));
    // What a verification key alone does not tell.
    let (code, _, stderr) = export(&home, &["solidity"], &[home.at("vk.json"), home.at("vk.sol")]);
    assert!(code == 0 && !stderr.contains("warning"), "{stderr}");
}
