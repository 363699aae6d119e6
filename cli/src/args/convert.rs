//! `interlock convert`.

use std::path::PathBuf;

use clap::Args;
use interlock_core::files::Family;
use interlock_curves::Curve;

use crate::args::{CheckKeyArgs, CircuitArgs, GENERAL, ThreadArgs, key};

const AFTER_HELP: &str = "\
Examples:
  interlock convert circuit.params circuit.zkey --to snarkjs --r1cs circuit.r1cs
  interlock convert circuit.zkey circuit.key --to arkworks
  interlock convert proof.json proof.bin --to bellman

What the input is, its contents tell: a proving key, a verification key or a proof, of any format.

  snarkjs                 .zkey and JSON
  arkworks                CanonicalSerialize, compressed
  arkworks-uncompressed   the same, uncompressed
  bellman                 .params and 192-byte proofs of bellman, bellperson and Zcash; bls12-381 only

Between snarkjs and the others a key's points are transformed, which takes about a minute for 2^16 rows on one thread. \
A .zkey on bls12-381 becomes an arkworks or bellman key only if it was made from one: snarkjs orders the rows of larger \
circuits differently. Contributions of a ceremony are not carried over, and a mark that says `insecure` only into a \
.zkey.

A verification key for bellman is made from a proving key: `interlock export vk KEY OUT --to bellman`.

Exit codes:
  0 ok · 2 usage, or --r1cs is missing · 3 bad input file, one that the format has no place for, or an output that \
cannot be written · 6 out of memory · 8 cancelled";

/// What `convert` takes.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ConvertArgs {
    /// A proving key, verification key or proof
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// Where the result goes
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// The format of the result
    #[arg(short, long, value_name = "FORMAT", help_heading = "Formats", value_parser = key::family())]
    pub(crate) to: Family,
    /// The circuit of the key.
    #[command(flatten)]
    pub(crate) circuit: CircuitArgs,
    /// The curve, if a proof does not tell [bn254 or bls12-381]
    #[arg(long, value_name = "CURVE", help_heading = "Formats", value_parser = key::curve)]
    pub(crate) curve: Option<Curve>,
    /// The check of a key's bases.
    #[command(flatten)]
    pub(crate) check: CheckKeyArgs,
    /// How many threads.
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    /// Print the result as one JSON object on stdout
    #[arg(long, help_heading = GENERAL, display_order = 103)]
    pub(crate) json: bool,
}
