//! `interlock timeline`.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Stdio;

use interlock_strategies::stock;
use interlock_tests::program::{call, interlock};
use serde_json::Value;

use crate::Home;
use crate::timelines::{GIB, Scenario};

/// Two jobs of six partitions on one device, with faults, and a job that is cancelled.
fn sample() -> Vec<u8> {
    Scenario::with_faults(stock::LEDGER).run()
}

fn timeline(home: &Home, words: &[&str]) -> (i32, String, String) {
    call(home.path(), std::iter::once("timeline").chain(words.iter().copied()))
}

fn from_stdin(home: &Home, words: &[&str], bytes: &[u8]) -> (i32, String, String) {
    let mut child = interlock(home.path())
        .arg("timeline")
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_summary_is_the_data() {
    let home = Home::new();
    home.write("run.ndjson", &Scenario::equal(stock::NARROW).run());
    let (code, stdout, stderr) = timeline(&home, &["run.ndjson"]);
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    // On a virtual clock: one synthesis of 900 ms, 300 for prepare, six times 1,100 under the lock, 250 for finish; of
    // 8,050 ms six times 700 are compute.
    for line in [
        "interlock:    narrow (simulation)",
        "wall time:    8.05 s",
        "jobs:         2 done, 0 failed, 0 cancelled",
        "partitions:   6 proved",
        "device 0: sample 0",
        "  idle 47.8 %, lock held 82.0 %, compute 52.2 %",
    ] {
        assert!(stdout.lines().any(|other| other == line), "{line:?} is not in\n{stdout}");
    }
    let (code, from_pipe, stderr) = from_stdin(&home, &["-"], &std::fs::read(home.at("run.ndjson")).unwrap());
    assert_eq!((code, from_pipe), (0, stdout), "{stderr}");
    assert_eq!(home.files(), ["run.ndjson"]);

    let (code, stdout, stderr) = timeline(&home, &["run.ndjson", "--json"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(
        (&report["command"], &report["ok"], &report["cut"]),
        (&"timeline".into(), &true.into(), &false.into())
    );
    assert_eq!(report["timeline"], "run.ndjson");
    assert_eq!(report["outputs"], serde_json::json!({"html": null, "perfetto": null}));
    let summary = &report["summary"];
    assert_eq!((&summary["wall"], &summary["synthesis"]), (&8_050_000.into(), &5_400_000.into()));
    assert_eq!(summary["devices"][0]["peak_bytes"], 9 * GIB);
    let idle = summary["devices"][0]["idle_share"].as_f64().unwrap();
    assert!((idle - (8050.0 - 4200.0) / 8050.0).abs() < 1e-9, "{idle}");
}

#[test]
fn a_page_and_a_trace_are_written() {
    let home = Home::new();
    home.write("run.ndjson", &sample());
    let words = ["run.ndjson", "--html", "run.html", "--perfetto", "run.pftrace", "--json"];
    let (code, stdout, stderr) = timeline(&home, &words);
    assert_eq!(code, 0, "{stderr}");
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(report["outputs"], serde_json::json!({"html": "run.html", "perfetto": "run.pftrace"}));
    assert_eq!(home.files(), ["run.html", "run.ndjson", "run.pftrace"]);

    // It loads nothing.
    let page = std::fs::read_to_string(home.at("run.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    for word in ["http:", "https:", "src=", "href=", "url(", "@import", "import(", "fetch(", "XMLHttpRequest"]
    {
        assert!(!page.contains(word), "the page has {word}");
    }
    let (_, data) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    assert_eq!(data["wall"], report["summary"]["wall"]);

    let trace: Value = serde_json::from_slice(&std::fs::read(home.at("run.pftrace")).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let computed: u64 = events
        .iter()
        .filter(|event| event["ph"] == "X" && event["name"] == "compute")
        .map(|event| event["dur"].as_u64().unwrap())
        .sum();
    let workers = report["summary"]["devices"][0]["workers"].as_array().unwrap();
    assert_eq!(computed, workers.iter().map(|worker| worker["compute"].as_u64().unwrap()).sum::<u64>());

    // Again, without JSON: outputs are replaced, and what was written is said beside the data.
    let (code, stdout, stderr) = timeline(&home, &words[..5]);
    assert_eq!((code, stderr.as_str()), (0, "wrote run.html: page\nwrote run.pftrace: trace\n"));
    assert!(stdout.starts_with("interlock:    ledger (simulation)\n"), "{stdout}");
    let (code, _, stderr) = timeline(&home, &["run.ndjson", "-q", "--html", "run.html"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
}

#[test]
fn an_output_on_stdout_is_alone_there() {
    let home = Home::new();
    home.write("run.ndjson", &sample());
    let (code, stdout, stderr) = timeline(&home, &["run.ndjson", "--perfetto", "/dev/stdout"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(serde_json::from_str::<Value>(&stdout).unwrap()["traceEvents"].is_array());
    assert!(stderr.starts_with("interlock:    ledger (simulation)\n"), "{stderr}");
}

#[test]
fn a_last_line_that_is_cut_is_warned_of() {
    let home = Home::new();
    let mut bytes = sample();
    bytes.truncate(bytes.len() - 9);
    home.write("killed.ndjson", &bytes);
    let (code, stdout, stderr) = timeline(&home, &["killed.ndjson"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.starts_with("warning: killed.ndjson: the last line is cut off"), "{stderr}");
    // As if it had ended with the line before.
    let before = bytes.iter().rposition(|byte| *byte == b'\n').unwrap();
    home.write("whole.ndjson", &bytes[..=before]);
    assert_eq!(timeline(&home, &["whole.ndjson"]), (0, stdout, String::new()));
    let (code, stdout, _) = timeline(&home, &["killed.ndjson", "--json"]);
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, &report["cut"]), (0, &true.into()));
}

#[test]
fn bad_inputs_are_3_and_name_file_and_line() {
    let home = Home::new();
    let bytes = sample();
    let lines: Vec<&str> = std::str::from_utf8(&bytes).unwrap().lines().collect();
    let with = |index: usize, line: &str| {
        let mut lines = lines.clone();
        lines[index] = line;
        (lines.join("\n") + "\n").into_bytes()
    };
    let version = lines[0].replacen("\"timeline\":1", "\"timeline\":2", 1);
    let many = lines[0].replacen("\"workers\":3", "\"workers\":4000000000", 1);
    let long = format!("{{\"t\":0,\"note\":\"{}\"}}", "x".repeat(1 << 20));
    let last = "{\"t\":9000000000,\"event\":\"tick\"}";
    let cases = [
        (Vec::new(), "line 1 is no header of a timeline"),
        (b"zkey\x01\0\0\0\0\0\n".to_vec(), "line 1 is no header of a timeline"),
        (with(0, "{\"event\":\"tick\",\"t\":0}"), "line 1 is no header of a timeline"),
        (with(0, &version), "the timeline is of version 2; this program reads version 1"),
        (with(0, &many), "line 1 of the timeline is wrong: it has 1 devices with 4000000000 workers"),
        (with(4, "no JSON"), "line 5 of the timeline is bad: "),
        (with(4, "{\"t\":0,\"event\":\"unheard of\"}"), "line 5 of the timeline is bad: "),
        (with(4, "{\"event\":\"tick\"}"), "line 5 of the timeline is bad: "),
        (
            with(3, last),
            "line 5 of the timeline is wrong: its time is 0 µs, and 9000000000 µs came before it",
        ),
        (
            with(4, "{\"t\":0,\"memory\":7,\"bytes\":0,\"reserved\":0,\"budget\":0}"),
            "line 5 of the timeline is wrong: it is about device 7, and the header has 1",
        ),
        (with(4, &long), "line 5 of the timeline is longer than 1048576 bytes"),
    ];
    for (bytes, says) in &cases {
        home.write("bad.ndjson", bytes);
        let (code, stdout, stderr) = timeline(&home, &["bad.ndjson", "--html", "out.html"]);
        assert_eq!((code, stdout.as_str()), (3, ""), "{says}: {stderr}");
        assert!(stderr.starts_with(&format!("error: bad.ndjson: {says}")), "{says}: {stderr}");
        assert_eq!(home.files(), ["bad.ndjson"], "{says}");
    }
    let (code, stdout, _) = timeline(&home, &["bad.ndjson", "--json"]);
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, &report["error"]["code"], &report["command"]), (3, &3.into(), &"timeline".into()));
    let (code, _, stderr) = from_stdin(&home, &["-"], &cases[5].0);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.starts_with("error: standard input: line 5 of the timeline is bad: "), "{stderr}");
    for absent in ["absent.ndjson", "."] {
        let (code, _, stderr) = timeline(&home, &[absent]);
        assert!(
            code == 3 && stderr.starts_with(&format!("error: {absent}: the timeline cannot be read: ")),
            "{stderr}"
        );
    }
}

/// What a hostile timeline says of itself stays in its place.
#[test]
fn a_terminal_gets_nothing_that_it_obeys() {
    let home = Home::new();
    let text = String::from_utf8(sample()).unwrap();
    let hostile = text.replacen(
        "\"interlock\":\"ledger\"",
        "\"interlock\":\"\\u001b[2J\\u202e\\nwall time:    0 s\"",
        1,
    );
    assert_ne!(text, hostile);
    home.write("run.ndjson", hostile.as_bytes());
    let (code, stdout, _) = timeline(&home, &["run.ndjson"]);
    assert_eq!(code, 0);
    assert!(!stdout.contains(['\u{1b}', '\u{202e}']), "{stdout}");
    assert_eq!(stdout.lines().filter(|line| line.starts_with("wall time:")).count(), 1, "{stdout}");
}

#[test]
fn inputs_are_not_overwritten() {
    let home = Home::new();
    let bytes = sample();
    let path = home.write("run.ndjson", &bytes);
    std::os::unix::fs::symlink("run.ndjson", home.at("link.html")).unwrap();
    for (words, says) in [
        (&["run.ndjson", "--html", "run.ndjson"][..], "the output run.ndjson is also an input"),
        (&["run.ndjson", "--perfetto", "./run.ndjson"], "is also an input"),
        (&["run.ndjson", "--html", "link.html"], "is also an input"),
        (&["run.ndjson", "--html", "a", "--perfetto", "./a"], "is given as two outputs"),
        (&["run.ndjson", "--html", "-"], "/dev/stdout"),
    ] {
        let (code, stdout, stderr) = timeline(&home, words);
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains(says), "{says}: {stderr}");
    }
    let folder: PathBuf = home.at("absent/run.html");
    let (code, _, stderr) = timeline(&home, &["run.ndjson", "--html", folder.to_str().unwrap()]);
    assert!(code == 3 && stderr.contains("cannot write"), "{stderr}");
    assert_eq!(std::fs::read(path).unwrap(), bytes);
    assert_eq!(home.files(), ["link.html", "run.ndjson"]);
}
