//! `interlock simulate`.

use interlock_tests::places::cpu_library;
use interlock_tests::program::call;
use serde_json::Value;

use crate::Home;

fn simulate(home: &Home, words: &[&str]) -> (i32, String, String) {
    call(home.path(), std::iter::once("simulate").chain(words.iter().copied()))
}

fn json(home: &Home, words: &[&str]) -> Value {
    let (code, stdout, stderr) = simulate(home, &[words, &["--json"]].concat());
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    let object: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(
        (&object["interlock"], &object["command"], &object["ok"]),
        (&1.into(), &"simulate".into(), &true.into())
    );
    object
}

#[test]
fn the_report_is_that_of_a_batch() {
    let home = Home::new();
    let (code, stdout, stderr) = simulate(&home, &["porep", "-c", "1", "-j", "1", "--interlock", "narrow"]);
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    assert!(stdout.starts_with(
        "=== Batch Benchmark ===\nproof type:  porep\ncount:       1\nconcurrency: 1\n\n  [1/1] COMPLETED — "
    ));
    for line in ["=== Batch Summary ===", "interlock:    narrow (simulation)", "partitions:   10 proved"] {
        assert!(stdout.lines().any(|other| other == line), "{line:?} is not in\n{stdout}");
    }
    // The device: ten partitions of 1.76 s, at least, after the first one's 30 s of synthesis and 1.99 s of stage.
    assert!(stdout.lines().any(|line| line.starts_with("device        50.")), "{stdout}");
    assert!(home.files().is_empty());
}

#[test]
fn the_published_rows_are_met() {
    let home = Home::new();
    let object = json(&home, &["published"]);
    let rows = object["rows"].as_array().unwrap();
    let residual = |name: &str| {
        let row = rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no row {name}"));
        row["residual"].as_f64().unwrap().abs()
    };
    assert!(residual("whole c5 j3") < 0.001 && residual("narrow c5 j3") < 0.001);
    for predicted in ["whole c5 j2", "narrow c5 j2", "two-lock c1 j1"] {
        assert!(residual(predicted) <= 0.15, "{predicted}");
    }
    assert_eq!(object["ledger"].as_array().unwrap().len(), 15);
    let (code, stdout, _) = simulate(&home, &["published"]);
    assert!(code == 0 && stdout.contains("\nnarrow c5 j2                   49.5"), "{stdout}");
    let fit = json(&home, &["published", "--fit"]);
    assert_eq!(fit["fitted"], fit["shipped"]);
}

#[test]
fn the_timeline_is_one_that_the_timeline_command_reads() {
    let home = Home::new();
    let (code, stdout, stderr) = simulate(&home, &["porep", "--timeline", "run.ndjson"]);
    assert_eq!(code, 0, "{stderr}");
    let (code, summary, stderr) = call(home.path(), ["timeline", "run.ndjson"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains(summary.trim_end()), "{summary}\nis not in\n{stdout}");
    // A machine's file is an input.
    for (of, machine) in [("porep", "--show"), ("rtx-5070-ti", "--show")] {
        let (_, text, _) = simulate(&home, &[machine, of]);
        let text = text.replace("machine = \"rtx-5070-ti\"", "machine = \"rtx-5070-ti.toml\"");
        std::fs::write(home.path().join(format!("{of}.toml")), text).unwrap();
    }
    for flags in [&["porep.toml"][..], &["porep", "--machine", "rtx-5070-ti.toml"]] {
        let (code, _, stderr) = simulate(&home, &[flags, &["--timeline", "rtx-5070-ti.toml"]].concat());
        assert!(code == 2 && stderr.contains("also an input"), "{code} {stderr}");
    }
    // An output that cannot be written is told before anything is simulated.
    let (code, stdout, stderr) = simulate(&home, &["porep", "--timeline", "absent/run.ndjson"]);
    assert_eq!((code, stdout.as_str()), (3, ""), "{stderr}");
}

#[test]
fn a_sweep_tells_all_settings_and_the_best() {
    let home = Home::new();
    let (code, text, stderr) = simulate(&home, &["--show", "porep"]);
    assert_eq!(code, 0, "{stderr}");
    let (scenario, _) = text.split_once("[sweep]").unwrap();
    let sweep = "[sweep]\ninterlock = [\"whole\", \"ledger\"]\nmemory = [\"11GiB\", \"16GiB\"]\n";
    home.write("mine.toml", format!("{scenario}{sweep}").as_bytes());
    let object = json(&home, &["mine.toml", "--sweep"]);
    let settings = object["settings"].as_array().unwrap();
    assert_eq!(settings.len(), 4);
    assert!(settings[0]["result"].is_null() && settings[1]["result"].is_null(), "{settings:?}");
    assert_eq!(object["best"], 3);
    assert_eq!(settings[3]["strategy"], "ledger");
    let (code, stdout, _) = simulate(&home, &["mine.toml", "--sweep", "--interlock", "whole"]);
    assert!(code == 0 && stdout.contains(": 2 settings\n") && stdout.contains("never fits"), "{stdout}");
}

#[test]
fn a_loaded_backends_strategies_decide_as_the_stock_ones() {
    let home = Home::new();
    let library = cpu_library().display().to_string();
    for strategy in ["ledger", "two-lock"] {
        let words = ["porep", "-c", "3", "--interlock", strategy];
        let stock = json(&home, &words);
        let loaded = json(&home, &[&words[..], &["--allow-unsigned", "--backend", &library]].concat());
        assert_eq!(stock, loaded, "{strategy}");
    }
    // Without a manifest its code is not run.
    let (code, _, stderr) = simulate(&home, &["porep", "--backend", &library]);
    assert_eq!(code, 5, "{stderr}");
}

#[test]
fn mistakes_are_told_with_their_place() {
    let home = Home::new();
    home.write("bad.toml", b"name = \"x\"\nmachine = \"h200\"\nconstraints = 8\ncount = 1\npartitons = 2\n");
    home.write("absent.toml", b"name = \"x\"\nmachine = \"no.toml\"\nconstraints = 8\ncount = 1\n");
    home.write("huge.toml", b"name = \"x\"\nmachine = \"h200\"\nconstraints = 1099511627776\ncount = 1\n");
    for (words, code, says) in [
        (&["bad.toml"][..], 3, "bad.toml, line 5: unknown field `partitons`"),
        (&["absent.toml"], 3, "no.toml: No such file"),
        (&["huge.toml"], 6, "it never fits"),
        (&["nobody"], 2, "there is no scenario \"nobody\""),
        (&["porep", "--interlock", "x"], 2, "no interlock strategy \"x\": known are ledger, "),
        (&["porep", "--memory-limit", "8GiB"], 6, "it never fits"),
        (&["porep", "-c", "0"], 2, "count: must be from 1 to 20000, not 0"),
        (&["published", "-j", "2"], 2, "is made of rows"),
        (&["porep", "--fit"], 2, "--fit is of the scenario"),
        (&["porep", "--backend", "nobody"], 2, "no backend of this name was found"),
        (&["porep", "--backend", "cpu,cpu"], 2, "name one backend"),
        (&["--show", "nobody"], 2, "nothing of the name \"nobody\" is shipped"),
        (&[], 2, "required"),
    ] {
        let (found, stdout, stderr) = simulate(&home, words);
        assert_eq!((found, stdout.as_str()), (code, ""), "{words:?}: {stderr}");
        assert!(stderr.contains(says), "{words:?}: {stderr}");
    }
}
