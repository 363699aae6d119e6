//! `tests/judges`: a workspace of its own, whose dependencies are other people's provers.

use std::path::PathBuf;

use anyhow::Result;

use crate::cmd::Cmd;
use crate::paths;

/// Runs its tests.
pub(crate) fn run() -> Result<()> {
    cargo("test").arg("--locked").run()
}

/// Format and lints, by the main workspace's rules.
pub(crate) fn source() -> Result<()> {
    cargo("fmt").args(["--", "--check"]).run()?;
    cargo("clippy").args(["--locked", "--all-targets", "--", "--deny", "warnings"]).run()
}

/// The workspace's manifest.
pub(crate) fn manifest() -> PathBuf {
    paths::at("tests/judges/Cargo.toml")
}

/// Cargo in that workspace. What it builds lies apart: the two would otherwise build shared dependencies over each other,
/// with other features.
fn cargo(command: &str) -> Cmd {
    let target = paths::at("target/judges");
    Cmd::cargo().args([command, "--manifest-path"]).arg(manifest()).env("CARGO_TARGET_DIR", target)
}
