//! Header and records, their limits.

use std::borrow::Cow;

use interlock_scheduler::{Action, Event, Note, PartId, Time};
use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Serialize};

use crate::error::Fault;

/// The version that is written and read.
pub const VERSION: u32 = 1;
/// The most bytes of a line, its end included.
pub const MAX_LINE: usize = 1 << 20;
/// The most bytes of a timeline.
pub const MAX_FILE: u64 = 2 << 30;
/// The most devices.
pub const MAX_DEVICES: usize = 1024;
/// The most workers of all devices together.
pub const MAX_WORKERS: u64 = 4096;

/// Who made the times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// An engine, with a clock.
    Run,
    /// A simulator.
    Simulation,
}

impl Source {
    /// Its name in headers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Simulation => "simulation",
        }
    }
}

/// What times are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    /// Microseconds.
    #[serde(rename = "us")]
    Microseconds,
}

/// A device, as the header has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceInfo {
    /// Its name, for people.
    pub name: String,
    /// Bytes that partitions may have there.
    pub budget: u64,
    /// Its workers.
    pub workers: u32,
}

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The format's version.
    pub timeline: u32,
    /// What times are counted in.
    pub unit: Unit,
    /// The interlock strategy.
    pub interlock: String,
    /// Who made the times.
    pub source: Source,
    /// The devices; records name them by their position.
    pub devices: Vec<DeviceInfo>,
    /// Partitions that are synthesised at once.
    pub partition_workers: u32,
}

impl Header {
    /// A header of this version.
    pub fn new(interlock: &str, source: Source, devices: Vec<DeviceInfo>, partition_workers: u32) -> Self {
        let interlock = interlock.to_owned();
        Self { timeline: VERSION, unit: Unit::Microseconds, interlock, source, devices, partition_workers }
    }

    /// Whether it is of a size that anybody has.
    ///
    /// # Errors
    /// [`Fault::TooMany`].
    pub fn check(&self) -> Result<(), Fault> {
        let devices = self.devices.len();
        let workers = self.devices.iter().map(|device| u64::from(device.workers)).sum();
        if devices > MAX_DEVICES || workers > MAX_WORKERS {
            return Err(Fault::TooMany { devices, workers });
        }
        Ok(())
    }

    /// Whether a record is about devices and workers that there are.
    ///
    /// # Errors
    /// [`Fault::NoDevice`], [`Fault::NoWorker`].
    pub fn check_record(&self, record: &Record) -> Result<(), Fault> {
        let (device, worker) = match &record.what {
            What::Action(
                Action::Run { device, worker, .. }
                | Action::Note { note: Note::Assigned { device, worker, .. }, .. },
            ) => (*device, Some(*worker)),
            What::Memory(memory) => (memory.memory, None),
            _ => return Ok(()),
        };
        let Some(info) = self.devices.get(device as usize) else {
            return Err(Fault::NoDevice { device, devices: self.devices.len() });
        };
        match worker {
            Some(worker) if worker >= info.workers => {
                Err(Fault::NoWorker { device, worker, workers: info.workers })
            }
            _ => Ok(()),
        }
    }
}

/// A part of a phase, or of a synthesis, that a worker measured; recorded when it ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// What it is: `quotient`, `msm h`.
    pub span: Cow<'static, str>,
    /// Whose.
    pub part: PartId,
    /// Microseconds that it took.
    pub us: u64,
    /// Bytes that it moved, when it is about moving.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// The bytes of a device, from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// The device's position.
    pub memory: u32,
    /// Bytes that partitions have there.
    pub bytes: u64,
    /// Bytes that its strategy has granted, later peaks included.
    pub reserved: u64,
    /// Bytes that there are.
    pub budget: u64,
}

/// What a record is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum What {
    /// What the scheduler was told.
    Event(Event),
    /// What it answered.
    Action(Action),
    /// What a worker measured.
    Span(Span),
    /// What a device has.
    Memory(Memory),
}

/// A line after the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Record {
    /// When.
    pub t: Time,
    /// What.
    #[serde(flatten)]
    pub what: What,
}

/// Enough of a line to know its kind. Only whether a field is there matters.
#[derive(Deserialize)]
struct Kind {
    t: Option<Time>,
    event: Option<IgnoredAny>,
    action: Option<IgnoredAny>,
    span: Option<IgnoredAny>,
    memory: Option<IgnoredAny>,
}

impl Record {
    /// Reads a line; none when it is of a kind that is not known. Fields that are not known are passed over.
    ///
    /// # Errors
    /// The line is no JSON object, or is of a known kind without a field that this kind has.
    pub fn parse(line: &[u8]) -> Result<Option<Self>, serde_json::Error> {
        let kind: Kind = serde_json::from_slice(line)?;
        let what = if kind.event.is_some() {
            What::Event(serde_json::from_slice(line)?)
        } else if kind.action.is_some() {
            What::Action(serde_json::from_slice(line)?)
        } else if kind.span.is_some() {
            What::Span(serde_json::from_slice(line)?)
        } else if kind.memory.is_some() {
            What::Memory(serde_json::from_slice(line)?)
        } else {
            return Ok(None);
        };
        let t = kind.t.ok_or_else(|| serde_json::Error::missing_field("t"))?;
        Ok(Some(Self { t, what }))
    }
}
