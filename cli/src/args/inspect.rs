//! `interlock inspect`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{GENERAL, ThreadArgs};

/// What `inspect` takes.
#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// The file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Write the verification key that is in a proving key, and say no more than that
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
