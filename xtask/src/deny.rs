//! Licences, sources and advisories of the dependencies, as `deny.toml` rules them.

use std::path::PathBuf;

use anyhow::Result;

use crate::cmd::Cmd;
use crate::{paths, system};

/// The version installed when the machine has none.
const VERSION: &str = "0.20.2";

/// Runs every check that this machine can run.
pub(crate) fn run() -> Result<()> {
    let program = ensure()?;
    let deny = || Cmd::new(&program).args(["--workspace", "--all-features", "--log-level", "warn"]);
    deny().args(["check", "--hide-inclusion-graph", "bans", "licenses", "sources"]).run()?;
    // Fetched in a step of its own: an unreachable database is a notice, an advisory is a failure.
    if deny().args(["fetch", "db"]).succeeds() {
        deny().args(["check", "--disable-fetch", "advisories"]).run()
    } else {
        eprintln!("NOTICE: the advisory database could not be fetched; advisories were NOT checked.");
        Ok(())
    }
}

/// Finds cargo-deny or builds it, once per `target/`.
fn ensure() -> Result<PathBuf> {
    if let Some(program) = system::find("cargo-deny") {
        return Ok(program);
    }
    let root = paths::at("target/tools").join(format!("cargo-deny-{VERSION}"));
    let program = root.join("bin/cargo-deny");
    if program.is_file() {
        return Ok(program);
    }
    eprintln!("    building cargo-deny {VERSION} (once)");
    // It runs for a second: building it fast matters more than its speed.
    Cmd::cargo()
        .args(["install", "cargo-deny", "--version", VERSION, "--locked", "--quiet", "--root"])
        .arg(&root)
        .env("CARGO_TARGET_DIR", root.join("build"))
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
        .quiet()?;
    // A gigabyte that nobody needs again.
    std::fs::remove_dir_all(root.join("build"))?;
    Ok(program)
}
