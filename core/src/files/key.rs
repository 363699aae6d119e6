//! Proving keys.

use std::path::Path;
use std::sync::Arc;

use interlock_curves::{Curve, ProvingCurve};
use sha2::{Digest, Sha256};

use super::{Family, furthest, has_mark, unknown};
use crate::format::arkworks::{ArkProvingKey, Candidate, Encoding, candidates};
use crate::format::bellman::BellmanParams;
use crate::format::{FormatError, MappedFile, R1cs, Zkey};
use crate::key::{Head, ProvingKey};
use crate::setup::export_vk;
use crate::types::VerifyingKey;

/// An opened proving key of any family.
#[derive(Debug)]
#[non_exhaustive]
pub enum KeyFile {
    /// snarkjs'.
    Zkey(Zkey),
    /// arkworks'.
    Arkworks(ArkProvingKey),
    /// bellman's, bellperson's or Zcash's.
    Bellman(BellmanParams),
}

/// The constraints are needed, and this key's format does not hold them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key}: this kind of key ({family}) holds no constraints; give the circuit (.r1cs) as well")]
pub struct MissingCircuit {
    /// The key's path.
    pub key: String,
    /// Its family.
    pub family: Family,
}

/// Why a [`KeyFile`] gives no [`ProvingKey`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyFileError {
    /// The key or the circuit is bad, or they do not belong together.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The circuit was not given.
    #[error(transparent)]
    MissingCircuit(#[from] MissingCircuit),
}

impl KeyFile {
    /// Maps a key and tells its family by its contents. Points of the head are checked; long lists are not looked at.
    ///
    /// # Errors
    /// The file cannot be mapped or reads as no proving key; the nearest format's objection is told.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        Self::from_file(&MappedFile::open(path)?)
    }

    /// Takes a key from a file that is already mapped.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn from_file(file: &Arc<MappedFile>) -> Result<Self, FormatError> {
        // Other files with a mark: the reader of keys says best what is wrong with them.
        if has_mark(file.bytes()) {
            return Zkey::from_file(Arc::clone(file)).map(Self::Zkey);
        }
        let of_arkworks = candidates(file).into_iter().find_map(|candidate| match candidate {
            Candidate::ProvingKey(encoding) => Some(encoding),
            _ => None,
        });
        if let Some(Encoding { curve, compressed }) = of_arkworks {
            return ArkProvingKey::from_file(file, curve, compressed).map(Self::Arkworks);
        }
        match BellmanParams::from_file(file) {
            Ok(params) => Ok(Self::Bellman(params)),
            Err(of_bellman) => {
                let of_arkworks = Encoding::ALL.into_iter().filter_map(|encoding| {
                    ArkProvingKey::from_file(file, encoding.curve, encoding.compressed).err()
                });
                let nearest = furthest(of_arkworks.chain([of_bellman]));
                Err(unknown(file.path(), "proving key", nearest.as_ref()))
            }
        }
    }

    /// The family.
    pub fn family(&self) -> Family {
        match self {
            Self::Zkey(_) => Family::Snarkjs,
            Self::Arkworks(key) => Family::Arkworks(key.encoding().compressed),
            Self::Bellman(_) => Family::Bellman,
        }
    }

    /// The file.
    pub fn file(&self) -> &Arc<MappedFile> {
        match self {
            Self::Zkey(key) => key.file(),
            Self::Arkworks(key) => key.file(),
            Self::Bellman(key) => key.file(),
        }
    }

    /// The curve.
    pub fn curve(&self) -> Curve {
        match self {
            Self::Zkey(key) => key.curve(),
            Self::Arkworks(key) => key.encoding().curve,
            Self::Bellman(_) => Curve::Bls12_381,
        }
    }

    /// Number of signals, the constant one included: the witness' length.
    pub fn n_vars(&self) -> usize {
        match self {
            Self::Zkey(key) => key.n_vars() as usize,
            Self::Arkworks(key) => key.n_vars(),
            Self::Bellman(key) => key.n_vars(),
        }
    }

    /// Number of public signals, the constant one excluded.
    pub fn n_public(&self) -> usize {
        match self {
            Self::Zkey(key) => key.n_public() as usize,
            Self::Arkworks(key) => key.n_public(),
            Self::Bellman(key) => key.n_public(),
        }
    }

    /// The text that marks an insecure key, if the file has one; only a `.zkey` can.
    pub fn insecure_marker(&self) -> Option<String> {
        match self {
            Self::Zkey(key) => key.insecure_marker(),
            _ => None,
        }
    }

    /// SHA-256 of the file.
    pub fn content_hash(&self) -> [u8; 32] {
        match self {
            Self::Zkey(key) => key.content_hash(),
            other => Sha256::digest(other.file().bytes()).into(),
        }
    }

    /// Whether [`proving_key`](Self::proving_key) needs the circuit: all families but snarkjs' do.
    pub fn needs_circuit(&self) -> bool {
        !matches!(self, Self::Zkey(_))
    }

    /// The key as the prover wants it. A `.zkey` brings its own constraints, and `circuit` is not looked at.
    ///
    /// # Errors
    /// The circuit is needed and not given, or does not fit; a point or an entry of the key is bad.
    pub fn proving_key(&self, circuit: Option<&R1cs>) -> Result<ProvingKey, KeyFileError> {
        let missing =
            || MissingCircuit { key: self.file().path().display().to_string(), family: self.family() };
        Ok(match self {
            Self::Zkey(key) => ProvingKey::from_zkey(key)?,
            Self::Arkworks(key) => ProvingKey::from_arkworks(key, circuit.ok_or_else(missing)?)?,
            Self::Bellman(key) => ProvingKey::from_bellman(key, circuit.ok_or_else(missing)?)?,
        })
    }

    /// The single points and IC points.
    pub fn head(&self) -> Head {
        match self {
            Self::Zkey(key) => Head::of_zkey(key),
            Self::Arkworks(key) => key.head().into(),
            Self::Bellman(key) => key.head().into(),
        }
    }

    /// What the key's making says that a user should know: a set-up by one party, or no contribution at all.
    pub fn warning(&self) -> Option<String> {
        match self {
            Self::Zkey(key) => crate::key::zkey_warning(key),
            Self::Arkworks(key) => key.head().warning(),
            Self::Bellman(key) => key.head().warning(),
        }
    }

    /// The verification key inside; its points are checked.
    ///
    /// # Errors
    /// The key is for another curve than `E`.
    pub fn verifying_key<E: ProvingCurve>(&self) -> Result<VerifyingKey<E>, FormatError> {
        match self {
            Self::Zkey(key) => export_vk(key),
            Self::Arkworks(key) => key.verifying_key(),
            Self::Bellman(key) => super::verifying_key::of_head(key.head(), key.file().path()),
        }
    }
}
