//! `interlock bench`: reports and comparisons.

use interlock_curves::Curve;
use interlock_tests::places::fixture;
use interlock_tests::program::call;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::Home;

const SEED: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// `interlock bench` with a fixture's files behind the command's name.
pub(crate) fn bench(home: &Home, command: &str, name: &str, flags: &[&str]) -> (i32, String, String) {
    let fixture = fixture(Curve::Bn254, name);
    let files = ["circuit.zkey", "witness.wtns"].map(|file| fixture.file(file).display().to_string());
    let words = ["bench", command].into_iter().chain(files.iter().map(String::as_str));
    call(home.path(), words.chain(flags.iter().copied()))
}

fn synthetic(home: &Home, command: &str, flags: &[&str]) -> (i32, String, String) {
    let words = ["bench", command, "--type", "synthetic", "--constraints", "300"];
    call(home.path(), words.iter().chain(flags))
}

pub(crate) fn json(stdout: &str) -> Value {
    serde_json::from_str(stdout).unwrap_or_else(|error| panic!("{error}: {stdout}"))
}

/// Numbers, with the unit that is right behind them, become an N.
fn form(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        out.push_str(&rest[..at]);
        out.push('N');
        let number = &rest[at..];
        let end = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
        rest = &number[end..];
        rest = rest.strip_prefix("ms").or_else(|| rest.strip_prefix('s')).unwrap_or(rest);
    }
    out + rest
}

/// The report that was agreed on.
const AGREED: &str = "\
=== Batch Benchmark ===
proof type:  circom
count:       1
concurrency: 1

  [1/1] COMPLETED — 32.1s (prove=41381 ms, queue=244 ms)

=== Batch Summary ===
total time:    32.1s
completed:     1
failed:        0
wall time:     avg=32.1s min=32.1s max=32.1s
prove time:    avg=41.4s min=41.4s max=41.4s
throughput:    1.869 proofs/min (32.1s/proof)
";

#[test]
fn the_report_has_the_agreed_form() {
    let home = Home::new();
    let (code, stdout, stderr) = bench(&home, "batch", "multiplier", &[]);
    assert_eq!((code, form(&stdout)), (0, form(AGREED)), "{stdout}{stderr}");
    assert!(home.files().is_empty());

    let (code, stdout, stderr) =
        bench(&home, "batch", "multiplier", &["-c", "5", "-j", "2", "--repeat", "4"]);
    assert_eq!(code, 0, "{stderr}");
    let (report, runs) = stdout.split_once("\n=== 4 Runs ===\n").unwrap();
    let line = "  [1/1] COMPLETED — 32.1s (prove=41381 ms, queue=244 ms)\n";
    assert_eq!(form(report), form(&AGREED.replace(line, &line.repeat(5))));
    for says in ["count:       5\n", "concurrency: 2\n", "  [5/5] COMPLETED", "completed:     5\n"] {
        assert!(report.contains(says), "{says}{report}");
    }
    assert_eq!(
        form(runs),
        "completed:     N of N\ntotal time:    min=N median=N max=N\nwall time:     min=N median=N max=N\n\
         prove time:    min=N median=N max=N\nthroughput:    min=N median=N max=N proofs/min\n"
    );
    assert!(runs.starts_with("completed:     20 of 20\n"), "{runs}");
    assert_eq!(stderr.lines().filter(|line| line.starts_with("run ")).count(), 4, "{stderr}");
}

#[test]
fn the_json_report_counts_jobs_in_flight() {
    let home = Home::new();
    let flags = ["-c", "7", "-j", "3", "--partitions", "2", "--repeat", "2", "--warm-up", "2", "--json"];
    let more =
        ["--workers-per-device", "3", "--max-staged", "2", "--interlock", "narrow", "--memory-limit", "1GiB"];
    let (code, stdout, stderr) = bench(&home, "batch", "membership", &[&flags[..], &more].concat());
    assert_eq!(code, 0, "{stderr}");
    let report = json(&stdout);
    assert_eq!((&report["command"], &report["ok"]), (&"bench batch".into(), &true.into()));
    for (field, value) in [("count", 7), ("concurrency", 3), ("partitions", 2), ("warm_up", 2)] {
        assert_eq!(report[field], value, "{field}");
    }
    for (field, value) in [("workers_per_device", 3), ("max_staged", 2), ("partition_workers", 1)] {
        assert_eq!(report[field], value, "{field}");
    }
    assert_eq!(report["memory_limit"], 1 << 30);
    assert_eq!((&report["type"], &report["strategy"]), (&"circom".into(), &"narrow".into()));
    assert_eq!((&report["warm"], &report["seeded"]), (&true.into(), &false.into()));
    assert_eq!((&report["backend"]["name"], &report["key"]["domain"]), (&"cpu".into(), &4096.into()));
    assert_eq!((&report["repeats"]["runs"], &report["repeats"]["completed"]), (&2.into(), &14.into()));
    let runs = report["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 2);
    for run in runs {
        assert_eq!((&run["count"], &run["outcomes"]["done"]), (&7.into(), &7.into()));
        let jobs = run["jobs"].as_array().unwrap();
        let time = |job: &Value, field: &str| job[field].as_u64().unwrap();
        let spans: Vec<(u64, u64)> = jobs
            .iter()
            .map(|job| (time(job, "submitted_us"), time(job, "submitted_us") + time(job, "wall_us")))
            .collect();
        let in_flight = |at: u64| spans.iter().filter(|(from, to)| (*from..*to).contains(&at)).count();
        let most = spans.iter().map(|(from, _)| in_flight(*from)).max().unwrap();
        assert!((2..=3).contains(&most), "{most} jobs in flight: {spans:?}");
        assert!(jobs.iter().all(|job| job["partitions"] == 2 && job["outcome"] == "completed"));
        // Of this run alone, the warm-up not included; two partitions of a job take more than one.
        assert_eq!((&run["summary"]["partitions"], &run["summary"]["jobs"]["done"]), (&14.into(), &7.into()));
        assert!(run["summary"]["devices"][0]["peak_bytes"].as_u64().unwrap() > 3353 * 32, "{run}");
        assert_eq!(run["summary"]["devices"][0]["budget"], 1 << 30);
    }
}

/// The blinding of `prove --seed`, and so its proof.
#[test]
fn a_seed_gives_the_proof_of_prove() {
    let home = Home::new();
    let fixture = fixture(Curve::Bn254, "multiplier");
    let (code, _, stderr) =
        home.prove(&fixture.file("circuit.zkey"), &fixture.file("witness.wtns"), &["--seed", SEED]);
    assert_eq!(code, 0, "{stderr}");
    let proof = std::fs::read(home.at("proof.json")).unwrap();
    let hash = hash_of(&proof);
    let flags = ["--seed", SEED, "-c", "3", "-j", "2", "--repeat", "2", "--json"];
    let (code, stdout, stderr) = bench(&home, "batch", "multiplier", &flags);
    assert!(
        code == 0 && stderr.contains("--seed makes the proofs reproducible and therefore INSECURE"),
        "{stderr}"
    );
    assert_eq!((&json(&stdout)["first_job_sha256"], &json(&stdout)["seeded"]), (&hash, &true.into()));
    let (_, stdout, stderr) = bench(&home, "batch", "multiplier", &["--json"]);
    assert_ne!(json(&stdout)["first_job_sha256"], hash);
    assert!(!stderr.contains("--seed"), "{stderr}");
    let (code, stdout, _) = bench(&home, "interlock", "multiplier", &["--seed", SEED, "--json"]);
    assert_eq!((code, &json(&stdout)["first_job_sha256"]), (0, &hash));
}

fn hash_of(bytes: &[u8]) -> Value {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
}

#[cfg(unix)]
#[test]
fn a_timeline_harms_nothing_that_is_there() {
    let home = Home::new();
    let key = home.path().join("key.zkey");
    let fixture = fixture(Curve::Bn254, "multiplier");
    std::fs::copy(fixture.file("circuit.zkey"), &key).unwrap();
    let before = std::fs::read(&key).unwrap();
    std::fs::hard_link(&key, home.path().join("hard")).unwrap();
    let witness = fixture.file("witness.wtns").display().to_string();
    let (code, _, stderr) =
        call(home.path(), ["bench", "batch", "key.zkey", witness.as_str(), "--timeline", "hard"]);
    assert!(code == 2 && stderr.contains("also an input"), "{code} {stderr}");
    assert_eq!(std::fs::read(&key).unwrap(), before);

    // A strategy that is not there is told before an older timeline is replaced, and devices are no names of files.
    std::fs::write(home.path().join("old.ndjson"), "old").unwrap();
    for command in [&["bench", "batch", "key.zkey", &witness][..], &["prove", "key.zkey", &witness, "p", "s"]]
    {
        let flags = ["--interlock", "nosuch", "--timeline", "old.ndjson"];
        let (code, _, stderr) = call(home.path(), [command, &flags].concat());
        assert!(code == 2 && stderr.contains("no interlock strategy \"nosuch\""), "{code} {stderr}");
        assert_eq!(std::fs::read(home.path().join("old.ndjson")).unwrap(), b"old");
        // What cannot be written to its end is told by the exit code; the rest was done.
        let (code, _, stderr) = call(home.path(), [command, &["--timeline", "/dev/full"]].concat());
        assert!(code == 3 && stderr.contains("the timeline is not whole"), "{code} {stderr}");
    }
    assert!(home.path().join("p").is_file());
    let (code, _, stderr) =
        call(home.path(), ["bench", "interlock", "key.zkey", &witness, "--timeline", "/dev/null"]);
    assert!(code == 2 && stderr.contains("a file name is needed"), "{code} {stderr}");
}

#[test]
fn a_timeline_is_written_and_can_be_read() {
    let home = Home::new();
    let flags = ["-c", "3", "--warm-up", "2", "--timeline", "run.ndjson", "--interlock", "whole"];
    let (code, _, stderr) = bench(&home, "batch", "multiplier", &flags);
    assert_eq!((code, home.files()), (0, vec!["run.ndjson".to_owned()]), "{stderr}");
    let (code, stdout, _) = call(home.path(), ["timeline", "run.ndjson", "--json"]);
    let summary = &json(&stdout)["summary"];
    // The warm-up is there as well.
    assert_eq!((code, &summary["interlock"], &summary["jobs"]["done"]), (0, &"whole".into(), &5.into()));

    let flags = ["--strategies", "narrow,two-lock", "--repeat", "2", "--timeline", "cmp.ndjson", "-q"];
    let (code, _, stderr) = bench(&home, "interlock", "multiplier", &flags);
    // Nothing but what `prove` says of this key, too.
    assert!(code == 0 && stderr.lines().all(|line| line.contains("gamma = delta")), "{stderr}");
    let files = ["narrow.1", "narrow.2", "two-lock.1", "two-lock.2"].map(|name| format!("cmp.{name}.ndjson"));
    assert_eq!(home.files(), [&files[..], &["run.ndjson".to_owned()]].concat());
    let (code, stdout, _) = call(home.path(), ["timeline", &files[3]]);
    assert!(code == 0 && stdout.starts_with("interlock:    two-lock (run)\n"), "{stdout}");
}

#[test]
fn strategies_are_compared_over_the_same_proofs() {
    let home = Home::new();
    let flags = ["-c", "4", "-j", "3", "--workers-per-device", "3", "--repeat", "2", "--json"];
    let (code, stdout, stderr) = bench(&home, "interlock", "membership", &flags);
    assert_eq!(code, 0, "{stderr}");
    let report = json(&stdout);
    let rows = report["strategies"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["strategy"].as_str().unwrap()).collect();
    let (_, offered, _) = call(home.path(), ["backends", "--json"]);
    assert_eq!(names, ["ledger", "prestage", "narrow", "whole", "two-lock"]);
    assert!(names.iter().all(|name| offered.contains(&format!("\"{name}\""))), "{offered}");
    // Ten runs of four jobs, each compared with the first run's.
    assert_eq!(report["proofs_compared"], 9 * 4);
    let number = |row: &Value, field: &str| row[field].as_f64().unwrap_or_else(|| panic!("{field}: {row}"));
    for row in rows {
        assert_eq!((&row["count"], &row["completed"]), (&8.into(), &8.into()), "{row}");
        // How much is a matter of how busy the machine is: docs/performance.md has figures.
        assert!((0.2..=1.0).contains(&number(row, "accounted_share")), "{row}");
        assert!((0.0..1.0).contains(&number(row, "idle_share")) && number(row, "ratio") >= 1.0, "{row}");
        assert!(row["peak_bytes"].as_u64().unwrap() > 0, "{row}");
        assert_eq!(row["runs"].as_array().unwrap().len(), 2);
        assert!(
            row["runs"].as_array().unwrap().iter().all(|run| run["summary"]["interlock"] == row["strategy"])
        );
    }
    assert!(rows.iter().any(|row| row["ratio"] == 1.0));
    // Turn by turn.
    let said: Vec<&str> = stderr.lines().filter_map(|line| Some(line.split_once(", run ")?.0)).collect();
    assert_eq!(said, [&names[..], &names].concat());

    let (code, stdout, _) =
        bench(&home, "interlock", "multiplier", &["-c", "2", "--strategies", "whole,ledger"]);
    assert_eq!(code, 0);
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(
        &lines[..5],
        [
            "=== Interlock Benchmark ===",
            "proof type:  circom",
            "count:       2",
            "concurrency: 1",
            "runs:        1"
        ]
    );
    let heads: Vec<&str> = lines[6].split_whitespace().collect();
    let wanted = [
        "strategy",
        "done",
        "wall",
        "proofs/min",
        "idle",
        "peak",
        "waits",
        "fallbacks",
        "accounted",
        "ratio",
    ];
    assert_eq!(heads, wanted);
    assert!(lines[7].starts_with("  whole   ") && lines[8].starts_with("  ledger  "), "{stdout}");
    assert_eq!(lines[10..], ["proofs: those of 2 jobs compared, all the same"]);
}

#[test]
fn a_synthetic_circuit_is_synthesised_by_its_workers() {
    let home = Home::new();
    for (curve, public, domain) in [("bn254", "0", 512), ("bls12-381", "300", 1024)] {
        let flags = ["-c", "3", "-j", "3", "--partitions", "2", "--partition-workers", "2", "--json"];
        let shape = ["--curve", curve, "--public", public, "--witness-rounds", "3"];
        let (code, stdout, stderr) = synthetic(&home, "batch", &[&flags[..], &shape].concat());
        assert!(code == 0 && stderr.contains("making a key for 300 constraints"), "{stderr}");
        let report = json(&stdout);
        assert_eq!((&report["type"], &report["curve"]), (&"synthetic".into(), &curve.into()));
        let key = &report["key"];
        assert_eq!((&key["path"], &key["constraints"]), (&Value::Null, &300.into()));
        assert_eq!((&key["domain"], key["public"].to_string().as_str()), (&domain.into(), public));
        let summary = &report["runs"][0]["summary"];
        assert!(summary["synthesis"].as_u64().unwrap() > 0 && summary["partitions"] == 6, "{summary}");
    }
    let (code, stdout, stderr) = synthetic(&home, "interlock", &["-c", "3", "-j", "2", "--json"]);
    assert_eq!((code, &json(&stdout)["proofs_compared"]), (0, &12.into()), "{stderr}");
    assert!(home.files().is_empty());
}

/// All of them need the device and the key at once, and have to wait for them.
#[test]
fn a_cold_start_of_many_workers_ends() {
    let home = Home::new();
    let flags = ["--warm-up", "0", "-c", "6", "-j", "6", "--partitions", "2", "--json"];
    let workers = ["--workers-per-device", "4", "--partition-workers", "3", "--timeout", "300"];
    for _ in 0..5 {
        let (code, stdout, stderr) = synthetic(&home, "batch", &[&flags[..], &workers].concat());
        assert_eq!((code, &json(&stdout)["runs"][0]["outcomes"]["done"]), (0, &6.into()), "{stderr}");
    }
}
