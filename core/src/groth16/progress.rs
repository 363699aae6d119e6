//! Phases of a proof, their times, and cancellation.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::backend::Canceller;

/// A phase of proving, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Opening the device and making the key known to it.
    Load,
    /// The witness goes to the device.
    Stage,
    /// A·w, B·w, transforms, quotient.
    Quotient,
    /// The five sums.
    Msm,
    /// Blinding and assembly.
    Assemble,
    /// The pairing check of the result.
    SelfCheck,
}

impl Phase {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Load, Self::Stage, Self::Quotient, Self::Msm, Self::Assemble, Self::SelfCheck];

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Load => "load key",
            Self::Stage => "stage",
            Self::Quotient => "quotient",
            Self::Msm => "msm",
            Self::Assemble => "assemble",
            Self::SelfCheck => "self-check",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A phase that has ended.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Which.
    pub phase: Phase,
    /// How long it took.
    pub time: Duration,
}

/// Hears of phases as they begin.
pub trait Observer {
    /// A phase begins on a backend.
    fn begins(&self, phase: Phase, backend: &str);

    /// A proof did not verify; `attempt` counts from 1. After the first it is computed again on the same backend.
    fn self_check_failed(&self, _backend: &str, _attempt: u32) {}
}

/// Hears nothing.
impl Observer for () {
    fn begins(&self, _phase: Phase, _backend: &str) {}
}

/// Tells a running proof to end; shared by the prover and, say, a signal handler.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    set: AtomicBool,
    lanes: Mutex<Vec<Canceller>>,
}

impl CancelFlag {
    /// Asks the proof to end: running device work is cancelled, the next phase does not begin.
    pub fn cancel(&self) {
        self.0.set.store(true, Ordering::SeqCst);
        for lane in self.lanes().iter() {
            lane.cancel();
        }
    }

    /// Whether it was asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.set.load(Ordering::SeqCst)
    }

    /// Cancels this lane too, from now on until `unwatch`.
    pub(crate) fn watch(&self, lane: Canceller) {
        // Listed first and asked then: a cancellation in between finds it in the list.
        self.lanes().push(lane.clone());
        if self.is_cancelled() {
            lane.cancel();
        }
    }

    pub(crate) fn unwatch(&self) {
        self.lanes().pop();
    }

    fn lanes(&self) -> std::sync::MutexGuard<'_, Vec<Canceller>> {
        self.0.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Times phases, tells the observer, and stops at a cancellation.
pub(crate) struct Recorder<'a> {
    pub(crate) observer: &'a dyn Observer,
    pub(crate) cancel: &'a CancelFlag,
    pub(crate) backend: String,
    pub(crate) timings: Vec<Timing>,
}

impl Recorder<'_> {
    /// Runs a phase; repeated phases add up.
    pub(crate) fn run<T, X: From<Cancelled>>(
        &mut self,
        phase: Phase,
        work: impl FnOnce() -> Result<T, X>,
    ) -> Result<T, X> {
        if self.cancel.is_cancelled() {
            return Err(Cancelled.into());
        }
        self.observer.begins(phase, &self.backend);
        let start = Instant::now();
        let outcome = work();
        let time = start.elapsed();
        match self.timings.iter_mut().find(|timing| timing.phase == phase) {
            Some(timing) => timing.time += time,
            None => self.timings.push(Timing { phase, time }),
        }
        outcome
    }
}

/// The work was told to end.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;
