//! Where a partition is stopped: in its synthesis and in each of its phases, until its job is told to end.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use interlock_core::engine::{Checks, Engine, Job, JobHandle, PartitionSpec};
use interlock_core::groth16::{CancelFlag, Observer, Phase, ProveError};
use interlock_curves::Bn254;
use interlock_dummy::{Operation, Script};

use crate::{PATIENCE, blinding, small};

/// A place where a thread of the engine waits until the test lets it go.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gate(Arc<(Mutex<State>, Condvar)>);

#[derive(Debug, Default)]
struct State {
    arrived: bool,
    open: bool,
}

impl Gate {
    /// What the engine's thread does: waits, or until `flag` is set.
    pub(crate) fn pass(&self, flag: Option<&CancelFlag>) {
        let (state, changed) = &*self.0;
        let mut state = state.lock().unwrap();
        state.arrived = true;
        changed.notify_all();
        while !state.open && flag.is_none_or(|flag| !flag.is_cancelled()) {
            state = changed.wait_timeout(state, Duration::from_millis(1)).unwrap().0;
        }
    }

    pub(crate) fn await_arrival(&self) -> bool {
        let (state, changed) = &*self.0;
        let (state, _) =
            changed.wait_timeout_while(state.lock().unwrap(), PATIENCE, |state| !state.arrived).unwrap();
        state.arrived
    }

    pub(crate) fn open(&self) {
        self.0.0.lock().unwrap().open = true;
        self.0.1.notify_all();
    }
}

/// Does something when a phase of proving begins for the first time.
pub(crate) struct At<F>(Phase, Mutex<Option<F>>);

impl<F: FnOnce()> Observer for At<F> {
    fn begins(&self, phase: Phase, _backend: &str) {
        if phase == self.0 {
            let act = self.1.lock().unwrap().take();
            if let Some(act) = act {
                act();
            }
        }
    }
}

pub(crate) fn at(phase: Phase, act: impl FnOnce() + Send + 'static) -> Checks {
    Checks { observer: Arc::new(At(phase, Mutex::new(Some(act)))), ..Checks::default() }
}

/// Where a partition is stopped.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stop {
    /// In its maker, which looks at the flag.
    Synthesis,
    /// As a phase of proving begins: the observer waits.
    Begin(Phase),
    /// In a call that hangs until its lane is cancelled.
    Call(Operation),
    /// In a call that takes its time, after which its work is done: a cancellation is noticed late, or not at all.
    Delay(Operation),
}

/// Every kind of place, in the order in which a partition passes them.
pub(crate) const STOPS: [Stop; 18] = [
    Stop::Synthesis,
    Stop::Begin(Phase::Load),
    Stop::Delay(Operation::Open),
    Stop::Delay(Operation::LoadMatrix),
    Stop::Delay(Operation::LoadBases),
    Stop::Delay(Operation::Lane),
    Stop::Begin(Phase::Stage),
    Stop::Delay(Operation::Alloc),
    Stop::Call(Operation::Upload),
    Stop::Call(Operation::Sync),
    Stop::Begin(Phase::Quotient),
    Stop::Call(Operation::Spmv),
    Stop::Call(Operation::Ntt),
    Stop::Begin(Phase::Msm),
    Stop::Call(Operation::Msm),
    Stop::Delay(Operation::Msm),
    Stop::Begin(Phase::Assemble),
    Stop::Begin(Phase::SelfCheck),
];

/// Longer than a cancellation takes to be noticed, shorter than the grace.
const WHILE: Duration = Duration::from_millis(20);

/// A job that has arrived there.
pub(crate) struct Stopped {
    pub(crate) handle: JobHandle<Bn254>,
    gate: Option<Gate>,
}

impl Stopped {
    /// Lets it go on, if nothing else does.
    pub(crate) fn let_go(&self) {
        if let Some(gate) = &self.gate {
            gate.open();
        }
    }
}

/// Submits a job of one partition, with what `change` makes of it, and waits until it is stopped.
pub(crate) fn stopped(
    engine: &Engine,
    script: &Script,
    stop: Stop,
    change: impl FnOnce(Job<Bn254>) -> Job<Bn254>,
) -> Stopped {
    let gate = Gate::default();
    let inner = gate.clone();
    let mut job = small().job(1);
    match stop {
        Stop::Synthesis => {
            let make = move |flag: &CancelFlag| {
                inner.pass(Some(flag));
                if flag.is_cancelled() { Err(ProveError::Cancelled) } else { Ok((*small().witness).clone()) }
            };
            job.partitions = vec![PartitionSpec::made(&small().key, make).with_blinding(blinding())];
        }
        Stop::Begin(phase) => job.checks = at(phase, move || inner.pass(None)),
        Stop::Call(operation) => drop(script.on(operation).hang_until_cancelled()),
        Stop::Delay(operation) => drop(script.on(operation).delay(WHILE)),
    }
    let handle = engine.submit(change(job)).unwrap();
    let in_call = matches!(stop, Stop::Call(_) | Stop::Delay(_));
    let arrived = if in_call { script.await_stalled(1, PATIENCE) } else { gate.await_arrival() };
    assert!(arrived, "{stop:?}: nobody came");
    Stopped { handle, gate: (!in_call).then_some(gate) }
}
