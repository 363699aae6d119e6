// SPDX-License-Identifier: MIT OR Apache-2.0
//! Queues: a lane of the host's is one of them.

use interlock_sdk::{BackendError, CancelToken};

/// An in-order queue of the device's. Used by one thread at a time.
pub struct Queue {
    cancel: CancelToken,
}

impl Queue {
    /// Makes a queue.
    pub fn new(cancel: CancelToken) -> Result<Self, BackendError> {
        // Your device: make a stream.
        Ok(Self { cancel })
    }

    /// Runs a piece of work behind what was launched before. Work on a queue that was cancelled is refused, until the host
    /// has waited for it.
    pub fn launch(
        &mut self,
        work: impl FnOnce(&CancelToken) -> Result<(), BackendError>,
    ) -> Result<(), BackendError> {
        self.cancel.check()?;
        // Your device: put it into the stream and return.
        work(&self.cancel)
    }

    /// Waits for all of it, and tells the first failure.
    pub fn wait(&mut self) -> Result<(), BackendError> {
        // Your device: wait for the stream, and turn the driver's code into an error (`native_code`; `context_lost` when the
        // device has to be opened again).
        Ok(())
    }
}
