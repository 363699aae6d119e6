//! Telling running work to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::BackendError;

/// A lane's cancellation flag: the host sets it from any thread, the backend polls it between pieces of work.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Whether the lane was cancelled since its last sync.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// `Err` when the lane was cancelled: `token.check()?` between pieces of work.
    pub fn check(&self) -> Result<(), BackendError> {
        if self.is_cancelled() { Err(BackendError::cancelled()) } else { Ok(()) }
    }

    /// Sets it. The host does that through the table; a backend's own tests may as well.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}
