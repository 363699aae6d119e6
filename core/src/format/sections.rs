//! The container that `.zkey`, `.wtns` and `.r1cs` share: a magic word, then numbered sections in any order.
//!
//! ```text
//! magic [u8; 4] | version u32 | section count u32 | count × { id u32 | length u64 | payload }
//! ```
//!
//! All integers are little-endian.

use std::{collections::BTreeMap, io, ops::Range, path::Path};

use super::{FormatError, FormatErrorKind as Kind, SectionName, reader::Reader};

/// Bytes of a section's id and length.
const SECTION_HEADER: usize = 12;
/// Real files have four to twenty sections. The limit keeps the table small whatever a file claims.
const MAX_SECTIONS: u32 = 1024;

/// One of the formats that use the container.
#[derive(Debug)]
pub struct Container {
    /// The first four bytes.
    pub magic: [u8; 4],
    /// The format's name in messages.
    pub name: &'static str,
    /// The version that is read and written.
    pub version: u32,
    /// What a section holds, in words, for messages.
    pub section_name: fn(u32) -> &'static str,
}

impl Container {
    /// A section's number with its name.
    pub fn section(&self, id: u32) -> SectionName {
        SectionName { id, name: (self.section_name)(id) }
    }

    /// Writes a whole file. Each section is given as parts that are written one after another.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn write(&self, out: &mut dyn io::Write, sections: &[(u32, Vec<&[u8]>)]) -> io::Result<()> {
        out.write_all(&self.magic)?;
        out.write_all(&self.version.to_le_bytes())?;
        let count = u32::try_from(sections.len()).map_err(io::Error::other)?;
        out.write_all(&count.to_le_bytes())?;
        for (id, parts) in sections {
            let length: usize = parts.iter().map(|part| part.len()).sum();
            out.write_all(&id.to_le_bytes())?;
            out.write_all(&(length as u64).to_le_bytes())?;
            for part in parts {
                out.write_all(part)?;
            }
        }
        Ok(())
    }
}

/// Where each section of a file lies. Every range is within the file.
#[derive(Debug)]
pub struct SectionTable {
    ranges: BTreeMap<u32, Range<usize>>,
    trailing: u64,
}

impl SectionTable {
    /// Finds the sections of a file; `path` is only for messages.
    ///
    /// # Errors
    /// Wrong magic or version, a section twice, or one that reaches beyond the end of the file.
    pub fn parse(path: &Path, bytes: &[u8], format: &Container) -> Result<Self, FormatError> {
        if !bytes.starts_with(&format.magic) {
            let found = bytes[..bytes.len().min(4)].to_vec();
            return Err(FormatError::new(path, Kind::Magic { expected: format.name, found }));
        }
        let mut reader = Reader::new(path, None, 0, bytes);
        reader.take(4, "the magic word")?;
        let version = reader.u32("the format version")?;
        if version != format.version {
            let kind = Kind::Version { format: format.name, found: version, supported: format.version };
            return Err(reader.error_at(4, kind));
        }
        let found = reader.u32("the number of sections")?;
        let possible = reader.remaining() / SECTION_HEADER;
        let limit = u32::try_from(possible).unwrap_or(u32::MAX).min(MAX_SECTIONS);
        if found > limit {
            return Err(reader.error_at(8, Kind::SectionCount { found, limit }));
        }

        let mut ranges = BTreeMap::new();
        for _ in 0..found {
            let at = reader.offset();
            let id = reader.u32("a section's number")?;
            let length = reader.u64("a section's length")?;
            let name = format.section(id);
            let start = reader.offset() as usize;
            let Ok(length) = usize::try_from(length) else {
                let (needed, available) = (length, reader.remaining() as u64);
                let kind = Kind::Truncated { what: "the section", needed, available };
                return Err(reader.error_at(at, kind).in_section(name));
            };
            reader.take(length, "the section").map_err(|error| error.in_section(name))?;
            if ranges.insert(id, start..start + length).is_some() {
                return Err(reader.error_at(at, Kind::DuplicateSection).in_section(name));
            }
        }
        Ok(Self { ranges, trailing: reader.remaining() as u64 })
    }

    /// A section's place in the file.
    pub fn get(&self, id: u32) -> Option<Range<usize>> {
        self.ranges.get(&id).cloned()
    }

    /// The section numbers and places, ascending by number.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Range<usize>)> {
        self.ranges.iter().map(|(id, range)| (*id, range.clone()))
    }

    /// Bytes after the last section. Tolerated: other tools ignore them too.
    pub fn trailing_bytes(&self) -> u64 {
        self.trailing
    }

    /// A section that must be there.
    ///
    /// # Errors
    /// When it is not.
    pub fn require(&self, path: &Path, format: &Container, id: u32) -> Result<Range<usize>, FormatError> {
        self.get(id)
            .ok_or_else(|| FormatError::new(path, Kind::MissingSection).in_section(format.section(id)))
    }

    /// A cursor over a section that must be there.
    pub(super) fn reader<'a>(
        &self,
        path: &'a Path,
        bytes: &'a [u8],
        format: &Container,
        id: u32,
    ) -> Result<Reader<'a>, FormatError> {
        let range = self.require(path, format, id)?;
        let base = range.start as u64;
        Ok(Reader::new(path, Some(format.section(id)), base, &bytes[range]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: Container =
        Container { magic: *b"test", name: "test", version: 3, section_name: |_| "payload" };

    fn parse(bytes: &[u8]) -> Result<SectionTable, FormatError> {
        SectionTable::parse(Path::new("file.test"), bytes, &FORMAT)
    }

    fn file(sections: &[(u32, Vec<&[u8]>)]) -> Vec<u8> {
        let mut out = Vec::new();
        FORMAT.write(&mut out, sections).unwrap();
        out
    }

    #[test]
    fn any_order_and_trailing_bytes() {
        let mut bytes = file(&[(7, vec![b"seven", b"!"]), (1, vec![]), (3, vec![b"three"])]);
        bytes.extend_from_slice(b"tail");
        let table = parse(&bytes).unwrap();
        assert_eq!(&bytes[table.get(7).unwrap()], b"seven!");
        assert_eq!(&bytes[table.get(3).unwrap()], b"three");
        assert_eq!(table.get(1).unwrap().len(), 0);
        assert_eq!(table.get(2), None);
        assert_eq!(table.trailing_bytes(), 4);
        assert_eq!(table.iter().map(|(id, _)| id).collect::<Vec<_>>(), [1, 3, 7]);
    }

    #[test]
    fn damaged_tables() {
        let good = file(&[(1, vec![b"one"]), (2, vec![b"two"])]);
        for length in 0..good.len() {
            assert!(parse(&good[..length]).is_err(), "cut at {length}");
        }
        let error = parse(&file(&[(1, vec![]), (1, vec![])])).unwrap_err();
        assert!(matches!(error.kind(), Kind::DuplicateSection), "{error}");
        assert_eq!(
            error.to_string(),
            "file.test: section 1 (payload) at byte 24: occurs more than once; the file is damaged"
        );

        let mut huge_count = good.clone();
        huge_count[8..12].fill(0xff);
        assert!(matches!(parse(&huge_count).unwrap_err().kind(), Kind::SectionCount { .. }));
        let mut huge_length = good.clone();
        huge_length[16..24].fill(0xff);
        let error = parse(&huge_length).unwrap_err();
        assert!(matches!(error.kind(), Kind::Truncated { needed: u64::MAX, .. }), "{error}");
        let mut version = good.clone();
        version[4] = 9;
        assert!(matches!(parse(&version).unwrap_err().kind(), Kind::Version { found: 9, .. }));
        assert!(matches!(parse(b"zk").unwrap_err().kind(), Kind::Magic { .. }));
        let many: Vec<_> = (0..2000).map(|id| (id, vec![])).collect();
        assert!(matches!(parse(&file(&many)).unwrap_err().kind(), Kind::SectionCount { limit: 1024, .. }));
    }
}
