//! `interlock bench`: what is refused, what fails, what ends early.

use interlock_curves::Curve;
use interlock_tests::places::fixture;
use interlock_tests::program::{call, interlock, run};

use crate::Home;
use crate::bench::{bench, json};

#[test]
fn what_cannot_be_measured_is_2() {
    let home = Home::new();
    for (flags, says) in [
        (&["batch", "--type", "porep"][..], "not available yet; `interlock simulate`"),
        (&["batch"], "KEY WITNESS.wtns"),
        (&["batch", "k.zkey"], "KEY WITNESS.wtns"),
        (&["batch", "k.zkey", "w.wtns", "--constraints", "5"], "--constraints is for --type synthetic"),
        (&["batch", "k.zkey", "w.wtns", "--type", "synthetic"], "takes no files"),
        (&["batch", "--type", "synthetic", "--constraints", "16777216"], "more than 16,777,216 rows"),
        (&["batch", "--type", "synthetic", "--constraints", "18446744073709551615"], "in memory"),
        (&["batch", "--type", "synthetic", "-c", "50000", "--partitions", "3"], "150000 proofs"),
        (&["batch", "--type", "synthetic", "--interlock", "ledgr"], "did you mean ledger?"),
        (
            &["interlock", "--type", "synthetic", "--strategies", "whole,nosuch"],
            "\"nosuch\" (by --strategies): backend cpu",
        ),
        (&["interlock", "--type", "synthetic", "--strategies", "whole,whole"], "named twice"),
        (&["interlock", "--type", "synthetic", "--seed", "5"], "--seed: a seed has exactly 64 hex digits"),
        (&["batch", "k.zkey", "w.wtns", "--timeline", "-"], "/dev/stdout"),
    ] {
        let (code, stdout, stderr) = call(home.path(), std::iter::once(&"bench").chain(flags));
        assert_eq!((code, stdout.as_str()), (2, ""), "{flags:?}: {stderr}");
        assert!(stderr.contains(says), "{flags:?}: {stderr}");
    }
    let (code, stdout, _) = call(home.path(), ["bench", "batch", "--type", "porep", "--json"]);
    let report = json(&stdout);
    assert_eq!((code, &report["command"], &report["error"]["code"]), (2, &"bench batch".into(), &2.into()));
    // As for `prove`: code comes from no file that only the folder decides about.
    let mut command = interlock(home.path());
    command.args(["bench", "batch", "k.zkey", "w.wtns"]).env("INTERLOCK_BACKEND", "./evil.so");
    let (code, _, stderr) = run(&mut command);
    assert!(code == 2 && stderr.contains("not an absolute path"), "{stderr}");
}

#[test]
fn too_little_memory_is_6() {
    let home = Home::new();
    let limit = ["--memory-limit", "64KiB"];
    let (code, stdout, stderr) = bench(&home, "batch", "membership", &limit);
    assert_eq!((code, stdout.as_str()), (6, ""), "in the warm-up: {stderr}");
    let (code, stdout, stderr) =
        bench(&home, "batch", "membership", &[&limit[..], &["--warm-up", "0", "-c", "2"]].concat());
    assert_eq!(code, 6, "{stderr}");
    assert!(stdout.contains("[2/2] FAILED") && stdout.contains("ms): partition 0 needs "), "{stdout}");
    assert!(
        stdout.contains("completed:     0\nfailed:        2\nwall time:     avg=- min=- max=-\n"),
        "{stdout}"
    );
    assert!(stderr.contains("hint: raise --memory-limit"), "{stderr}");
}

/// The jobs before and behind it are proved all the same.
#[test]
fn the_report_of_what_failed_is_printed_all_the_same() {
    let home = Home::new();
    let fixture = fixture(Curve::Bn254, "multiplier");
    let mut witness = std::fs::read(fixture.file("witness.wtns")).unwrap();
    let last = witness.len() - 32;
    witness[last] ^= 1;
    home.write("wrong.wtns", &witness);
    let key = fixture.file("circuit.zkey").display().to_string();
    let words = ["bench", "batch", &key, "wrong.wtns", "-c", "3", "-j", "2", "--warm-up", "0"];
    let (code, stdout, stderr) = call(home.path(), words);
    assert_eq!(code, 4, "{stderr}");
    assert!(stdout.contains("[3/3] FAILED") && stdout.contains("failed:        3\n"), "{stdout}");
    let (code, stdout, _) = call(home.path(), words.iter().chain(&["--json"]));
    let report = json(&stdout);
    assert_eq!((code, &report["ok"], &report["error"]["code"]), (4, &false.into(), &4.into()));
    assert_eq!((&report["runs"][0]["outcomes"]["failed"], &report["warm"]), (&3.into(), &false.into()));
    let strategies = ["bench", "interlock", &key, "wrong.wtns", "--warm-up", "0", "--strategies", "narrow"];
    let (code, stdout, stderr) = call(home.path(), strategies);
    assert!(code == 4 && stderr.contains("error: under narrow: "), "{stderr}");
    assert!(stdout.contains("  narrow     0/1 "), "{stdout}");
}

#[test]
fn a_timeout_cancels_what_is_in_flight() {
    let home = Home::new();
    let flags = ["-c", "50000", "-j", "3", "--timeout", "3", "--timeline", "run.ndjson"];
    let (code, stdout, stderr) = bench(&home, "batch", "membership", &flags);
    assert_eq!((code, stdout.as_str()), (8, ""), "{stderr}");
    assert!(stderr.contains("not done within 3 s"), "{stderr}");
    let (code, stdout, _) = call(home.path(), ["timeline", "run.ndjson", "--json"]);
    let jobs = &json(&stdout)["summary"]["jobs"];
    assert_eq!((code, &jobs["open"], &jobs["failed"]), (0, &0.into(), &0.into()), "{stdout}");
    assert!((1..=3).contains(&jobs["cancelled"].as_u64().unwrap()), "{stdout}");
}

/// What a process may have is asked before it is used up piece by piece, which would end it.
#[test]
fn a_circuit_for_which_there_is_no_memory_is_6() {
    let home = Home::new();
    let mut shell = std::process::Command::new("sh");
    let program = interlock(home.path()).get_program().to_owned();
    shell.args(["-c", "ulimit -v 4000000; exec \"$0\" \"$@\""]).arg(program).current_dir(home.path());
    shell.args(["bench", "batch", "--type", "synthetic", "--constraints", "4000000", "--threads", "2"]);
    let (code, _, stderr) = run(&mut shell);
    assert!(
        code == 6 && stderr.contains("a key for 4,000,000 constraints takes about 8.0 GiB"),
        "{code} {stderr}"
    );
}
