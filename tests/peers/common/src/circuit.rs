//! A circuit with its witness, read by our readers. A peer's loading time contains the reading: the formats are circom's
//! and snarkjs's, which no peer reads by itself.

use anyhow::{Context, Result, ensure};
use interlock_core::format::{R1cs, Witness};

use crate::Args;

/// A circuit and its witness.
#[derive(Debug)]
pub struct Circuit {
    /// The constraints.
    pub r1cs: R1cs,
    /// A value for every wire.
    pub witness: Witness,
}

impl Circuit {
    /// Reads `--r1cs` and `--wtns`.
    ///
    /// # Errors
    /// A file is bad, or they do not belong together.
    pub fn open(args: &Args) -> Result<Self> {
        let r1cs = R1cs::open(args.get("r1cs")?)?;
        let witness = Witness::open(args.get("wtns")?)?;
        ensure!(r1cs.curve() == witness.curve(), "circuit and witness are over different fields");
        ensure!(r1cs.n_wires() as usize == witness.len(), "the witness is of another circuit");
        Ok(Self { r1cs, witness })
    }

    /// The value of a wire, canonical little-endian.
    ///
    /// # Errors
    /// There is no such wire.
    pub fn value(&self, wire: u32) -> Result<&[u8; 32]> {
        self.witness.value(wire as usize).with_context(|| format!("wire {wire} has no value"))
    }

    /// Public signals, the constant one included.
    pub fn n_inputs(&self) -> usize {
        self.r1cs.n_public() as usize + 1
    }
}
