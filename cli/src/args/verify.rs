//! `interlock verify`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::args::{GENERAL, ThreadArgs, values};

const AFTER_HELP: &str = "\
Examples:
  interlock verify verification_key.json public.json proof.json
  interlock verify verification_key.json a.public.json a.proof.json b.public.json b.proof.json
  interlock verify verification_key.json --batch proofs.txt

Keys and proofs may be snarkjs', arkworks' or bellman's; public signals are JSON. The curve is the verification key's. \
A key to which nobody contributed (gamma = delta) is warned of, because anybody can forge proofs under it.

Each line of a list is the path of the public signals and that of the proof, with a tab between them (then they may \
contain spaces) or spaces, or a JSON list of both: [\"a public.json\", \"a.proof.json\"]. Paths are relative to the \
current folder. Empty lines, and lines that begin with #, are skipped.

Several proofs are verified together, which is faster than one by one. For each bad one a line INVALID PUBLIC PROOF is \
printed; the last line is OK, or INVALID with the number of bad ones. A file that cannot be read ends the command.

Exit codes:
  0  OK: the proof is valid, or all of them are
  1  INVALID: all files could be read, and a proof does not verify
  2  usage
  3  a file cannot be read as what it should be, which includes a point off its \
curve or outside its subgroup, a signal not below the field's modulus, and more or fewer signals than the key is for
  8  cancelled or timed out";

/// What `verify` takes.
#[derive(Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    override_usage = "interlock verify [OPTIONS] <VERIFICATION_KEY> <PUBLIC.json> <PROOF> [<PUBLIC.json> <PROOF>]...\n       \
                      interlock verify [OPTIONS] <VERIFICATION_KEY> --batch <LIST>"
)]
pub(crate) struct VerifyArgs {
    /// Verification key
    #[arg(value_name = "VERIFICATION_KEY")]
    pub(crate) key: PathBuf,
    /// Public signals and proof, as often as there are proofs
    #[arg(value_names = ["PUBLIC.json", "PROOF"], num_args = 2.., required_unless_present = "batch")]
    pub(crate) files: Vec<PathBuf>,
    /// Verify the proofs of a list, one per line; - reads the list from stdin
    #[arg(long, value_name = "LIST", conflicts_with = "files")]
    pub(crate) batch: Option<PathBuf>,
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
