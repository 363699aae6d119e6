//! What a worker, or a place for a synthesis, did: intervals without a gap.

use interlock_scheduler::{PartId, Path, PhaseName};

use crate::cause::Cause;

/// What is done in an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Nothing: it has no partition.
    Idle,
    /// A partition is synthesised.
    Synthesis,
    /// A phase runs.
    Phase {
        /// Which.
        phase: PhaseName,
        /// How the inputs come to the device.
        path: Path,
    },
    /// The partition waits.
    Wait {
        /// For what.
        phase: PhaseName,
        /// Why.
        cause: Cause,
    },
    /// What it has on the device is dropped.
    Drop,
}

/// How an interval ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Well.
    Done,
    /// There was no memory.
    NotNow,
    /// Badly.
    Failed,
    /// With a panic.
    Panicked,
    /// With the device.
    Lost,
    /// As it was told to.
    Cancelled,
    /// Not before the timeline did.
    Open,
}

impl Ending {
    /// Their names, in the order of their declaration.
    pub const NAMES: [&'static str; 7] =
        ["done", "no memory", "failed", "panicked", "device lost", "cancelled", "unfinished"];
}

impl From<&interlock_scheduler::Outcome> for Ending {
    fn from(outcome: &interlock_scheduler::Outcome) -> Self {
        use interlock_scheduler::Outcome;
        match outcome {
            Outcome::Done => Self::Done,
            Outcome::NotNow => Self::NotNow,
            Outcome::Failed { .. } => Self::Failed,
            Outcome::Panicked { .. } => Self::Panicked,
            Outcome::DeviceLost { .. } => Self::Lost,
            Outcome::Cancelled => Self::Cancelled,
        }
    }
}

/// From one time to a later one, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// Its first microsecond.
    pub from: u64,
    /// The first one after it.
    pub to: u64,
    /// Whose; none when idle.
    pub part: Option<PartId>,
    /// What.
    pub doing: Doing,
    /// How it ended.
    pub ending: Ending,
}

impl Interval {
    /// Microseconds.
    pub fn length(&self) -> u64 {
        self.to - self.from
    }

    /// Whether a phase runs in it that needs the device.
    pub fn on_device(&self) -> bool {
        matches!(self.doing, Doing::Phase { phase: PhaseName::Stage | PhaseName::Compute, .. })
    }

    /// Whether kernels run in it.
    pub fn computes(&self) -> bool {
        matches!(self.doing, Doing::Phase { phase: PhaseName::Compute, .. })
    }
}

/// A measured part of an interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inner {
    /// What.
    pub name: String,
    /// Whose.
    pub part: PartId,
    /// From when to when, in microseconds.
    pub from: u64,
    /// The first microsecond after it.
    pub to: u64,
    /// Bytes that it moved.
    pub bytes: Option<u64>,
}

/// A worker's row, or that of a place for a synthesis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The device's position; none for synthesis, which is the host's.
    pub device: Option<u32>,
    /// Which of its workers, or which place.
    pub index: u32,
    /// What it did: intervals that follow each other without a gap, none of them empty.
    pub intervals: Vec<Interval>,
    /// What was measured within.
    pub spans: Vec<Inner>,
    /// What goes on.
    pub(crate) current: Interval,
}

impl Row {
    pub(crate) fn new(device: Option<u32>, index: u32, from: u64) -> Self {
        let current = Interval { from, to: from, part: None, doing: Doing::Idle, ending: Ending::Done };
        Self { device, index, intervals: Vec::new(), spans: Vec::new(), current }
    }

    /// Ends what goes on, and begins something else.
    pub(crate) fn switch(&mut self, t: u64, ending: Ending, part: Option<PartId>, doing: Doing) {
        let ended = Interval { to: t, ending, ..self.current };
        self.current = Interval { from: t, to: t, part, doing, ending: Ending::Open };
        if ended.from == t {
            return;
        }
        match self.intervals.last_mut() {
            // What comes after a change that was none.
            Some(last) if last.to == ended.from && (last.part, last.doing) == (ended.part, ended.doing) => {
                if matches!(ended.doing, Doing::Idle | Doing::Wait { .. }) {
                    last.to = t;
                } else {
                    self.intervals.push(ended);
                }
            }
            _ => self.intervals.push(ended),
        }
    }

    pub(crate) fn waits(&self) -> bool {
        matches!(self.current.doing, Doing::Wait { .. })
    }

    /// Whether this is what the partition does now.
    pub(crate) fn runs(&self, part: PartId, running: PhaseName) -> bool {
        self.current.part == Some(part)
            && matches!(self.current.doing, Doing::Phase { phase, .. } if phase == running)
    }

    /// A span that ends now: not longer than the interval that it is in.
    pub(crate) fn measured(&mut self, t: u64, name: &str, part: PartId, us: u64, bytes: Option<u64>) {
        let from = t.saturating_sub(us).max(self.current.from);
        self.spans.push(Inner { name: name.to_owned(), part, from, to: t, bytes });
    }

    /// Ends everything.
    pub(crate) fn close(&mut self, t: u64) {
        let open = if self.current.doing == Doing::Idle { Ending::Done } else { Ending::Open };
        self.switch(t, open, None, Doing::Idle);
    }
}
