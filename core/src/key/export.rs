//! Writing a key's points in another encoding, a chunk at a time.

use std::borrow::Cow;
use std::io;

use interlock_curves::roots::RootFamily;
use interlock_curves::{PointError, with_curve};
use rayon::prelude::*;

use super::rows::doubly_montgomery_one;
use super::{BaseSet, ProvingKey, Quotient};
use crate::format::Csr;
use crate::format::arkworks::{Encoding, Group};

/// Points that are converted between two writes.
const CHUNK: usize = 8192;

/// Why a key cannot be written in a format.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The key's H points are of another kind than the format's.
    #[error("the key's quotient points are not of this format's kind; change the key's convention first")]
    Quotient,
    /// The key's rows are in an order that the format has no place for.
    #[error(
        "the key's rows are not in this format's order, which has constraints first, then public signals, by arkworks' \
         roots of unity: a .zkey on bls12-381 can be converted only if it was made from such a key, \
         and one of a circuit without constraints and public signals not at all"
    )]
    Rows,
    /// The format exists for BLS12-381 only.
    #[error("the format is for bls12-381 only, the key is for {0}")]
    Curve(interlock_curves::Curve),
    /// The key's convention is unknown.
    #[error(transparent)]
    Convention(#[from] super::ConventionError),
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

/// Checks that a key's conventions are arkworks' and bellman's: coefficients as quotient, and rows that a prover which
/// lays them out from a circuit would arrive at.
pub(super) fn expect_coefficients(key: &ProvingKey) -> Result<(), ExportError> {
    if key.quotient != Quotient::Coefficients {
        return Err(ExportError::Quotient);
    }
    if key.has_root_of(RootFamily::Arkworks) && constraints(key).is_some() {
        Ok(())
    } else {
        Err(ExportError::Rows)
    }
}

/// The number of constraints, when the rows are: constraints, then `wᵢ · 0 = 0` for the constant one and each public
/// signal, then nothing up to the next power of two.
fn constraints(key: &ProvingKey) -> Option<usize> {
    let (a, b) = (&key.a_matrix, &key.b_matrix);
    let entries = |matrix: &Csr, row: usize| {
        let bound = |at: usize| matrix.row_offsets.get(at).map(|offset| *offset as usize);
        Some(bound(row)?..bound(row + 1)?)
    };
    // The rows of public signals are the last that are not empty, and end with A's last entry.
    let last = a.row_offsets.partition_point(|offset| *offset < a.nnz() as u64);
    let first = last.checked_sub(key.n_public + 1)?;
    let one = with_curve!(key.curve, E => doubly_montgomery_one::<E>());
    for (row, signal) in (first..last).zip(0_u32..) {
        let (in_a, in_b) = (entries(a, row)?, entries(b, row)?);
        let value = a.values.get(32 * in_a.start..32 * in_a.end)?;
        if a.col_indices.get(in_a)? != [signal] || value != one || !in_b.is_empty() {
            return None;
        }
    }
    let nothing_after = *b.row_offsets.get(last)? == b.nnz() as u64;
    (nothing_after && last.next_power_of_two() == key.domain_size()).then_some(first)
}

/// The bases of a set as packed bytes, with infinity for each scalar up to `length` that has none.
pub(super) fn expanded_bytes<'a>(
    query: &'static str,
    set: &'a BaseSet,
    length: usize,
    size: usize,
) -> Result<Cow<'a, [u8]>, ExportError> {
    let found = set.points.len() / size;
    let wrong = ExportError::Length { query, expected: length, found };
    let Some(index) = &set.index else {
        return if found == length { Ok(Cow::Borrowed(&*set.points)) } else { Err(wrong) };
    };
    if found != index.len() {
        return Err(wrong);
    }
    let mut bytes = vec![0; length * size];
    for (scalar, point) in index.iter().zip(set.points.chunks_exact(size)) {
        match bytes.chunks_exact_mut(size).nth(*scalar as usize) {
            Some(place) => place.copy_from_slice(point),
            None => return Err(wrong),
        }
    }
    Ok(Cow::Owned(bytes))
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
