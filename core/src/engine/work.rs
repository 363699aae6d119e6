//! A partition's work, as workers see it.

use std::sync::Arc;

use interlock_scheduler::{Again, Outcome, Path};

use super::context::{Context, LaneSlot};
use crate::backend::{BackendError, BackendErrorKind};
use crate::groth16::{ProveError, ResidentKey};

/// A partition's work: what the engine drives. One thread at a time calls.
pub(super) trait Work: Send {
    /// Makes the witness, on the CPU.
    fn synthesise(&mut self, context: &Context<'_>) -> Result<(), Stop>;

    /// The first phase, on the CPU. When a phase is not done well, nothing is left on the device, and the lane has
    /// drained.
    fn prepare(&mut self, context: &Context<'_>) -> Result<(), Stop>;

    /// Brings the inputs onto the device.
    fn stage(&mut self, context: &Context<'_>, lane: &mut LaneSlot) -> Result<(), Stop>;

    /// Computes; brings the inputs itself on the slow path.
    fn compute(&mut self, path: Path, context: &Context<'_>, lane: &mut LaneSlot) -> Result<(), Stop>;

    /// The last phase, on the CPU.
    fn finish(&mut self, context: &Context<'_>) -> Result<(), Stop>;

    /// Gets rid of what is on the device.
    fn drop_staged(&mut self);

    /// It gives its worker back, and begins with the first phase again: lets go of its key, which the caller drops.
    fn release(&mut self) -> Option<Arc<ResidentKey>>;

    /// A phase panicked: gets rid of what is on the device, and of what it cannot rely on any more.
    fn panicked(&mut self);
}

/// Why a piece of work ended before it was done.
#[derive(Debug)]
pub(super) enum Stop {
    /// The device has no memory for it now.
    NotNow,
    /// It failed.
    Failed { again: Again, reason: String },
    /// The device is gone.
    DeviceLost { reason: String },
    /// It was told to end.
    Cancelled,
}

impl From<Stop> for Outcome {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::NotNow => Self::NotNow,
            Stop::Failed { again, reason } => Self::Failed { again, reason },
            Stop::DeviceLost { reason } => Self::DeviceLost { reason },
            Stop::Cancelled => Self::Cancelled,
        }
    }
}

impl Stop {
    /// What a failed proof means for the engine.
    pub(super) fn of(error: &ProveError) -> Self {
        let reason = error.to_string();
        match error {
            ProveError::Cancelled => Self::Cancelled,
            ProveError::Backend(error) => Self::of_backend(error, reason),
            // It was tried twice already.
            ProveError::SelfCheck { .. } => Self::Failed { again: Again::Elsewhere, reason },
            ProveError::Nonsense { .. } => Self::Failed { again: Again::Here, reason },
            // The input's fault: the same everywhere.
            _ => Self::Failed { again: Again::Never, reason },
        }
    }

    fn of_backend(error: &BackendError, reason: String) -> Self {
        if error.context_lost {
            return Self::DeviceLost { reason };
        }
        match error.kind {
            BackendErrorKind::NotNow => Self::NotNow,
            BackendErrorKind::Cancelled => Self::Cancelled,
            _ if error.retryable => Self::Failed { again: Again::Here, reason },
            BackendErrorKind::Device | BackendErrorKind::Internal => {
                Self::Failed { again: Again::Here, reason }
            }
            // What it will say again.
            _ => Self::Failed { again: Again::Elsewhere, reason },
        }
    }
}
