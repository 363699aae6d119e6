//! Proofs of 192 bytes, as bellman, bellperson (Filecoin) and Zcash write them.

use std::io;
use std::sync::Arc;

use ark_ec::AffineRepr;
use interlock_curves::Bls12_381;

use crate::format::arkworks::{self, Compressed};
use crate::format::{FormatError, FormatErrorKind as Kind, MappedFile};
use crate::types::Proof;

/// Bytes of a proof.
pub const PROOF_BYTES: usize = 192;

/// Reads a proof that is the whole file. Its points are on the curve, in the subgroup and, as bellman wants them, not
/// infinity.
///
/// # Errors
/// The file has another length, or a point is bad.
pub fn read_proof(file: &Arc<MappedFile>) -> Result<Proof<Bls12_381>, FormatError> {
    let proof = arkworks::read_proof::<Bls12_381>(file, Compressed::Yes)?;
    let infinities = [
        (proof.a.is_zero(), 0, "the proof's A"),
        (proof.b.is_zero(), 48, "the proof's B"),
        (proof.c.is_zero(), 144, "the proof's C"),
    ];
    match infinities.into_iter().find(|(infinity, _, _)| *infinity) {
        None => Ok(proof),
        Some((_, at, what)) => {
            let kind = Kind::UnexpectedInfinity { what: what.to_owned() };
            Err(FormatError::new(file.path(), kind).at(at))
        }
    }
}

/// Writes a proof, as bellman would.
///
/// # Errors
/// When `out` fails.
pub fn write_proof(proof: &Proof<Bls12_381>, out: &mut dyn io::Write) -> io::Result<()> {
    arkworks::write_proof(proof, Compressed::Yes, out)
}
