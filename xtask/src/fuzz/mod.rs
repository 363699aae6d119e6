//! The fuzz targets, for a number of runs each: `cargo xtask fuzz [TARGET…] [--runs N] [--jobs N] [--sanitizer S]
//! [--no-trace-compares]`.
//!
//! | module | does |
//! |---|---|
//! | [`mod@args`] | the command line |
//! | [`mod@run`] | one target: its process, what it printed, and whether a time-out repeats |

mod args;
mod run;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};

use crate::cmd::Cmd;
use crate::step::step;
use crate::{paths, system};
use args::Args;

/// Runs the targets, prints a line for each, and fails when any has a finding.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let args = Args::parse(words, &targets()?)?;
    ensure_tools()?;
    let programs = step("build", || build(&args))?;
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.min(args.targets.len()) {
            scope.spawn(|| {
                while let Some(target) = args.targets.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match run::target(&programs, target, args.runs) {
                        Ok(line) => println!("{line}"),
                        Err(error) => {
                            println!("{target}: {error:#}");
                            failed.lock().unwrap_or_else(|poison| poison.into_inner()).push(target.as_str());
                        }
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap_or_else(|poison| poison.into_inner());
    if failed.is_empty() { Ok(()) } else { bail!("findings or failures in: {}", failed.join(", ")) }
}

/// The names of all targets.
fn targets() -> Result<Vec<String>> {
    let folder = paths::at("fuzz/fuzz_targets");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            names.extend(path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned));
        }
    }
    names.sort();
    Ok(names)
}

/// Nothing is installed: a second toolchain is for its user to decide on.
fn ensure_tools() -> Result<()> {
    if system::find("rustup").is_none() {
        bail!(
            "rustup is missing: fuzzing takes a nightly toolchain beside the stable one (https://rustup.rs)"
        );
    }
    if !Cmd::new("rustup").args(["run", "nightly", "rustc", "--version"]).succeeds() {
        bail!("the nightly toolchain is missing: rustup toolchain install nightly --profile minimal");
    }
    if !cargo_fuzz().arg("--version").succeeds() {
        bail!("cargo-fuzz is missing: cargo install cargo-fuzz --locked");
    }
    Ok(())
}

fn cargo_fuzz() -> Cmd {
    Cmd::new("rustup").args(["run", "nightly", "cargo", "fuzz"])
}

/// Builds all targets and returns the folder of their programs.
fn build(args: &Args) -> Result<PathBuf> {
    let (more, suffix): (&[&str], _) = match args.trace_compares {
        true => (&[], ""),
        false => (&["--no-trace-compares"], "-untraced"),
    };
    let folder = paths::at("target/fuzz").join(format!("{}{suffix}", args.sanitizer));
    cargo_fuzz()
        .args(["build", "--sanitizer", &args.sanitizer])
        .args(more)
        .arg("--target-dir")
        .arg(&folder)
        .dir(&paths::at("fuzz"))
        .run()?;
    // The folder below it is named after the machine.
    let found = std::fs::read_dir(&folder)?
        .filter_map(|entry| Some(entry.ok()?.path().join("release")))
        .find(|release| release.join("zkey").is_file());
    found.with_context(|| format!("no programs below {}", paths::shown(&folder)))
}

/// A folder that is there afterwards.
fn folder(path: PathBuf) -> Result<PathBuf> {
    std::fs::create_dir_all(&path).with_context(|| format!("cannot create {}", path.display()))?;
    Ok(path)
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}
