//! Each kind of bad input: its exit code, a message that says what and where, and nothing left behind.

use std::path::PathBuf;

use interlock_curves::Curve;
use interlock_tests::places::fixture;

use crate::{Home, key_and_witness, section};

/// A row: what is wrong, the files, the exit code, and what the message must say.
struct Row {
    what: &'static str,
    key: Vec<u8>,
    witness: Vec<u8>,
    code: i32,
    says: &'static [&'static str],
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for curve in [Curve::Bn254, Curve::Bls12_381] {
        let (key, witness) = key_and_witness(&fixture(curve, "multiplier"));
        let other = match curve {
            Curve::Bn254 => Curve::Bls12_381,
            Curve::Bls12_381 => Curve::Bn254,
        };
        let edited = |bytes: &[u8], at: usize, with: &[u8]| {
            let mut bytes = bytes.to_vec();
            bytes[at..at + with.len()].copy_from_slice(with);
            bytes
        };
        let header = section(&key, 2).start;
        // n8q, q, n8r, r, then nVars, nPublic, domainSize.
        let counts = header + 4 + curve.base_field_bytes() + 4 + 32;
        let coefficients = section(&key, 4).start;
        let values = section(&witness, 2).start;
        let mut row = |what, key: Vec<u8>, witness: Vec<u8>, code, says| {
            rows.push(Row { what, key, witness, code, says })
        };
        let k = || key.clone();
        let w = || witness.clone();
        let huge = [0xff; 4];

        row("empty key", Vec::new(), w(), 3, &["circuit.zkey", "empty"]);
        row("empty witness", k(), Vec::new(), 3, &["witness.wtns", "empty"]);
        row(
            "wrong magic, key",
            edited(&key, 0, b"zkex"),
            w(),
            3,
            &["circuit.zkey", "reads as no proving key"],
        );
        row("wrong magic, witness", k(), edited(&witness, 0, b"\x7fELF"), 3, &["witness.wtns", "not a wtns"]);
        row("key for witness", k(), k(), 3, &["witness.wtns", "is a proving key"]);
        row("truncated key", key[..key.len() - 1].to_vec(), w(), 3, &["circuit.zkey", "byte"]);
        row("truncated witness", k(), witness[..witness.len() - 1].to_vec(), 3, &["witness.wtns", "byte"]);
        row("only a head", key[..12].to_vec(), w(), 3, &["circuit.zkey"]);
        row(
            "other proof system",
            edited(&key, section(&key, 1).start, &[2]),
            w(),
            3,
            &["section 1", "PLONK"],
        );
        row("unknown field", edited(&key, header + 4, &[0x55]), w(), 3, &["section 2", "modulus"]);
        row("huge number of signals", edited(&key, counts, &huge), w(), 3, &["circuit.zkey", "section"]);
        row("huge number of public signals", edited(&key, counts + 4, &huge), w(), 3, &["section 2"]);
        row("domain no power of two", edited(&key, counts + 8, &[3]), w(), 3, &["section 2", "power of two"]);
        row("huge domain", edited(&key, counts + 8, &[0, 0, 0, 0x80]), w(), 3, &["circuit.zkey", "damaged"]);
        row("coefficient count", edited(&key, coefficients, &huge), w(), 3, &["section 4"]);
        row("matrix number", edited(&key, coefficients + 4, &[9]), w(), 3, &["section 4", "matrix"]);
        row("row out of range", edited(&key, coefficients + 8, &huge), w(), 3, &["section 4", "row"]);
        row(
            "signal out of range",
            edited(&key, coefficients + 12, &huge),
            w(),
            3,
            &["section 4", "signal", "byte"],
        );
        row("coefficient ≥ r", edited(&key, coefficients + 16, &[0xff; 32]), w(), 3, &["section 4", "byte"]);
        row("point off the curve, head", edited(&key, counts + 12, &[1]), w(), 3, &["section 2", "alpha1"]);
        row("scalar ≥ r", k(), edited(&witness, values + 64, &[0xff; 32]), 3, &["section 2", "2"]);
        row("constant not one", k(), edited(&witness, values, &[2]), 4, &["signal 0"]);
        row("unsatisfied", k(), edited(&witness, values + 32, &[0x55]), 4, &["does not satisfy"]);
        row(
            "witness of the other curve",
            k(),
            key_and_witness(&fixture(other, "multiplier")).1,
            3,
            &["bn254", "bls12-381"],
        );
        row(
            "witness of another circuit",
            k(),
            key_and_witness(&fixture(curve, "membership")).1,
            3,
            &["signals"],
        );
        let base = section(&key, 8).start;
        row("base off its curve", edited(&key, base, &[0x99; 8]), w(), 3, &["query L", "base 0"]);
    }
    rows
}

#[test]
fn each_kind() {
    for row in rows() {
        let home = Home::new();
        let (key, witness) = (home.write("circuit.zkey", &row.key), home.write("witness.wtns", &row.witness));
        let (code, stdout, stderr) = home.prove(&key, &witness, &["-q", "--threads", "1"]);
        let place = format!("{}: exit {code}\n{stdout}{stderr}", row.what);
        assert_eq!(code, row.code, "{place}");
        for part in row.says {
            assert!(stderr.contains(part), "{part:?} is not said: {place}");
        }
        assert!(!stderr.contains("panicked"), "{place}");
        assert_eq!(home.files(), ["circuit.zkey", "witness.wtns"], "{place}");
    }
}

#[test]
fn paths_that_are_no_files() {
    let home = Home::new();
    let good = fixture(Curve::Bn254, "multiplier");
    let (key, witness) = (good.file("circuit.zkey"), good.file("witness.wtns"));
    let folder = home.path().join("folder");
    std::fs::create_dir(&folder).unwrap();
    for bad in [home.at("absent"), folder, PathBuf::from("/dev/null")] {
        for (key, witness) in [(&bad, &witness), (&key, &bad)] {
            let (code, _, stderr) = home.prove(key, witness, &["-q"]);
            assert_eq!(code, 3, "{}: {stderr}", bad.display());
            assert!(stderr.contains(&bad.display().to_string()), "{stderr}");
        }
    }
    assert_eq!(home.files(), ["folder"]);
}

#[test]
fn outputs_that_cannot_be_written() {
    let good = fixture(Curve::Bn254, "multiplier");
    let (key, witness) = (good.file("circuit.zkey"), good.file("witness.wtns"));
    let home = Home::new();
    let call = |proof: &PathBuf, public: &PathBuf| {
        let args = [&PathBuf::from("prove"), &PathBuf::from("-q"), &key, &witness, proof, public];
        interlock_tests::program::call(home.path(), args)
    };
    let (code, _, stderr) = call(&home.at("no/such/folder/proof.json"), &home.at("public.json"));
    assert_eq!(code, 3, "{stderr}");
    let (code, _, stderr) = call(&home.at("proof.json"), &home.at("no/such/folder/public.json"));
    assert_eq!(code, 3, "{stderr}");
    let (code, _, stderr) = call(&home.at("same.json"), &home.at("same.json"));
    assert_eq!(code, 2, "{stderr}");
    let mine = home.write("mine.zkey", &std::fs::read(&key).unwrap());
    let args = [&PathBuf::from("prove"), &mine, &witness, &mine, &home.at("public.json")];
    let (code, _, stderr) = interlock_tests::program::call(home.path(), args);
    assert_eq!(code, 2, "a key is not overwritten: {stderr}");
    assert_eq!(home.files(), ["mine.zkey"]);
}
