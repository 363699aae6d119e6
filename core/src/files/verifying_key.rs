//! Verification keys.

use std::io;
use std::path::Path;
use std::sync::Arc;

use interlock_curves::{Curve, ProvingCurve};

use super::{Family, furthest, has_mark, unknown};
use crate::format::arkworks::{self, Candidate, Compressed, Encoding, HeadPoints, candidates};
use crate::format::bellman::BellmanVerifyingKey;
use crate::format::snarkjs_json::{JsonFile, verifying_key_from_json, verifying_key_to_json};
use crate::format::{FormatError, FormatErrorKind as Kind, MappedFile};
use crate::types::VerifyingKey;

/// An opened verification key of any family.
#[derive(Debug)]
pub struct VerifyingKeyFile {
    curve: Curve,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Json(JsonFile),
    Arkworks(Arc<MappedFile>, Compressed),
    Bellman(Arc<MappedFile>, BellmanVerifyingKey),
}

impl VerifyingKeyFile {
    /// Opens a verification key and tells its family by its contents. What follows bellman's is not allowed: parameters
    /// are no verification key.
    ///
    /// # Errors
    /// The file cannot be read, or reads as no verification key; the nearest format's objection is told.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        Self::from_file(MappedFile::open(path)?)
    }

    /// Takes a verification key from a file that is already mapped, or from bytes.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn from_file(file: Arc<MappedFile>) -> Result<Self, FormatError> {
        let path = file.path();
        if super::proof::looks_like_json(file.bytes()) {
            let json = JsonFile::from_bytes(path, file.bytes())?;
            return Ok(Self { curve: json.curve()?, source: Source::Json(json) });
        }
        // Keys, circuits and witnesses have marks, and are none.
        if has_mark(file.bytes()) {
            return Err(unknown(path, "verification key", None));
        }
        for candidate in candidates(&file) {
            if let Candidate::VerifyingKey(Encoding { curve, compressed }) = candidate {
                return Ok(Self { curve, source: Source::Arkworks(file, compressed) });
            }
        }
        let of_bellman = match BellmanVerifyingKey::from_file(&file) {
            Ok(key) if key.trailing_bytes() == 0 => {
                return Ok(Self { curve: Curve::Bls12_381, source: Source::Bellman(file, key) });
            }
            Ok(_) => return Err(unknown(path, "verification key", None)),
            Err(error) => error,
        };
        let of_arkworks = Encoding::ALL.into_iter().filter_map(|Encoding { curve, compressed }| {
            interlock_curves::with_curve!(curve, E => arkworks::read_verifying_key::<E>(&file, compressed).err())
        });
        let nearest = furthest(of_arkworks.chain([of_bellman]));
        Err(unknown(path, "verification key", nearest.as_ref()))
    }

    /// The curve.
    pub fn curve(&self) -> Curve {
        self.curve
    }

    /// The family.
    pub fn family(&self) -> Family {
        match &self.source {
            Source::Json(_) => Family::Snarkjs,
            Source::Arkworks(_, compressed) => Family::Arkworks(*compressed),
            Source::Bellman(..) => Family::Bellman,
        }
    }

    /// The key. Its points are on the curve and in the subgroup.
    ///
    /// # Errors
    /// The key is for another curve than `E`, or a point is bad.
    pub fn read<E: ProvingCurve>(&self) -> Result<VerifyingKey<E>, FormatError> {
        match &self.source {
            Source::Json(json) => verifying_key_from_json(json),
            Source::Arkworks(file, compressed) => arkworks::read_verifying_key(file, *compressed),
            Source::Bellman(file, key) => of_head(key.head(), file.path()),
        }
    }
}

/// bellman's points as any curve's, if it is the right one.
pub(super) fn of_head<E: ProvingCurve>(
    head: &HeadPoints,
    path: &Path,
) -> Result<VerifyingKey<E>, FormatError> {
    if E::CURVE == Curve::Bls12_381 {
        return Ok(head.verifying_key());
    }
    let kind = Kind::CurveMismatch { expected: E::CURVE, found: Curve::Bls12_381 };
    Err(FormatError::new(path, kind))
}

/// Why a verification key cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteVerifyingKeyError {
    /// bellman's has two points more than a verification key.
    #[error(
        "bellman's verification key also holds beta and delta in G1, which only a proving key has; make it from that one"
    )]
    NeedsProvingKey,
    /// It cannot be written to its place.
    #[error("cannot write the verification key: {0}")]
    Write(#[from] io::Error),
}

/// Writes a verification key in the format of a family. bellman's cannot be made from a verification key alone: see
/// [`Head::write_bellman_vk`](crate::key::Head::write_bellman_vk).
///
/// # Errors
/// The family is bellman's, or `out` fails.
pub fn write_verifying_key<E: ProvingCurve>(
    key: &VerifyingKey<E>,
    family: Family,
    out: &mut dyn io::Write,
) -> Result<(), WriteVerifyingKeyError> {
    match family {
        Family::Snarkjs => out.write_all(verifying_key_to_json(key).as_bytes())?,
        Family::Arkworks(compressed) => arkworks::write_verifying_key(key, compressed, out)?,
        Family::Bellman => return Err(WriteVerifyingKeyError::NeedsProvingKey),
    }
    Ok(())
}
