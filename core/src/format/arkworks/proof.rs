//! Proofs.

use std::io;
use std::sync::Arc;

use interlock_curves::ProvingCurve;

use super::{Compressed, Encoding, Group, Parts};
use crate::format::{FormatError, MappedFile};
use crate::types::Proof;

/// Reads a proof that is the whole file. Its points are on the curve and in the subgroup.
///
/// On BLS12-381, compressed, these are the 192 bytes of Zcash, bellman and Filecoin as well.
///
/// # Errors
/// The file is not exactly one proof in this encoding, or a point is bad.
pub fn read_proof<E: ProvingCurve>(
    file: &Arc<MappedFile>,
    compressed: Compressed,
) -> Result<Proof<E>, FormatError> {
    let mut parts = Parts::new(file, Encoding { curve: E::CURVE, compressed });
    let a = parts.point(Group::G1, "the proof's A")?;
    let b = parts.point(Group::G2, "the proof's B")?;
    let c = parts.point(Group::G1, "the proof's C")?;
    parts.end("a proof's three points")?;
    Ok(Proof { a: E::g1_unchecked(&a), b: E::g2_unchecked(&b), c: E::g1_unchecked(&c) })
}

/// Writes a proof, as arkworks would.
///
/// # Errors
/// When `out` fails.
pub fn write_proof<E: ProvingCurve>(
    proof: &Proof<E>,
    compressed: Compressed,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let encoding = Encoding { curve: E::CURVE, compressed };
    encoding.write_g1::<E>(&proof.a, out)?;
    encoding.write_g2::<E>(&proof.b, out)?;
    encoding.write_g1::<E>(&proof.c, out)
}
