//! A list of points in a file, converted when it is needed.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::point::{Flaw, in_subgroup};
use super::{Encoding, Group};
use crate::format::{FormatError, FormatErrorKind as Kind, MappedFile, Section};

/// Points that one task converts.
const CHUNK: usize = 512;

/// Points that are converted before more memory is touched: a length that lies is found out at the first of them.
const BLOCK: usize = 256 * CHUNK;

/// A list of points that lies in a file. Its points are not looked at before they are converted.
#[derive(Clone, Debug)]
pub struct PointList {
    file: Arc<MappedFile>,
    range: Range<usize>,
    encoding: Encoding,
    group: Group,
    name: &'static str,
}

impl PointList {
    /// `range` lies in `file` and is a multiple of a point's length.
    pub(super) fn new(
        file: Arc<MappedFile>,
        range: Range<usize>,
        encoding: Encoding,
        group: Group,
        name: &'static str,
    ) -> Self {
        Self { file, range, encoding, group, name }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.range.len() / self.encoding.point_bytes(self.group)
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.range.is_empty()
    }

    /// Bytes from the start of the file to the first point.
    pub fn offset(&self) -> u64 {
        self.range.start as u64
    }

    /// What the list is called in messages, e.g. `A`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The points in the wire encoding, infinities (all zero) included. On the curve; the subgroup is not checked.
    /// Takes as many bytes as the uncompressed list, so at most twice the file's length.
    ///
    /// # Errors
    /// The first that is no point, by its position and byte offset, or no memory.
    pub fn to_wire(&self) -> Result<Section, FormatError> {
        self.convert(|_| Ok(()))
    }

    /// As [`to_wire`](Self::to_wire), for a list that holds no infinities.
    ///
    /// # Errors
    /// As for `to_wire`; infinity counts as no point.
    pub fn to_wire_finite(&self) -> Result<Section, FormatError> {
        self.convert(finite)
    }

    /// As [`to_wire`](Self::to_wire), with every point checked to be in the subgroup.
    ///
    /// # Errors
    /// As for `to_wire`; a point outside the subgroup counts as none.
    pub fn to_wire_checked(&self) -> Result<Section, FormatError> {
        let (curve, group) = (self.encoding.curve, self.group);
        self.convert(|wire| if in_subgroup(curve, group, wire) { Ok(()) } else { Err(Flaw::Subgroup) })
    }

    fn convert(&self, check: impl Fn(&[u8]) -> Result<(), Flaw> + Sync) -> Result<Section, FormatError> {
        let (encoding, group) = (self.encoding, self.group);
        let (size, wire_size) = (encoding.point_bytes(group), group.wire_bytes(encoding.curve));
        let bytes = self.file.bytes().get(self.range.clone()).unwrap_or_default();
        let length = bytes.len() / size * wire_size;

        let mut wire = Vec::new();
        // One more: a file is never empty, a list can be.
        wire.try_reserve_exact(length + 1).map_err(|_| {
            FormatError::new(self.file.path(), Kind::OutOfMemory { bytes: length as u64 }).at(self.offset())
        })?;
        for (block, bytes) in bytes.chunks(BLOCK * size).enumerate() {
            let start = wire.len();
            wire.resize(start + bytes.len() / size * wire_size, 0);
            let flaw = wire[start..]
                .par_chunks_mut(CHUNK * wire_size)
                .zip(bytes.par_chunks(CHUNK * size))
                .enumerate()
                .find_map_first(|(chunk, (wire, bytes))| {
                    let points = wire.chunks_exact_mut(wire_size).zip(bytes.chunks_exact(size));
                    points.enumerate().find_map(|(i, (wire, bytes))| {
                        let outcome = encoding.decode(group, bytes, wire).and_then(|()| check(wire));
                        outcome.err().map(|flaw| (block * BLOCK + chunk * CHUNK + i, flaw))
                    })
                });
            if let Some((index, flaw)) = flaw {
                let error = FormatError::new(self.file.path(), flaw.kind(format!("{}[{index}]", self.name)));
                return Err(error.at(self.offset() + (index * size) as u64));
            }
        }
        wire.push(0);
        let file = MappedFile::from_bytes(self.file.path(), wire)?;
        Ok(Section::within(file, 0..length))
    }
}

fn finite(wire: &[u8]) -> Result<(), Flaw> {
    if wire.iter().all(|byte| *byte == 0) { Err(Flaw::Infinity) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use interlock_curves::Curve;

    use super::super::Compressed;
    use super::*;

    /// Infinities take no time to read.
    #[test]
    fn a_bad_point_behind_the_first_block_is_told_by_its_place() {
        let encoding = Encoding { curve: Curve::Bn254, compressed: Compressed::Yes };
        let mut infinity = [0; 32];
        infinity[31] = 0x40;
        let n = BLOCK + 3;
        let mut bytes = infinity.repeat(n);
        let list = |bytes: &[u8]| {
            let file = MappedFile::from_bytes("list", bytes.to_vec()).unwrap();
            PointList::new(file, 0..32 * n, encoding, Group::G1, "H")
        };
        let wire = list(&bytes).to_wire().unwrap();
        assert!(wire.len() == 64 * n && wire.iter().all(|byte| *byte == 0));
        bytes[32 * (n - 1) + 5] = 1;
        let error = list(&bytes).to_wire().unwrap_err();
        assert_eq!(error.offset(), Some(32 * (n as u64 - 1)));
        assert!(error.to_string().contains(&format!("H[{}]", n - 1)), "{error}");
    }
}
