//! What is to be done: the scheduler's answer.

use interlock_strategies::Reason;
use serde::{Deserialize, Serialize};

use crate::event::{PartId, PhaseName, Time};

/// How a partition's inputs come to the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Path {
    /// In the phase `stage`.
    Fast,
    /// Within `compute`, because there was no memory before.
    Slow,
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobEnd {
    /// All of its partitions are proved.
    Done,
    /// A partition could not be proved.
    Failed {
        /// Which.
        part: u32,
        /// Why.
        reason: String,
    },
    /// Its user cancelled it.
    Cancelled,
    /// Its deadline has passed.
    Late,
    /// A partition takes more memory than any device has.
    NeverFits {
        /// Which.
        part: u32,
        /// Bytes that it needs.
        needed: u64,
        /// The largest budget there is.
        budget: u64,
    },
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum Action {
    /// Synthesise a partition; then tell `Synthesised`.
    Synthesise {
        /// Which.
        part: PartId,
    },
    /// Run a phase on a worker; then tell `Ended`.
    Run {
        /// Whose.
        part: PartId,
        /// The device's position.
        device: u32,
        /// Which of its workers.
        worker: u32,
        /// Which phase.
        phase: PhaseName,
        /// How its inputs come to the device.
        path: Path,
    },
    /// Drop what a partition has on its device; then tell `Dropped`.
    Drop {
        /// Whose.
        part: PartId,
    },
    /// End what a partition is doing, its synthesis too, as soon as can be; it still tells how it ended.
    Abort {
        /// Whose.
        part: PartId,
    },
    /// A job has ended, and nothing of it is left. Said once for each job.
    End {
        /// Which.
        job: u64,
        /// How.
        end: JobEnd,
    },
    /// A job is not accepted.
    Reject {
        /// Which.
        job: u64,
        /// Microseconds after which it may go better; none when it never will.
        retry_after: Option<u64>,
    },
    /// Tell `Tick` at this time, if nothing happens before.
    Wake {
        /// When.
        at: Time,
    },
    /// Nothing to do, but worth knowing.
    Note {
        /// Whose.
        part: PartId,
        /// What.
        note: Note,
    },
}

/// Why a ticket waits, as timelines spell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "lowercase")]
#[allow(missing_docs, reason = "they are those of `Reason`")]
pub enum Why {
    Lock { holder: u64 },
    Order { before: u64 },
    Room { needed: u64, free: u64 },
    Ahead { staged: u32 },
}

impl From<Reason> for Why {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Lock { holder } => Self::Lock { holder },
            Reason::Order { before } => Self::Order { before },
            Reason::Room { needed, free } => Self::Room { needed, free },
            Reason::Ahead { staged } => Self::Ahead { staged },
        }
    }
}

/// What is worth knowing.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub enum Note {
    /// It has a worker.
    Assigned {
        /// The device's position.
        device: u32,
        /// Which of its workers.
        worker: u32,
        /// What strategies call it.
        ticket: u64,
    },
    /// It waits for a phase.
    Waits {
        /// Which.
        phase: PhaseName,
        /// Why.
        reason: Why,
    },
    /// The device has no memory for it now: it takes the slow path.
    Fallback {
        /// In which phase that was found.
        phase: PhaseName,
    },
    /// What it had staged is revoked.
    Revoked {
        /// The ticket that takes its place.
        by: u64,
    },
    /// Its worker is needed for a more urgent one.
    SetAside,
    /// It is tried again.
    Retry {
        /// Tries that failed.
        failed: u32,
        /// Why the last one did.
        reason: String,
    },
    /// It hangs. Its bytes cannot be known to be free: they are not given to others, and the device counts as lost, until
    /// it ends after all.
    Quarantined {
        /// How many.
        bytes: u64,
    },
}
