//! Calls that wait: hangs and delays.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use interlock_sdk::CancelToken;

use crate::lock;

/// How often a waiting call looks at its cancellation, of which nobody tells.
const POLL: Duration = Duration::from_millis(1);

/// How long a call waits at once that is woken by its release alone.
const LONG: Duration = Duration::from_secs(3600);

/// Where the calls of one device wait.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// How often hangs were released.
    releases: u64,
    /// Calls that wait now.
    stalled: usize,
    /// The bench is gone: nobody waits any more.
    closed: bool,
}

/// Why a call waits no longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Woken {
    /// Its time is over, or it was released.
    Released,
    /// Its lane was cancelled.
    Cancelled,
}

impl Gate {
    /// Waits until hangs are released or, when a lane's token is given, until it is cancelled.
    pub(crate) fn hang(&self, cancel: Option<&CancelToken>) -> Woken {
        let releases = lock(&self.state).releases;
        self.wait(cancel, None, |state| state.releases != releases)
    }

    /// Waits for a time, or until the lane is cancelled.
    pub(crate) fn delay(&self, time: Duration, cancel: Option<&CancelToken>) -> Woken {
        if time.is_zero() {
            return Woken::Released;
        }
        // A time that no clock reaches is for ever.
        self.wait(cancel, Instant::now().checked_add(time), |_| false)
    }

    fn wait(
        &self,
        cancel: Option<&CancelToken>,
        until: Option<Instant>,
        released: impl Fn(&State) -> bool,
    ) -> Woken {
        let mut state = lock(&self.state);
        state.stalled += 1;
        self.changed.notify_all();
        let woken = loop {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if cancel.is_some_and(CancelToken::is_cancelled) {
                break Woken::Cancelled;
            }
            if released(&state) || state.closed || left.is_some_and(|left| left.is_zero()) {
                break Woken::Released;
            }
            let slice = match (left, cancel) {
                (Some(left), None) => left,
                (Some(left), Some(_)) => left.min(POLL),
                (None, Some(_)) => POLL,
                (None, None) => LONG,
            };
            state = self.changed.wait_timeout(state, slice).unwrap_or_else(PoisonError::into_inner).0;
        };
        state.stalled -= 1;
        self.changed.notify_all();
        woken
    }

    pub(crate) fn release(&self) {
        lock(&self.state).releases += 1;
        self.changed.notify_all();
    }

    pub(crate) fn close(&self) {
        lock(&self.state).closed = true;
        self.changed.notify_all();
    }

    pub(crate) fn stalled(&self) -> usize {
        lock(&self.state).stalled
    }

    /// Waits until so many calls wait; false when they do not within the time.
    pub(crate) fn await_stalled(&self, count: usize, most: Duration) -> bool {
        let (state, _) = self
            .changed
            .wait_timeout_while(lock(&self.state), most, |state| state.stalled < count)
            .unwrap_or_else(PoisonError::into_inner);
        state.stalled >= count
    }
}
