//! Runs every target over its committed inputs and over damaged copies of them, within the limits of memory and time
//! that the fuzzer has.

mod large;

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use interlock_fuzz_harness::memory::{Counting, LIMIT, limited};
use interlock_fuzz_harness::{TARGETS, Target, target, use_this_thread};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What one run may take.
const SECONDS: u64 = 10;
/// Places at which a file is cut, and at which it is changed.
const PLACES: usize = 24;

/// What runs, and since when.
static RUNNING: Mutex<Option<(Instant, String)>> = Mutex::new(None);

#[test]
fn committed_inputs_and_damaged_ones() {
    use_this_thread();
    std::thread::spawn(watch);
    let mut findings = Vec::new();
    for (name, work) in TARGETS {
        let corpus = inputs("corpus", name);
        assert!(!corpus.is_empty(), "fuzz/corpus/{name} is missing or empty");
        for (label, bytes) in corpus.into_iter().chain(inputs("regressions", name)) {
            for (change, input) in damaged(&bytes) {
                findings.extend(run(*work, format!("{label}{change}"), &input));
            }
        }
    }
    for (name, what, input) in large::inputs() {
        findings.extend(run(target(name), format!("{name}, {what}"), &input));
    }
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
}

#[test]
fn every_folder_has_a_target() {
    for kind in ["corpus", "regressions"] {
        let Ok(folders) = std::fs::read_dir(folder(kind)) else { continue };
        for entry in folders {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let known = TARGETS.iter().any(|(target, _)| *target == name);
            assert!(known || name == "README.md", "fuzz/{kind}/{name} is no target's");
        }
    }
}

#[test]
fn the_memory_limit_ends_the_process() {
    let child = |test: &str| {
        let program = std::env::current_exe().unwrap();
        Command::new(program).args(["--ignored", "--exact", "--nocapture", test]).output().unwrap()
    };
    assert!(child("takes_no_more_than_the_limit").status.success());
    let ended = child("takes_more_than_the_limit");
    assert!(!ended.status.success());
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(said.contains("memory limit"), "{said}");
}

/// How much a run of this input length takes in the two tests below.
const INPUT: usize = 1 << 20;

#[test]
#[ignore = "run in a process of its own"]
fn takes_no_more_than_the_limit() {
    limited(INPUT, || drop(std::hint::black_box(Vec::<u8>::with_capacity(LIMIT + INPUT / 2))));
    // It is not counted for the next run.
    limited(INPUT, || drop(std::hint::black_box(Vec::<u8>::with_capacity(LIMIT + INPUT / 2))));
}

#[test]
#[ignore = "run in a process of its own, which it ends"]
fn takes_more_than_the_limit() {
    limited(INPUT, || {
        let mut grown = std::hint::black_box(vec![0_u8; INPUT]);
        grown.reserve_exact(LIMIT + INPUT);
    });
}

fn folder(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(kind)
}

/// A target's files of one kind: their names for messages, and their contents.
fn inputs(kind: &str, target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = folder(kind).join(target);
    let Ok(entries) = std::fs::read_dir(&folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (format!("fuzz/{kind}/{target}/{name}"), std::fs::read(path).unwrap())
    };
    paths.into_iter().map(read).collect()
}

/// The file, the file cut off, and the file with a byte changed, each with a word about what was done.
fn damaged(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut all = vec![(String::new(), bytes.to_vec())];
    let step = bytes.len().div_ceil(PLACES).max(1);
    for length in (0..bytes.len()).step_by(step).chain(bytes.len().checked_sub(1)) {
        all.push((format!(", cut to {length} bytes"), bytes[..length].to_vec()));
    }
    // A linear congruential generator: the same places each time, in every file others.
    let mut state = bytes
        .iter()
        .fold(bytes.len() as u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)));
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    for _ in 0..PLACES.min(bytes.len()) {
        let (at, value) = (next() % bytes.len(), next());
        let mut changed = bytes.to_vec();
        // A bit, or one of the values that overflow counts.
        changed[at] = if value % 3 == 0 { 0xff } else { changed[at] ^ (1 << (value % 8)) };
        all.push((format!(", byte {at} set to {:#04x}", changed[at]), changed));
    }
    all
}

/// Runs a target on an input; the finding, if there is one.
fn run(work: Target, label: String, input: &[u8]) -> Option<String> {
    if std::env::var_os("INTERLOCK_REPLAY_TRACE").is_some() {
        say(&label);
    }
    *RUNNING.lock().unwrap() = Some((Instant::now(), label.clone()));
    let outcome = catch_unwind(AssertUnwindSafe(|| limited(input.len(), || work(input))));
    *RUNNING.lock().unwrap() = None;
    outcome.err().map(|panic| {
        let text =
            panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        format!("{label}: {}", text.unwrap_or("it panicked"))
    })
}

/// Ends the process when a run takes too long: nothing else can stop it.
fn watch() {
    loop {
        std::thread::sleep(Duration::from_millis(500));
        if let Some((since, label)) = &*RUNNING.lock().unwrap()
            && since.elapsed() > Duration::from_secs(SECONDS)
        {
            say(&format!("{label}: it takes more than {SECONDS} s"));
            std::process::abort();
        }
    }
}

fn say(line: &str) {
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}
