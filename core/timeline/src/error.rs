//! What can be wrong with a timeline.

use std::io;

use crate::format::{MAX_DEVICES, MAX_FILE, MAX_LINE, MAX_WORKERS, VERSION};

/// Why a timeline cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes cannot be had.
    #[error("the timeline cannot be read: {0}")]
    Io(#[from] io::Error),
    /// There is no header.
    #[error("line 1 is no header of a timeline, which begins with {{\"timeline\":{VERSION}, …}}")]
    NoHeader,
    /// It is of a version that is not known.
    #[error("the timeline is of version {found}; this program reads version {VERSION}")]
    Version {
        /// What the header says.
        found: u64,
    },
    /// A line is not what it should be.
    #[error("line {line} of the timeline is bad: {source}")]
    Line {
        /// From 1.
        line: u64,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A line says what cannot be.
    #[error("line {line} of the timeline is wrong: {fault}")]
    Fault {
        /// From 1.
        line: u64,
        /// What is wrong.
        fault: Fault,
    },
    /// The last line is not complete, as when its writer was killed. Those before it are good.
    #[error("line {line} of the timeline is cut off; those before it are complete")]
    Cut {
        /// From 1.
        line: u64,
    },
    /// A line is too long.
    #[error("line {line} of the timeline is longer than {MAX_LINE} bytes")]
    LongLine {
        /// From 1.
        line: u64,
    },
    /// There is too much of it.
    #[error("the timeline is longer than {MAX_FILE} bytes; record a shorter run")]
    LongFile,
}

/// What a record or a header says that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Time went back.
    #[error("its time is {t} µs, and {last} µs came before it")]
    WentBack {
        /// Its time.
        t: u64,
        /// The time of the one before.
        last: u64,
    },
    /// A device that the header does not have.
    #[error("it is about device {device}, and the header has {devices}, counted from 0")]
    NoDevice {
        /// Its position.
        device: u32,
        /// How many there are.
        devices: usize,
    },
    /// A worker that the header does not have.
    #[error("it is about worker {worker} of device {device}, which has {workers}, counted from 0")]
    NoWorker {
        /// The device's position.
        device: u32,
        /// The worker's.
        worker: u32,
        /// How many there are.
        workers: u32,
    },
    /// More devices or workers than anybody has.
    #[error(
        "it has {devices} devices with {workers} workers; at most {MAX_DEVICES} and {MAX_WORKERS} are allowed"
    )]
    TooMany {
        /// Devices.
        devices: usize,
        /// Their workers, all together.
        workers: u64,
    },
}

/// Why a record cannot be written. The timeline so far can be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The bytes cannot be written. The last line may be cut off.
    #[error("the timeline cannot be written: {0}")]
    Io(#[from] io::Error),
    /// The writer failed before.
    #[error("the timeline cannot be written, as was said before")]
    Broken,
    /// The record makes a line that no reader takes.
    #[error("a record makes a line of {length} bytes; a timeline's are at most {MAX_LINE} long")]
    LongLine {
        /// Its length.
        length: usize,
    },
    /// The timeline is as long as it may be.
    #[error("the timeline is full: it has {MAX_FILE} bytes; what follows is not recorded")]
    Full,
    /// The record cannot be spelled.
    #[error("a record cannot be spelled: {0}")]
    Json(serde_json::Error),
}
