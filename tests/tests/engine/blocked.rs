//! Cancelling that does not come back: nobody else waits for it, and everybody who waits for a job hears of its end.

use std::sync::{Condvar, Mutex};

use interlock_abi::{InterlockError, InterlockLane};
use interlock_core::backend::Plugin;
use interlock_core::engine::JobError;
use interlock_core::groth16::Phase;
use interlock_dummy::{Bench, Loss, Operation};

use crate::phases::{Gate, at};
use crate::{PATIENCE, config, ends, engine, small};

/// A place in a table's function where calls wait while it is shut.
struct Door {
    shut: Mutex<bool>,
    changed: Condvar,
}

impl Door {
    fn pass(&self) {
        drop(self.changed.wait_while(self.shut.lock().unwrap(), |shut| *shut).unwrap());
    }

    fn set(&self, shut: bool) {
        *self.shut.lock().unwrap() = shut;
        self.changed.notify_all();
    }
}

static CANCELS: Door = Door { shut: Mutex::new(false), changed: Condvar::new() };

/// Waits, and cancels nothing.
unsafe extern "C" fn cancel(_: *const InterlockLane) -> *mut InterlockError {
    CANCELS.pass();
    std::ptr::null_mut()
}

/// One event ends some jobs, and has a partition of another one cancelled, which does not come back.
#[test]
fn a_cancellation_that_hangs_delays_no_other_job_s_end() {
    let bench = Bench::new();
    let script = bench.script();
    let mut table = *bench.api();
    table.lane_cancel = Some(cancel);
    let mut config = config(&bench);
    config.devices[0].plugin = Plugin::linked(Box::leak(Box::new(table))).unwrap();
    config.devices[0].workers = 2;
    let engine = engine(config);
    let gate = Gate::default();
    let inner = gate.clone();
    let job = small().job(1).with_checks(at(Phase::Load, move || inner.pass(None)));
    let loses = engine.submit(job).unwrap();
    assert!(gate.await_arrival());
    script.on(Operation::Msm).hang();
    let hangs = engine.submit(small().job(2)).unwrap();
    assert!(script.await_stalled(1, PATIENCE));
    let waits = engine.submit(small().job(1)).unwrap();
    CANCELS.set(true);
    // There is no other device: all jobs end, and the one with what hangs is told to.
    script.on(Operation::Upload).lose(Loss::UntilRestored);
    gate.open();
    for handle in [loses, waits, hangs] {
        let error = ends(handle, "a cancellation hangs").unwrap_err();
        assert!(!matches!(error, JobError::Cancelled), "{error:?}");
    }
    script.release_hangs();
    CANCELS.set(false);
    assert!(engine.drain().counters.failed == 3);
}
