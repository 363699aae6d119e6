//! `interlock doctor`.

use clap::Args;

use crate::args::{GENERAL, SearchArgs, ThreadArgs};

/// What `doctor` takes.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Where backends are looked for.
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// How many threads.
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    /// Print the result as one JSON object on stdout
    #[arg(long, help_heading = GENERAL, display_order = 103)]
    pub(crate) json: bool,
}
