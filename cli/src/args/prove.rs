//! `interlock prove`.

use std::path::PathBuf;

use clap::Args;
use interlock_core::files::Family;

use crate::args::values::{ProgressMode, Suggesting};
use crate::args::{BackendArgs, CheckKeyArgs, EngineArgs, GENERAL, ProvingArgs, ThreadArgs, key};

const AFTER_HELP: &str = "\
Examples:
  interlock prove circuit.zkey witness.wtns proof.json public.json
  interlock prove circuit.zkey witness.wtns proof.json public.json --backend cuda,cpu --json
  interlock prove circuit.params witness.wtns proof.bin public.json --r1cs circuit.r1cs --proof-format bellman

What kind of key it is, its contents tell. A key that was not used before is checked first: every base must be a point \
of its group. That takes some microseconds of processor time for each, up to 0.1 ms for small keys, and is remembered; see --check-key.

Key and witness must be regular files; a pipe is refused. The proof and the public signals appear together when \
both are complete; when anything fails before that, neither does. Only a report that cannot be printed afterwards \
(--json) is an error, 3, that leaves them where they are.

Progress on stderr is a bar on a terminal and JSON lines (they begin with '{') otherwise; warnings are JSON lines \
then, too.

Exit codes:
  0 ok · 2 usage · 3 bad input file, or an output or report that cannot be written
  4 the witness does not satisfy the key's circuit (or the key's contents are wrong)
  5 backend or device · 6 out of memory · 7 self-check failed
  8 cancelled or timed out";

/// What `prove` takes.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ProveArgs {
    /// Proving key: a .zkey, or with --r1cs a key of arkworks' or bellman's
    #[arg(value_name = "KEY")]
    pub(crate) key: PathBuf,
    /// Witness
    #[arg(value_name = "WITNESS.wtns")]
    pub(crate) witness: PathBuf,
    /// Where the proof goes
    #[arg(value_name = "PROOF")]
    pub(crate) proof: PathBuf,
    /// Where the public signals go
    #[arg(value_name = "PUBLIC.json")]
    pub(crate) public: PathBuf,
    /// The circuit: the witness is checked against it first. Keys of arkworks and bellman need it
    ///
    /// The first constraint that does not hold is named by its number, counted from 0.
    #[arg(long, value_name = "CIRCUIT.r1cs", help_heading = "Formats")]
    pub(crate) r1cs: Option<PathBuf>,
    /// The format of the proof; public signals are always JSON
    #[arg(
        long,
        value_name = "FORMAT",
        help_heading = "Formats",
        default_value = "snarkjs",
        value_parser = key::family(),
    )]
    pub(crate) proof_format: Family,
    /// Which backend, and how it is opened.
    #[command(flatten)]
    pub(crate) backend: BackendArgs,
    /// The check of the key's bases.
    #[command(flatten)]
    pub(crate) check: CheckKeyArgs,
    /// Compute everything again on this backend and refuse a proof on which the two differ
    ///
    /// It must be another backend than the one that proves, such as `embedded` when a plugin does.
    #[arg(
        long,
        value_name = "NAME",
        help_heading = "Checks",
        hide_possible_values = true,
        value_parser = Suggesting::<String>::new(&["cpu", "embedded"]),
    )]
    pub(crate) check_against: Option<String>,
    /// How the proof is blinded and checked, and how long that may take.
    #[command(flatten)]
    pub(crate) proving: ProvingArgs,
    /// How it shares a device, and what is recorded.
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// How many threads.
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    /// How progress is shown on stderr [default: auto]
    #[arg(
        long,
        value_name = "MODE",
        help_heading = GENERAL,
        display_order = 102,
        env = "INTERLOCK_PROGRESS",
        value_enum,
    )]
    pub(crate) progress: Option<ProgressMode>,
    /// Print the result as one JSON object on stdout
    #[arg(long, help_heading = GENERAL, display_order = 103)]
    pub(crate) json: bool,
}
