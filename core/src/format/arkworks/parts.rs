//! A cursor over a file made of points and lists of points.

use std::sync::Arc;

use super::point::{Flaw, in_subgroup};
use super::{Encoding, Group, PointList};
use crate::format::{FormatError, FormatErrorKind as Kind, MappedFile, reader::Reader};

/// Reads a file's parts in order; every failure carries the file, the byte offset and the part's name.
pub(crate) struct Parts<'a> {
    file: &'a Arc<MappedFile>,
    reader: Reader<'a>,
    encoding: Encoding,
}

impl<'a> Parts<'a> {
    pub(crate) fn new(file: &'a Arc<MappedFile>, encoding: Encoding) -> Self {
        Self { reader: Reader::new(file.path(), None, 0, file.bytes()), file, encoding }
    }

    /// Bytes that were not read.
    pub(crate) fn remaining(&self) -> usize {
        self.reader.remaining()
    }

    /// A single point in the wire encoding: on the curve and in the subgroup.
    pub(crate) fn point(&mut self, group: Group, what: &'static str) -> Result<Vec<u8>, FormatError> {
        let at = self.reader.offset();
        let bytes = self.reader.take(self.encoding.point_bytes(group), what)?;
        let mut wire = vec![0; group.wire_bytes(self.encoding.curve)];
        self.encoding
            .decode(group, bytes, &mut wire)
            .and_then(|()| {
                if in_subgroup(self.encoding.curve, group, &wire) { Ok(()) } else { Err(Flaw::Subgroup) }
            })
            .map_err(|flaw| self.reader.error_at(at, flaw.kind(what.to_owned())))?;
        Ok(wire)
    }

    /// Steps over a single point without a look at it.
    pub(crate) fn skip(&mut self, group: Group, what: &'static str) -> Result<(), FormatError> {
        self.reader.take(self.encoding.point_bytes(group), what).map(|_| ())
    }

    /// As [`point`](Self::point), and not infinity.
    pub(crate) fn finite(&mut self, group: Group, what: &'static str) -> Result<Vec<u8>, FormatError> {
        let at = self.reader.offset();
        let wire = self.point(group, what)?;
        if wire.iter().all(|byte| *byte == 0) {
            return Err(self.reader.error_at(at, Kind::Infinity { what }));
        }
        Ok(wire)
    }

    /// A list whose length is a u64, little-endian (arkworks).
    pub(crate) fn long_list(&mut self, group: Group, name: &'static str) -> Result<PointList, FormatError> {
        let count = self.reader.u64(name)?;
        self.list(group, name, count)
    }

    /// A list whose length is a u32, big-endian (bellman).
    pub(crate) fn short_list(&mut self, group: Group, name: &'static str) -> Result<PointList, FormatError> {
        // Read as little-endian, which the bytes are not.
        let count = self.reader.u32(name)?.swap_bytes();
        self.list(group, name, count.into())
    }

    fn list(&mut self, group: Group, name: &'static str, count: u64) -> Result<PointList, FormatError> {
        let size = self.encoding.point_bytes(group);
        let available = self.reader.remaining() as u64;
        let bytes = count.checked_mul(size as u64).filter(|needed| *needed <= available);
        let Some(bytes) = bytes else {
            let needed = count.saturating_mul(size as u64);
            return Err(self.reader.error(Kind::Truncated { what: name, needed, available }));
        };
        let start = self.reader.offset() as usize;
        self.reader.take(bytes as usize, name)?;
        let range = start..start + bytes as usize;
        Ok(PointList::new(Arc::clone(self.file), range, self.encoding, group, name))
    }

    /// Checks that everything was read; `reason` names what was.
    pub(crate) fn end(&self, reason: &str) -> Result<(), FormatError> {
        self.reader.end(reason)
    }
}
