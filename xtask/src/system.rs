//! Programs of the machine: found, or installed where that is possible without asking.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::cmd::Cmd;

/// Finds a program the way a shell does.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(program)).find(|file| file.is_file())
}

/// Makes sure of `programs`: as root on a Debian-like system the missing ones are installed from `packages`.
pub(crate) fn ensure(programs: &[&str], packages: &[&str]) -> Result<()> {
    let missing: Vec<&str> = programs.iter().copied().filter(|program| find(program).is_none()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    install(packages).with_context(|| format!("missing: {}", missing.join(", ")))?;
    match missing.iter().find(|program| find(program).is_none()) {
        Some(program) => bail!("{program} is still missing after installing {}", packages.join(" ")),
        None => Ok(()),
    }
}

/// Installs packages, as root on a Debian-like system.
pub(crate) fn install(packages: &[&str]) -> Result<()> {
    if find("apt-get").is_none() || !is_root() {
        bail!("please install what Debian has in its packages {}", packages.join(" "));
    }
    eprintln!("    installing {}", packages.join(", "));
    let apt = || Cmd::new("apt-get").env("DEBIAN_FRONTEND", "noninteractive");
    apt().args(["update", "-q"]).quiet()?;
    apt().args(["install", "-q", "-y", "--no-install-recommends"]).args(packages).quiet()?;
    Ok(())
}

/// A C compiler: blst is built with it, and Rust links with it. And `make`, by which the template in C is built.
pub(crate) fn ensure_c_compiler() -> Result<()> {
    ensure(&["cc", "make"], &["gcc", "libc6-dev", "make"])
}

fn is_root() -> bool {
    Cmd::new("id").arg("-u").quiet().is_ok_and(|id| id.trim() == "0")
}
