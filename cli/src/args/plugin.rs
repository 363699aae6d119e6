//! `interlock plugin …`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::args::{GENERAL, HeaderArgs, NewArgs};

/// Manage backends that are loaded at run time.
#[derive(Debug, Subcommand)]
pub(crate) enum PluginCommand {
    /// Copy a backend to a folder that is searched, and vouch for it with a manifest
    ///
    /// Its code runs: installing it is trusting it.
    Install(InstallArgs),
    /// Write out a backend to start from, in C or Rust
    ///
    /// It builds and proves as it is; docs/vendor-guide.md leads on from there.
    New(NewArgs),
    /// Write out interlock_backend.h, the C header that a backend is compiled against
    Header(HeaderArgs),
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
    /// Print the result as one JSON object on stdout
    #[arg(long, help_heading = GENERAL, display_order = 103)]
    pub(crate) json: bool,
}
