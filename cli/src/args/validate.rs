//! `interlock validate`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use interlock_curves::Curve;

use crate::args::{GENERAL, OpeningArgs, ThreadArgs, key, values};

const AFTER_HELP: &str = "\
Examples:
  interlock validate --backend cuda                          against the backend inside this program
  interlock validate --backend ./libmine.so --against cpu --allow-unsigned --max-log 16
  interlock validate --backend cuda circuit.zkey witness.wtns      a proof of yours as well
  interlock validate --replay difference.json                the same input again, on the backend that the file names

Random inputs follow from --seed. The exit code is 0 when all answers agree, 7 when one differs, 3 or 5 when a backend cannot \
be had.";

/// What `validate` takes.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ValidateArgs {
    /// Proving keys and witnesses, in pairs, that are proved on both as well
    #[arg(value_name = "KEY WITNESS", num_args = 0..)]
    pub(crate) files: Vec<PathBuf>,
    /// The backend to be validated: a name, or a library [with --replay: the file's]
    #[arg(long, value_name = "NAME|FILE", help_heading = "Backends", required_unless_present_any = ["replay", "in_child"])]
    pub(crate) backend: Option<String>,
    /// The one that is right [default: embedded, the one inside this program]
    #[arg(long, value_name = "NAME|FILE", help_heading = "Backends")]
    pub(crate) against: Option<String>,
    /// How they are found and opened.
    #[command(flatten)]
    pub(crate) opening: OpeningArgs,
    /// Run the input of a difference again
    #[arg(long, value_name = "FILE", conflicts_with_all = ["files", "curve", "max_log", "random", "seed"])]
    pub(crate) replay: Option<PathBuf>,
    /// Where the first difference is written
    #[arg(long, value_name = "FILE", default_value = "difference.json", conflicts_with = "replay")]
    pub(crate) out: PathBuf,
    /// Only this curve [default: those that both have]
    #[arg(long, value_name = "CURVE", value_parser = key::curve)]
    pub(crate) curve: Option<Curve>,
    /// log2 of the largest random inputs, from 3 to 20
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(3..=20))]
    pub(crate) max_log: u32,
    /// Random inputs of each operation and curve, besides the edge cases
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(crate) random: u32,
    /// What random inputs are made from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Most seconds for one answer
    #[arg(long, value_name = "SECONDS", default_value = "120", allow_hyphen_values = true, value_parser = values::seconds)]
    pub(crate) patience: Duration,
    /// How many threads.
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    /// Print the result as one JSON object on stdout
    #[arg(long, help_heading = GENERAL, display_order = 103)]
    pub(crate) json: bool,
    /// Be the process of a backend, and answer cases
    #[arg(long, hide = true, value_name = "NAME|FILE")]
    pub(crate) in_child: Option<String>,
}
