//! Proving keys (`.params`).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use interlock_curves::{Bls12_381, Curve};

use super::verifying_key::read_head;
use crate::format::arkworks::{Encoding, Group, HeadPoints, Parts, PointList};
use crate::format::{FormatError, FormatErrorKind as Kind, MappedFile};
use crate::types::VerifyingKey;

/// An opened `.params`.
///
/// Opening checks that every list is there, the counts that must agree, and the points of the verification key. The
/// long lists stay in the mapped file until they are converted; which signals their points belong to, only the
/// circuit tells.
#[derive(Clone, Debug)]
pub struct BellmanParams {
    file: Arc<MappedFile>,
    head: HeadPoints,
    h: PointList,
    l: PointList,
    a: PointList,
    b_g1: PointList,
    b_g2: PointList,
    trailing: u64,
}

impl BellmanParams {
    /// Maps a parameter file.
    ///
    /// # Errors
    /// When the file cannot be mapped, is cut off, contradicts itself, or a point of its verification key is bad.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        Self::from_file(&MappedFile::open(path)?)
    }

    /// Takes parameters from memory; `label` stands for the path in messages.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn from_bytes(label: impl Into<PathBuf>, bytes: Vec<u8>) -> Result<Self, FormatError> {
        Self::from_file(&MappedFile::from_bytes(label, bytes)?)
    }

    /// Takes parameters from a file that is already mapped.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn from_file(file: &Arc<MappedFile>) -> Result<Self, FormatError> {
        let mut parts = Parts::new(file, Encoding::ZCASH);
        let head = read_head(file, &mut parts)?;
        let h = parts.short_list(Group::G1, "H")?;
        let l = parts.short_list(Group::G1, "L")?;
        let a = parts.short_list(Group::G1, "A")?;
        let b_g1 = parts.short_list(Group::G1, "B (G1)")?;
        let b_g2 = parts.short_list(Group::G2, "B (G2)")?;
        let trailing = parts.remaining() as u64;

        let count = |list: &PointList, what, limit_of, limit| {
            let kind = Kind::Count { what, found: list.len() as u64, limit_of, limit };
            Err(FormatError::new(file.path(), kind).at(list.offset()))
        };
        let domain = h.len() as u64 + 1;
        if !domain.is_power_of_two() {
            let limit_of = "it must be one less than a power of two, like";
            return count(&h, "the number of H points", limit_of, domain.next_power_of_two() - 1);
        }
        if b_g1.len() != b_g2.len() {
            let limit = b_g1.len() as u64;
            return count(&b_g2, "the number of B points in G2", "in G1 there are", limit);
        }
        let inputs = head.ic.len() / Curve::Bls12_381.g1_bytes();
        let vars = inputs + l.len();
        if a.len() < inputs || a.len() > vars {
            let (limit_of, limit) = if a.len() < inputs {
                ("every public input has one, and the constant one: at least", inputs)
            } else {
                ("there are only as many signals as IC and L points,", vars)
            };
            return count(&a, "the number of A points", limit_of, limit as u64);
        }
        if b_g1.len() > vars {
            let limit_of = "there are only as many signals as IC and L points,";
            return count(&b_g1, "the number of B points", limit_of, vars as u64);
        }
        Ok(Self { file: Arc::clone(file), head, h, l, a, b_g1, b_g2, trailing })
    }

    /// The file.
    pub fn file(&self) -> &Arc<MappedFile> {
        &self.file
    }

    /// Number of signals, the constant one included.
    pub fn n_vars(&self) -> usize {
        1 + self.n_public() + self.l.len()
    }

    /// Number of public signals, the constant one excluded.
    pub fn n_public(&self) -> usize {
        (self.head.ic.len() / Curve::Bls12_381.g1_bytes()).saturating_sub(1)
    }

    /// Number of rows: a power of two.
    pub fn domain_size(&self) -> usize {
        self.h.len() + 1
    }

    /// The verification key at the start.
    pub fn verifying_key(&self) -> VerifyingKey<Bls12_381> {
        self.head.verifying_key()
    }

    /// The points of the verification key.
    pub fn head(&self) -> &HeadPoints {
        &self.head
    }

    /// `τ^i·Z(τ)/δ` for i < N − 1.
    pub fn h(&self) -> &PointList {
        &self.h
    }

    /// `(β·Aᵢ + α·Bᵢ + Cᵢ)(τ)/δ`, one per private signal.
    pub fn l(&self) -> &PointList {
        &self.l
    }

    /// `Aᵢ(τ)` of the signals where that is not zero, ascending: all public ones, and some private ones.
    pub fn a(&self) -> &PointList {
        &self.a
    }

    /// `Bᵢ(τ)` in G1 of the signals where that is not zero, ascending.
    pub fn b_g1(&self) -> &PointList {
        &self.b_g1
    }

    /// `Bᵢ(τ)` in G2, of the same signals.
    pub fn b_g2(&self) -> &PointList {
        &self.b_g2
    }

    /// Bytes after the last list: 52,836 in Sapling's files, 0 in bellperson's. Not looked at.
    pub fn trailing_bytes(&self) -> u64 {
        self.trailing
    }
}
