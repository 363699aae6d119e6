//! The other commands.

use interlock_core::format::Zkey;
use interlock_curves::{Bls12_381, Curve, ProvingCurve};
use interlock_tests::places::{cpu_library, fixture};
use interlock_tests::program::{call, interlock, run};
use serde_json::Value;

use crate::Home;

#[test]
fn install_then_find_then_prove_by_name() {
    let home = Home::new();
    let library = cpu_library();
    let (code, stdout, stderr) = call(home.path(), ["plugin".into(), "install".into(), library]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let installed = home.at("data/interlock/backends/libinterlock_cpu.so");
    assert!(installed.exists() && installed.with_extension("toml").exists(), "{stdout}");

    let (code, stdout, stderr) = call(home.path(), ["backends", "--json"]);
    assert_eq!(code, 0, "{stderr}");
    let report: Value = serde_json::from_str(&stdout).unwrap();
    let text = report.to_string();
    assert!(text.contains("libinterlock_cpu.so") && text.contains("embedded"), "{stdout}");

    let fixture = fixture(Curve::Bn254, "multiplier");
    let flags = ["--json", "-q", "--backend", "cpu"];
    let (code, stdout, stderr) =
        home.prove(&fixture.file("circuit.zkey"), &fixture.file("witness.wtns"), &flags);
    assert_eq!(code, 0, "{stderr}");
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert!(report["backend"]["origin"].to_string().contains("libinterlock_cpu.so"), "{stdout}");

    // Damaged after its installation: refused with the reason, and the name is not silently taken by another.
    let mut bytes = std::fs::read(&installed).unwrap();
    bytes.push(0);
    std::fs::write(&installed, bytes).unwrap();
    let (code, _, stderr) =
        home.prove(&fixture.file("circuit.zkey"), &fixture.file("witness.wtns"), &flags[1..]);
    assert_eq!(code, 5, "{stderr}");
    assert!(stderr.contains("replaced or damaged"), "{stderr}");
    let (_, stdout, _) = call(home.path(), ["backends"]);
    assert!(stdout.contains("replaced or damaged"), "{stdout}");
}

#[test]
fn inspect_tells_what_files_hold_and_never_a_value() {
    let home = Home::new();
    let fixture = fixture(Curve::Bls12_381, "membership");
    let inspect = |file: &str| {
        let (code, stdout, stderr) = call(home.path(), ["inspect".into(), fixture.file(file)]);
        assert_eq!(code, 0, "{stderr}");
        stdout
    };
    let json = |file: &str| -> Value {
        let (_, stdout, _) = call(home.path(), ["inspect".into(), "--json".into(), fixture.file(file)]);
        serde_json::from_str(&stdout).unwrap()
    };
    assert!(inspect("circuit.zkey").contains("bls12-381"));
    assert_eq!(json("circuit.zkey")["ok"], true);
    for file in ["circuit.r1cs", "verification_key.json", "proof.json", "public.json"] {
        assert!(inspect(file).contains("bls12-381") || file == "public.json", "{file}");
    }
    let witness = std::fs::read(fixture.file("witness.wtns")).unwrap();
    let shown = inspect("witness.wtns") + &json("witness.wtns").to_string();
    let values = &witness[crate::section(&witness, 2)];
    // No value of a private signal, in decimal or hex. Short ones would be found in counts by chance.
    let public = Zkey::open(fixture.file("circuit.zkey")).unwrap().n_public() as usize;
    let mut looked_for = 0;
    for value in values.as_chunks::<32>().0.iter().skip(1 + public) {
        let hex: String = value.iter().rev().map(|byte| format!("{byte:02x}")).collect();
        let decimal = Bls12_381::scalar_from_canonical(value).unwrap().to_string();
        if decimal.len() > 12 {
            looked_for += 1;
            assert!(
                !shown.contains(&decimal) && !shown.contains(hex.trim_start_matches('0')),
                "a value is shown"
            );
        }
    }
    assert!(looked_for > 1000, "the circuit's hashes are large numbers: {looked_for}");
    let text = home.write("notes.txt", b"hello\n");
    let (code, stdout, stderr) = call(home.path(), ["inspect".into(), text]);
    assert_eq!(code, 3, "{stdout}{stderr}");
}

#[test]
fn doctor_proves_on_both_curves() {
    let home = Home::new();
    let (code, stdout, stderr) = call(home.path(), ["doctor"]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.contains("bn254") && stdout.contains("bls12-381"), "{stdout}");
    let (_, stdout, _) = call(home.path(), ["doctor", "--json"]);
    assert!(serde_json::from_str::<Value>(&stdout).is_ok(), "{stdout}");
}

#[test]
fn setup_makes_a_marked_key_that_proves() {
    let home = Home::new();
    let fixture = fixture(Curve::Bn254, "membership");
    let (code, _, stderr) = call(
        home.path(),
        [
            "setup".into(),
            fixture.file("circuit.r1cs"),
            home.at("own.zkey"),
            "--vkey".into(),
            home.at("vk.json"),
        ],
    );
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.to_lowercase().contains("insecure"), "{stderr}");
    let (_, stdout, _) = call(home.path(), ["inspect".into(), home.at("own.zkey")]);
    assert!(stdout.to_lowercase().contains("insecure"), "{stdout}");
    let (code, _, stderr) = home.prove(&home.at("own.zkey"), &fixture.file("witness.wtns"), &[]);
    assert_eq!(code, 0, "{stderr}");
    let files = [home.at("vk.json"), home.at("public.json"), home.at("proof.json")];
    let (code, stdout, _) = run(interlock(home.path()).arg("verify").args(files));
    assert_eq!((code, stdout.as_str()), (0, "OK\n"));
}

#[test]
fn completions_name_the_commands() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (code, stdout, _) = call(home.path(), ["completions", shell]);
        assert!(code == 0 && stdout.contains("backends"), "{shell}");
    }
}
