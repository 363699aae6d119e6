//! `interlock backends`.

use clap::Args;

use crate::args::{GENERAL, SearchArgs};

/// What `backends` takes.
#[derive(Debug, Args)]
pub(crate) struct BackendsArgs {
    /// Where backends are looked for.
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// Print the result as one JSON object on stdout
    #[arg(long, help_heading = GENERAL, display_order = 103)]
    pub(crate) json: bool,
}
