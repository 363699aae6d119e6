//! `interlock plugin …`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::args::GENERAL;

/// Manage backends that are loaded at run time.
#[derive(Debug, Subcommand)]
pub(crate) enum PluginCommand {
    /// Copy a backend to a folder that is searched, and vouch for it with a manifest
    ///
    /// Its code runs, in a process of its own first: installing it is trusting it. A configuration may allow some backends
    /// only; what it does not allow is not installed.
    Install(InstallArgs),
}

/// What becomes of an installed backend.
pub(super) const AFTER_HELP: &str = "\
List what is installed: `interlock backends`.
Remove a backend: delete its .so and the .toml beside it; `interlock backends` shows where they are.";

/// What `plugin install` takes.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct InstallArgs {
    /// The library
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The folder [default: ~/.local/share/interlock/backends]
    #[arg(long, value_name = "DIR")]
    pub(crate) to: Option<PathBuf>,
    /// The vendor's signature, made with minisign [default: FILE.minisig, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) signature: Option<PathBuf>,
    /// Install only with a signature by a key that the configuration trusts
    #[arg(long)]
    pub(crate) require_signature: bool,
    /// Print the result as one JSON object on stdout
    #[arg(long, help_heading = GENERAL, display_order = 103)]
    pub(crate) json: bool,
}
