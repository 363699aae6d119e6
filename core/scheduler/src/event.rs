//! What happens: the driver's part.

use interlock_strategies::{Phase, Priority};
use serde::{Deserialize, Serialize};

/// Microseconds since the driver's origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(pub u64);

impl Time {
    /// So many microseconds later.
    #[must_use]
    pub fn after(self, microseconds: u64) -> Self {
        Self(self.0.saturating_add(microseconds))
    }

    /// Microseconds since an earlier time.
    pub fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// A partition of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PartId {
    /// The job's number, which the driver gives and never gives again.
    pub job: u64,
    /// From 0.
    pub index: u32,
}

/// A phase, as timelines spell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "they are those of `Phase`")]
pub enum PhaseName {
    Prepare,
    Stage,
    Compute,
    Finish,
}

impl From<Phase> for PhaseName {
    fn from(phase: Phase) -> Self {
        match phase {
            Phase::Prepare => Self::Prepare,
            Phase::Stage => Self::Stage,
            Phase::Compute => Self::Compute,
            Phase::Finish => Self::Finish,
        }
    }
}

impl From<PhaseName> for Phase {
    fn from(phase: PhaseName) -> Self {
        match phase {
            PhaseName::Prepare => Self::Prepare,
            PhaseName::Stage => Self::Stage,
            PhaseName::Compute => Self::Compute,
            PhaseName::Finish => Self::Finish,
        }
    }
}

/// A priority, as timelines spell it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "they are those of `Priority`")]
pub enum PriorityName {
    Low,
    #[default]
    Normal,
    High,
    Critical,
}

impl From<PriorityName> for Priority {
    fn from(priority: PriorityName) -> Self {
        match priority {
            PriorityName::Low => Self::Low,
            PriorityName::Normal => Self::Normal,
            PriorityName::High => Self::High,
            PriorityName::Critical => Self::Critical,
        }
    }
}

impl From<Priority> for PriorityName {
    fn from(priority: Priority) -> Self {
        match priority {
            Priority::Low => Self::Low,
            Priority::Normal => Self::Normal,
            Priority::High => Self::High,
            Priority::Critical => Self::Critical,
        }
    }
}

/// What a partition takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PartSpec {
    /// Whether its witness is still to be made, on the CPU.
    pub synthesis: bool,
    /// Bytes of the device that staging takes and leaves.
    pub staged: u64,
    /// The most bytes of the device that it has at once, the slow path included.
    pub peak: u64,
    /// What its key is called; 0 when that does not matter. Devices that have worked with a key are preferred for it.
    #[serde(default)]
    pub key: u64,
}

/// What a user submits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct JobSpec {
    /// How urgent it is.
    #[serde(default)]
    pub priority: PriorityName,
    /// When it is to be done; later it is ended.
    #[serde(default)]
    pub deadline: Option<Time>,
    /// At least one.
    pub parts: Vec<PartSpec>,
}

/// Where another try may go better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Again {
    /// On the same device: once. Then on another one, if there is any.
    Here,
    /// On another device only.
    Elsewhere,
    /// Nowhere.
    Never,
}

/// How a piece of work ended. Whatever it had queued on its lane is drained then.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Well.
    Done,
    /// The device had no memory for it now. What it had there is freed.
    NotNow,
    /// Badly. What it had on the device is freed.
    Failed {
        /// Where another try may go better.
        again: Again,
        /// What to tell the user.
        reason: String,
    },
    /// It panicked. What it had on the device is freed.
    Panicked {
        /// What it said.
        reason: String,
    },
    /// The device is gone, with everything on it.
    DeviceLost {
        /// What to tell the user.
        reason: String,
    },
    /// It was told to end, and did. What it had on the device is freed.
    Cancelled,
}

/// What happens.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A user submits a job.
    Submit {
        /// Its number.
        job: u64,
        /// What it takes.
        spec: JobSpec,
    },
    /// A user does not want a job any more.
    Cancel {
        /// Which.
        job: u64,
    },
    /// A partition's synthesis has ended.
    Synthesised {
        /// Whose.
        part: PartId,
        /// How.
        outcome: Outcome,
    },
    /// A phase has ended.
    Ended {
        /// Whose.
        part: PartId,
        /// Which.
        phase: PhaseName,
        /// How.
        outcome: Outcome,
    },
    /// A partition that computes needs at most so many bytes from now on, and has freed the others.
    Shrunk {
        /// Whose.
        part: PartId,
        /// How many.
        peak: u64,
    },
    /// A partition's bytes on the device are dropped, as it was told.
    Dropped {
        /// Whose.
        part: PartId,
    },
    /// A device is of no use any more, for a reason that is not among the outcomes of its work.
    Lost {
        /// The device's position.
        device: u32,
    },
    /// Time has passed.
    Tick,
    /// Nothing is to be accepted any more; what was accepted is done.
    Drain,
}
