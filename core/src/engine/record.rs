//! Where a timeline goes.

use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use interlock_scheduler::{Action, Event, Time};
use interlock_timeline::{Header, Memory, Model, Record, Span, What, Writer};

use super::error::EngineError;

/// Bytes of a timeline that may wait for their writing. A file that is as far behind takes no more of it: the engine waits
/// for nobody.
const BEHIND: usize = 64 << 20;

/// How long, at the end, a file may take nothing before its rest is given up.
const PATIENCE: Duration = Duration::from_secs(10);

/// What an engine records.
#[derive(Default)]
pub struct Timeline {
    file: Option<Box<dyn Write + Send>>,
    kept: Option<Kept>,
}

impl std::fmt::Debug for Timeline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Timeline")
            .field("file", &self.file.is_some())
            .field("kept", &self.kept.is_some())
            .finish()
    }
}

impl Timeline {
    /// Nothing is recorded.
    pub fn off() -> Self {
        Self::default()
    }

    /// NDJSON is written while the engine runs, by a thread of its own.
    #[must_use]
    pub fn to(self, file: impl Write + Send + 'static) -> Self {
        Self { file: Some(Box::new(file)), ..self }
    }

    /// Everything is kept in memory, from which `kept` gives it.
    #[must_use]
    pub fn keeping(self, kept: &Kept) -> Self {
        Self { kept: Some(kept.clone()), ..self }
    }
}

/// A timeline that is kept in memory, shared with the engine that records it.
#[derive(Clone, Debug, Default)]
pub struct Kept(Arc<Mutex<KeptRecords>>);

#[derive(Debug, Default)]
struct KeptRecords {
    header: Option<Header>,
    records: Vec<Record>,
    memory: Vec<Option<Memory>>,
}

impl Kept {
    fn with<T>(&self, work: impl FnOnce(&mut KeptRecords) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The header; none before an engine was made with it.
    pub fn header(&self) -> Option<Header> {
        self.with(|kept| kept.header.clone())
    }

    /// What was recorded until now.
    pub fn records(&self) -> Vec<Record> {
        self.with(|kept| kept.records.clone())
    }

    /// The same, as a model.
    ///
    /// # Errors
    /// None of an engine's timelines; none was begun.
    pub fn model(&self) -> Result<Option<Model>, interlock_timeline::Fault> {
        self.with(|kept| kept.header.clone().map(|header| Model::new(header, &kept.records)).transpose())
    }

    /// The same, of what was recorded since the last time, which is not kept any longer. Devices' bytes are recorded anew
    /// from here on. Of a job that is under way, either model has a part only.
    ///
    /// # Errors
    /// As for [`model`](Self::model).
    pub fn take(&self) -> Result<Option<Model>, interlock_timeline::Fault> {
        let (header, records) = self.with(|kept| {
            kept.memory.fill(None);
            (kept.header.clone(), std::mem::take(&mut kept.records))
        });
        header.map(|header| Model::new(header, &records)).transpose()
    }
}

/// A timeline that is being recorded.
pub(super) struct Recording {
    writer: Option<Writer<Pieces>>,
    kept: Option<Kept>,
    /// Why the file is not whole.
    failure: Arc<Mutex<Option<String>>>,
}

impl Recording {
    /// Begins one.
    pub(super) fn begin(timeline: Timeline, header: &Header) -> Result<Self, EngineError> {
        let failure = Arc::new(Mutex::new(None));
        let writer = match timeline.file {
            None => None,
            Some(file) => {
                let pieces = Pieces::begin(file, Arc::clone(&failure)).map_err(EngineError::Threads)?;
                Some(Writer::new(pieces, header).map_err(EngineError::Timeline)?)
            }
        };
        if let Some(kept) = &timeline.kept {
            kept.with(|kept| {
                kept.header = Some(header.clone());
                kept.memory = vec![None; header.devices.len()];
            });
        }
        Ok(Self { writer, kept: timeline.kept, failure })
    }

    pub(super) fn is_on(&self) -> bool {
        self.writer.is_some() || self.kept.is_some()
    }

    fn keep(&self, t: Time, what: impl FnOnce() -> What) {
        if let Some(kept) = &self.kept {
            let what = what();
            kept.with(|kept| kept.records.push(Record { t, what }));
        }
    }

    fn write(
        &mut self,
        write: impl FnOnce(&mut Writer<Pieces>) -> Result<(), interlock_timeline::WriteError>,
    ) {
        if let Some(writer) = &mut self.writer
            && let Err(error) = write(writer)
        {
            let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            failure.get_or_insert(error.to_string());
            drop(failure);
            self.writer = None;
        }
    }

    pub(super) fn event(&mut self, t: Time, event: &Event) {
        self.write(|writer| writer.event(t, event));
        self.keep(t, || What::Event(event.clone()));
    }

    pub(super) fn action(&mut self, t: Time, action: &Action) {
        self.write(|writer| writer.action(t, action));
        self.keep(t, || What::Action(action.clone()));
    }

    pub(super) fn span(&mut self, t: Time, span: &Span) {
        self.write(|writer| writer.span(t, span));
        self.keep(t, || What::Span(span.clone()));
    }

    pub(super) fn memory(&mut self, t: Time, memory: Memory) {
        self.write(|writer| writer.memory(t, memory));
        if let Some(kept) = &self.kept {
            kept.with(|kept| {
                let last = kept.memory.get_mut(memory.memory as usize);
                if let Some(last) = last.filter(|last| **last != Some(memory)) {
                    *last = Some(memory);
                    kept.records.push(Record { t, what: What::Memory(memory) });
                }
            });
        }
    }

    pub(super) fn flush(&mut self) {
        self.write(Writer::flush);
    }

    /// Writes what is left; why the file is not whole, if it is not.
    pub(super) fn end(&mut self) -> Option<String> {
        self.flush();
        if let Some(mut writer) = self.writer.take() {
            writer.get_mut().wait();
        }
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Hands what is written to a thread, so that a slow disk delays nobody.
struct Pieces {
    sender: Option<Sender<Vec<u8>>>,
    /// Hears of each piece that was written; it ends with the thread.
    written: Receiver<()>,
    behind: Arc<AtomicUsize>,
    failure: Arc<Mutex<Option<String>>>,
}

impl Pieces {
    fn begin(mut file: Box<dyn Write + Send>, failure: Arc<Mutex<Option<String>>>) -> io::Result<Self> {
        let (sender, receiver) = channel::<Vec<u8>>();
        let (progress, written) = channel();
        let behind = Arc::new(AtomicUsize::new(0));
        let (left, failed) = (Arc::clone(&behind), Arc::clone(&failure));
        thread::Builder::new().name("interlock-timeline".into()).spawn(move || {
            let mut write = || -> io::Result<()> {
                while let Ok(piece) = receiver.recv() {
                    file.write_all(&piece)?;
                    file.flush()?;
                    left.fetch_sub(piece.len(), Ordering::Relaxed);
                    let _ = progress.send(());
                }
                Ok(())
            };
            if let Err(error) = write() {
                fail(&failed, &format!("the timeline cannot be written: {error}"));
            }
        })?;
        Ok(Self { sender: Some(sender), written, behind, failure })
    }
}

/// Writes down why the file is not whole; the first reason counts.
fn fail(failure: &Mutex<Option<String>>, reason: &str) {
    failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| reason.to_owned());
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // What was heard of is forgotten, so that the end of it is what is waited for at the end.
        while self.written.try_recv().is_ok() {}
        let gone = || io::Error::new(io::ErrorKind::BrokenPipe, "its file cannot be written");
        if self.behind.fetch_add(bytes.len(), Ordering::Relaxed) > BEHIND {
            let reason = format!("the timeline ends early: its file is {} MiB behind", BEHIND >> 20);
            fail(&self.failure, &reason);
            return Err(io::Error::new(io::ErrorKind::TimedOut, reason));
        }
        let sender = self.sender.as_ref().ok_or_else(gone)?;
        sender.send(bytes.to_vec()).map_err(|_| gone())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Pieces {
    /// Waits until everything is written, as long as something is: a file that takes nothing is given up.
    fn wait(&mut self) {
        self.sender = None;
        loop {
            match self.written.recv_timeout(PATIENCE) {
                Ok(()) => {}
                // It wrote its failure down, if there was one.
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {
                    let seconds = PATIENCE.as_secs();
                    let reason =
                        format!("the timeline has no end: its file took nothing for {seconds} seconds");
                    return fail(&self.failure, &reason);
                }
            }
        }
    }
}
