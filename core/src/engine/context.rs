//! What a partition's work is given while it runs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use interlock_scheduler::PartId;

use super::device::EngineDevice;
use super::shared::Shared;
use crate::backend::{Device, Lane};
use crate::groth16::{CancelFlag, ProveError};

/// Where and for whom work runs.
pub(super) struct Context<'a> {
    pub(super) shared: &'a Arc<Shared>,
    pub(super) part: PartId,
    /// The device's position; none for syntheses.
    pub(super) device: Option<(usize, &'a EngineDevice)>,
    /// Ends it early.
    pub(super) cancel: &'a CancelFlag,
}

impl Context<'_> {
    /// Does something that the timeline shows as a part of the phase.
    pub(super) fn span<T>(&self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let outcome = work();
        self.measured(name, start.elapsed());
        outcome
    }

    /// Something that the timeline shows as a part of the phase has ended, and took so long.
    pub(super) fn measured(&self, name: &'static str, took: Duration) {
        self.shared.span(self.part, name, took, None);
    }

    /// The same, which moved so many bytes.
    pub(super) fn moved(&self, name: &'static str, took: Duration, bytes: u64) {
        self.shared.span(self.part, name, took, Some(bytes));
    }

    /// The partition has at most so many bytes on its device from now on, and has freed the others.
    pub(super) fn shrunk(&self, peak: u64) {
        self.shared.shrunk(self.part, peak);
    }
}

/// A worker's lane, between two pieces of work.
#[derive(Debug, Default)]
pub(super) struct LaneSlot(Option<Lane>);

impl LaneSlot {
    /// Does work on the lane. After anything that did not go well the lane has drained and is gone: a cancellation may
    /// still be on its way to it.
    pub(super) fn with<T>(
        &mut self,
        context: &Context<'_>,
        device: &Device,
        work: impl FnOnce(&Lane) -> Result<T, ProveError>,
    ) -> Result<T, ProveError> {
        let lane = match self.0.take().filter(|lane| lane.device().same(device)) {
            Some(lane) => lane,
            None => Lane::create(device)?,
        };
        let lane = self.0.insert(lane);
        let outcome = context.cancel.watched(lane, || work(lane));
        if outcome.is_err() || context.cancel.is_cancelled() {
            self.drain();
        }
        outcome
    }

    /// Waits for whatever is on the lane, and lets go of it.
    pub(super) fn drain(&mut self) {
        if let Some(lane) = self.0.take() {
            // Whatever it says, there is nothing more to wait for.
            let _ = lane.sync();
        }
    }
}
