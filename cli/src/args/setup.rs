//! `interlock setup`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{GENERAL, SeedText, ThreadArgs};

const AFTER_HELP: &str = "\
Example:
  interlock setup circuit.r1cs circuit.zkey --vkey verification_key.json

The key carries a mark that says it is insecure, which `prove` and `inspect` repeat. snarkjs drops the mark when \
somebody contributes to such a key: it stays insecure, and `snarkjs zkey verify` rejects it.";

/// What `setup` takes.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct SetupArgs {
    /// Circuit
    #[arg(value_name = "CIRCUIT.r1cs")]
    pub(crate) circuit: PathBuf,
    /// Where the proving key goes
    #[arg(value_name = "CIRCUIT.zkey")]
    pub(crate) key: PathBuf,
    /// Write the verification key, too
    #[arg(long, value_name = "FILE")]
    pub(crate) vkey: Option<PathBuf>,
    /// Secrets from 64 hex digits: the same key every time, and anybody who knows them can forge proofs
    #[arg(long, value_name = "HEX64", allow_hyphen_values = true, value_parser = SeedText::parser())]
    pub(crate) seed: Option<SeedText>,
    /// How many threads.
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    /// Print the result as one JSON object on stdout
    #[arg(long, help_heading = GENERAL, display_order = 103)]
    pub(crate) json: bool,
}
