//! Proving with keys of arkworks and bellman, and with a circuit beside a `.zkey`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use interlock_core::files::{Family, KeyFile};
use interlock_core::format::Witness;
use interlock_core::format::arkworks::Compressed;
use interlock_core::setup::{ToxicWaste, setup_zkey};
use interlock_curves::{Bls12_381, Bn254, Curve, ProvingCurve};
use interlock_tests::circuits::Sample;
use interlock_tests::places::fixture;
use interlock_tests::program::call;
use serde_json::Value;

use crate::Home;
use crate::library::{arkworks_key, bellman_bytes, proof_bytes, proved, sample, write};

const SEED: &str = "0707070707070707070707070707070707070707070707070707070707070707";

/// The program's proof is the library's, in every format, and verifies under the key's own verification key.
fn proves_as_the_library<E: ProvingCurve>(home: &Home, sample: &Sample, key: &Path, own: Family) {
    let opened = KeyFile::open(key).unwrap();
    assert_eq!(opened.family(), own);
    let prepared = Arc::new(opened.proving_key(Some(&sample.r1cs)).unwrap());
    let wanted = proved::<E>(&prepared, &sample.witness, [7; 32]);
    let circuit = home.at("circuit.r1cs").display().to_string();
    let vk_format = if own == Family::Snarkjs { "snarkjs" } else { own.name() };
    let export =
        ["export".into(), "vk".into(), key.to_path_buf(), home.at("vk"), "--to".into(), vk_format.into()];
    let (code, _, stderr) = call(home.path(), export);
    assert_eq!(code, 0, "{stderr}");
    for family in Family::ALL {
        let flags = ["--json", "--seed", SEED, "--r1cs", &circuit, "--proof-format", family.name()];
        let (code, stdout, stderr) = home.prove(key, &home.at("witness.wtns"), &flags);
        if family == Family::Bellman && E::CURVE != Curve::Bls12_381 {
            assert!(code == 3 && stderr.contains("bls12-381 only"), "{code}: {stderr}");
            continue;
        }
        assert_eq!(code, 0, "{stderr}");
        let report: Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!(report["key"]["format"], own.name());
        assert_eq!(report["key"]["constraints"], sample.r1cs.n_constraints());
        assert_eq!(report["circuit"], circuit.as_str());
        assert_eq!(report["outputs"]["proof_format"], family.name());
        assert!(report["phases_ms"]["check_witness"].is_number(), "{stdout}");
        assert!(std::fs::read(home.at("proof.json")).unwrap() == proof_bytes(&wanted, family), "{family}");
        let verify = ["verify".into(), home.at("vk"), home.at("public.json"), home.at("proof.json")];
        let (code, stdout, stderr) = call(home.path(), verify);
        assert_eq!((code, stdout.as_str()), (0, "OK\n"), "{family}: {stderr}");
    }
}

fn arkworks<E: ProvingCurve>() {
    let home = Home::new();
    let sample = sample::<E>("domain exactly full");
    write(&home, &sample);
    for compressed in [Compressed::Yes, Compressed::No] {
        let key = home.write("ark.key", &arkworks_key::<E>(&sample, compressed));
        proves_as_the_library::<E>(&home, &sample, &key, Family::Arkworks(compressed));
    }
    let (code, _, stderr) = home.prove(&home.at("ark.key"), &home.at("witness.wtns"), &["-q"]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("--r1cs CIRCUIT.r1cs"), "{stderr}");
}

#[test]
fn arkworks_keys() {
    arkworks::<Bn254>();
    arkworks::<Bls12_381>();
}

#[test]
fn bellman_parameters_also_with_a_tail() {
    let home = Home::new();
    let sample = sample::<Bls12_381>("domain exactly full");
    write(&home, &sample);
    let mut bytes = bellman_bytes(&sample);
    let key = home.write("c.params", &bytes);
    proves_as_the_library::<Bls12_381>(&home, &sample, &key, Family::Bellman);
    bytes.extend_from_slice(&[0xab; 100]);
    let key = home.write("tail.params", &bytes);
    proves_as_the_library::<Bls12_381>(&home, &sample, &key, Family::Bellman);
    let (_, stdout, _) = call(home.path(), ["inspect".into(), "--json".into(), key]);
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((&report["trailing_bytes"], &report["domain"]), (&100.into(), &16.into()));
    assert_eq!(report["signals"], sample.r1cs.n_wires());
}

#[test]
fn a_zkey_with_its_circuit() {
    let home = Home::new();
    let sample = sample::<Bn254>("domain exactly full");
    write(&home, &sample);
    let mut key = Vec::new();
    setup_zkey::<Bn254>(&sample.r1cs, &ToxicWaste::from_seed([5; 32]), &mut key).unwrap();
    let key = home.write("c.zkey", &key);
    proves_as_the_library::<Bn254>(&home, &sample, &key, Family::Snarkjs);
}

#[test]
fn the_constraint_that_does_not_hold_is_named() {
    let home = Home::new();
    let sample = sample::<Bn254>("domain exactly full");
    let (circuit, _) = write(&home, &sample);
    let mut key = Vec::new();
    setup_zkey::<Bn254>(&sample.r1cs, &ToxicWaste::from_seed([5; 32]), &mut key).unwrap();
    let key = home.write("c.zkey", &key);
    let circuit = circuit.display().to_string();
    // A chain of squarings: wire 2 is where it begins, and row k makes wire k + 3.
    let values = sample.witness.scalars::<Bn254>().unwrap();
    for (wire, row) in [(2, 0), (5, 2), (9, 6), (1, 13)] {
        let mut values = values.to_vec();
        values[wire] += fr(1);
        let mut bytes = Vec::new();
        Witness::from_scalars::<Bn254>(&values).write(&mut bytes).unwrap();
        let witness = home.write("bad.wtns", &bytes);
        let (code, stdout, stderr) = home.prove(&key, &witness, &["--json", "--r1cs", &circuit]);
        assert_eq!(code, 4, "{stderr}");
        let wanted = format!("constraint {row} (counted from 0) of the 14 in");
        let report: Value = serde_json::from_str(&stdout).unwrap();
        assert!(report["error"]["message"].as_str().unwrap().contains(&wanted), "wire {wire}: {stdout}");
        assert!(report["error"]["hint"].as_str().unwrap().contains(".sym"), "{stdout}");
        assert!(!stderr.contains("\"quotient\""), "found before anything is proved: {stderr}");
        assert!(!home.at("proof.json").exists());
    }
    let mut values = values.to_vec();
    values[0] += fr(1);
    let mut bytes = Vec::new();
    Witness::from_scalars::<Bn254>(&values).write(&mut bytes).unwrap();
    let (code, _, stderr) = home.prove(&key, &home.write("bad.wtns", &bytes), &["-q", "--r1cs", &circuit]);
    assert!(code == 4 && stderr.contains("signal 0"), "{stderr}");
}

fn fr(value: u64) -> <Bn254 as ark_ec::pairing::Pairing>::ScalarField {
    value.into()
}

#[test]
fn a_circuit_of_another_key_is_refused() {
    let home = Home::new();
    let [good, other, curve] = [
        fixture(Curve::Bn254, "multiplier"),
        fixture(Curve::Bn254, "membership"),
        fixture(Curve::Bls12_381, "multiplier"),
    ];
    for circuit in [other.file("circuit.r1cs"), curve.file("circuit.r1cs")] {
        let circuit = circuit.display().to_string();
        let files = (good.file("circuit.zkey"), good.file("witness.wtns"));
        let (code, _, stderr) = home.prove(&files.0, &files.1, &["-q", "--r1cs", &circuit]);
        assert_eq!(code, 3, "{stderr}");
        assert!(stderr.contains(&circuit) && stderr.contains("does not belong to"), "{stderr}");
    }
    // As many signals and rows, but a constraint less.
    let full = sample::<Bn254>("domain exactly full");
    let mut key = Vec::new();
    setup_zkey::<Bn254>(&full.r1cs, &ToxicWaste::from_seed([5; 32]), &mut key).unwrap();
    let mut builder = interlock_core::format::R1cs::builder(Curve::Bn254, 1, 0, full.r1cs.n_wires() - 2);
    for _ in 0..13 {
        builder.constraint(&[(2, 1)], &[(0, 1)], &[(2, 1)]);
    }
    let mut bytes = Vec::new();
    builder.build().unwrap().write(&mut bytes).unwrap();
    let circuit = home.write("less.r1cs", &bytes).display().to_string();
    let (key, mut witness) = (home.write("c.zkey", &key), Vec::new());
    // It satisfies this circuit, which is looked at first.
    let values: Vec<_> = (0..full.r1cs.n_wires()).map(|_| fr(1)).collect();
    Witness::from_scalars::<Bn254>(&values).write(&mut witness).unwrap();
    let witness: PathBuf = home.write("ones.wtns", &witness);
    let (code, _, stderr) = home.prove(&key, &witness, &["-q", "--r1cs", &circuit]);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("it has 13 constraints, the key 14"), "{stderr}");
}

/// The witness was found to be right: what fails is the key.
#[test]
fn a_key_of_another_circuit_of_the_same_shape_is_told_from_a_bad_witness() {
    let home = Home::new();
    let circuit = |coefficient: i64| {
        let mut builder = interlock_core::format::R1cs::builder(Curve::Bn254, 1, 0, 1);
        builder.constraint(&[(2, coefficient)], &[(2, 1)], &[(1, 1)]);
        builder.build().unwrap()
    };
    let mut key = Vec::new();
    setup_zkey::<Bn254>(&circuit(2), &ToxicWaste::from_seed([5; 32]), &mut key).unwrap();
    let key = home.write("two.zkey", &key);
    let (mut r1cs, mut witness) = (Vec::new(), Vec::new());
    circuit(3).write(&mut r1cs).unwrap();
    Witness::from_scalars::<Bn254>(&[fr(1), fr(75), fr(5)]).write(&mut witness).unwrap();
    let (r1cs, witness) = (home.write("three.r1cs", &r1cs), home.write("w.wtns", &witness));
    let (code, _, stderr) = home.prove(&key, &witness, &["-q", "--r1cs", r1cs.to_str().unwrap()]);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("satisfies all constraints") && stderr.contains("two.zkey"), "{stderr}");
    let (code, _, stderr) = home.prove(&key, &witness, &["-q"]);
    assert!(code == 4 && stderr.contains("--r1cs CIRCUIT.r1cs"), "{stderr}");
}

/// snarkjs' domains have two rows at least.
#[test]
fn a_circuit_without_constraints_is_the_keys() {
    let home = Home::new();
    let circuit = interlock_core::format::R1cs::builder(Curve::Bn254, 0, 0, 1).build().unwrap();
    let (mut r1cs, mut key, mut witness) = (Vec::new(), Vec::new(), Vec::new());
    circuit.write(&mut r1cs).unwrap();
    setup_zkey::<Bn254>(&circuit, &ToxicWaste::from_seed([5; 32]), &mut key).unwrap();
    Witness::from_scalars::<Bn254>(&[fr(1), fr(7)]).write(&mut witness).unwrap();
    let [key, witness, r1cs] = [("k.zkey", key), ("w.wtns", witness), ("c.r1cs", r1cs)]
        .map(|(name, bytes)| home.write(name, &bytes));
    let (code, _, stderr) = home.prove(&key, &witness, &["-q", "--r1cs", r1cs.to_str().unwrap()]);
    assert_eq!(code, 0, "{stderr}");
}

/// What the program reads besides keys and witnesses is no output either.
#[test]
fn backends_and_configurations_are_not_overwritten() {
    let home = Home::new();
    let fixture = fixture(Curve::Bn254, "multiplier");
    let config = home.write("cfg.toml", b"");
    let library = home.write("lib.so", b"a library");
    for (output, more) in [(&config, ["--config", "cfg.toml"]), (&library, ["--backend", "./lib.so"])] {
        let mut args: Vec<PathBuf> = vec!["prove".into()];
        args.extend([
            fixture.file("circuit.zkey"),
            fixture.file("witness.wtns"),
            output.clone(),
            home.at("p.json"),
        ]);
        args.extend(more.map(PathBuf::from));
        let (code, _, stderr) = interlock_tests::program::call(home.path(), args);
        assert!(code == 2 && stderr.contains("is also an input"), "{code}: {stderr}");
    }
    assert_eq!(std::fs::read(library).unwrap(), b"a library");
}
