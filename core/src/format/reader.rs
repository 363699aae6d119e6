//! A cursor over a part of a file that knows where it is.

use std::path::Path;

use super::{FormatError, FormatErrorKind as Kind, SectionName};

/// Reads little-endian values from a slice; every failure carries the file, section and byte offset.
pub(super) struct Reader<'a> {
    file: &'a Path,
    section: Option<SectionName>,
    /// Offset of `bytes` in the file.
    base: u64,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(file: &'a Path, section: Option<SectionName>, base: u64, bytes: &'a [u8]) -> Self {
        Self { file, section, base, bytes, at: 0 }
    }

    /// Bytes from the start of the file to the next value.
    pub(super) fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    pub(super) fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// An error at the next value.
    pub(super) fn error(&self, kind: Kind) -> FormatError {
        self.error_at(self.offset(), kind)
    }

    /// An error at a byte offset from the start of the file.
    pub(super) fn error_at(&self, offset: u64, kind: Kind) -> FormatError {
        let error = FormatError::new(self.file, kind).at(offset);
        match self.section {
            Some(section) => error.in_section(section),
            None => error,
        }
    }

    pub(super) fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], FormatError> {
        let Some(bytes) = self.bytes.get(self.at..).and_then(|rest| rest.get(..count)) else {
            let (needed, available) = (count as u64, self.remaining() as u64);
            return Err(self.error(Kind::Truncated { what, needed, available }));
        };
        self.at += count;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], FormatError> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N, what)?);
        Ok(out)
    }

    pub(super) fn u32(&mut self, what: &'static str) -> Result<u32, FormatError> {
        self.array(what).map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self, what: &'static str) -> Result<u64, FormatError> {
        self.array(what).map(u64::from_le_bytes)
    }

    /// A length in bytes (u32), then a number of that length; refused when longer than any supported modulus.
    pub(super) fn modulus(&mut self, what: &'static str) -> Result<&'a [u8], FormatError> {
        let at = self.offset();
        let length = self.u32(what)?;
        if length > 48 {
            return Err(self.error_at(at, Kind::UnknownField { what }));
        }
        self.take(length as usize, what)
    }

    /// Checks that everything was read.
    pub(super) fn end(&self, reason: &str) -> Result<(), FormatError> {
        if self.remaining() == 0 {
            return Ok(());
        }
        let (expected, found) = (self.at as u64, self.bytes.len() as u64);
        Err(self.error(Kind::SectionLength { expected, found, reason: reason.to_owned() }))
    }
}

/// A scalar modulus ready for comparisons.
pub(super) struct Modulus([u64; 4]);

impl Modulus {
    pub(super) fn new(le: &[u8; 32]) -> Self {
        Self(words(le))
    }

    /// Whether a little-endian number is below the modulus.
    #[inline]
    pub(super) fn exceeds(&self, value: &[u8; 32]) -> bool {
        let value = words(value);
        // Almost always decided by the top word.
        for i in (0..4).rev() {
            if value[i] != self.0[i] {
                return value[i] < self.0[i];
            }
        }
        false
    }
}

#[inline]
fn words(le: &[u8; 32]) -> [u64; 4] {
    let mut out = [0; 4];
    for (word, chunk) in out.iter_mut().zip(le.as_chunks::<8>().0) {
        *word = u64::from_le_bytes(*chunk);
    }
    out
}
