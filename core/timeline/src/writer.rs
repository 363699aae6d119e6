//! To lines.

use std::io::Write;

use interlock_scheduler::{Action, Event, Time};
use serde::Serialize;

use crate::error::WriteError;
use crate::format::{Header, MAX_FILE, MAX_LINE, Memory, Record, Span, What};

/// Bytes that are kept before they are written.
const CAPACITY: usize = 64 << 10;

/// Writes a timeline. A record is spelled into a buffer that is used again; the buffer is written when it is full, by
/// [`flush`](Self::flush), and when the writer is dropped.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
    buffer: Vec<u8>,
    written: u64,
    last: Time,
    /// What was recorded last of each device.
    memory: Vec<Option<Memory>>,
    broken: bool,
}

/// A line after the first, whose content is borrowed.
#[derive(Serialize)]
struct Line<'a, T> {
    t: Time,
    #[serde(flatten)]
    what: &'a T,
}

impl<W: Write> Writer<W> {
    /// Begins a timeline.
    ///
    /// # Errors
    /// The header makes too long a line.
    pub fn new(out: W, header: &Header) -> Result<Self, WriteError> {
        let mut writer = Self {
            out,
            buffer: Vec::with_capacity(CAPACITY + CAPACITY / 4),
            written: 0,
            last: Time(0),
            memory: vec![None; header.devices.len()],
            broken: false,
        };
        writer.line(header)?;
        Ok(writer)
    }

    /// Records what the scheduler is told. A time before that of the last record becomes that one.
    ///
    /// # Errors
    /// As [`WriteError`] says; the record is not part of the timeline then. So do all methods.
    pub fn event(&mut self, at: Time, event: &Event) -> Result<(), WriteError> {
        self.timed(at, event)
    }

    /// Records what the scheduler answers.
    ///
    /// # Errors
    /// As [`event`](Self::event).
    pub fn action(&mut self, at: Time, action: &Action) -> Result<(), WriteError> {
        self.timed(at, action)
    }

    /// Records a span that ends now.
    ///
    /// # Errors
    /// As [`event`](Self::event).
    pub fn span(&mut self, at: Time, span: &Span) -> Result<(), WriteError> {
        self.timed(at, span)
    }

    /// Records what a device has, unless that is what was recorded last.
    ///
    /// # Errors
    /// As [`event`](Self::event).
    pub fn memory(&mut self, at: Time, memory: Memory) -> Result<(), WriteError> {
        if let Some(last) = self.memory.get_mut(memory.memory as usize) {
            if *last == Some(memory) {
                return Ok(());
            }
            *last = Some(memory);
        }
        self.timed(at, &memory)
    }

    /// Records a record.
    ///
    /// # Errors
    /// As [`event`](Self::event).
    pub fn record(&mut self, record: &Record) -> Result<(), WriteError> {
        match &record.what {
            What::Event(event) => self.event(record.t, event),
            What::Action(action) => self.action(record.t, action),
            What::Span(span) => self.span(record.t, span),
            What::Memory(memory) => self.memory(record.t, *memory),
        }
    }

    /// Writes what is kept.
    ///
    /// # Errors
    /// [`WriteError::Io`], [`WriteError::Broken`].
    pub fn flush(&mut self) -> Result<(), WriteError> {
        self.write_buffer()?;
        self.out.flush().map_err(|error| self.fail(error))
    }

    /// Where it is written to.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    fn timed<T: Serialize>(&mut self, at: Time, what: &T) -> Result<(), WriteError> {
        let t = at.max(self.last);
        self.line(&Line { t, what })?;
        self.last = t;
        if self.buffer.len() >= CAPACITY { self.write_buffer() } else { Ok(()) }
    }

    fn line<T: Serialize>(&mut self, line: &T) -> Result<(), WriteError> {
        if self.broken {
            return Err(WriteError::Broken);
        }
        let start = self.buffer.len();
        let spelled = serde_json::to_writer(&mut self.buffer, line).map_err(WriteError::Json);
        self.buffer.push(b'\n');
        let length = self.buffer.len() - start;
        let checked = match spelled {
            Ok(()) if length > MAX_LINE => Err(WriteError::LongLine { length }),
            Ok(()) if self.written + self.buffer.len() as u64 > MAX_FILE => Err(WriteError::Full),
            spelled => spelled,
        };
        if checked.is_err() {
            self.buffer.truncate(start);
        }
        checked
    }

    fn write_buffer(&mut self) -> Result<(), WriteError> {
        if self.broken {
            return Err(WriteError::Broken);
        }
        self.written += self.buffer.len() as u64;
        let result = self.out.write_all(&self.buffer);
        self.buffer.clear();
        result.map_err(|error| self.fail(error))
    }

    fn fail(&mut self, error: std::io::Error) -> WriteError {
        self.broken = true;
        WriteError::Io(error)
    }
}

impl<W: Write> Drop for Writer<W> {
    fn drop(&mut self) {
        // Whoever wants to know calls `flush` before.
        if !self.broken {
            let _ = self.flush();
        }
    }
}
