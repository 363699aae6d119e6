//! `interlock verify` with several proofs.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;

use interlock_core::files::Family;
use interlock_core::format::arkworks::Compressed;
use interlock_core::format::{Witness, Zkey};
use interlock_core::key::ProvingKey;
use interlock_curves::{Bls12_381, Bn254, Curve, ProvingCurve};
use interlock_tests::places::{Fixture, fixture};
use interlock_tests::program::{call, interlock, run};
use serde_json::{Value, json};

use crate::Home;
use crate::library::{proof_bytes, proved};

const PROOFS: usize = 64;
const BAD: [usize; 2] = [17, 40];

/// Different proofs of the fixture's statement, snarkjs' first, in several formats; two come with other signals.
fn pairs<E: ProvingCurve>(home: &Home, fixture: &Fixture) -> Vec<[String; 2]> {
    let key = ProvingKey::from_zkey(&Zkey::open(fixture.file("circuit.zkey")).unwrap()).unwrap();
    let (key, witness) = (Arc::new(key), Witness::open(fixture.file("witness.wtns")).unwrap());
    let public = std::fs::read(fixture.file("public.json")).unwrap();
    home.write("public.json", &public);
    let mut signals: Vec<String> = serde_json::from_slice(&public).unwrap();
    signals[0] = "12345".into();
    home.write("other.json", json!(signals).to_string().as_bytes());
    home.write("0.proof", &std::fs::read(fixture.file("proof.json")).unwrap());
    let families = [Family::Snarkjs, Family::Arkworks(Compressed::Yes), Family::Arkworks(Compressed::No)];
    (0..PROOFS)
        .map(|i| {
            let name = format!("{i}.proof");
            if i > 0 {
                let proof = proved::<E>(&key, &witness, [i as u8; 32]);
                home.write(&name, &proof_bytes(&proof, families[i % families.len()]));
            }
            let public = if BAD.contains(&i) { "other.json" } else { "public.json" };
            [public.to_owned(), name]
        })
        .collect()
}

fn lines(pairs: &[[String; 2]]) -> String {
    pairs.iter().map(|[public, proof]| format!("{public} {proof}\n")).collect()
}

fn batch<E: ProvingCurve>() {
    let home = Home::new();
    let fixture = fixture(E::CURVE, "multiplier");
    let pairs = pairs::<E>(&home, &fixture);
    let vk = fixture.file("verification_key.json");
    let verify = |words: &[&str]| {
        let words = words.iter().map(PathBuf::from);
        call(home.path(), ["verify".into(), vk.clone()].into_iter().chain(words))
    };

    let list = format!("# all of them\n\n{}", lines(&pairs));
    home.write("list", list.as_bytes());
    let (code, stdout, stderr) = verify(&["--batch", "list", "--threads", "2"]);
    let wanted = "INVALID other.json 17.proof\nINVALID other.json 40.proof\nINVALID 2 of 64\n";
    assert_eq!((code, stdout.as_str()), (1, wanted), "{stderr}");

    let (code, stdout, _) = verify(&["--batch", "list", "--json", "--threads", "1"]);
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, &report["ok"], &report["valid"]), (1, &false.into(), &false.into()));
    assert_eq!((&report["proofs"], &report["error"]["code"]), (&PROOFS.into(), &1.into()));
    let bad = |index: usize| json!({ "index": index, "line": index + 3, "public": "other.json", "proof": format!("{index}.proof") });
    assert_eq!(report["invalid"], json!([bad(BAD[0]), bad(BAD[1])]));

    // Without the two, by standard input, in other spellings.
    let good: Vec<String> = pairs
        .iter()
        .filter(|[public, _]| public == "public.json")
        .enumerate()
        .map(|(i, pair)| if i % 2 == 0 { json!(pair).to_string() } else { pair.join("\t") })
        .collect();
    let mut child = interlock(home.path())
        .arg("verify")
        .arg(&vk)
        .args(["--batch", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(good.join("\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), b"OK\n".as_slice()));

    // On the command line; an odd file is a mistake.
    let words = ["public.json", "0.proof", "other.json", "1.proof", "public.json", "2.proof"];
    let (code, stdout, stderr) = verify(&words);
    assert_eq!((code, stdout.as_str()), (1, "INVALID other.json 1.proof\nINVALID 1 of 3\n"), "{stderr}");
    let (code, stdout, _) = verify(&words[..2]);
    assert_eq!((code, stdout.as_str()), (0, "OK\n"));
    for bad in [&words[..5], &words[..1], &[], &["--batch", "list", "public.json", "0.proof"]] {
        assert_eq!(verify(bad).0, 2, "{bad:?}");
    }
}

#[test]
fn bad_proofs_among_many_are_named_on_bn254() {
    batch::<Bn254>();
}

#[test]
fn bad_proofs_among_many_are_named_on_bls12_381() {
    batch::<Bls12_381>();
}

#[test]
fn what_cannot_be_read_is_named_with_its_line() {
    let home = Home::new();
    let fixture = fixture(Curve::Bn254, "multiplier");
    let vk = fixture.file("verification_key.json");
    let (public, proof) = (fixture.file("public.json"), fixture.file("proof.json"));
    let good = json!([public, proof]).to_string();
    let short = home.write("short.json", b"[]");
    for (line, says) in [
        (json!([public, home.at("absent.json")]).to_string(), &["list, line 3", "absent.json"][..]),
        (json!([proof, public]).to_string(), &["list, line 3", "is a proof", "VKEY PUBLIC PROOF"]),
        (json!([short, proof]).to_string(), &["list, line 3", "short.json", "0 public signals"]),
        ("one".to_owned(), &["list, line 3", "1 path instead"]),
        ("[\"one\"".to_owned(), &["list, line 3", "JSON"]),
    ] {
        home.write("list", format!("{good}\n# comment\n{line}\n{good}\n").as_bytes());
        let args = ["verify".into(), vk.clone(), "--batch".into(), home.at("list")];
        let (code, stdout, stderr) = call(home.path(), args);
        assert_eq!((code, stdout.as_str()), (3, ""), "{line}: {stderr}");
        assert!(says.iter().all(|part| stderr.contains(part)), "{line}: {stderr}");
    }
    let absent = ["verify".into(), vk.clone(), "--batch".into(), home.at("none")];
    assert_eq!(call(home.path(), absent).0, 3);
    home.write("empty", b"# nothing\n");
    let (code, _, stderr) = run(interlock(home.path()).arg("verify").arg(&vk).args(["--batch", "empty"]));
    assert!(code == 3 && stderr.contains("names no proofs"), "{stderr}");
}

/// More than are read and verified at once.
#[test]
fn a_bad_proof_of_a_later_group_is_named() {
    let home = Home::new();
    let fixture = fixture(Curve::Bn254, "multiplier");
    let pairs = pairs::<Bn254>(&home, &fixture);
    let list = format!("{}{}", "public.json 0.proof\n".repeat(4200), lines(&pairs[BAD[0]..=BAD[0]]));
    home.write("list", list.as_bytes());
    let vk = fixture.file("verification_key.json");
    let args = ["verify".into(), vk, "--batch".into(), "list".into(), "--json".into()];
    let (code, stdout, stderr) = call(home.path(), args);
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, &report["proofs"]), (1, &4201.into()), "{stderr}");
    let bad = json!({ "index": 4200, "line": 4201, "public": "other.json", "proof": "17.proof" });
    assert_eq!(report["invalid"], json!([bad]));
}

/// A list of many lines costs no more than its first bad one.
#[test]
fn a_list_whose_first_line_is_bad_is_not_read_to_its_end() {
    let home = Home::new();
    let vk = fixture(Curve::Bn254, "multiplier").file("verification_key.json");
    home.write("list", "absent absent\n".repeat(1 << 20).as_bytes());
    let mut shell = std::process::Command::new("sh");
    let program = interlock(home.path()).get_program().to_owned();
    shell.args(["-c", "ulimit -v 1000000; exec \"$0\" \"$@\""]).arg(program).current_dir(home.path());
    shell.arg("verify").arg(&vk).args(["--batch", "list", "--threads", "2"]);
    let (code, _, stderr) = run(&mut shell);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("line 1:"), "{stderr}");
    home.write("list", "a b\n".repeat((1 << 20) + 1).as_bytes());
    let args = ["verify".into(), vk, "--batch".into(), PathBuf::from("list")];
    let (code, _, stderr) = call(home.path(), args);
    assert!(code == 3 && stderr.contains("split the list"), "{stderr}");
}

/// A path with a line end in it makes no line of its own.
#[test]
fn paths_do_not_forge_lines() {
    let home = Home::new();
    let fixture = fixture(Curve::Bn254, "multiplier");
    let pairs = pairs::<Bn254>(&home, &fixture);
    let [public, proof] = &pairs[BAD[0]];
    std::fs::rename(home.at(public), home.at("x\nOK\ny")).unwrap();
    home.write("list", json!(["x\nOK\ny", proof]).to_string().as_bytes());
    let vk = fixture.file("verification_key.json");
    let args = ["verify".into(), vk, "--batch".into(), PathBuf::from("list")];
    let (code, stdout, _) = call(home.path(), args);
    assert_eq!((code, stdout.as_str()), (1, "INVALID x OK y 17.proof\nINVALID 1 of 1\n"));
}
