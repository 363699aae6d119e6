//! Witnesses that are made when there is a place for them, and makers that fail.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use interlock_core::engine::{EngineConfig, Job, JobError, PartitionSpec};
use interlock_core::groth16::{CancelFlag, ProveError};
use interlock_curves::Bn254;
use interlock_dummy::Bench;

use crate::phases::Gate;
use crate::{
    PATIENCE, Sample, assert_next_succeeds, assert_nothing_left, blinding, config, ends, engine, small,
};

/// How a maker's first calls end.
#[derive(Clone, Copy)]
enum Maker {
    Panics,
    Fails,
    Cancels,
    GivesAnother,
}

/// Whether it is the error that this maker's job is to end with.
type Expected = fn(&JobError) -> bool;

/// A partition whose maker misbehaves for the first `times` calls; and how often it was called.
fn partition(maker: Maker, times: u32) -> (PartitionSpec<Bn254>, Arc<AtomicU32>) {
    let calls = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&calls);
    let witness = Arc::clone(&small().witness);
    let other = Sample::<Bn254>::of("no public input").witness;
    let spec = PartitionSpec::made(&small().key, move |_| {
        if counted.fetch_add(1, Ordering::SeqCst) >= times {
            return Ok((*witness).clone());
        }
        match maker {
            Maker::Panics => std::panic::resume_unwind(Box::new("the maker's panic")),
            Maker::Fails => Err(ProveError::NotOne),
            Maker::Cancels => Err(ProveError::Cancelled),
            Maker::GivesAnother => Ok((*other).clone()),
        }
    });
    (spec.with_blinding(blinding()), calls)
}

#[test]
fn made_witnesses_are_proved_in_order() {
    let bench = Bench::new();
    let engine = engine(EngineConfig { partition_workers: 2, max_synthesised: 2, ..config(&bench) });
    let parts: Vec<_> = (0..6).map(|_| partition(Maker::Fails, 0)).collect();
    let (specs, calls): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    let proved = ends(engine.submit(Job::new(specs)).unwrap(), "made").unwrap();
    small().assert_proved(&proved, 6, "made");
    assert!(calls.iter().all(|calls| calls.load(Ordering::SeqCst) == 1));
}

/// A panic may be gone at the next try; an error of the maker is the user's.
#[test]
fn makers_that_fail_fail_their_job_alone() {
    let cases: [(Maker, u32, u32, Expected); 4] = [
        (
            Maker::Panics,
            99,
            2,
            |error| matches!(error, JobError::Ended { part: 1, reason } if reason.contains("the maker's panic")),
        ),
        (
            Maker::Fails,
            99,
            1,
            |error| matches!(error, JobError::Failed { part: 1, source } if matches!(**source, ProveError::NotOne)),
        ),
        (Maker::Cancels, 99, 1, |error| matches!(error, JobError::Ended { part: 1, .. })),
        (
            Maker::GivesAnother,
            99,
            1,
            |error| matches!(error, JobError::Failed { part: 1, source } if matches!(**source, ProveError::WitnessLength { .. })),
        ),
    ];
    for (number, (maker, times, calls, expected)) in cases.into_iter().enumerate() {
        let why = format!("case {number}");
        let bench = Bench::new();
        let engine = engine(EngineConfig { partition_workers: 2, ..config(&bench) });
        let (bad, called) = partition(maker, times);
        let (good, _) = partition(maker, 0);
        let error =
            ends(engine.submit(Job::new(vec![good, bad, small().partition()])).unwrap(), &why).unwrap_err();
        assert!(expected(&error), "{why}: {error:?}");
        assert_eq!(called.load(Ordering::SeqCst), calls, "{why}");
        assert_nothing_left(&engine, 0, bench.script(), &why);
        assert_next_succeeds(&engine, &why);
        let counters = engine.drain().counters;
        assert_eq!((counters.done, counters.failed), (1, 1), "{why}");
        assert_eq!(counters.panics, if matches!(maker, Maker::Panics) { 2 } else { 0 }, "{why}");
    }
}

#[test]
fn a_maker_that_panics_once_is_called_again() {
    let bench = Bench::new();
    let engine = engine(config(&bench));
    let (spec, calls) = partition(Maker::Panics, 1);
    small().assert_proved(&ends(engine.submit(Job::new(vec![spec])).unwrap(), "again").unwrap(), 1, "again");
    assert_eq!(calls.load(Ordering::SeqCst), 2);
    let counters = engine.counters();
    assert_eq!((counters.retries, counters.panics), (1, 1));
}

/// Makers that wait, as many as there are threads, and do not hear that they are to end: what was proved before is finished
/// all the same.
#[test]
fn makers_that_wait_do_not_keep_others_from_finishing() {
    let bench = Bench::new();
    let mut config = config(&bench);
    (config.partition_workers, config.max_synthesised) = (2, 2);
    let engine = engine(config);
    let gate = Gate::default();
    let waiting: Vec<_> = (0..2)
        .map(|_| {
            let (inner, witness) = (gate.clone(), Arc::clone(&small().witness));
            let make = move |_: &CancelFlag| {
                inner.pass(None);
                Ok((*witness).clone())
            };
            let spec = PartitionSpec::made(&small().key, make).with_blinding(blinding());
            engine.submit(Job::new(vec![spec])).unwrap()
        })
        .collect();
    assert!(gate.await_arrival());
    assert_next_succeeds(&engine, "beside makers that wait");
    gate.open();
    for handle in waiting {
        small().assert_proved(&ends(handle, "made").unwrap(), 1, "made");
    }
}

/// What a user's maker owns may panic when it is dropped.
struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            std::panic::resume_unwind(Box::new("the panic of a destructor"));
        }
    }
}

#[test]
fn a_maker_whose_destructor_panics_costs_nobody_anything() {
    let bench = Bench::new();
    let engine = engine(config(&bench));
    for cancelled in [false, true] {
        let (witness, owned) = (Arc::clone(&small().witness), PanicsWhenDropped);
        let make = move |_: &CancelFlag| {
            let _ = &owned;
            Ok((*witness).clone())
        };
        let spec = PartitionSpec::made(&small().key, make).with_blinding(blinding());
        let handle = engine.submit(Job::new(vec![spec])).unwrap();
        if cancelled {
            handle.cancel();
        }
        match ends(handle, "a destructor that panics") {
            Ok(proved) => small().assert_proved(&proved, 1, "a destructor that panics"),
            Err(error) => assert!(matches!(error, JobError::Cancelled) && cancelled, "{error:?}"),
        }
        assert_next_succeeds(&engine, "after a destructor that panics");
    }
    assert!(engine.drain().hung.is_empty());
}

/// A job of many partitions lets go of each witness when that one is proved.
#[test]
fn witnesses_go_when_they_are_proved() {
    let bench = Bench::new();
    let engine = engine(config(&bench));
    let witness = Arc::new((*small().witness).clone());
    let first = PartitionSpec::new(&small().key, Arc::clone(&witness)).with_blinding(blinding());
    let gate = Gate::default();
    let (inner, other) = (gate.clone(), Arc::clone(&small().witness));
    let second = PartitionSpec::made(&small().key, move |_| {
        inner.pass(None);
        Ok((*other).clone())
    });
    let handle = engine.submit(Job::new(vec![first, second.with_blinding(blinding())])).unwrap();
    assert!(gate.await_arrival());
    let begin = std::time::Instant::now();
    while Arc::strong_count(&witness) > 1 {
        assert!(begin.elapsed() < PATIENCE, "the engine keeps the witness of a partition that is proved");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(!handle.is_done());
    gate.open();
    small().assert_proved(&ends(handle, "two").unwrap(), 2, "two");
}
