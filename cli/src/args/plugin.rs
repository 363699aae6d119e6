//! `interlock plugin …`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Manage backends that are loaded at run time.
#[derive(Debug, Subcommand)]
pub(crate) enum PluginCommand {
    /// Copy a backend to a folder that is searched, and vouch for it with a manifest
    ///
    /// Its code runs: installing it is trusting it.
    Install(InstallArgs),
}

/// What `plugin install` takes.
#[derive(Debug, Args)]
pub(crate) struct InstallArgs {
    /// The library
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The folder [default: ~/.local/share/interlock/backends]
    #[arg(long, value_name = "DIR")]
    pub(crate) to: Option<PathBuf>,
    /// Print the result as one JSON object on stdout
    #[arg(long)]
    pub(crate) json: bool,
}
