//! The states of jobs and partitions.

use std::collections::BTreeSet;

use interlock_strategies::{Phase, Priority, Ticket};

use crate::action::JobEnd;
use crate::event::{JobSpec, PartSpec, Time};

/// What becomes of a partition whose bytes are being dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Then {
    /// It asks for stage again.
    Restage,
    /// It gives its worker back, and is ready.
    SetAside,
    /// It waits until bytes come free, and takes the slow path.
    Block,
    /// It is over.
    Over,
}

/// What a partition does on its worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    /// Its strategy was asked for a phase.
    Waiting(Phase),
    /// It is in a phase; `abort_by` is when it should have ended after it was told to.
    Running { phase: Phase, abort_by: Option<Time> },
    /// Its bytes are being dropped, which should have ended by `abort_by`.
    Dropping { then: Then, abort_by: Time },
    /// It waits until bytes of its device come free, and asks for this phase again: prepare, where its key needed them, or
    /// compute.
    Blocked(Phase),
}

/// Where a partition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum State {
    Queued,
    Synthesising {
        abort_by: Option<Time>,
    },
    Ready,
    On {
        device: usize,
        worker: usize,
        step: Step,
    },
    Done,
    /// Not proved, and nothing of it is left.
    Over,
}

impl State {
    pub(crate) fn at_rest(self) -> bool {
        matches!(self, Self::Done | Self::Over)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Part {
    pub(crate) spec: PartSpec,
    pub(crate) ticket: Ticket,
    pub(crate) state: State,
    /// Whether its witness is there.
    pub(crate) synthesised: bool,
    /// Whether its next compute stages by itself.
    pub(crate) slow: bool,
    pub(crate) failures: u32,
    /// Where it failed last, and how often without another place between.
    pub(crate) failed_on: Option<(usize, u32)>,
    /// Devices that it failed on, or does not fit.
    pub(crate) avoid: BTreeSet<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Job {
    pub(crate) deadline: Option<Time>,
    pub(crate) submitted: Time,
    pub(crate) parts: Vec<Part>,
    /// Partitions that are neither done nor over.
    pub(crate) open: usize,
    /// Why it ends before its time.
    pub(crate) ending: Option<JobEnd>,
}

impl Job {
    /// `age` is the first of as many as there are partitions.
    pub(crate) fn new(spec: &JobSpec, submitted: Time, age: u64) -> Self {
        let priority = Priority::from(spec.priority);
        let part = |(age, spec): (u64, &PartSpec)| Part {
            spec: PartSpec { peak: spec.peak.max(spec.staged), ..*spec },
            ticket: Ticket { id: age, priority, age },
            state: if spec.synthesis { State::Queued } else { State::Ready },
            synthesised: !spec.synthesis,
            slow: false,
            failures: 0,
            failed_on: None,
            avoid: BTreeSet::new(),
        };
        let parts: Vec<Part> = (age..).zip(&spec.parts).map(part).collect();
        Self { deadline: spec.deadline, submitted, open: parts.len(), parts, ending: None }
    }
}
