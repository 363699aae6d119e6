//! `interlock completions`.

use clap::Args;
use clap_complete::Shell;

/// What `completions` takes.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  interlock completions bash > ~/.local/share/bash-completion/completions/interlock"
)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}
