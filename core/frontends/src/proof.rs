//! Proofs in the form of bellman's family.

use std::io;

use interlock_core::format::bellman::{PROOF_BYTES, write_proof};
use interlock_core::types;
use interlock_curves::Bls12_381;

/// A proof of bellman, bellperson and Zcash: 192 bytes, A, B, C compressed as Zcash does. Their own readers
/// (`groth16::Proof::read`, `bellperson::groth16::Proof::read`) take it from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof(types::Proof<Bls12_381>);

impl Proof {
    /// Writes its 192 bytes, as `Proof::write` of the other crates does.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn write(&self, mut out: impl io::Write) -> io::Result<()> {
        write_proof(&self.0, &mut out)
    }

    /// Its 192 bytes.
    pub fn to_bytes(&self) -> [u8; PROOF_BYTES] {
        let mut bytes = [0; PROOF_BYTES];
        // Writing to memory that is long enough does not fail; were it to, the bytes would be no proof.
        let _ = self.write(bytes.as_mut_slice());
        bytes
    }

    /// Its points.
    pub fn points(&self) -> &types::Proof<Bls12_381> {
        &self.0
    }
}

impl From<types::Proof<Bls12_381>> for Proof {
    fn from(proof: types::Proof<Bls12_381>) -> Self {
        Self(proof)
    }
}
