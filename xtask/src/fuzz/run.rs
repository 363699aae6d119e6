//! One target's process.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use super::{files_in, folder};
use crate::paths;
use crate::step::shown;

/// What a run may take: seconds, and MiB of memory. (The targets themselves end when a run takes more than 64 MiB beyond
/// its input, and so does libFuzzer when one allocation does.)
const LIMITS: [&str; 3] = ["-timeout=10", "-rss_limit_mb=2048", "-malloc_limit_mb=64"];

/// How often a time-out that does not repeat is put down to the machine.
const SUSPENSIONS: usize = 100;

/// Runs a target and returns its line of the summary.
///
/// # Errors
/// It has a finding, or could not run.
pub(super) fn target(programs: &Path, name: &str, runs: u64) -> Result<String> {
    let program = programs.join(name);
    let artifacts = folder(paths::at("fuzz/artifacts").join(name))?;
    // What the fuzzer finds worth keeping goes here; the committed inputs stay as they are.
    let corpus = folder(paths::at("target/fuzz/corpus").join(name))?;
    let log = folder(paths::at("target/fuzz/logs"))?.join(name);
    let before = files_in(&artifacts);
    let (start, mut done) = (Instant::now(), 0);
    for _ in 0..SUSPENSIONS {
        let ended_well = fuzz(&program, name, runs - done, &corpus, &artifacts, &log)?;
        done += executed(&log)?;
        let new: Vec<PathBuf> =
            files_in(&artifacts).into_iter().filter(|file| !before.contains(file)).collect();
        if ended_well && new.is_empty() {
            return Ok(summary(name, done, start, files_in(&corpus).len()));
        }
        // A process that was suspended, or a machine that was, looks like a run without end.
        let [finding] = new.as_slice() else { bail!("ended badly; see {}", paths::shown(&log)) };
        if !is_timeout(finding) || !passes(&program, name, finding)? {
            bail!("FINDING after {done} runs: {}; see {}", paths::shown(finding), paths::shown(&log));
        }
        std::fs::remove_file(finding)?;
        if done >= runs {
            return Ok(summary(name, done, start, files_in(&corpus).len()));
        }
    }
    bail!("timed out {SUSPENSIONS} times without repeating it; is the machine overloaded?")
}

fn summary(name: &str, done: u64, start: Instant, inputs: usize) -> String {
    let rate = done as f64 / start.elapsed().as_secs_f64();
    let time = shown(start.elapsed());
    format!("{name}: {done} runs in {time}, {rate:.0}/s, {inputs} inputs in the corpus, no finding")
}

/// Runs the fuzzer; whether it ended by itself.
fn fuzz(program: &Path, name: &str, runs: u64, corpus: &Path, artifacts: &Path, log: &Path) -> Result<bool> {
    let out = File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
    let mut command = Command::new(program);
    command
        .arg(corpus)
        .arg(paths::at("fuzz/corpus").join(name))
        .args(LIMITS)
        .arg(format!("-runs={runs}"))
        .arg("-print_final_stats=1")
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(out);
    let regressions = paths::at("fuzz/regressions").join(name);
    if regressions.is_dir() {
        command.arg(regressions);
    }
    if let Some(dictionary) = dictionary(name) {
        command.arg(format!("-dict={}", dictionary.display()));
    }
    let status = command.status().with_context(|| format!("cannot start {}", program.display()))?;
    Ok(status.success())
}

/// The dictionary of a target: of its own, or of its family (`ark_pk`: `ark`).
fn dictionary(name: &str) -> Option<PathBuf> {
    let (first, last) = (name.split('_').next()?, name.rsplit('_').next()?);
    let file = |name: &str| paths::at("fuzz/dictionaries").join(format!("{name}.dict"));
    [name, first, last].into_iter().map(file).find(|path| path.is_file())
}

/// The runs that the fuzzer counted in its last words.
fn executed(log: &Path) -> Result<u64> {
    let text = String::from_utf8_lossy(&std::fs::read(log)?).into_owned();
    let counted = text.lines().rev().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    let Some(counted) = counted else { return Ok(0) };
    counted.trim().parse().with_context(|| format!("libFuzzer counted {counted:?} runs"))
}

fn is_timeout(finding: &Path) -> bool {
    let name = finding.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("timeout-") || name.starts_with("slow-unit-")
}

/// Whether a single input passes, within the same limits.
fn passes(program: &Path, name: &str, input: &Path) -> Result<bool> {
    // If it does not, libFuzzer writes it once more; it refuses a folder that is not there.
    let copies = folder(paths::at("target/fuzz/again").join(name))?;
    let status = Command::new(program)
        .args(LIMITS)
        .arg(format!("-artifact_prefix={}/", copies.display()))
        .arg(input)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .with_context(|| format!("cannot start {}", program.display()))?;
    Ok(status.success())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// Runs a script in the place of a target: `fuzz` is what it does as the fuzzer, `again` with a single input.
    fn outcome(name: &str, fuzz: &str, again: &str) -> Result<String> {
        let places = ["target/fuzz/programs", "fuzz/artifacts", "target/fuzz/corpus", "target/fuzz/again"]
            .map(paths::at);
        let programs = folder(places[0].join(name)).unwrap();
        let artifacts = places[1].join(name);
        let script = format!(
            // As libFuzzer does, it refuses a folder that is not there.
            "#!/bin/sh\nout={}\nfor arg; do case \"$arg\" in -artifact_prefix=*) \
             [ -d \"${{arg#*=}}\" ] || exit 1;; esac; done\n\
             case \"$*\" in\n*-runs=*) {fuzz};;\n*) {again};;\nesac\n",
            artifacts.display()
        );
        std::fs::write(programs.join(name), script).unwrap();
        std::fs::set_permissions(programs.join(name), std::fs::Permissions::from_mode(0o755)).unwrap();
        let outcome = target(&programs, name, 100);
        for place in places {
            let _ = std::fs::remove_dir_all(place.join(name));
        }
        let _ = std::fs::remove_file(paths::at("target/fuzz/logs").join(name));
        outcome
    }

    const COUNTED: &str = "echo 'stat::number_of_executed_units: 60' >&2";

    #[test]
    fn a_good_end_is_a_line() {
        let line = outcome("xtask-good", &format!("{COUNTED}; exit 0"), "exit 1").unwrap();
        assert!(line.starts_with("xtask-good: 60 runs in ") && line.ends_with("no finding"), "{line}");
    }

    #[test]
    fn a_crash_is_a_finding_and_stays() {
        let error = outcome("xtask-crash", &format!("touch $out/crash-1; {COUNTED}; exit 77"), "exit 0");
        let error = error.unwrap_err().to_string();
        assert!(error.contains("FINDING after 60 runs") && error.contains("crash-1"), "{error}");
        assert!(outcome("xtask-silent", "exit 1", "exit 0").is_err(), "a bad end without a finding");
    }

    #[test]
    fn a_time_out_is_a_finding_when_it_repeats() {
        let hang = format!("touch $out/timeout-1; {COUNTED}; exit 70");
        let error = outcome("xtask-hang", &hang, "exit 70").unwrap_err().to_string();
        assert!(error.contains("FINDING") && error.contains("timeout-1"), "{error}");
        // Suspended twice; the third process would have nothing left to do.
        let line = outcome("xtask-suspended", &hang, "exit 0").unwrap();
        assert!(line.starts_with("xtask-suspended: 120 runs"), "{line}");
    }
}
