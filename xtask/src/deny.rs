//! Licences, sources and advisories of the dependencies, as `deny.toml` rules them.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::cmd::Cmd;
use crate::{judges, paths, system};

/// The version installed when the machine has none.
const VERSION: &str = "0.20.2";

/// Runs every check that this machine can run. Of the judges' workspace, which ships nothing, the advisories are of no
/// concern.
pub(crate) fn run() -> Result<()> {
    let program = ensure()?;
    // Each by the rules in the `deny.toml` beside its manifest.
    let deny = |manifest: &Path| {
        let config = manifest.with_file_name("deny.toml");
        let deny = Cmd::new(&program).arg("--manifest-path").arg(manifest).arg("--config").arg(config);
        deny.args(["--workspace", "--all-features", "--log-level", "warn"])
    };
    let main = paths::at("Cargo.toml");
    for manifest in [&main, &judges::manifest()] {
        deny(manifest).args(["check", "--hide-inclusion-graph", "bans", "licenses", "sources"]).run()?;
    }
    // Fetched in a step of its own: an unreachable database is a notice, an advisory is a failure.
    if deny(&main).args(["fetch", "db"]).succeeds() {
        deny(&main).args(["--offline", "check", "advisories"]).run()
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
