//! Groth16 proving keys as snarkjs writes them (`.zkey`), mapped into memory.
//!
//! Points are affine, little-endian Montgomery limbs, infinity all zero (the wire encoding, see
//! [`interlock_curves`]), so that sections go to a device as they lie in the file. Opening a key checks its sections'
//! lengths against the header, and the header's and public inputs' points. The long sections (A, B1, B2, L, H) are
//! *not* looked at: whoever first proves with a key checks their points, once per content hash.

mod csr;
mod header;
pub mod layout;
mod points;

use std::{
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use interlock_curves::{Curve, with_curve};
use sha2::{Digest, Sha256};

use super::{FormatError, FormatErrorKind as Kind, MappedFile, Section, sections::SectionTable};
use header::Header;
use layout::CONTAINER;

pub use csr::Csr;
pub use points::HeaderPoints;

/// The most bytes of the insecure marker's text that are shown.
const MARKER_LIMIT: usize = 256;

/// An opened `.zkey`.
#[derive(Debug)]
pub struct Zkey {
    file: Arc<MappedFile>,
    table: SectionTable,
    header: Header,
    coefficient_count: u32,
    content_hash: OnceLock<[u8; 32]>,
}

impl Zkey {
    /// Maps a key file and checks it as the module page says.
    ///
    /// # Errors
    /// When the file cannot be mapped, is no Groth16 key, is for an unsupported curve, or contradicts itself.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        Self::from_file(MappedFile::open(path)?)
    }

    /// Takes a key from memory; `label` stands for the path in messages.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn from_bytes(label: impl Into<PathBuf>, bytes: Vec<u8>) -> Result<Self, FormatError> {
        Self::from_file(MappedFile::from_bytes(label, bytes)?)
    }

    /// Takes a key from a file that is already mapped.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn from_file(file: Arc<MappedFile>) -> Result<Self, FormatError> {
        let (path, bytes) = (file.path(), file.bytes());
        let table = SectionTable::parse(path, bytes, &CONTAINER)?;
        let header = Header::read(path, bytes, &table)?;
        header.check_sections(path, &table)?;

        let mut reader = table.reader(path, bytes, &CONTAINER, layout::COEFFICIENTS)?;
        let coefficient_count = reader.u32("the number of coefficients")?;
        let (expected, found) = (
            4 + u64::from(coefficient_count) * layout::COEFFICIENT_BYTES as u64,
            4 + reader.remaining() as u64,
        );
        if expected != found {
            let reason = format!("{coefficient_count} coefficients");
            return Err(reader.error(Kind::SectionLength { expected, found, reason }));
        }

        let key = Self { table, header, coefficient_count, content_hash: OnceLock::new(), file };
        with_curve!(key.curve(), E => {
            key.header_points::<E>()?;
            key.ic_points::<E>()?;
        });
        Ok(key)
    }

    /// The file.
    pub fn file(&self) -> &Arc<MappedFile> {
        &self.file
    }

    /// The file's path, or the label given with the bytes.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The curve, told by both moduli.
    pub fn curve(&self) -> Curve {
        self.header.curve
    }

    /// Number of signals (the witness's length), the constant one included.
    pub fn n_vars(&self) -> u32 {
        self.header.n_vars
    }

    /// Number of public signals, the constant one excluded; below [`n_vars`](Self::n_vars).
    pub fn n_public(&self) -> u32 {
        self.header.n_public
    }

    /// Number of rows: a power of two.
    pub fn domain_size(&self) -> u32 {
        self.header.domain_size
    }

    /// The `k` of [`domain_size`](Self::domain_size) `= 2^k`, at most the field's two-adicity.
    pub fn log_domain(&self) -> u32 {
        self.header.domain_size.trailing_zeros()
    }

    /// α in G1, wire encoding.
    pub fn alpha_g1(&self) -> &[u8] {
        self.slice(&self.header.alpha_g1)
    }

    /// β in G1, wire encoding.
    pub fn beta_g1(&self) -> &[u8] {
        self.slice(&self.header.beta_g1)
    }

    /// β in G2, wire encoding.
    pub fn beta_g2(&self) -> &[u8] {
        self.slice(&self.header.beta_g2)
    }

    /// γ in G2, wire encoding; not infinity.
    pub fn gamma_g2(&self) -> &[u8] {
        self.slice(&self.header.gamma_g2)
    }

    /// δ in G1, wire encoding; not infinity.
    pub fn delta_g1(&self) -> &[u8] {
        self.slice(&self.header.delta_g1)
    }

    /// δ in G2, wire encoding; not infinity.
    pub fn delta_g2(&self) -> &[u8] {
        self.slice(&self.header.delta_g2)
    }

    /// `n_public + 1` G1 points: `(β·Aᵢ + α·Bᵢ + Cᵢ)(τ)/γ` of the constant one and the public signals.
    pub fn ic(&self) -> Section {
        self.section(layout::IC)
    }

    /// `n_vars` G1 points `Aᵢ(τ)`; many are infinity.
    pub fn a(&self) -> Section {
        self.section(layout::A)
    }

    /// `n_vars` G1 points `Bᵢ(τ)`; many are infinity.
    pub fn b1(&self) -> Section {
        self.section(layout::B1)
    }

    /// `n_vars` G2 points `Bᵢ(τ)`; many are infinity.
    pub fn b2(&self) -> Section {
        self.section(layout::B2)
    }

    /// `n_vars − n_public − 1` G1 points `(β·Aᵢ + α·Bᵢ + Cᵢ)(τ)/δ` of the private signals, which are the last ones.
    pub fn l(&self) -> Section {
        self.section(layout::L)
    }

    /// `domain_size` G1 points `ℓ₂ⱼ₊₁(τ)/δ`, ℓ the Lagrange basis of the domain of twice the size: bases for the
    /// values of `a·b − c` on the coset shifted by [`coset_shift_snarkjs`](interlock_curves::roots).
    pub fn h(&self) -> Section {
        self.section(layout::H)
    }

    /// Section 4 as in the file: a count, then entries. [`matrices`](Self::matrices) makes rows of it.
    pub fn coefficients_section(&self) -> Section {
        self.section(layout::COEFFICIENTS)
    }

    /// Number of entries of A and B together.
    pub fn coefficient_count(&self) -> u32 {
        self.coefficient_count
    }

    /// Number of ceremony contributions that the key lists; `None` when it has no (whole) list.
    pub fn contribution_count(&self) -> Option<u32> {
        let list = self.slice(&self.table.get(layout::CONTRIBUTIONS)?);
        list.get(layout::CIRCUIT_HASH_BYTES..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
    }

    /// The text by which `interlock setup` marks a key whose secrets one party knew, if there is one.
    pub fn insecure_marker(&self) -> Option<String> {
        let text = self.slice(&self.table.get(layout::INSECURE_MARKER)?);
        let text = String::from_utf8_lossy(&text[..text.len().min(MARKER_LIMIT)]);
        // It is shown on terminals, which must not obey a file.
        Some(text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect())
    }

    /// The sections' numbers and places in the file, ascending by number.
    pub fn sections(&self) -> &SectionTable {
        &self.table
    }

    /// SHA-256 of the whole file; computed at the first call, then remembered.
    pub fn content_hash(&self) -> [u8; 32] {
        *self.content_hash.get_or_init(|| Sha256::digest(self.file.bytes()).into())
    }

    /// Checks that the key is for `expected`.
    ///
    /// # Errors
    /// When it is not.
    pub fn expect_curve(&self, expected: Curve) -> Result<(), FormatError> {
        let found = self.curve();
        if found == expected {
            return Ok(());
        }
        Err(FormatError::new(self.path(), Kind::CurveMismatch { expected, found }))
    }

    /// Bytes at a range that came from the section table.
    fn slice(&self, range: &Range<usize>) -> &[u8] {
        self.file.bytes().get(range.clone()).unwrap_or_default()
    }

    fn section(&self, id: u32) -> Section {
        // Presence was checked when the key was opened.
        let range = self.table.get(id).unwrap_or_default();
        Section::within(Arc::clone(&self.file), range)
    }

    fn error(&self, section: u32, offset: usize, kind: Kind) -> FormatError {
        FormatError::new(self.path(), kind).at(offset as u64).in_section(CONTAINER.section(section))
    }
}

#[cfg(test)]
mod tests;
