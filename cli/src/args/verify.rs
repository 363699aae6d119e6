//! `interlock verify`.

use std::path::PathBuf;

use clap::Args;

use crate::args::ThreadArgs;

/// What `verify` takes.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  interlock verify verification_key.json public.json proof.json")]
pub(crate) struct VerifyArgs {
    /// Verification key
    #[arg(value_name = "VERIFICATION_KEY.json")]
    pub(crate) key: PathBuf,
    /// Public signals
    #[arg(value_name = "PUBLIC.json")]
    pub(crate) public: PathBuf,
    /// Proof
    #[arg(value_name = "PROOF.json")]
    pub(crate) proof: PathBuf,
    /// How many threads.
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    /// Print the result as one JSON object on stdout
    #[arg(long)]
    pub(crate) json: bool,
}
