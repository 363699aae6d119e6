//! Proofs.

use std::io;
use std::path::Path;
use std::sync::Arc;

use interlock_curves::{Curve, ProvingCurve, with_curve};

use super::{Family, unknown};
use crate::format::arkworks::{self, Compressed};
use crate::format::snarkjs_json::{JsonFile, proof_from_json, proof_to_json};
use crate::format::{FormatError, FormatErrorKind as Kind, MappedFile};
use crate::types::Proof;

/// An opened proof of any family. On BLS12-381 arkworks' compressed proofs are bellman's, too.
#[derive(Debug)]
pub struct ProofFile {
    source: Source,
}

#[derive(Debug)]
enum Source {
    Json(JsonFile),
    Binary(Arc<MappedFile>),
}

/// Whether a file's first byte that is no white space begins a JSON object or list.
pub(super) fn looks_like_json(bytes: &[u8]) -> bool {
    matches!(bytes.iter().find(|byte| !byte.is_ascii_whitespace()), Some(b'{' | b'['))
}

/// A proof's length in an encoding: two points of G1 and one of G2.
fn proof_bytes(curve: Curve, compressed: Compressed) -> usize {
    let coordinates = if compressed == Compressed::Yes { 4 } else { 8 };
    coordinates * curve.base_field_bytes()
}

impl ProofFile {
    /// Opens a proof.
    ///
    /// # Errors
    /// The file cannot be read, is not JSON although it begins as such, or has no proof's length.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        Self::from_file(MappedFile::open(path)?)
    }

    /// Takes a proof from a file that is already mapped, or from bytes.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn from_file(file: Arc<MappedFile>) -> Result<Self, FormatError> {
        // A compressed point may begin with such a byte, too: the length of binary proofs decides first.
        let binary = Curve::ALL.into_iter().any(|curve| {
            [Compressed::Yes, Compressed::No]
                .into_iter()
                .any(|compressed| proof_bytes(curve, compressed) == file.bytes().len())
        });
        let json = looks_like_json(file.bytes());
        if json && !(binary && serde_json::from_slice::<serde::de::IgnoredAny>(file.bytes()).is_err()) {
            return Ok(Self { source: Source::Json(JsonFile::from_bytes(file.path(), file.bytes())?) });
        }
        if !binary {
            return Err(unknown(file.path(), "proof", None));
        }
        Ok(Self { source: Source::Binary(file) })
    }

    /// The curves that the proof may be for: those whose points it has.
    pub fn curves(&self) -> Vec<Curve> {
        if let Source::Json(json) = &self.source
            && json.value().get("curve").is_some()
        {
            return json.curve().into_iter().collect();
        }
        Curve::ALL.into_iter().filter(|curve| with_curve!(*curve, E => self.read::<E>().is_ok())).collect()
    }

    /// The family, when the proof is for `curve`. Binary proofs of bellman's are told as arkworks', compressed.
    pub fn family(&self, curve: Curve) -> Family {
        match &self.source {
            Source::Json(_) => Family::Snarkjs,
            Source::Binary(file) if file.bytes().len() == proof_bytes(curve, Compressed::No) => {
                Family::Arkworks(Compressed::No)
            }
            Source::Binary(_) => Family::Arkworks(Compressed::Yes),
        }
    }

    /// The proof. Its points are on the curve and in the subgroup.
    ///
    /// # Errors
    /// It is for another curve than `E`, or a point is bad.
    pub fn read<E: ProvingCurve>(&self) -> Result<Proof<E>, FormatError> {
        match &self.source {
            Source::Json(json) => proof_from_json(json),
            Source::Binary(file) => {
                let found = file.bytes().len();
                let modes = [Compressed::Yes, Compressed::No];
                match modes.into_iter().find(|mode| proof_bytes(E::CURVE, *mode) == found) {
                    Some(compressed) => arkworks::read_proof(file, compressed),
                    None => {
                        let other = Curve::ALL.into_iter().find(|curve| *curve != E::CURVE);
                        let found = other.unwrap_or(E::CURVE);
                        let kind = Kind::CurveMismatch { expected: E::CURVE, found };
                        Err(FormatError::new(file.path(), kind))
                    }
                }
            }
        }
    }
}

/// Writes a proof in the format of a family.
///
/// # Errors
/// `out` fails, or (`InvalidInput`) the family is bellman's and the curve is not BLS12-381.
pub fn write_proof<E: ProvingCurve>(
    proof: &Proof<E>,
    family: Family,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    match family {
        Family::Snarkjs => out.write_all(proof_to_json(proof).as_bytes()),
        Family::Arkworks(compressed) => arkworks::write_proof(proof, compressed, out),
        Family::Bellman if E::CURVE == Curve::Bls12_381 => arkworks::write_proof(proof, Compressed::Yes, out),
        Family::Bellman => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "bellman's proofs are for bls12-381 only; take arkworks or snarkjs",
        )),
    }
}
