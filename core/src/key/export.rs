//! Writing a key's points in another encoding, a chunk at a time.

use std::io;

use interlock_curves::PointError;
use rayon::prelude::*;

use super::{BaseSet, ProvingKey, Quotient};
use crate::format::arkworks::{Encoding, Group};

/// Points that are converted between two writes.
const CHUNK: usize = 8192;

/// Why a key cannot be written in a format.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The key's H points are of another kind than the format's.
    #[error("the key's quotient points are snarkjs's (values on a coset); this format has coefficients")]
    Quotient,
    /// The format exists for BLS12-381 only.
    #[error("the format is for bls12-381 only, the key is for {0}")]
    Curve(interlock_curves::Curve),
    /// The key is inconsistent.
    #[error("{query} has {found} points instead of {expected}")]
    Length {
        /// The query.
        query: &'static str,
        /// Points that the key's counts imply.
        expected: usize,
        /// Points that are there.
        found: usize,
    },
    /// More points than the format can count.
    #[error("{query} has {found} points, more than the format can count")]
    TooMany {
        /// The query.
        query: &'static str,
        /// How many there are.
        found: usize,
    },
    /// A base is no point.
    #[error("{query}[{index}]: {source}")]
    Point {
        /// The query.
        query: &'static str,
        /// The base's position in it.
        index: usize,
        /// Why.
        source: PointError,
    },
    /// An infinity that the format does not allow: a private signal that occurs nowhere, say.
    #[error("{query}[{index}] is the point at infinity, which the format does not allow")]
    Infinity {
        /// The query.
        query: &'static str,
        /// The base's position in it.
        index: usize,
    },
    /// The file cannot be written.
    #[error("cannot write the key: {0}")]
    Write(#[from] io::Error),
}

/// Checks that a key's quotient convention is arkworks' and bellman's.
pub(super) fn expect_coefficients(key: &ProvingKey) -> Result<(), ExportError> {
    match key.quotient {
        Quotient::Coefficients => Ok(()),
        Quotient::CosetValues => Err(ExportError::Quotient),
    }
}

/// Writes points in an encoding.
pub(super) struct ListWriter<'a> {
    pub(super) encoding: Encoding,
    pub(super) out: &'a mut dyn io::Write,
}

impl ListWriter<'_> {
    /// A list's length, arkworks' way.
    pub(super) fn long_count(&mut self, count: usize) -> Result<(), ExportError> {
        Ok(self.out.write_all(&(count as u64).to_le_bytes())?)
    }

    /// A list's length, bellman's way.
    pub(super) fn short_count(&mut self, query: &'static str, found: usize) -> Result<(), ExportError> {
        let count = u32::try_from(found).map_err(|_| ExportError::TooMany { query, found })?;
        Ok(self.out.write_all(&count.to_be_bytes())?)
    }

    /// A single point.
    pub(super) fn point(
        &mut self,
        group: Group,
        query: &'static str,
        wire: &[u8],
    ) -> Result<(), ExportError> {
        self.each(group, query, std::iter::once(wire))
    }

    /// Points that lie packed.
    pub(super) fn packed(
        &mut self,
        group: Group,
        query: &'static str,
        wire: &[u8],
    ) -> Result<(), ExportError> {
        self.each(group, query, wire.chunks_exact(group.wire_bytes(self.encoding.curve)))
    }

    /// The bases of a set, with infinity for each scalar up to `length` that has none.
    pub(super) fn expanded(
        &mut self,
        group: Group,
        query: &'static str,
        set: &BaseSet,
        length: usize,
    ) -> Result<(), ExportError> {
        let size = group.wire_bytes(self.encoding.curve);
        let found = set.points.len() / size;
        let Some(index) = &set.index else {
            if found != length {
                return Err(ExportError::Length { query, expected: length, found });
            }
            return self.packed(group, query, &set.points);
        };
        if found != index.len() || index.last().is_some_and(|last| *last as usize >= length) {
            return Err(ExportError::Length { query, expected: length, found });
        }
        let infinity = vec![0; size];
        let mut bases = index.iter().zip(set.points.chunks_exact(size)).peekable();
        let points = (0..length).map(|scalar| {
            let base = bases.next_if(|(position, _)| **position as usize == scalar);
            base.map_or(infinity.as_slice(), |(_, point)| point)
        });
        self.each(group, query, points)
    }

    /// Points from an iterator.
    pub(super) fn each<'p>(
        &mut self,
        group: Group,
        query: &'static str,
        mut points: impl Iterator<Item = &'p [u8]>,
    ) -> Result<(), ExportError> {
        let encoding = self.encoding;
        let size = encoding.point_bytes(group);
        let mut bytes = Vec::new();
        for first in (0..).step_by(CHUNK) {
            let chunk: Vec<&[u8]> = points.by_ref().take(CHUNK).collect();
            if chunk.is_empty() {
                break;
            }
            bytes.resize(chunk.len() * size, 0);
            let bad =
                bytes.par_chunks_mut(size).zip(&chunk).enumerate().find_map_first(|(i, (out, wire))| {
                    encoding.encode(group, wire, out).err().map(|source| (first + i, source))
                });
            if let Some((index, source)) = bad {
                return Err(ExportError::Point { query, index, source });
            }
            self.out.write_all(&bytes)?;
        }
        Ok(())
    }
}

/// The first infinity among packed points.
pub(super) fn first_infinity(wire: &[u8], size: usize) -> Option<usize> {
    wire.chunks_exact(size).position(is_infinity)
}

/// Whether a wire point is infinity.
pub(super) fn is_infinity(wire: &[u8]) -> bool {
    wire.iter().all(|byte| *byte == 0)
}
