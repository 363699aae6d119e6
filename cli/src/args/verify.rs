//! `interlock verify`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::args::{GENERAL, ThreadArgs, values};

const AFTER_HELP: &str = "\
Example:
  interlock verify verification_key.json public.json proof.json

The curve is the verification key's. A key to which nobody contributed (gamma = delta) is warned of, \
because anybody can forge proofs under it.

Exit codes:
  0  OK: the proof is valid
  1  INVALID: all files could be read, and the proof does not verify
  2  usage
  3  a file cannot be read as what it should be, which includes a point off its \
curve or outside its subgroup, a signal not below the field's modulus, and more or fewer signals than the key is for
  8  cancelled or timed out";

/// What `verify` takes.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
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
    /// Give up after this time
    #[arg(
        long,
        value_name = "SECONDS",
        help_heading = GENERAL,
        display_order = 101,
        env = "INTERLOCK_TIMEOUT",
        allow_hyphen_values = true,
        value_parser = values::seconds,
    )]
    pub(crate) timeout: Option<Duration>,
    /// Print the result as one JSON object on stdout
    #[arg(long, help_heading = GENERAL, display_order = 103)]
    pub(crate) json: bool,
}
