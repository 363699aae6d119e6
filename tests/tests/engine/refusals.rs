//! Out of memory at each allocation in turn.

use interlock_core::backend::BackendErrorKind;
use interlock_core::engine::{EngineConfig, JobError};
use interlock_core::groth16::ProveError;
use interlock_curves::Bn254;
use interlock_dummy::{Bench, ErrorKind, Operation};

use crate::{
    PATIENCE, STRATEGIES, Sample, assert_next_succeeds, assert_nothing_left, config, config_with_cpu, ends,
    engine, small, with_strategy,
};

/// Scalar buffers of a proof.
const ALLOCATIONS: u64 = 4;

/// What a job says that found no memory on the only device that there is.
fn is_out_of_memory(error: &JobError) -> bool {
    match error {
        JobError::Failed { source, .. } => source.is_out_of_memory(),
        JobError::Ended { reason, .. } => reason.contains("no memory"),
        _ => false,
    }
}

/// On one device: the proof by the slow path, or an error that says what was missing.
#[test]
fn at_each_allocation_on_the_only_device() {
    for name in STRATEGIES {
        for kind in [ErrorKind::NotNow, ErrorKind::NeverFits] {
            for nth in 1..=ALLOCATIONS {
                let why = format!("{name}: {kind:?} at allocation {nth}");
                let bench = Bench::new();
                let engine = engine(with_strategy(config(&bench), name));
                let fault = bench.script().on(Operation::Alloc).nth(nth).fail(kind);
                match ends(engine.submit(small().job(1)).unwrap(), &why) {
                    Ok(proved) => {
                        small().assert_proved(&proved, 1, &why);
                        // Staging alone has another path.
                        assert!(nth == 1 && kind == ErrorKind::NotNow, "{why}");
                        assert_eq!(engine.counters().fallbacks, 1, "{why}");
                    }
                    Err(error) => {
                        assert!(is_out_of_memory(&error), "{why}: {error:?}");
                        assert!(nth > 1 || kind == ErrorKind::NeverFits, "{why}");
                    }
                }
                assert_eq!(fault.hits(), 1, "{why}");
                assert_nothing_left(&engine, 0, bench.script(), &why);
                assert_next_succeeds(&engine, &why);
                let counters = engine.drain().counters;
                assert_eq!(counters.done + counters.failed, 2, "{why}");
                assert_eq!(counters.panics, 0, "{why}");
            }
        }
    }
}

/// With several workers on the device, and the CPU backend after it, no refusal costs a proof.
#[test]
fn at_each_allocation_of_several_partitions_with_another_device() {
    for name in ["ledger", "two-lock", "prestage"] {
        for kind in [ErrorKind::NotNow, ErrorKind::NeverFits] {
            for nth in 1..=3 * ALLOCATIONS {
                let why = format!("{name}: {kind:?} at allocation {nth}");
                let bench = Bench::new();
                let mut config = with_strategy(config_with_cpu(&bench), name);
                config.devices[0].workers = 2;
                let engine = engine(config);
                bench.script().on(Operation::Alloc).nth(nth).fail(kind);
                small().assert_proved(&ends(engine.submit(small().job(3)).unwrap(), &why).unwrap(), 3, &why);
                assert_nothing_left(&engine, 0, bench.script(), &why);
                assert_nothing_left(&engine, 1, bench.script(), &why);
                assert_next_succeeds(&engine, &why);
                let counters = engine.drain().counters;
                assert_eq!((counters.done, counters.failed), (2, 0), "{why}");
                assert!(counters.retries + counters.fallbacks >= 1, "{why}");
            }
        }
    }
}

/// A device that has less than the engine was told: it ends, and says so.
#[test]
fn a_device_that_never_has_memory() {
    let bench = Bench::new();
    let engine = engine(EngineConfig { retries: Some(3), ..config(&bench) });
    let fault = bench.script().on(Operation::Alloc).always().fail(ErrorKind::NotNow);
    let error = ends(engine.submit(small().job(2)).unwrap(), "never").unwrap_err();
    assert!(is_out_of_memory(&error), "{error:?}");
    fault.disarm();
    assert_nothing_left(&engine, 0, bench.script(), "never");
    assert_next_succeeds(&engine, "never");
}

/// More than any device may have is known before anything begins.
#[test]
fn a_partition_that_is_larger_than_every_budget() {
    for name in STRATEGIES {
        let bench = Bench::new();
        let peak = small().footprint().peak;
        let mut config = with_strategy(config(&bench), name);
        config.devices[0].budget = Some(peak - 1);
        let engine = engine(config);
        match ends(engine.submit(small().job(2)).unwrap(), name).unwrap_err() {
            JobError::NeverFits { needed, budget, .. } => {
                assert_eq!((needed, budget), (peak, peak - 1), "{name}")
            }
            error => panic!("{name}: {error:?}"),
        }
        assert_eq!(bench.script().calls(Operation::LoadBases), 0, "{name}: its key was loaded");
        assert_nothing_left(&engine, 0, bench.script(), name);
    }
}

/// A key for which there is no room is out of memory as well, with the device's own words.
#[test]
fn a_key_that_finds_no_memory() {
    for kind in [ErrorKind::NotNow, ErrorKind::NeverFits] {
        let bench = Bench::new();
        let engine = engine(config(&bench));
        bench.script().on(Operation::LoadBases).always().fail(kind);
        let error = ends(engine.submit(small().job(1)).unwrap(), "no room").unwrap_err();
        let JobError::Failed { source, .. } = &error else { panic!("{kind:?}: {error:?}") };
        assert!(source.is_out_of_memory() && source.to_string().contains("bases_create"), "{source}");
        assert_nothing_left(&engine, 0, bench.script(), "no room");
    }
}

/// A second key finds room when the first one is not used any more; which of the two is proved first does not matter.
#[test]
fn a_key_that_finds_memory_later() {
    let other = Sample::<Bn254>::of("no public input");
    let bench = Bench::new();
    let mut config = config(&bench);
    config.devices[0].workers = 2;
    let engine = engine(config);
    let script = bench.script();
    script.on(Operation::Msm).nth(1).hang();
    let first = engine.submit(small().job(1)).unwrap();
    assert!(script.await_stalled(1, PATIENCE));
    let refused = script.on(Operation::LoadBases).nth(1).fail(ErrorKind::NotNow);
    let second = engine.submit(other.job(1)).unwrap();
    while refused.hits() == 0 {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(!second.is_done());
    script.release_hangs();
    small().assert_proved(&ends(first, "first").unwrap(), 1, "first");
    other.assert_proved(&ends(second, "second").unwrap(), 1, "second");
    assert_eq!(engine.counters().retries, 0, "waiting is no failure");
}

/// The first error is the one that counts.
#[test]
fn the_error_of_the_call_that_failed_is_told() {
    let bench = Bench::new();
    let engine = engine(config(&bench));
    bench.script().on(Operation::Alloc).nth(3).fail(ErrorKind::NeverFits);
    match ends(engine.submit(small().job(1)).unwrap(), "told").unwrap_err() {
        JobError::Failed { part: 0, source } => match *source {
            ProveError::Backend(error) => {
                assert_eq!((error.kind, error.operation), (BackendErrorKind::NeverFits, "scalars_alloc"));
            }
            error => panic!("{error:?}"),
        },
        error => panic!("{error:?}"),
    }
}
