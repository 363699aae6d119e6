//! The queue: full, drained, waited in.

use std::time::Duration;

use interlock_core::engine::{EngineConfig, JobError, SubmitError};
use interlock_dummy::{Bench, Operation};

use crate::phases::{Stop, stopped};
use crate::{assert_next_succeeds, assert_nothing_left, config, ends, engine, small};

#[test]
fn a_full_queue_says_when_to_come_again() {
    let bench = Bench::new();
    let engine = engine(EngineConfig { max_jobs: 2, ..config(&bench) });
    let running = stopped(&engine, bench.script(), Stop::Call(Operation::Msm), |job| job);
    let waiting = engine.submit(small().job(1)).unwrap();
    for _ in 0..3 {
        match engine.submit(small().job(1)).unwrap_err() {
            SubmitError::Full { retry_after } => assert!(retry_after >= Duration::from_secs(1)),
            error => panic!("{error:?}"),
        }
    }
    bench.script().release_hangs();
    small().assert_proved(&ends(running.handle, "running").unwrap(), 1, "running");
    small().assert_proved(&ends(waiting, "waiting").unwrap(), 1, "waiting");
    assert_next_succeeds(&engine, "there is a place again");
    let counters = engine.drain().counters;
    assert_eq!((counters.accepted, counters.rejected, counters.done), (3, 3, 3));
}

/// A job whose deadline passes, or that is cancelled, before its turn takes its place in the queue with it.
#[test]
fn jobs_end_in_the_queue() {
    let bench = Bench::new();
    let engine = engine(EngineConfig { max_jobs: 3, ..config(&bench) });
    let running = stopped(&engine, bench.script(), Stop::Call(Operation::Msm), |job| job);
    let late = engine.submit(small().job(2).with_deadline(Duration::from_millis(20))).unwrap();
    let cancelled = engine.submit(small().job(2)).unwrap();
    cancelled.cancel();
    assert!(matches!(ends(cancelled, "cancelled"), Err(JobError::Cancelled)));
    assert!(matches!(ends(late, "late"), Err(JobError::Late)));
    let at_once = engine.submit(small().job(1).with_deadline(Duration::ZERO)).unwrap();
    assert!(matches!(ends(at_once, "no time at all"), Err(JobError::Late)));
    let forever = engine.submit(small().job(1).with_deadline(Duration::MAX)).unwrap();
    bench.script().release_hangs();
    small().assert_proved(&ends(running.handle, "running").unwrap(), 1, "running");
    small().assert_proved(&ends(forever, "forever").unwrap(), 1, "forever");
    assert_nothing_left(&engine, 0, bench.script(), "queue");
    let counters = engine.drain().counters;
    assert_eq!((counters.done, counters.failed, counters.cancelled), (2, 2, 1));
}

/// A drained engine proves what it has taken, and takes nothing more.
#[test]
fn a_drained_engine_takes_nothing() {
    let bench = Bench::new();
    let engine = engine(config(&bench));
    let jobs: Vec<_> = (0..4).map(|_| engine.submit(small().job(2)).unwrap()).collect();
    // Held by the first job's stop, so that the drain is under way when somebody else submits.
    bench.script().on(Operation::Msm).hang();
    let other = std::thread::scope(|scope| {
        assert!(bench.script().await_stalled(1, crate::PATIENCE));
        let canceller = jobs[3].canceller();
        let drained = scope.spawn(move || engine.drain());
        canceller.cancel();
        bench.script().release_hangs();
        drained.join().unwrap()
    });
    assert_eq!((other.counters.done, other.counters.cancelled), (3, 1));
    for (index, job) in jobs.into_iter().enumerate() {
        match ends(job, "drained") {
            Ok(proved) => small().assert_proved(&proved, 2, "drained"),
            Err(error) => assert!(index == 3 && matches!(error, JobError::Cancelled), "{error:?}"),
        }
    }
    assert_eq!(bench.script().live_bytes(), 0);
}
