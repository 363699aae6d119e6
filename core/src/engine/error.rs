//! What an engine answers instead of a proof.

use std::io;
use std::time::Duration;

use crate::backend::BackendError;
use crate::groth16::ProveError;

/// Why there is no engine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// No device was named.
    #[error("an engine needs at least one device")]
    NoDevice,
    /// Numbers that no engine can have.
    #[error("{0}")]
    Config(String),
    /// The backend has no strategy of that name.
    #[error("backend {backend} has no interlock strategy {name:?}; it has {}", known.join(", "))]
    UnknownStrategy {
        /// Which backend.
        backend: String,
        /// What was asked for.
        name: String,
        /// What there is, the default first.
        known: Vec<String>,
    },
    /// The backend cannot say which strategies it has, or has one that cannot be made.
    #[error("backend {backend}: its interlock strategies: {reason}")]
    Strategies {
        /// Which backend.
        backend: String,
        /// Why.
        reason: String,
    },
    /// A backend call failed.
    #[error(transparent)]
    Backend(BackendError),
    /// A thread cannot be started.
    #[error("cannot start the engine's threads: {0}; allow more, or ask for fewer workers")]
    Threads(io::Error),
    /// The private thread pool cannot be started.
    #[error("cannot start the engine's thread pool: {0}")]
    Pool(#[from] rayon::ThreadPoolBuildError),
    /// The timeline cannot be begun.
    #[error("cannot begin the timeline: {0}")]
    Timeline(interlock_timeline::WriteError),
}

/// Why a job was not taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SubmitError {
    /// Too many wait already.
    #[error("the queue is full, retry in {} s", retry_after.as_secs_f64().ceil())]
    Full {
        /// When there may be a place.
        retry_after: Duration,
    },
    /// The engine takes nothing any more.
    #[error("the engine is being drained and takes no more jobs")]
    Draining,
    /// A job without partitions, or with too many.
    #[error("a job has 1 to {most} partitions, this one {found}")]
    Partitions {
        /// How many it has.
        found: usize,
        /// The most.
        most: usize,
    },
    /// A partition that cannot be proved, whoever tries.
    #[error("partition {part}: {source}")]
    Partition {
        /// Which.
        part: usize,
        /// Why.
        source: ProveError,
    },
}

/// How a job ended that did not end well.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// A partition could not be proved.
    #[error("partition {part}: {source}")]
    Failed {
        /// Which.
        part: u32,
        /// Why.
        source: Box<ProveError>,
    },
    /// Something ended its work that is no matter of proving: a panic, a lost device.
    #[error("partition {part}: {reason}")]
    Ended {
        /// Which.
        part: u32,
        /// Why.
        reason: String,
    },
    /// It was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// Its deadline has passed.
    #[error("its deadline has passed")]
    Late,
    /// A partition takes more memory than any device has.
    #[error(
        "partition {part} needs {needed} bytes on its device at once, the largest budget is {budget}: raise the memory limit, or use a larger device"
    )]
    NeverFits {
        /// Which.
        part: u32,
        /// Bytes that it needs.
        needed: u64,
        /// The largest budget there is.
        budget: u64,
    },
}
