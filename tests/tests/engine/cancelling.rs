//! A cancellation, a deadline, a drain at each phase.

use std::time::Duration;

use interlock_core::engine::{Job, JobError};
use interlock_core::groth16::CancelFlag;
use interlock_curves::Bn254;
use interlock_dummy::{Bench, Objects, Operation};

use crate::phases::{STOPS, Stop, stopped};
use crate::{
    STRATEGIES, assert_next_succeeds, assert_nothing_left, config, ends, engine, small, with_strategy,
};

#[test]
fn a_job_is_cancelled_wherever_it_is() {
    for (index, stop) in STOPS.into_iter().enumerate() {
        for name in ["ledger", STRATEGIES[index % STRATEGIES.len()]] {
            let why = format!("{name}: cancelled at {stop:?}");
            let bench = Bench::new();
            let engine = engine(with_strategy(config(&bench), name));
            let job = stopped(&engine, bench.script(), stop, |job| job);
            job.handle.cancel();
            job.handle.cancel();
            job.let_go();
            let error = ends(job.handle, &why).unwrap_err();
            assert!(matches!(error, JobError::Cancelled), "{why}: {error:?}");
            assert_nothing_left(&engine, 0, bench.script(), &why);
            assert!(!engine.is_lost(0), "{why}");
            bench.script().clear_faults();
            assert_next_succeeds(&engine, &why);
            let drained = engine.drain();
            assert_eq!((drained.counters.cancelled, drained.counters.done), (1, 1), "{why}");
            assert_eq!((drained.counters.retries, drained.counters.failed), (0, 0), "{why}");
            assert!(drained.hung.is_empty(), "{why}");
            assert_eq!(bench.script().live_objects(), Objects::default(), "{why}");
        }
    }
}

#[test]
fn a_deadline_passes_wherever_a_job_is() {
    // A call that takes its time may end before its job's deadline.
    for stop in STOPS.into_iter().filter(|stop| !matches!(stop, Stop::Delay(_))) {
        let why = format!("late at {stop:?}");
        let bench = Bench::new();
        let engine = engine(config(&bench));
        let job = stopped(&engine, bench.script(), stop, |job: Job<Bn254>| {
            job.with_deadline(Duration::from_millis(150))
        });
        // The deadline's: the job's cancellation is asked for, and its work ends within the grace.
        std::thread::sleep(Duration::from_millis(180));
        job.let_go();
        let error = ends(job.handle, &why).unwrap_err();
        assert!(matches!(error, JobError::Late), "{why}: {error:?}");
        assert_nothing_left(&engine, 0, bench.script(), &why);
        bench.script().clear_faults();
        assert_next_succeeds(&engine, &why);
        let drained = engine.drain();
        assert_eq!((drained.counters.failed, drained.counters.done), (1, 1), "{why}");
    }
}

/// One partition of several is stopped, others are done or wait: the job ends as a whole.
#[test]
fn a_job_of_several_partitions_ends_as_a_whole() {
    for name in STRATEGIES {
        let bench = Bench::new();
        let mut config = with_strategy(config(&bench), name);
        config.devices[0].workers = 3;
        let engine = engine(config);
        bench.script().on(Operation::Msm).nth(2).always().hang_until_cancelled();
        let handle = engine.submit(small().job(6)).unwrap();
        assert!(bench.script().await_stalled(1, crate::PATIENCE), "{name}");
        let other = engine.submit(small().job(2)).unwrap();
        handle.cancel();
        assert!(matches!(ends(handle, name), Err(JobError::Cancelled)), "{name}");
        bench.script().clear_faults();
        bench.script().release_hangs();
        small().assert_proved(&ends(other, name).unwrap(), 2, name);
        assert_nothing_left(&engine, 0, bench.script(), name);
    }
}

#[test]
fn a_flag_cancels_the_job_that_is_waited_for() {
    let bench = Bench::new();
    let engine = engine(config(&bench));
    let job = stopped(&engine, bench.script(), Stop::Call(Operation::Msm), |job| job);
    let flag = CancelFlag::default();
    let outcome = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| job.handle.wait_unless(&flag));
        flag.cancel();
        waiting.join().unwrap()
    });
    assert!(matches!(outcome, Err(JobError::Cancelled)));
    // One that is set already.
    let handle = engine.submit(small().job(1)).unwrap();
    assert!(matches!(handle.wait_unless(&flag), Err(JobError::Cancelled)));
    assert_nothing_left(&engine, 0, bench.script(), "a flag");
}

/// A handle that is dropped does not end its job; a canceller of a job that has ended, or of an engine, does nothing.
#[test]
fn handles_are_dropped_in_any_order() {
    let bench = Bench::new();
    let engine = engine(config(&bench));
    let handle = engine.submit(small().job(1)).unwrap();
    let canceller = handle.canceller();
    drop(handle);
    let last = engine.submit(small().job(1)).unwrap();
    let drained = engine.drain();
    assert_eq!(drained.counters.done, 2);
    canceller.cancel();
    small().assert_proved(&last.wait().unwrap(), 1, "after the engine");
}
