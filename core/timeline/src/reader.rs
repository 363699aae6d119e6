//! From lines.

use std::io::{BufRead, Read as _};

use serde::Deserialize;

use crate::error::{Error, Fault};
use crate::format::{Header, MAX_FILE, MAX_LINE, Record, VERSION};

/// Reads a timeline line by line. Ends after the first error.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    header: Header,
    buffer: Vec<u8>,
    /// The line in the buffer, from 1.
    line: u64,
    bytes: u64,
    last: u64,
    over: bool,
}

/// Enough of a header to know what it is.
#[derive(Deserialize)]
struct Version {
    timeline: u64,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// The first line is no header of a version that is known.
    pub fn new(mut input: R) -> Result<Self, Error> {
        let mut buffer = Vec::new();
        if !read_line(&mut input, &mut buffer, 1)? {
            return Err(Error::NoHeader);
        }
        let version: Version = serde_json::from_slice(&buffer).map_err(|_| Error::NoHeader)?;
        if version.timeline != u64::from(VERSION) {
            return Err(Error::Version { found: version.timeline });
        }
        let header: Header =
            serde_json::from_slice(&buffer).map_err(|source| Error::Line { line: 1, source })?;
        header.check().map_err(|fault| Error::Fault { line: 1, fault })?;
        let bytes = buffer.len() as u64;
        Ok(Self { input, header, buffer, line: 1, bytes, last: 0, over: false })
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The line that was read last, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    fn read(&mut self) -> Result<Option<Record>, Error> {
        loop {
            self.line += 1;
            let line = self.line;
            if !read_line(&mut self.input, &mut self.buffer, line)? {
                return Ok(None);
            }
            self.bytes += self.buffer.len() as u64;
            if self.bytes > MAX_FILE {
                return Err(Error::LongFile);
            }
            if self.buffer.trim_ascii().is_empty() {
                continue;
            }
            let record = match Record::parse(&self.buffer) {
                Ok(Some(record)) => record,
                Ok(None) => continue,
                Err(error) if error.is_eof() && !self.buffer.ends_with(b"\n") => {
                    return Err(Error::Cut { line });
                }
                Err(source) => return Err(Error::Line { line, source }),
            };
            let (t, last) = (record.t.0, self.last);
            let ordered = if t < last { Err(Fault::WentBack { t, last }) } else { Ok(()) };
            ordered
                .and_then(|()| self.header.check_record(&record))
                .map_err(|fault| Error::Fault { line, fault })?;
            self.last = t;
            return Ok(Some(record));
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let item = self.read().transpose();
        self.over = !matches!(item, Some(Ok(_)));
        item
    }
}

/// Reads a line into the buffer; false at the end.
fn read_line(input: &mut impl BufRead, buffer: &mut Vec<u8>, line: u64) -> Result<bool, Error> {
    buffer.clear();
    let read = input.take(MAX_LINE as u64 + 1).read_until(b'\n', buffer)?;
    if read > MAX_LINE {
        return Err(Error::LongLine { line });
    }
    Ok(read > 0)
}
