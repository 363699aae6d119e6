//! Calls that do not end: a job ends all the same, and what it has is nobody else's until the call ends after all.

use std::time::Duration;

use interlock_core::engine::{Engine, EngineConfig, JobError};
use interlock_core::groth16::Phase;
use interlock_dummy::{Bench, Operation};

use crate::phases::{Gate, Stop, at, stopped};
use crate::{
    PATIENCE, assert_next_succeeds, assert_nothing_left, config, config_with_cpu, ends, engine, small,
    with_strategy,
};

const DEADLINE: Duration = Duration::from_millis(60);

/// Waits until what the engine says is true.
fn comes_true(what: &str, says: impl Fn() -> bool) {
    let begin = std::time::Instant::now();
    while !says() {
        assert!(begin.elapsed() < PATIENCE, "it does not come: {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A job that hangs in a call until the test releases it; it has ended when this returns.
fn hang(engine: &Engine, bench: &Bench, operation: Operation, why: &str) {
    bench.script().on(operation).hang();
    let handle = engine.submit(small().job(1).with_deadline(DEADLINE)).unwrap();
    assert!(bench.script().await_stalled(1, PATIENCE), "{why}");
    let error = ends(handle, why).unwrap_err();
    assert!(matches!(error, JobError::Late), "{why}: {error:?}");
}

#[test]
fn a_kernel_that_hangs_takes_its_device_with_it_until_it_ends() {
    for name in ["ledger", "two-lock", "prestage", "whole"] {
        for operation in [Operation::Upload, Operation::Spmv, Operation::Msm, Operation::Sync] {
            let why = format!("{name}: {operation} hangs");
            let bench = Bench::new();
            let engine = engine(with_strategy(config_with_cpu(&bench), name));
            hang(&engine, &bench, operation, &why);
            assert!(engine.is_lost(0), "{why}");
            assert!(engine.quarantined_on(0) > 0, "{why}");
            assert_eq!(engine.bytes_on(0), engine.quarantined_on(0), "{why}");
            assert!(bench.script().live_bytes() <= engine.quarantined_on(0), "{why}");
            assert_eq!(assert_next_succeeds(&engine, &why).attempts[0].backend, "cpu", "{why}");

            bench.script().release_hangs();
            comes_true(&why, || !engine.is_lost(0));
            assert_nothing_left(&engine, 0, bench.script(), &why);
            assert_eq!(assert_next_succeeds(&engine, &why).attempts[0].backend, "dummy", "{why}");
            assert!(engine.drain().hung.is_empty(), "{why}");
        }
    }
}

/// Loading a key hangs: whoever waits for the key, or for another, does not wait for ever.
#[test]
fn a_key_that_hangs_takes_its_device_with_it_too() {
    for operation in [Operation::Open, Operation::LoadBases, Operation::LoadDomain] {
        let why = format!("{operation} hangs");
        let bench = Bench::new();
        let mut config = config_with_cpu(&bench);
        config.devices[0].workers = 2;
        let engine = engine(config);
        bench.script().on(operation).hang();
        let handle = engine.submit(small().job(1).with_deadline(DEADLINE)).unwrap();
        assert!(bench.script().await_stalled(1, PATIENCE), "{why}");
        // It waits for the same key, on the other worker.
        let waits = engine.submit(small().job(1)).unwrap();
        let cancelled = engine.submit(small().job(1)).unwrap();
        cancelled.cancel();
        assert!(matches!(ends(cancelled, &why), Err(JobError::Cancelled)), "{why}");
        assert!(matches!(ends(handle, &why), Err(JobError::Late)), "{why}");
        small().assert_proved(&ends(waits, &why).unwrap(), 1, &why);
        assert_next_succeeds(&engine, &why);
        bench.script().release_hangs();
        comes_true(&why, || !engine.is_lost(0));
        assert_nothing_left(&engine, 0, bench.script(), &why);
        assert_eq!(assert_next_succeeds(&engine, &why).attempts[0].backend, "dummy", "{why}");
    }
}

/// A hang that a cancellation ends is none: nothing is lost.
#[test]
fn what_ends_when_it_is_told_to_is_not_lost() {
    for operation in [Operation::Upload, Operation::Ntt, Operation::Msm] {
        let why = format!("{operation} hangs until it is cancelled");
        let bench = Bench::new();
        let engine = engine(EngineConfig { grace: PATIENCE, ..config(&bench) });
        bench.script().on(operation).hang_until_cancelled();
        let handle = engine.submit(small().job(1).with_deadline(DEADLINE)).unwrap();
        assert!(matches!(ends(handle, &why), Err(JobError::Late)), "{why}");
        assert!(!engine.is_lost(0), "{why}");
        assert_nothing_left(&engine, 0, bench.script(), &why);
        assert_next_succeeds(&engine, &why);
    }
}

/// What hangs on the host takes a worker, not the device.
#[test]
fn a_host_phase_that_hangs_takes_its_worker_alone() {
    let bench = Bench::new();
    let mut config = config(&bench);
    config.devices[0].workers = 2;
    let engine = engine(config);
    let gate = Gate::default();
    let inner = gate.clone();
    let checks = at(Phase::SelfCheck, move || inner.pass(None));
    let handle = engine.submit(small().job(1).with_checks(checks)).unwrap();
    assert!(gate.await_arrival());
    handle.cancel();
    assert!(matches!(ends(handle, "finish hangs"), Err(JobError::Cancelled)));
    assert!(!engine.is_lost(0));
    assert_nothing_left(&engine, 0, bench.script(), "finish hangs");
    assert_next_succeeds(&engine, "finish hangs");
    gate.open();
    assert!(engine.drain().counters.done == 1);
}

/// The engine is dropped while a call hangs: it waits as long as the grace, and leaves the thread behind.
#[test]
fn an_engine_is_dropped_with_what_hangs() {
    for stop in [Stop::Call(Operation::Msm), Stop::Begin(Phase::Load), Stop::Begin(Phase::Assemble)] {
        let bench = Bench::new();
        let engine = engine(config(&bench));
        let job = stopped(&engine, bench.script(), stop, |job| job);
        let waiting = engine.submit(small().job(3)).unwrap();
        drop(engine);
        assert!(matches!(ends(job.handle, "dropped"), Err(JobError::Cancelled)), "{stop:?}");
        assert!(matches!(ends(waiting, "dropped"), Err(JobError::Cancelled)), "{stop:?}");
    }
    let bench = Bench::new();
    let engine = engine(config(&bench));
    bench.script().on(Operation::Msm).hang();
    let handle = engine.submit(small().job(1)).unwrap();
    assert!(bench.script().await_stalled(1, PATIENCE));
    drop(engine);
    assert!(matches!(ends(handle, "dropped"), Err(JobError::Cancelled)));
}

/// Drained with a deadline on what hangs, the engine says which worker it leaves behind.
#[test]
fn a_drained_engine_names_its_hung_workers() {
    let bench = Bench::with_devices(2);
    let engine = engine(config(&bench));
    for script in bench.scripts() {
        script.on(Operation::Msm).hang();
    }
    let handle = engine.submit(small().job(1).with_deadline(DEADLINE)).unwrap();
    let busy = bench.scripts()[0].await_stalled(1, PATIENCE);
    assert!(busy);
    let drained = engine.drain();
    assert_eq!(drained.hung, [(0, 0)]);
    assert!(matches!(ends(handle, "drained"), Err(JobError::Late)));
}

/// A partition that is staged is not wanted any more, and its free does not come back.
#[test]
fn a_free_that_hangs_takes_its_device_with_it_until_it_ends() {
    for name in ["ledger", "prestage"] {
        let bench = Bench::new();
        let mut config = with_strategy(config_with_cpu(&bench), name);
        config.devices[0].workers = 2;
        let engine = engine(config);
        let script = bench.script();
        script.on(Operation::Msm).hang_until_cancelled();
        let computes = engine.submit(small().job(1)).unwrap();
        assert!(script.await_stalled(1, PATIENCE), "{name}");
        let alone = engine.bytes_on(0);
        let staged = engine.submit(small().job(2)).unwrap();
        comes_true("it is staged", || engine.bytes_on(0) > alone);
        script.on(Operation::Free).hang();
        staged.cancel();
        assert!(script.await_stalled(2, PATIENCE), "{name}");
        assert!(matches!(ends(staged, name), Err(JobError::Cancelled)), "{name}");
        comes_true("it counts as lost", || engine.is_lost(0));
        assert!(engine.quarantined_on(0) > 0, "{name}");
        computes.cancel();
        assert!(matches!(ends(computes, name), Err(JobError::Cancelled)), "{name}");
        assert_eq!(assert_next_succeeds(&engine, name).attempts[0].backend, "cpu", "{name}");
        script.release_hangs();
        comes_true(name, || !engine.is_lost(0));
        assert_nothing_left(&engine, 0, script, name);
        assert_eq!(assert_next_succeeds(&engine, name).attempts[0].backend, "dummy", "{name}");
        assert!(engine.drain().hung.is_empty(), "{name}");
    }
}
