//! Keys of real ceremonies, as their projects publish them on npm: Semaphore, Unirep, RLN. The command line proves with
//! each; it and snarkjs judge the proof, with the exported and with the published verification key.

use std::path::Path;

use interlock_tests::judge::Judge;
use interlock_tests::places::{Fixture, npm};
use interlock_tests::program::call;

#[test]
fn published_keys() {
    let Some(fixtures) = npm() else { return };
    let mut judge = Judge::start();
    for fixture in &fixtures {
        check(fixture, &mut judge);
    }
}

fn check(fixture: &Fixture, judge: &mut Judge) {
    let name = &fixture.name;
    let home = tempfile::tempdir().unwrap();
    let at = |file: &str| home.path().join(file);
    let (proof, public, changed) = (at("proof.json"), at("public.json"), at("changed.json"));
    let (code, _, stderr) = call(
        home.path(),
        ["prove".into(), "-q".into(), "--threads".into(), "2".into()].into_iter().chain([
            fixture.file("circuit.zkey"),
            fixture.file("witness.wtns"),
            proof.clone(),
            public.clone(),
        ]),
    );
    assert_eq!(code, 0, "{name}: {stderr}");

    // What the circuit states, computed without the circuit.
    let signals = strings(&public);
    assert_eq!(signals, strings(&fixture.file("expected_public.json")), "{name}");

    let published = Some(fixture.file("published_key.json")).filter(|key| key.exists());
    let keys = [Some(fixture.file("verification_key.json")), published].into_iter().flatten();
    for key in keys {
        let mut accepted = |public: &Path| {
            let files = ["verify".into(), key.clone(), public.to_path_buf(), proof.clone()];
            let (code, stdout, stderr) = call(home.path(), files);
            let ours = match (code, stdout.as_str()) {
                (0, "OK\n") => true,
                (1, "INVALID\n") => false,
                _ => panic!("{name}: {code} {stdout} {stderr}"),
            };
            assert_eq!(judge.verifies(&key, public, &proof), ours, "{name}: snarkjs disagrees");
            ours
        };
        assert!(accepted(&public), "{name}: {}", key.display());
        for index in 0..signals.len() {
            let mut other = signals.clone();
            other[index] = if other[index] == "7" { "8".into() } else { "7".into() };
            std::fs::write(&changed, serde_json::to_string(&other).unwrap()).unwrap();
            assert!(!accepted(&changed), "{name}: signal {index} changed");
        }
    }
}

fn strings(file: &Path) -> Vec<String> {
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}
