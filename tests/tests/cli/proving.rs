//! `prove` and `verify`: outputs, reports, seeds, selection, interruption.

use interlock_curves::Curve;
use interlock_tests::judge::Judge;
use interlock_tests::places::{committed, cpu_library, fixture};
use interlock_tests::program::{call, interlock, run};
use serde_json::Value;

use crate::Home;

#[test]
fn every_committed_fixture_is_proved_and_verified_by_us_and_by_snarkjs() {
    let mut judge = Judge::start();
    for fixture in committed() {
        let home = Home::new();
        let (code, stdout, stderr) =
            home.prove(&fixture.file("circuit.zkey"), &fixture.file("witness.wtns"), &["--threads", "2"]);
        assert_eq!((code, stdout.as_str()), (0, ""), "{}: {stderr}", fixture.name);
        assert_eq!(home.files(), ["proof.json", "public.json"]);
        let public = std::fs::read_to_string(home.at("public.json")).unwrap();
        let snarkjs = std::fs::read_to_string(fixture.file("public.json")).unwrap();
        assert_eq!(public, snarkjs, "the same text as snarkjs writes");
        let vk = fixture.file("verification_key.json");
        assert!(judge.verifies(&vk, &home.at("public.json"), &home.at("proof.json")), "{}", fixture.name);

        let (code, stdout, _) =
            call(home.path(), ["verify".into(), vk.clone(), home.at("public.json"), home.at("proof.json")]);
        assert_eq!((code, stdout.as_str()), (0, "OK\n"));
        // Another public signal: the proof is for other values.
        let mut signals: Vec<String> = serde_json::from_str(&public).unwrap();
        signals[0] = "1".into();
        let changed = home.write("changed.json", serde_json::to_string(&signals).unwrap().as_bytes());
        let (code, stdout, _) =
            call(home.path(), ["verify".into(), vk.clone(), changed, home.at("proof.json")]);
        assert_eq!((code, stdout.as_str()), (1, "INVALID\n"));
        signals.pop();
        let short = home.write("short.json", serde_json::to_string(&signals).unwrap().as_bytes());
        let (code, _, stderr) = call(home.path(), ["verify".into(), vk, short, home.at("proof.json")]);
        assert_eq!(code, 3, "{stderr}");
    }
}

#[test]
fn seeds_reproduce_on_both_doors_and_only_seeds_do() {
    let seed = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    let library = cpu_library().display().to_string();
    for curve in [Curve::Bn254, Curve::Bls12_381] {
        let fixture = fixture(curve, "membership");
        let proof = |flags: &[&str]| {
            let home = Home::new();
            let (code, _, stderr) =
                home.prove(&fixture.file("circuit.zkey"), &fixture.file("witness.wtns"), flags);
            assert_eq!(code, 0, "{stderr}");
            (std::fs::read(home.at("proof.json")).unwrap(), stderr)
        };
        let (linked, stderr) = proof(&["--seed", seed]);
        assert!(stderr.to_lowercase().contains("insecure"), "{stderr}");
        let (loaded, _) = proof(&["--seed", seed, "--backend", &library, "--allow-unsigned"]);
        assert_eq!(linked, loaded, "linked and loaded backend give the same bytes");
        assert_ne!(proof(&[]).0, proof(&[]).0);
        let (checked, _) =
            proof(&["--seed", seed, "--backend", &library, "--allow-unsigned", "--check-against", "cpu"]);
        assert_eq!(linked, checked);
    }
}

#[test]
fn the_json_report() {
    let fixture = fixture(Curve::Bls12_381, "multiplier");
    let home = Home::new();
    let flags = ["--json", "--backend", "nosuch,cpu", "--threads", "1"];
    let (code, stdout, stderr) =
        home.prove(&fixture.file("circuit.zkey"), &fixture.file("witness.wtns"), &flags);
    assert_eq!(code, 0, "{stderr}");
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(report["interlock"], 1);
    assert_eq!(report["ok"], true);
    assert_eq!(report["curve"], "bls12-381");
    assert_eq!(report["backend"]["name"], "cpu");
    assert_eq!(report["self_check"], true);
    assert!(report["skipped"].to_string().contains("nosuch"), "a fallback is on record: {stdout}");
    assert!(report["phases_ms"]["msm"].is_number(), "{stdout}");
    // Without a terminal, progress is one JSON object per line.
    let events: Vec<Value> = stderr.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert!(events.iter().any(|event| event["phase"] == "msm"), "{stderr}");
}

#[test]
fn errors_are_json_when_asked_for() {
    let home = Home::new();
    let (code, stdout, _) = home.prove(&home.at("absent.zkey"), &home.at("absent.wtns"), &["--json", "-q"]);
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(code, 3);
    assert_eq!((&report["ok"], &report["error"]["code"]), (&Value::Bool(false), &Value::from(3)));
    assert!(report["error"]["message"].as_str().unwrap().contains("absent."));
    assert!(report["error"].as_object().unwrap().contains_key("hint"));
}

#[test]
fn a_named_backend_is_that_backend_or_an_error_that_lists_what_was_tried() {
    let fixture = fixture(Curve::Bn254, "multiplier");
    let (key, witness) = (fixture.file("circuit.zkey"), fixture.file("witness.wtns"));
    let home = Home::new();
    let (code, _, stderr) = home.prove(&key, &witness, &["-q", "--backend", "cuda"]);
    assert_eq!(code, 5, "{stderr}");
    for part in ["cuda", "user data folder", "installation", "embedded"] {
        assert!(stderr.contains(part), "{part}: {stderr}");
    }
    let library = cpu_library().display().to_string();
    let (code, _, stderr) = home.prove(&key, &witness, &["-q", "--backend", &library]);
    assert_eq!(code, 5, "a file without a manifest needs a word: {stderr}");
    assert!(stderr.contains("--allow-unsigned"), "{stderr}");
    assert!(home.files().is_empty());
}

#[test]
fn a_timeout_leaves_nothing_behind() {
    let fixture = fixture(Curve::Bls12_381, "membership");
    let home = Home::new();
    let (code, _, stderr) = home.prove(
        &fixture.file("circuit.zkey"),
        &fixture.file("witness.wtns"),
        &["-q", "--timeout", "0.001"],
    );
    assert_eq!(code, 8, "{stderr}");
    assert!(home.files().is_empty());
}

#[test]
fn too_little_memory_is_told_as_such() {
    let fixture = fixture(Curve::Bn254, "membership");
    let home = Home::new();
    let (code, _, stderr) = home.prove(
        &fixture.file("circuit.zkey"),
        &fixture.file("witness.wtns"),
        &["-q", "--memory-limit", "64KiB"],
    );
    assert_eq!(code, 6, "{stderr}");
    assert!(home.files().is_empty());
}

#[test]
fn usage_errors_are_2_and_help_is_0() {
    let home = Home::new();
    for args in
        [vec!["prove"], vec!["nonsense"], vec![], vec!["prove", "--threads", "none", "a", "b", "c", "d"]]
    {
        assert_eq!(call(home.path(), &args).0, 2, "{args:?}");
    }
    let (code, stdout, _) = call(home.path(), ["prove", "--help"]);
    assert_eq!(code, 0);
    for flag in
        ["--backend", "--check-against", "--threads", "--no-self-check", "--seed", "--json", "--memory-limit"]
    {
        assert!(stdout.contains(flag), "{flag}");
    }
}

#[test]
fn no_self_check_says_so() {
    let fixture = fixture(Curve::Bn254, "multiplier");
    let home = Home::new();
    let flags = ["--no-self-check", "--threads", "1"];
    let (code, _, stderr) = home.prove(&fixture.file("circuit.zkey"), &fixture.file("witness.wtns"), &flags);
    assert_eq!(code, 0);
    assert!(stderr.contains("warning") && stderr.contains("self-check"), "{stderr}");
}

#[test]
fn configuration_has_its_place_and_unknown_keys_are_errors() {
    let fixture = fixture(Curve::Bn254, "multiplier");
    let home = Home::new();
    let config = home.write("interlock.toml", b"backend = \"from-the-file\"\n");
    let prove = |command: &mut std::process::Command| {
        let files = [
            fixture.file("circuit.zkey"),
            fixture.file("witness.wtns"),
            home.at("p.json"),
            home.at("s.json"),
        ];
        run(command.arg("prove").args(["-q"]).args(files))
    };
    let (code, _, stderr) = prove(interlock(home.path()).env("INTERLOCK_CONFIG", &config));
    assert!(code == 5 && stderr.contains("from-the-file"), "{stderr}");
    let mut command = interlock(home.path());
    let (code, _, stderr) =
        prove(command.env("INTERLOCK_CONFIG", &config).env("INTERLOCK_BACKEND", "from-the-environment"));
    assert!(code == 5 && stderr.contains("from-the-environment"), "{stderr}");
    let mut command = interlock(home.path());
    command.env("INTERLOCK_CONFIG", &config).env("INTERLOCK_BACKEND", "from-the-environment");
    let files =
        [fixture.file("circuit.zkey"), fixture.file("witness.wtns"), home.at("p.json"), home.at("s.json")];
    let (code, _, stderr) = run(command.args(["prove", "-q", "--backend", "cpu"]).args(files));
    assert_eq!(code, 0, "{stderr}");
    let config = home.write("bad.toml", b"backnd = \"cpu\"\n");
    let (code, _, stderr) = prove(interlock(home.path()).env("INTERLOCK_CONFIG", &config));
    assert!(code == 2 && stderr.contains("backnd") && stderr.contains("bad.toml"), "{stderr}");
}

/// rapidsnark's proofs do not name their curve; snarkjs accepts them, and so do we.
#[test]
fn a_proof_without_a_curve_is_read_with_the_keys() {
    for curve in [Curve::Bn254, Curve::Bls12_381] {
        let fixture = fixture(curve, "multiplier");
        let home = Home::new();
        let mut proof: Value =
            serde_json::from_slice(&std::fs::read(fixture.file("proof.json")).unwrap()).unwrap();
        proof.as_object_mut().unwrap().remove("curve").unwrap();
        let bare = home.write("bare.json", proof.to_string().as_bytes());
        let files = [fixture.file("verification_key.json"), fixture.file("public.json"), bare];
        let (code, stdout, stderr) = run(interlock(home.path()).arg("verify").args(files));
        assert_eq!((code, stdout.as_str()), (0, "OK\n"), "{stderr}");
    }
}

/// As snarkjs' `groth16 setup` leaves them, keys let anybody forge proofs: δ is γ until somebody contributes.
#[test]
fn a_key_without_contribution_is_warned_of_and_its_forgery_shown() {
    use interlock_core::format::snarkjs_json::{
        JsonFile, proof_to_json, public_to_json, verifying_key_from_json,
    };
    use interlock_core::types::{Proof, PublicSignals};
    use interlock_curves::Bn254;

    let fixture = fixture(Curve::Bn254, "multiplier");
    let home = Home::new();
    let vk = fixture.file("verification_key.json");
    let key = verifying_key_from_json::<Bn254>(&JsonFile::open(&vk).unwrap()).unwrap();
    assert_eq!(key.gamma_g2, key.delta_g2, "this fixture is the one without a contribution");
    // With all signals 0: A = α, B = β, C = −IC_0.
    let forged = Proof::<Bn254> { a: key.alpha_g1, b: key.beta_g2, c: -key.ic[0] };
    let zeros = PublicSignals::<Bn254>(vec![0.into(); key.n_public()]);
    let files = [
        vk,
        home.write("public.json", public_to_json(&zeros).as_bytes()),
        home.write("proof.json", proof_to_json(&forged).as_bytes()),
    ];
    let (code, stdout, stderr) = run(interlock(home.path()).arg("verify").args(files));
    assert_eq!((code, stdout.as_str()), (0, "OK\n"), "the equation holds, which is the point");
    assert!(stderr.contains("INSECURE"), "{stderr}");
    let (_, _, stderr) = home.prove(&fixture.file("circuit.zkey"), &fixture.file("witness.wtns"), &[]);
    assert!(stderr.contains("INSECURE"), "{stderr}");
}

#[test]
fn a_backend_is_not_compared_with_itself() {
    let fixture = fixture(Curve::Bn254, "multiplier");
    let (key, witness) = (fixture.file("circuit.zkey"), fixture.file("witness.wtns"));
    let home = Home::new();
    let (code, _, stderr) = home.prove(&key, &witness, &["-q", "--check-against", "cpu"]);
    assert_eq!(code, 2, "{stderr}");
    let library = cpu_library().display().to_string();
    let flags = ["--json", "-q", "--backend", &library, "--allow-unsigned", "--check-against", "embedded"];
    let (code, stdout, stderr) = home.prove(&key, &witness, &flags);
    assert_eq!(code, 0, "{stderr}");
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert!(report["check_against"].to_string().contains("embedded"), "{stdout}");
}
