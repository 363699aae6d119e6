//! `interlock bench …`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, value_parser};
use interlock_curves::Curve;

use crate::args::values::Suggesting;
use crate::args::{
    BackendArgs, CheckKeyArgs, EngineArgs, GENERAL, ProvingArgs, ThreadArgs, WorkersArgs, key,
};

/// Measure.
#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {
    /// Prove a batch of jobs: wall, prove and queue times, throughput
    Batch(BenchBatchArgs),
    /// Prove one batch under each interlock strategy, and compare
    Interlock(BenchInterlockArgs),
}

/// Examples of both.
pub(super) const AFTER_HELP: &str = "\
Examples:
  interlock bench batch circuit.zkey witness.wtns --count 20 --concurrency 4
  interlock bench batch --type synthetic --constraints 65536 -c 20 -j 4
  interlock bench interlock circuit.zkey witness.wtns -c 20 -j 4 --repeat 3";

/// What of the exit codes is of these commands.
const EXIT_CODES: &str = "\
Exit codes:
  0 all jobs were completed · 2 usage · 3 bad input file, or a timeline or report that cannot be written
  4 the witness does not satisfy the key's circuit · 5 backend or device · 6 out of memory
  7 a proof failed its self-check, or proofs differ that must be the same · 8 cancelled or timed out
When a job fails, the report is printed, and the exit code is that of the first failure.";

impl BenchCommand {
    /// The name in JSON.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Batch(_) => "bench batch",
            Self::Interlock(_) => "bench interlock",
        }
    }

    /// Whether `--json` was given.
    pub(super) fn wants_json(&self) -> bool {
        match self {
            Self::Batch(args) => args.batch.json,
            Self::Interlock(args) => args.batch.json,
        }
    }
}

/// What `bench batch` takes.
#[derive(Debug, Args)]
#[command(after_long_help = format!("\
Examples:
  interlock bench batch circuit.zkey witness.wtns --count 20 --concurrency 4
  interlock bench batch circuit.zkey witness.wtns -c 20 -j 4 --repeat 5 --interlock whole --timeline run.ndjson
  interlock bench batch --type synthetic --constraints 65536 --partitions 10 --partition-workers 2

wall is from a job's submission to its result, prove the sum of its partitions' phases (more than wall when they ran \
beside each other), queue the time until its first partition began. Times are the engine's own, from its timeline. Proofs \
are verified as `prove` does, and thrown away.

--timeline records all that the engine does, the warm-up first. With --seed, the first proof of a run is that of \
`interlock prove --seed`; the others' seeds are derived from this one.

{EXIT_CODES}"))]
pub(crate) struct BenchBatchArgs {
    /// The batch.
    #[command(flatten)]
    pub(crate) batch: BatchArgs,
    /// How proofs share a device, and what is recorded.
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

/// What `bench interlock` takes.
#[derive(Debug, Args)]
#[command(after_long_help = format!("\
Examples:
  interlock bench interlock circuit.zkey witness.wtns -c 20 -j 4
  interlock bench interlock circuit.zkey witness.wtns -c 20 -j 4 --repeat 5 --strategies ledger,narrow,whole
  interlock bench interlock --type synthetic --workers-per-device 3 -c 12 -j 6 --timeline run.ndjson

Each run has an engine of its own. With --repeat the strategies take turns, so that a machine that becomes slower does so \
for all of them. All prove the same with the same blinding: when two proofs differ that must be the same, that is an error, 7.

`idle` is the share of the time in which no worker of the (first) device is in compute; `waits` are the workers' waits for \
the strategy, for memory and for devices; `accounted` is the share of the time of which is known what a worker \
did, and what the work itself has measured of its phases, of the worker with the least. The row is that of the run with the median wall time.

--timeline run.ndjson writes run.STRATEGY.ndjson, with --repeat run.STRATEGY.1.ndjson and so on.

{EXIT_CODES}"))]
pub(crate) struct BenchInterlockArgs {
    /// The batch.
    #[command(flatten)]
    pub(crate) batch: BatchArgs,
    /// Interlock strategies to compare, by commas [default: all that the backend offers]
    #[arg(
        long,
        value_name = "A,B",
        help_heading = "Engine",
        value_delimiter = ',',
        hide_possible_values = true,
        value_parser = Suggesting::<String>::new(&["ledger", "prestage", "narrow", "whole", "two-lock"]),
    )]
    pub(crate) strategies: Vec<String>,
    /// Write what the engine does, and when, to a file for each strategy: `interlock timeline` draws it
    #[arg(long, value_name = "FILE.ndjson", help_heading = "Engine")]
    pub(crate) timeline: Option<PathBuf>,
}

/// What is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProofType {
    /// A circom circuit's key and witness, from files
    Circom,
    /// A circuit of random rows that is made in memory; its witnesses are computed by the synthesis workers
    Synthetic,
    /// Not available yet; `interlock simulate` models it
    Porep,
}

/// A batch, and with what it is proved.
#[derive(Debug, Args)]
pub(crate) struct BatchArgs {
    /// Proving key: a .zkey, or with --r1cs a key of arkworks' or bellman's (--type circom)
    #[arg(value_name = "KEY")]
    pub(crate) key: Option<PathBuf>,
    /// Witness (--type circom)
    #[arg(value_name = "WITNESS.wtns")]
    pub(crate) witness: Option<PathBuf>,
    /// What is proved
    #[arg(long = "type", value_name = "TYPE", help_heading = "Batch", default_value = "circom", value_enum)]
    pub(crate) kind: ProofType,
    /// Jobs
    #[arg(short, long, value_name = "N", help_heading = "Batch", default_value_t = 1, allow_hyphen_values = true,
          value_parser = value_parser!(u32).range(1..=100_000))]
    pub(crate) count: u32,
    /// Jobs in flight at once: the next is submitted when one ends
    #[arg(short = 'j', long, value_name = "N", help_heading = "Batch", default_value_t = 1, allow_hyphen_values = true,
          value_parser = value_parser!(u32).range(1..=1024))]
    pub(crate) concurrency: u32,
    /// Groth16 proofs of a job, each of the same circuit; what is counted is jobs
    #[arg(long, value_name = "N", help_heading = "Batch", default_value_t = 1, allow_hyphen_values = true,
          value_parser = value_parser!(u32).range(1..=4096))]
    pub(crate) partitions: u32,
    /// Runs of the batch, of which the least, the median and the most are told
    #[arg(long, value_name = "N", help_heading = "Batch", default_value_t = 1, allow_hyphen_values = true,
          value_parser = value_parser!(u32).range(1..=1000))]
    pub(crate) repeat: u32,
    /// Jobs that each engine proves before, untimed: they open the device and bring the key there. 0 measures that, too
    #[arg(long, value_name = "N", help_heading = "Batch", default_value_t = 1, allow_hyphen_values = true,
          value_parser = value_parser!(u32).range(0..=1000))]
    pub(crate) warm_up: u32,
    /// The synthetic shape.
    #[command(flatten)]
    pub(crate) shape: ShapeArgs,
    /// The circuit: the witness is checked against it first. Keys of arkworks and bellman need it
    #[arg(long, value_name = "CIRCUIT.r1cs", help_heading = "Batch")]
    pub(crate) r1cs: Option<PathBuf>,
    /// Which backend, and how it is opened.
    #[command(flatten)]
    pub(crate) backend: BackendArgs,
    /// The check of the key's bases.
    #[command(flatten)]
    pub(crate) check: CheckKeyArgs,
    /// How proofs are blinded and checked, and how long that may take.
    #[command(flatten)]
    pub(crate) proving: ProvingArgs,
    /// How many proofs are at work at once.
    #[command(flatten)]
    pub(crate) workers: WorkersArgs,
    /// How many threads.
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    /// Print the result as one JSON object on stdout
    #[arg(long, help_heading = GENERAL, display_order = 103)]
    pub(crate) json: bool,
}

/// The shape of `--type synthetic`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ShapeArgs {
    /// Constraints, any number [default: 65536]
    #[arg(long, value_name = "N", help_heading = "Synthetic circuit", allow_hyphen_values = true,
          value_parser = value_parser!(u64).range(1..))]
    pub(crate) constraints: Option<u64>,
    /// Public signals [default: 1]
    #[arg(long, value_name = "N", help_heading = "Synthetic circuit", allow_hyphen_values = true)]
    pub(crate) public: Option<u32>,
    /// Curve: bn254 or bls12-381 [default: bn254]
    #[arg(long, value_name = "CURVE", help_heading = "Synthetic circuit", value_parser = key::curve)]
    pub(crate) curve: Option<Curve>,
    /// Times that a witness is computed before it is used, for circuits whose synthesis takes longer [default: 1]
    #[arg(long, value_name = "N", help_heading = "Synthetic circuit", allow_hyphen_values = true,
          value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub(crate) witness_rounds: Option<u32>,
}

impl ShapeArgs {
    /// The first of these flags that was given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        [
            (self.constraints.is_some(), "--constraints"),
            (self.public.is_some(), "--public"),
            (self.curve.is_some(), "--curve"),
            (self.witness_rounds.is_some(), "--witness-rounds"),
        ]
        .into_iter()
        .find_map(|(given, name)| given.then_some(name))
    }
}
