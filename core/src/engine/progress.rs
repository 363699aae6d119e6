//! What happens to a job's partitions, while it does.

use std::sync::mpsc::{Receiver, Sender, channel};

use interlock_scheduler::{Action, Note, PartId, PhaseName};

/// Something that happened to a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Which of its partitions; from 0.
    pub part: u32,
    /// What.
    pub step: Step,
}

/// What happens to a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Its witness is being made.
    Synthesis,
    /// It has a worker of a device.
    Assigned {
        /// The device's position.
        device: u32,
        /// Which of its workers.
        worker: u32,
    },
    /// A phase begins.
    Phase(PhaseName),
    /// The device has no memory for it now: its inputs come to the device later.
    Fallback,
    /// Its place is needed for a more urgent one: it waits again.
    SetAside,
    /// It failed, and is tried again.
    Retry {
        /// Tries that failed.
        failed: u32,
        /// Why the last one did.
        reason: String,
    },
    /// It hangs, and is given up.
    GivenUp,
}

/// The engine's end of a job's stream.
#[derive(Clone, Debug)]
pub(super) struct Reporter(Sender<Progress>);

/// A stream: it ends when the job does.
pub(super) fn stream() -> (Reporter, Receiver<Progress>) {
    let (sender, receiver) = channel();
    (Reporter(sender), receiver)
}

impl Reporter {
    pub(super) fn tell(&self, part: PartId, step: Step) {
        // Nobody may be listening any more.
        let _ = self.0.send(Progress { part: part.index, step });
    }
}

/// What an action means to those who follow its job.
pub(super) fn step(action: &Action) -> Option<(PartId, Step)> {
    match action {
        Action::Synthesise { part } => Some((*part, Step::Synthesis)),
        Action::Run { part, phase, .. } => Some((*part, Step::Phase(*phase))),
        Action::Note { part, note } => {
            let step = match note {
                Note::Assigned { device, worker, .. } => Step::Assigned { device: *device, worker: *worker },
                Note::Fallback { .. } => Step::Fallback,
                Note::Revoked { .. } | Note::SetAside => Step::SetAside,
                Note::Retry { failed, reason } => Step::Retry { failed: *failed, reason: reason.clone() },
                Note::Quarantined { .. } => Step::GivenUp,
                Note::Waits { .. } => return None,
            };
            Some((*part, step))
        }
        _ => None,
    }
}
