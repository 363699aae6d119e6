//! What the figures belong to.

use std::fs;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cmd::Cmd;
use crate::paths;

/// The machine and the tools.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Machine {
    /// The processor as it calls itself, with family and model.
    pub(super) processor: String,
    /// What of its instructions provers look for.
    pub(super) features: Vec<String>,
    /// CPUs that were used: as many as threads.
    pub(super) threads: usize,
    /// Physical memory.
    pub(super) memory_bytes: u64,
    /// The kernel.
    pub(super) system: String,
    pub(super) rustc: String,
    pub(super) node: String,
    /// The peers and their versions.
    pub(super) versions: Vec<(String, String)>,
}

/// The peers' packages in `tests/peers/Cargo.lock`.
const PACKAGES: [&str; 4] = ["ark-groth16", "bellperson", "blstrs", "blst"];

impl Machine {
    pub(super) fn look(threads: usize) -> Result<Self> {
        let cpu = fs::read_to_string("/proc/cpuinfo").context("/proc/cpuinfo")?;
        let of_cpu = |name: &str| field(&cpu, name).unwrap_or_default();
        let model =
            format!("{}, family {}, model {}", of_cpu("model name"), of_cpu("cpu family"), of_cpu("model"));
        let flags = of_cpu("flags");
        let known = ["adx", "bmi2", "avx2", "avx512ifma"];
        let features = known.into_iter().filter(|name| flags.split(' ').any(|flag| flag == *name));
        let memory = fs::read_to_string("/proc/meminfo").context("/proc/meminfo")?;
        let kib = field(&memory, "MemTotal").context("MemTotal")?;
        let line = |cmd: Cmd| Ok::<_, anyhow::Error>(cmd.quiet()?.trim().to_owned());
        Ok(Self {
            processor: model.replace("(R)", ""),
            features: features.map(str::to_owned).collect(),
            threads,
            memory_bytes: 1024 * kib.trim_end_matches("kB").trim().parse::<u64>().context("MemTotal")?,
            system: line(Cmd::new("uname").args(["-sr"]))?,
            rustc: line(Cmd::new("rustc").arg("--version"))?,
            node: line(Cmd::new("node").arg("--version"))?,
            versions: versions()?,
        })
    }

    /// In a few words.
    pub(super) fn short(&self) -> String {
        let plural = if self.threads == 1 { "" } else { "s" };
        format!("{}, {} thread{plural}", self.processor, self.threads)
    }
}

/// The value of the first `name : value` line.
fn field(text: &str, name: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (found, value) = line.split_once(':')?;
        (found.trim() == name).then(|| value.trim().to_owned())
    })
}

fn versions() -> Result<Vec<(String, String)>> {
    let text = |file: &str| fs::read_to_string(paths::at(file)).with_context(|| file.to_owned());
    let tools: Value = serde_json::from_str(&text("tests/tools/package.json")?)?;
    let snarkjs = tools["dependencies"]["snarkjs"].as_str().context("snarkjs in tests/tools/package.json")?;
    let mut found = vec![("snarkjs".to_owned(), snarkjs.to_owned())];
    let lock = text("tests/peers/Cargo.lock")?;
    for package in PACKAGES {
        let version =
            locked(&lock, package).with_context(|| format!("{package} in tests/peers/Cargo.lock"))?;
        found.push((package.to_owned(), version.to_owned()));
    }
    Ok(found)
}

/// The version of a package in a lock file.
fn locked<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let (_, rest) = lock.split_once(&format!("name = \"{package}\"\nversion = \""))?;
    Some(rest.split_once('"')?.0)
}

/// Today, by the universal clock.
pub(super) fn date() -> Result<String> {
    Ok(Cmd::new("date").args(["-u", "+%Y-%m-%d"]).quiet()?.trim().to_owned())
}

/// The commit that is checked out; with a `+` when files differ from it.
pub(super) fn commit() -> Result<String> {
    let git = |args: &[&str]| Cmd::new("git").args(args).quiet();
    let hash = git(&["rev-parse", "--short=7", "HEAD"])?;
    // The results themselves are not part of what was measured.
    let changed = git(&["status", "--porcelain", "--", ".", ":!docs"])?;
    Ok(format!("{}{}", hash.trim(), if changed.trim().is_empty() { "" } else { "+" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_by_their_whole_name() {
        let text = "model\t\t: 207\nmodel name\t: Some Processor\n";
        assert_eq!(field(text, "model name").as_deref(), Some("Some Processor"));
        assert_eq!(field(text, "model").as_deref(), Some("207"));
        assert_eq!(field(text, "flags"), None);
    }

    #[test]
    fn versions_of_whole_names() {
        let lock = "[[package]]\nname = \"blstrs\"\nversion = \"0.7.1\"\n[[package]]\nname = \"blst\"\nversion = \"0.3.17\"\n";
        assert_eq!((locked(lock, "blst"), locked(lock, "blstr")), (Some("0.3.17"), None));
    }
}
