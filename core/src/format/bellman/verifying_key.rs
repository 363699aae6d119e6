//! Verification keys, alone or at the start of parameters.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use interlock_curves::{Bls12_381, Curve};

use crate::format::arkworks::{Encoding, Group, HeadField, HeadPoints, Parts};
use crate::format::{FormatError, FormatErrorKind as Kind, MappedFile};
use crate::types::VerifyingKey;

/// An opened `.vk`. Its points are on the curve and in the subgroup; γ, δ and the IC points are not infinity.
#[derive(Clone, Debug)]
pub struct BellmanVerifyingKey {
    head: HeadPoints,
    trailing: u64,
}

impl BellmanVerifyingKey {
    /// Maps a verification key.
    ///
    /// # Errors
    /// When the file cannot be mapped, is cut off, or a point is bad.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        Self::from_file(&MappedFile::open(path)?)
    }

    /// Takes a key from memory; `label` stands for the path in messages.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn from_bytes(label: impl Into<PathBuf>, bytes: Vec<u8>) -> Result<Self, FormatError> {
        Self::from_file(&MappedFile::from_bytes(label, bytes)?)
    }

    /// Takes a key from a file that is already mapped. Parameters will do, too: they begin with their key.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn from_file(file: &Arc<MappedFile>) -> Result<Self, FormatError> {
        let mut parts = Parts::new(file, Encoding::ZCASH);
        let head = read_head(file, &mut parts)?;
        Ok(Self { head, trailing: parts.remaining() as u64 })
    }

    /// The points.
    pub fn head(&self) -> &HeadPoints {
        &self.head
    }

    /// What a verifier needs of them.
    pub fn verifying_key(&self) -> VerifyingKey<Bls12_381> {
        self.head.verifying_key()
    }

    /// Bytes after the key; not looked at.
    pub fn trailing_bytes(&self) -> u64 {
        self.trailing
    }
}

/// Reads a verification key from the start of a file.
pub(super) fn read_head(file: &Arc<MappedFile>, parts: &mut Parts<'_>) -> Result<HeadPoints, FormatError> {
    let alpha_g1 = HeadField::AlphaG1.read(parts)?;
    let beta_g1 = HeadField::BetaG1.read(parts)?;
    let beta_g2 = HeadField::BetaG2.read(parts)?;
    let gamma_g2 = HeadField::GammaG2.read(parts)?;
    let delta_g1 = HeadField::DeltaG1.read(parts)?;
    let delta_g2 = HeadField::DeltaG2.read(parts)?;
    let list = parts.short_list(Group::G1, "IC")?;
    let ic = list.to_wire_checked()?;
    let points = ic.chunks_exact(Curve::Bls12_381.g1_bytes());
    if let Some(index) = points.clone().position(|point| point.iter().all(|byte| *byte == 0)) {
        let kind = Kind::UnexpectedInfinity { what: format!("IC[{index}]") };
        let at = list.offset() + (index * Encoding::ZCASH.point_bytes(Group::G1)) as u64;
        return Err(FormatError::new(file.path(), kind).at(at));
    }
    if points.len() == 0 {
        let kind = Kind::Count {
            what: "the number of IC points",
            found: 0,
            limit_of: "the constant one needs at least",
            limit: 1,
        };
        return Err(FormatError::new(file.path(), kind).at(list.offset()));
    }
    Ok(HeadPoints { alpha_g1, beta_g1, beta_g2, gamma_g2, delta_g1, delta_g2, ic })
}
