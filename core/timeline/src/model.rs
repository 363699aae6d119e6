//! What each worker did at any time, and what became of jobs and partitions.

use std::collections::BTreeMap;

use interlock_scheduler::{JobEnd, PartId, PhaseName, PriorityName};

use crate::cause::Cause;
use crate::error::{Error, Fault};
use crate::follow::Follower;
use crate::format::{Header, Record};
use crate::row::{Doing, Row};

/// What became of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It had not ended when the timeline did.
    Open,
    /// It was not accepted.
    Rejected,
    /// It ended.
    Ended {
        /// When.
        at: u64,
        /// How.
        end: JobEnd,
    },
}

/// A job. Times are in microseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobStory {
    /// When it was submitted.
    pub submitted: u64,
    /// How urgent it is.
    pub priority: PriorityName,
    /// When it had to be done.
    pub deadline: Option<u64>,
    /// How many partitions it has.
    pub parts: usize,
    /// When its first partition began, its synthesis included.
    pub began: Option<u64>,
    /// The sum of its phases, those of all partitions, without synthesis.
    pub proving: u64,
    /// What became of it.
    pub fate: Fate,
}

/// A wait, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waited {
    /// From when.
    pub from: u64,
    /// Until when.
    pub to: u64,
    /// Why.
    pub cause: Cause,
}

/// A partition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartStory {
    /// Why it was not staged before: its waits for stage, one for each reason that was told.
    pub before_stage: Vec<Waited>,
    /// Times that it took the slow path.
    pub fallbacks: u32,
    /// Times that what it had staged was revoked.
    pub revoked: u32,
    /// Times that it gave its worker to a more urgent one.
    pub set_aside: u32,
    /// Why its tries failed.
    pub failures: Vec<String>,
}

/// What is counted of a device, or of the host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Partitions that took the slow path.
    pub fallbacks: u64,
    /// Revocations of what was staged.
    pub revocations: u64,
    /// Tries after a failure.
    pub retries: u64,
    /// Bytes that cannot be known to be free.
    pub quarantined: u64,
}

/// A device's bytes from a time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// When, in microseconds.
    pub t: u64,
    /// Bytes that partitions had there.
    pub bytes: u64,
    /// Bytes that were granted.
    pub reserved: u64,
    /// Bytes that there were.
    pub budget: u64,
}

/// What each worker did at any time, and what became of jobs and partitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// The timeline's first line.
    pub header: Header,
    /// The first record's time, in microseconds since the origin.
    pub start: u64,
    /// The last record's.
    pub end: u64,
    /// The places for syntheses, as many as were in use at once.
    pub slots: Vec<Row>,
    /// The workers, by device and worker.
    pub workers: Vec<Row>,
    /// The devices' bytes.
    pub memory: Vec<Vec<Point>>,
    /// What is counted of the devices.
    pub counts: Vec<Counts>,
    /// What is counted of the host: syntheses that were tried again.
    pub host: Counts,
    /// The jobs.
    pub jobs: BTreeMap<u64, JobStory>,
    /// Partitions that began.
    pub parts: BTreeMap<PartId, PartStory>,
    /// Whether the timeline ends within a line.
    pub cut: bool,
}

impl Model {
    /// Makes it from records.
    ///
    /// # Errors
    /// Time goes back, or a record is about what the header does not have.
    pub fn new<'a>(header: Header, records: impl IntoIterator<Item = &'a Record>) -> Result<Self, Fault> {
        header.check()?;
        let mut follower = Follower::new(header);
        for record in records {
            follower.header.check_record(record)?;
            follower.follow(record)?;
        }
        Ok(follower.finish(false))
    }

    /// Makes it from lines. A last line that is cut off is allowed, for a run that was killed can be looked at.
    ///
    /// # Errors
    /// The reader's.
    pub fn read<R: std::io::BufRead>(reader: crate::reader::Reader<R>) -> Result<Self, Error> {
        let mut reader = reader;
        let mut follower = Follower::new(reader.header().clone());
        let mut cut = false;
        while let Some(record) = reader.next() {
            match record {
                Ok(record) => {
                    follower.follow(&record).map_err(|fault| Error::Fault { line: reader.line(), fault })?;
                }
                Err(Error::Cut { .. }) => cut = true,
                Err(error) => return Err(error),
            }
        }
        Ok(follower.finish(cut))
    }

    /// Microseconds from the first record to the last.
    pub fn wall(&self) -> u64 {
        self.end - self.start
    }

    /// A device's workers.
    pub fn workers_of(&self, device: usize) -> impl Iterator<Item = &Row> + Clone {
        self.workers.iter().filter(move |row| row.device == u32::try_from(device).ok())
    }

    /// All rows, syntheses first.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.slots.iter().chain(&self.workers)
    }

    /// Fills in what is known from the rows.
    pub(crate) fn look_back(&mut self) {
        for interval in self.workers.iter().flat_map(|row| &row.intervals) {
            let Some(part) = interval.part else { continue };
            match interval.doing {
                Doing::Phase { .. } => {
                    if let Some(job) = self.jobs.get_mut(&part.job) {
                        job.proving += interval.length();
                    }
                }
                Doing::Wait { phase: PhaseName::Stage, cause } => {
                    let waited = Waited { from: interval.from, to: interval.to, cause };
                    self.parts.entry(part).or_default().before_stage.push(waited);
                }
                _ => {}
            }
        }
        for part in self.parts.values_mut() {
            part.before_stage.sort_by_key(|waited| waited.from);
        }
    }
}
