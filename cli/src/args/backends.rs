//! `interlock backends`.

use clap::Args;

use crate::args::SearchArgs;

/// What `backends` takes.
#[derive(Debug, Args)]
pub(crate) struct BackendsArgs {
    /// Where backends are looked for.
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// Print the result as one JSON object on stdout
    #[arg(long)]
    pub(crate) json: bool,
}
