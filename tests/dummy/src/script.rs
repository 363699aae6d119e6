//! The handle by which a test rules a device.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::account::{Account, Objects};
use crate::call::State;
use crate::fault::{Loss, Plan, Rule};
use crate::journal::Entry;
use crate::lock;
use crate::operation::Operation;
use crate::stall::Gate;

/// Bytes of a device whose script says nothing else: 16 GiB. Nothing is reserved for it.
pub const DEFAULT_MEMORY: u64 = 16 << 30;

/// The script of one device: shared by its clones and all openings of the device, ruled from any thread.
///
/// A call first waits as long as calls of its kind [are to take](Self::set_delay); then the first fault that is armed for
/// it, if any, befalls it; then it does its work. All calls are counted, failed ones too.
#[derive(Clone, Debug)]
pub struct Script(Arc<Shared>);

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) account: Arc<Account>,
    pub(crate) state: Mutex<State>,
    pub(crate) gate: Gate,
}

/// How long calls of a kind take, apart from their work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delay {
    /// Each call.
    pub fixed: Duration,
    /// Each scalar of it: allocated, moved, transformed or summed over.
    pub per_scalar: Duration,
}

impl From<Duration> for Delay {
    fn from(fixed: Duration) -> Self {
        Self { fixed, per_scalar: Duration::ZERO }
    }
}

impl Script {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Shared {
            account: Account::new(DEFAULT_MEMORY),
            state: Mutex::new(State::default()),
            gate: Gate::default(),
        }))
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.0
    }

    /// Faults for calls of this kind: `script.on(Operation::Msm).nth(3).panic()`.
    pub fn on(&self, operation: Operation) -> Plan<'_> {
        Plan::new(self, Some(operation))
    }

    /// Faults for calls of any kind that they can happen to, counted together.
    pub fn on_any(&self) -> Plan<'_> {
        Plan::new(self, None)
    }

    pub(crate) fn arm(&self, rule: Rule) {
        let mut state = lock(&self.0.state);
        if rule.absolute {
            let made = rule.operation.map_or(state.total, |operation| state.calls[operation as usize]);
            assert!(rule.first > made, "call {} was made already: there were {made}", rule.first);
        }
        state.rules.push(rule);
    }

    pub(crate) fn disarm(&self, hits: &Arc<AtomicU64>) {
        lock(&self.0.state).rules.retain(|rule| !Arc::ptr_eq(&rule.hits, hits));
    }

    /// Disarms all faults.
    pub fn clear_faults(&self) {
        lock(&self.0.state).rules.clear();
    }

    /// From now on calls of this kind take so much longer.
    pub fn set_delay(&self, operation: Operation, delay: impl Into<Delay>) {
        lock(&self.0.state).delays[operation as usize] = delay.into();
    }

    /// What all delays are multiplied by; at first 1.
    ///
    /// # Panics
    /// It is negative or not a number.
    pub fn set_time_scale(&self, scale: f64) {
        assert!(scale >= 0.0, "time does not run backwards");
        lock(&self.0.state).scale = scale;
    }

    /// Lets calls that hang go on.
    pub fn release_hangs(&self) {
        self.0.gate.release();
    }

    /// How many calls hang or are delayed at the moment.
    pub fn stalled(&self) -> usize {
        self.0.gate.stalled()
    }

    /// Waits until at least so many calls hang or are delayed at once; false when that does not come within `most`.
    #[must_use]
    pub fn await_stalled(&self, count: usize, most: Duration) -> bool {
        self.0.gate.await_stalled(count, most)
    }

    /// Loses the device.
    pub fn lose(&self, loss: Loss) {
        lock(&self.0.state).lose(loss);
    }

    /// Ends [`Loss::UntilRestored`]. Openings that are lost until reopened stay so.
    pub fn restore(&self) {
        lock(&self.0.state).lost = false;
    }

    /// Most bytes that scalar buffers may have, of all openings together. An opening's own limit comes on top.
    pub fn set_memory(&self, bytes: u64) {
        self.0.account.set_limit(bytes);
    }

    /// The limit.
    pub fn memory(&self) -> u64 {
        self.0.account.books().limit
    }

    /// Bytes of scalar buffers that are alive.
    pub fn live_bytes(&self) -> u64 {
        self.0.account.books().live
    }

    /// The most that [`live_bytes`](Self::live_bytes) was since [`reset_peak`](Self::reset_peak).
    pub fn peak_bytes(&self) -> u64 {
        self.0.account.books().peak
    }

    /// The peak is what is alive now.
    pub fn reset_peak(&self) {
        self.0.account.reset_peak();
    }

    /// Objects that are alive.
    pub fn live_objects(&self) -> Objects {
        self.0.account.books().objects
    }

    /// How many calls of this kind there were.
    pub fn calls(&self, operation: Operation) -> u64 {
        lock(&self.0.state).calls[operation as usize]
    }

    /// How many calls there were.
    pub fn all_calls(&self) -> u64 {
        lock(&self.0.state).total
    }

    /// Writes down all calls from now on, until [`take_journal`](Self::take_journal).
    pub fn keep_journal(&self) {
        lock(&self.0.state).journal = Some(Vec::new());
    }

    /// What was written down; nothing more is.
    pub fn take_journal(&self) -> Vec<Entry> {
        lock(&self.0.state).journal.take().unwrap_or_default()
    }

    /// Nobody rules it any more: whoever waits goes on, and nothing befalls anybody.
    pub(crate) fn close(&self) {
        self.clear_faults();
        self.restore();
        self.set_time_scale(0.0);
        self.0.gate.close();
    }
}
