//! Phases of a proof, their times, and cancellation.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::backend::{Canceller, Lane};
use crate::groth16::error::ProveError;

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
    next: AtomicU64,
    ends: Mutex<Vec<End>>,
}

/// What is ended by a cancellation.
#[derive(Clone)]
enum End {
    Lane(Canceller),
    /// Anything else, by its number.
    Other(u64, Arc<dyn Fn() + Send + Sync>),
}

impl fmt::Debug for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lane(_) => "Lane",
            Self::Other(..) => "Other",
        })
    }
}

impl End {
    fn end(&self) {
        match self {
            Self::Lane(lane) => lane.cancel(),
            Self::Other(_, end) => end(),
        }
    }
}

/// Until it is dropped, what was given to [`CancelFlag::on_cancel`] is called at a cancellation.
#[derive(Debug)]
#[must_use]
pub struct Watch<'a> {
    flag: &'a CancelFlag,
    number: u64,
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.flag.ends().retain(|end| !matches!(end, End::Other(number, _) if *number == self.number));
    }
}

impl CancelFlag {
    /// Asks the proof to end: running device work is cancelled, the next phase does not begin.
    pub fn cancel(&self) {
        self.0.set.store(true, Ordering::SeqCst);
        for end in self.ends().iter() {
            end.end();
        }
    }

    /// Asks, without a call to what is under way: [`cancel`](Self::cancel) is to follow.
    pub(crate) fn mark(&self) {
        self.0.set.store(true, Ordering::SeqCst);
    }

    /// Whether it was asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.set.load(Ordering::SeqCst)
    }

    /// Calls `end` at a cancellation, or now when that was before, until what is returned is dropped. It must not
    /// wait, nor use this flag.
    pub fn on_cancel(&self, end: impl Fn() + Send + Sync + 'static) -> Watch<'_> {
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        self.watch(End::Other(number, Arc::new(end)));
        Watch { flag: self, number }
    }

    /// Does work of a lane that a cancellation ends too.
    pub(crate) fn watched<T>(
        &self,
        lane: &Lane,
        work: impl FnOnce() -> Result<T, ProveError>,
    ) -> Result<T, ProveError> {
        let watched = Watched::new(self, lane.canceller());
        let outcome = work();
        drop(watched);
        // A cancelled call reports itself as such; what the user asked for is the better answer.
        if outcome.is_err() && self.is_cancelled() { Err(ProveError::Cancelled) } else { outcome }
    }

    fn watch(&self, end: End) {
        // Listed first and asked then: a cancellation in between finds it in the list.
        self.ends().push(end.clone());
        if self.is_cancelled() {
            end.end();
        }
    }

    fn ends(&self) -> std::sync::MutexGuard<'_, Vec<End>> {
        self.0.ends.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A lane that is cancelled too, until this is dropped: by a panic as well.
struct Watched<'a>(&'a CancelFlag);

impl<'a> Watched<'a> {
    fn new(flag: &'a CancelFlag, lane: Canceller) -> Self {
        flag.watch(End::Lane(lane));
        Self(flag)
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        let mut ends = self.0.ends();
        if let Some(last) = ends.iter().rposition(|end| matches!(end, End::Lane(_))) {
            ends.remove(last);
        }
    }
}

/// Times phases, tells the observer, and stops at a cancellation.
pub(crate) struct Recorder<'a> {
    pub(crate) observer: &'a dyn Observer,
    pub(crate) cancel: &'a CancelFlag,
    pub(crate) backend: String,
    pub(crate) timings: Vec<Timing>,
    /// Hears of each phase when it has ended, and how long it took.
    pub(crate) ended: &'a (dyn Fn(Phase, Duration) + 'a),
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
        (self.ended)(phase, time);
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
