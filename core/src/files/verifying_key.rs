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
        // A coordinate may begin with such a byte, too: what does not go on as JSON can still be another format's.
        let not_json = match super::proof::looks_like_json(file.bytes()) {
            true => match JsonFile::from_bytes(path, file.bytes()) {
                Ok(json) => return Ok(Self { curve: json.curve()?, source: Source::Json(json) }),
                Err(error) => Some(error),
            },
            false => None,
        };
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
        if let Some(error) = not_json {
            return Err(error);
        }
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

#[cfg(test)]
mod tests {
    use ark_ec::{AffineRepr, CurveGroup};
    use interlock_curves::Bn254;

    use super::*;
    use crate::format::{FileKind, detect_file};

    /// A key whose first byte, the lowest of alpha's `x`, is `first`. Its points are multiples of the generators.
    fn beginning_with(first: u8) -> VerifyingKey<Bn254> {
        let (g1, g2) =
            (<Bn254 as ark_ec::pairing::Pairing>::G1Affine::generator(), ark_bn254::G2Affine::generator());
        let multiples = std::iter::successors(Some(g1.into_group()), |point| Some(*point + g1));
        let alpha_g1 = multiples
            .map(CurveGroup::into_affine)
            .find(|point| {
                let mut wire = [0; 64];
                Bn254::write_g1(point, &mut wire);
                let mut out = Vec::new();
                let key = VerifyingKey::<Bn254> {
                    alpha_g1: *point,
                    beta_g2: g2,
                    gamma_g2: g2,
                    delta_g2: g2,
                    ic: vec![g1],
                };
                arkworks::write_verifying_key(&key, Compressed::Yes, &mut out).unwrap();
                out[0] == first
            })
            .unwrap();
        VerifyingKey { alpha_g1, beta_g2: g2, gamma_g2: g2, delta_g2: g2, ic: vec![g1] }
    }

    /// One in a hundred of arkworks' keys begins as JSON does.
    #[test]
    fn a_key_whose_first_byte_is_a_brace_is_none_of_json() {
        for first in [b'{', b'[', b' '] {
            let key = beginning_with(first);
            for compressed in [Compressed::Yes, Compressed::No] {
                let mut bytes = Vec::new();
                arkworks::write_verifying_key(&key, compressed, &mut bytes).unwrap();
                assert_eq!(bytes[0], first);
                let file = MappedFile::from_bytes("vk", bytes).unwrap();
                assert!(matches!(detect_file(&file), FileKind::Arkworks(_)));
                let opened = VerifyingKeyFile::from_file(file).unwrap();
                assert_eq!(opened.family(), Family::Arkworks(compressed));
                assert_eq!(opened.read::<Bn254>().unwrap(), key);
            }
        }
        let broken = MappedFile::from_bytes("vk.json", b"{\"protocol\": ".to_vec()).unwrap();
        let error = VerifyingKeyFile::from_file(broken).unwrap_err();
        assert!(matches!(error.kind(), Kind::JsonSyntax(_)), "{error}");
    }
}
