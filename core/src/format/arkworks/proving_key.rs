//! Proving keys.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use interlock_curves::{Curve, ProvingCurve};

use super::verifying_key::Verifying;
use super::{Compressed, Encoding, Group, HeadField, HeadPoints, Parts, PointList};
use crate::format::{FormatError, FormatErrorKind as Kind, MappedFile};
use crate::types::VerifyingKey;

/// An opened `ark_groth16::ProvingKey`.
///
/// Opening checks that the parts fill the file exactly, that the lists' lengths agree, and the points of the head.
/// The long lists stay in the mapped file until they are converted.
#[derive(Clone, Debug)]
pub struct ArkProvingKey {
    file: Arc<MappedFile>,
    encoding: Encoding,
    head: HeadPoints,
    a: PointList,
    b_g1: PointList,
    b_g2: PointList,
    h: PointList,
    l: PointList,
}

impl ArkProvingKey {
    /// Maps a key file. Neither the curve nor the compression is in the file; [`candidates`](super::candidates) finds
    /// them by trying.
    ///
    /// # Errors
    /// When the file cannot be mapped, is no key in this encoding, or contradicts itself.
    pub fn open(path: impl AsRef<Path>, curve: Curve, compressed: Compressed) -> Result<Self, FormatError> {
        Self::from_file(&MappedFile::open(path)?, curve, compressed)
    }

    /// Takes a key from memory; `label` stands for the path in messages.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn from_bytes(
        label: impl Into<PathBuf>,
        bytes: Vec<u8>,
        curve: Curve,
        compressed: Compressed,
    ) -> Result<Self, FormatError> {
        Self::from_file(&MappedFile::from_bytes(label, bytes)?, curve, compressed)
    }

    /// Takes a key from a file that is already mapped.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn from_file(
        file: &Arc<MappedFile>,
        curve: Curve,
        compressed: Compressed,
    ) -> Result<Self, FormatError> {
        let encoding = Encoding { curve, compressed };
        let mut parts = Parts::new(file, encoding);
        let verifying = Verifying::read(file, &mut parts)?;
        let beta_g1 = HeadField::BetaG1.read(&mut parts)?;
        let delta_g1 = HeadField::DeltaG1.read(&mut parts)?;
        let a = parts.long_list(Group::G1, "A")?;
        let b_g1 = parts.long_list(Group::G1, "B (G1)")?;
        let b_g2 = parts.long_list(Group::G2, "B (G2)")?;
        let h = parts.long_list(Group::G1, "H")?;
        let l = parts.long_list(Group::G1, "L")?;
        parts.end("a proving key's points")?;

        let expect = |list: &PointList, what, limit_of, limit: usize| {
            if list.len() == limit {
                return Ok(());
            }
            let (found, limit) = (list.len() as u64, limit as u64);
            let kind = Kind::Count { what, found, limit_of, limit };
            Err(FormatError::new(file.path(), kind).at(list.offset()))
        };
        expect(&b_g1, "the number of B points in G1", "the number of A points is", a.len())?;
        expect(&b_g2, "the number of B points in G2", "the number of A points is", a.len())?;
        let private = a.len().checked_sub(verifying.ic.len()).ok_or_else(|| {
            let (found, limit) = (verifying.ic.len() as u64, a.len() as u64);
            let kind = Kind::Count {
                what: "the number of IC points",
                found,
                limit_of: "the number of A points is",
                limit,
            };
            FormatError::new(file.path(), kind).at(verifying.ic.offset())
        })?;
        expect(&l, "the number of L points", "the number of A points less that of IC points is", private)?;
        let domain = h.len() as u64 + 1;
        if !domain.is_power_of_two() {
            let kind = Kind::Count {
                what: "the number of H points",
                found: h.len() as u64,
                limit_of: "it must be one less than a power of two, like",
                limit: domain.next_power_of_two() - 1,
            };
            return Err(FormatError::new(file.path(), kind).at(h.offset()));
        }

        let Verifying { alpha_g1, beta_g2, gamma_g2, delta_g2, ic } = verifying;
        let ic = ic.to_wire_checked()?;
        let head = HeadPoints { alpha_g1, beta_g1, beta_g2, gamma_g2, delta_g1, delta_g2, ic };
        Ok(Self { file: Arc::clone(file), encoding, head, a, b_g1, b_g2, h, l })
    }

    /// The file.
    pub fn file(&self) -> &Arc<MappedFile> {
        &self.file
    }

    /// The curve and the compression, as the caller gave them.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Number of signals, the constant one included.
    pub fn n_vars(&self) -> usize {
        self.a.len()
    }

    /// Number of public signals, the constant one excluded.
    pub fn n_public(&self) -> usize {
        (self.head.ic.len() / self.encoding.curve.g1_bytes()).saturating_sub(1)
    }

    /// Number of rows: a power of two.
    pub fn domain_size(&self) -> usize {
        self.h.len() + 1
    }

    /// The verification key inside.
    ///
    /// # Errors
    /// The key is for another curve than `E`.
    pub fn verifying_key<E: ProvingCurve>(&self) -> Result<VerifyingKey<E>, FormatError> {
        if self.encoding.curve == E::CURVE {
            return Ok(self.head.verifying_key());
        }
        let kind = Kind::CurveMismatch { expected: E::CURVE, found: self.encoding.curve };
        Err(FormatError::new(self.file.path(), kind))
    }

    /// The single points and the IC points.
    pub fn head(&self) -> &HeadPoints {
        &self.head
    }

    /// `Aᵢ(τ)`, one per signal; many are infinity.
    pub fn a(&self) -> &PointList {
        &self.a
    }

    /// `Bᵢ(τ)` in G1, one per signal; many are infinity.
    pub fn b_g1(&self) -> &PointList {
        &self.b_g1
    }

    /// `Bᵢ(τ)` in G2, one per signal; many are infinity.
    pub fn b_g2(&self) -> &PointList {
        &self.b_g2
    }

    /// `τ^i·Z(τ)/δ` for i < N − 1.
    pub fn h(&self) -> &PointList {
        &self.h
    }

    /// `(β·Aᵢ + α·Bᵢ + Cᵢ)(τ)/δ`, one per private signal.
    pub fn l(&self) -> &PointList {
        &self.l
    }
}
