//! `interlock export …`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use interlock_core::files::Family;

use crate::args::{GENERAL, key};

/// Write what others need to verify.
#[derive(Debug, Subcommand)]
pub(crate) enum ExportCommand {
    /// Write the verification key that is in a proving key
    Vk(ExportVkArgs),
    /// Write a contract that verifies proofs on Ethereum (bn254)
    Solidity(ExportSolidityArgs),
    /// Print a proof and its public signals as the contract's arguments (bn254)
    Calldata(ExportCalldataArgs),
}

/// Examples of all three.
pub(super) const AFTER_HELP: &str = "\
Examples:
  interlock export vk circuit.zkey verification_key.json
  interlock export solidity verification_key.json Verifier.sol
  interlock export calldata proof.json public.json";

/// What `export vk` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  interlock export vk circuit.zkey verification_key.json
  interlock export vk circuit.params circuit.vk --to bellman

snarkjs' file is JSON, the others' are binary. A verification key is converted with `interlock convert`.")]
pub(crate) struct ExportVkArgs {
    /// A proving key of any format
    #[arg(value_name = "KEY")]
    pub(crate) key: PathBuf,
    /// Where the verification key goes
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// The format of the verification key
    #[arg(
        short,
        long,
        value_name = "FORMAT",
        help_heading = "Formats",
        default_value = "snarkjs",
        value_parser = key::family()
    )]
    pub(crate) to: Family,
    /// Print the result as one JSON object on stdout
    #[arg(long, help_heading = GENERAL, display_order = 103)]
    pub(crate) json: bool,
}

/// What `export solidity` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  interlock export solidity verification_key.json Verifier.sol --contract AgeVerifier

The contract takes the arguments that `interlock export calldata` prints, which are those of snarkjs. It is for bn254: \
Ethereum's precompiles know no other curve that Interlock knows.")]
pub(crate) struct ExportSolidityArgs {
    /// A verification key or proving key of any format
    #[arg(value_name = "KEY")]
    pub(crate) key: PathBuf,
    /// Where the source goes
    #[arg(value_name = "OUT.sol")]
    pub(crate) output: PathBuf,
    /// The contract's name
    #[arg(long, value_name = "NAME", default_value = "Groth16Verifier")]
    pub(crate) contract: String,
    /// Print the result as one JSON object on stdout
    #[arg(long, help_heading = GENERAL, display_order = 103)]
    pub(crate) json: bool,
}

/// What `export calldata` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  interlock export calldata proof.json public.json

Prints what `snarkjs zkey export soliditycalldata` prints: the four arguments of verifyProof. The proof is not \
verified.")]
pub(crate) struct ExportCalldataArgs {
    /// Proof, of any format
    #[arg(value_name = "PROOF")]
    pub(crate) proof: PathBuf,
    /// Public signals
    #[arg(value_name = "PUBLIC.json")]
    pub(crate) public: PathBuf,
    /// Write to a file instead of stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print the result as one JSON object on stdout
    #[arg(long, help_heading = GENERAL, display_order = 103)]
    pub(crate) json: bool,
}

impl ExportCommand {
    /// The name in JSON.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Vk(_) => "export vk",
            Self::Solidity(_) => "export solidity",
            Self::Calldata(_) => "export calldata",
        }
    }

    /// Whether `--json` was given.
    pub(super) fn wants_json(&self) -> bool {
        match self {
            Self::Vk(args) => args.json,
            Self::Solidity(args) => args.json,
            Self::Calldata(args) => args.json,
        }
    }
}
