//! `interlock convert`.

use std::path::Path;

use interlock_core::files::{KeyFile, ProofFile, VerifyingKeyFile};
use interlock_core::format::Zkey;
use interlock_core::format::arkworks::Compressed;
use interlock_curves::{Bls12_381, Bn254, Curve, ProvingCurve, with_curve};
use interlock_tests::judge::Judge;
use interlock_tests::places::fixture;
use interlock_tests::program::call;
use serde_json::Value;

use crate::Home;
use crate::library::{arkworks_key, bellman_bytes, sample, write};

/// Converts, and gives the exit code and what was said.
fn convert(home: &Home, input: &Path, output: &str, flags: &[&str]) -> (i32, String, String) {
    let words = ["convert".into(), input.to_path_buf(), home.at(output)];
    call(home.path(), words.into_iter().chain(flags.iter().map(Into::into)))
}

/// Converts, and gives the report.
fn converted(home: &Home, input: &Path, output: &str, flags: &[&str]) -> Value {
    let (code, stdout, stderr) = convert(home, input, output, &[flags, &["--json"]].concat());
    assert_eq!(code, 0, "{}: {stderr}", input.display());
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((&report["command"], &report["ok"]), (&"convert".into(), &true.into()));
    report
}

fn bytes(home: &Home, file: &str) -> Vec<u8> {
    std::fs::read(home.at(file)).unwrap()
}

/// What the library writes as a `.zkey`.
fn library_zkey(key: &Path, sample: &interlock_tests::circuits::Sample) -> Vec<u8> {
    let key = KeyFile::open(key).unwrap().proving_key(Some(&sample.r1cs)).unwrap();
    let mut out = Vec::new();
    key.to_coset_values().unwrap().write_zkey(None, &mut out).unwrap();
    out
}

/// snarkjs takes a converted key: it proves with it, and accepts its proof under the key's verification key.
fn judged(judge: &mut Judge, home: &Home, zkey: &str) {
    let [vk, proof, public] =
        ["judge.vk.json", "judge.proof.json", "judge.public.json"].map(|file| home.at(file));
    judge.vkey(&home.at(zkey), &vk);
    judge.prove(&home.at(zkey), &home.at("witness.wtns"), &proof, &public);
    assert!(judge.verifies(&vk, &public, &proof));
}

fn arkworks_there_and_back<E: ProvingCurve>(judge: &mut Judge) {
    let home = Home::new();
    let sample = sample::<E>("domain exactly full");
    let (circuit, _) = write(&home, &sample);
    let circuit = circuit.display().to_string();
    let theirs = home.write("ark.key", &arkworks_key::<E>(&sample, Compressed::Yes));

    let (code, _, stderr) = convert(&home, &theirs, "c.zkey", &["--to", "snarkjs"]);
    assert_eq!(code, 2, "the circuit is missing: {stderr}");
    assert!(stderr.contains("--r1cs"), "{stderr}");

    let report = converted(&home, &theirs, "c.zkey", &["--to", "snarkjs", "--r1cs", &circuit]);
    assert_eq!((&report["kind"], &report["from"]), (&"proving_key".into(), &"arkworks".into()));
    assert_eq!((&report["curve"], &report["domain"]), (&E::CURVE.name().into(), &16.into()));
    assert!(bytes(&home, "c.zkey") == library_zkey(&theirs, &sample), "{}", E::CURVE);
    let zkey = Zkey::open(home.at("c.zkey")).unwrap();
    let sha256: String = zkey.content_hash().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(report["sha256"], sha256);
    assert_eq!(zkey.insecure_marker(), None);
    judged(judge, &home, "c.zkey");

    // The .zkey brings its circuit; its rows are arkworks', because it came from there.
    converted(&home, &home.at("c.zkey"), "back.key", &["-t", "arkworks"]);
    assert!(bytes(&home, "back.key") == bytes(&home, "ark.key"), "{}", E::CURVE);
    let plain = ["--to", "arkworks-uncompressed", "--r1cs", &circuit];
    converted(&home, &theirs, "plain.key", &plain);
    assert!(bytes(&home, "plain.key") == arkworks_key::<E>(&sample, Compressed::No));
    converted(&home, &home.at("plain.key"), "again.key", &["--to", "arkworks", "--r1cs", &circuit]);
    assert!(bytes(&home, "again.key") == bytes(&home, "ark.key"));
}

#[test]
fn arkworks_keys_there_and_back() {
    let mut judge = Judge::start();
    arkworks_there_and_back::<Bn254>(&mut judge);
    arkworks_there_and_back::<Bls12_381>(&mut judge);
}

#[test]
fn bellman_parameters_there_and_back() {
    let mut judge = Judge::start();
    let home = Home::new();
    let sample = sample::<Bls12_381>("domain exactly full");
    let (circuit, _) = write(&home, &sample);
    let circuit = circuit.display().to_string();
    let theirs = home.write("c.params", &bellman_bytes(&sample));
    converted(&home, &theirs, "c.zkey", &["--to", "snarkjs", "--r1cs", &circuit]);
    assert!(bytes(&home, "c.zkey") == library_zkey(&theirs, &sample));
    judged(&mut judge, &home, "c.zkey");
    converted(&home, &home.at("c.zkey"), "back.params", &["--to", "bellman"]);
    assert!(bytes(&home, "back.params") == bytes(&home, "c.params"));
    converted(&home, &theirs, "c.key", &["--to", "arkworks", "--r1cs", &circuit]);
    converted(&home, &home.at("c.key"), "again.params", &["--to", "bellman", "--r1cs", &circuit]);
    assert!(bytes(&home, "again.params") == bytes(&home, "c.params"));
}

#[test]
fn a_key_on_bn254_goes_to_arkworks_and_loses_its_mark_aloud() {
    let mut judge = Judge::start();
    let home = Home::new();
    let sample = sample::<Bn254>("wide values");
    let (circuit, _) = write(&home, &sample);
    let (code, _, stderr) = call(home.path(), ["setup".into(), circuit.clone(), home.at("own.zkey")]);
    assert_eq!(code, 0, "{stderr}");
    let (code, stdout, stderr) =
        convert(&home, &home.at("own.zkey"), "own.key", &["--to", "arkworks", "--json"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("warning") && stderr.to_lowercase().contains("insecure"), "{stderr}");
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert!(report["insecure_marker"].is_null());
    assert!(report["warnings"][0].as_str().unwrap().contains("no place for this mark"), "{report}");

    let flags = ["--to", "snarkjs", "--r1cs", &circuit.display().to_string()];
    let report = converted(&home, &home.at("own.key"), "back.zkey", &flags);
    assert_eq!(report["warnings"], serde_json::json!([]));
    assert_eq!(Zkey::open(home.at("back.zkey")).unwrap().insecure_marker(), None);
    judged(&mut judge, &home, "back.zkey");
}

#[test]
fn what_has_no_place_in_a_format_is_refused_and_leaves_nothing() {
    let home = Home::new();
    let (bn, bls) = (fixture(Curve::Bn254, "multiplier"), fixture(Curve::Bls12_381, "membership"));
    let small = sample::<Bls12_381>("domain exactly full");
    let ark = home.write("ark.key", &arkworks_key::<Bls12_381>(&small, Compressed::Yes));
    let other = bls.file("circuit.r1cs").display().to_string();
    let wrong_curve = bn.file("circuit.r1cs").display().to_string();
    for (input, flags, code, says) in [
        (bls.file("circuit.zkey"), &["--to", "arkworks"][..], 3, "rows are not in this format's order"),
        (bls.file("circuit.zkey"), &["--to", "bellman"], 3, "rows are not in this format's order"),
        (bn.file("circuit.zkey"), &["--to", "bellman"], 3, "bls12-381 only"),
        (bn.file("proof.json"), &["--to", "bellman"], 3, "bls12-381 only"),
        (bls.file("verification_key.json"), &["--to", "bellman"], 3, "export vk"),
        (bn.file("circuit.zkey"), &["--to", "snarkjs"], 2, "this format already"),
        (ark.clone(), &["--to", "bellman"], 2, "--r1cs"),
        (ark.clone(), &["--to", "bellman", "--r1cs", &other], 3, "does not belong to"),
        (ark.clone(), &["--to", "bellman", "--r1cs", &wrong_curve], 3, "bn254"),
        (bn.file("witness.wtns"), &["--to", "arkworks"], 3, "only keys and proofs"),
        (bn.file("proof.json"), &["--to", "arkworks", "--curve", "bls12-381"], 3, "not for bls12-381"),
        (bn.file("proof.json"), &["--to", "elsewhere"], 2, "elsewhere"),
        (home.at("absent"), &["--to", "arkworks"], 3, "absent"),
    ] {
        let (found, stdout, stderr) = convert(&home, &input, "out", flags);
        assert_eq!(found, code, "{} {flags:?}: {stdout}{stderr}", input.display());
        assert!(stderr.contains(says), "{says:?} is not said: {stderr}");
        assert_eq!(home.files(), ["ark.key"]);
    }
}

#[test]
fn a_key_with_a_bad_base_is_not_converted() {
    let home = Home::new();
    let mut key = std::fs::read(fixture(Curve::Bn254, "multiplier").file("circuit.zkey")).unwrap();
    let base = crate::section(&key, 9).start;
    key[base..base + 8].fill(0x99);
    let key = home.write("bad.zkey", &key);
    let (code, _, stderr) = convert(&home, &key, "out.key", &["--to", "arkworks"]);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("bad.zkey") && stderr.contains("query H"), "{stderr}");
    assert_eq!(home.files(), ["bad.zkey"]);
}

#[test]
fn verification_keys_and_proofs_in_all_formats() {
    for curve in [Curve::Bn254, Curve::Bls12_381] {
        let home = Home::new();
        let fixture = fixture(curve, "membership");
        let (vk, proof) = (fixture.file("verification_key.json"), fixture.file("proof.json"));
        let mut formats = vec!["snarkjs", "arkworks", "arkworks-uncompressed"];
        if curve == Curve::Bls12_381 {
            formats.push("bellman");
        }
        for to in formats {
            converted(&home, &proof, to, &["--to", to]);
            with_curve!(curve, E => {
                let read = |path: &Path| ProofFile::open(path).unwrap().read::<E>().unwrap();
                assert_eq!(read(&home.at(to)), read(&proof), "{curve} {to}");
            });
            // From each of them back to what snarkjs wrote.
            converted(&home, &home.at(to), "back.json", &["--to", "snarkjs"]);
            assert_eq!(bytes(&home, "back.json"), std::fs::read(&proof).unwrap(), "{curve} {to}");

            let key = if to == "bellman" { vk.clone() } else { home.at("vk") };
            if to != "bellman" {
                converted(&home, &vk, "vk", &["--to", to]);
                with_curve!(curve, E => {
                    let read = |path: &Path| VerifyingKeyFile::open(path).unwrap().read::<E>().unwrap();
                    assert_eq!(read(&key), read(&vk));
                });
            }
            let files = ["verify".into(), key, fixture.file("public.json"), home.at(to)];
            let (code, stdout, stderr) = call(home.path(), files);
            assert_eq!((code, stdout.as_str()), (0, "OK\n"), "{curve} {to}: {stderr}");
        }
        if curve == Curve::Bls12_381 {
            assert_eq!(bytes(&home, "bellman").len(), 192);
            assert_eq!(bytes(&home, "bellman"), bytes(&home, "arkworks"));
        }
    }
}

#[test]
fn a_stream_takes_the_result_as_well() {
    let home = Home::new();
    let fixture = fixture(Curve::Bn254, "multiplier");
    let words =
        ["convert".into(), fixture.file("proof.json"), "/dev/stdout".into(), "--to".into(), "snarkjs".into()];
    let (code, stdout, stderr) = call(home.path(), words);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(stdout.as_bytes(), std::fs::read(fixture.file("proof.json")).unwrap());
}
