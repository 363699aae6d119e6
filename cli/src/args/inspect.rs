//! `interlock inspect`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{GENERAL, ThreadArgs};

const AFTER_HELP: &str = "\
Examples:
  interlock inspect circuit.zkey
  interlock inspect circuit.params --check --json

Files of arkworks and bellman have no mark: they are told by their lengths and first points.";

/// What `inspect` takes.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct InspectArgs {
    /// The file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Check that all bases of a proving key are points of their groups; exit code 3 when one is not
    ///
    /// `prove` does so by itself and remembers it; see its --check-key.
    #[arg(long, conflicts_with = "export_vkey")]
    pub(crate) check: bool,
    /// The old spelling of `interlock export vk FILE OUT.json`
    #[arg(long, value_name = "OUT.json")]
    pub(crate) export_vkey: Option<PathBuf>,
    /// Ask a backend that is not installed for its name and version: its code runs as you
    ///
    /// One that has a manifest and lies in a folder of backends (`interlock backends` lists them) is asked without this.
    #[arg(long)]
    pub(crate) allow_unsigned: bool,
    /// How many threads.
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    /// Print the result as one JSON object on stdout
    #[arg(long, help_heading = GENERAL, display_order = 103)]
    pub(crate) json: bool,
}
