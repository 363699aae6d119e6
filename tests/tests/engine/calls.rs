//! A failure, a panic, a lost device at every call of the backend in turn: opening, loading a key and proving.

use interlock_core::engine::{EngineConfig, JobError};
use interlock_dummy::{Bench, ErrorKind, Failure, Loss, Script};

use crate::{
    assert_next_succeeds, assert_nothing_left, config, config_with_cpu, ends, engine, small, with_strategy,
};

/// Calls of a first proof on a device that is not open yet.
fn calls_of_a_first_proof() -> u64 {
    let bench = Bench::new();
    let engine = engine(config(&bench));
    assert_next_succeeds(&engine, "nothing happens");
    bench.script().all_calls()
}

type Fault = (&'static str, fn(&Script, u64));

const RETRYABLE: Failure = Failure { kind: ErrorKind::Device, retryable: true, context_lost: false };
const LOST: Failure = Failure { kind: ErrorKind::Device, retryable: false, context_lost: true };

/// What another try on the same device mends.
const PASSING: [Fault; 3] = [
    ("a retryable failure", |script, nth| drop(script.on_any().nth(nth).fail(RETRYABLE))),
    ("a failure of the device", |script, nth| drop(script.on_any().nth(nth).fail(ErrorKind::Device))),
    ("a panic", |script, nth| drop(script.on_any().nth(nth).panic())),
];

#[test]
fn what_passes_is_tried_again_on_the_same_device() {
    let calls = calls_of_a_first_proof();
    assert!(calls > 30, "{calls}");
    for name in ["ledger", "two-lock", "prestage"] {
        for (fault, arm) in PASSING {
            for nth in 1..=calls {
                let why = format!("{name}: {fault} at call {nth}");
                let bench = Bench::new();
                let engine = engine(with_strategy(config(&bench), name));
                arm(bench.script(), nth);
                let proved = ends(engine.submit(small().job(1)).unwrap(), &why)
                    .unwrap_or_else(|error| panic!("{why}: {error}"));
                small().assert_proved(&proved, 1, &why);
                assert_eq!((proved[0].attempts.len(), engine.counters().retries), (1, 1), "{why}");
                assert!(!engine.is_lost(0), "{why}");
                assert_nothing_left(&engine, 0, bench.script(), &why);
                assert_next_succeeds(&engine, &why);
                assert_eq!(engine.drain().counters.done, 2, "{why}");
            }
        }
    }
}

/// A failure that will come again is not tried again there: the other device proves, or else the job fails.
#[test]
fn what_stays_goes_elsewhere() {
    for nth in 1..=calls_of_a_first_proof() {
        for other in [true, false] {
            let why = format!("an unsupported call {nth}, another device: {other}");
            let bench = Bench::new();
            let engine = engine(if other { config_with_cpu(&bench) } else { config(&bench) });
            bench.script().on_any().nth(nth).fail(ErrorKind::Unsupported);
            match ends(engine.submit(small().job(1)).unwrap(), &why) {
                Ok(proved) => {
                    assert!(other, "{why}");
                    small().assert_proved(&proved, 1, &why);
                    let backends: Vec<&str> =
                        proved[0].attempts.iter().map(|tried| &*tried.backend).collect();
                    assert_eq!(backends, ["dummy", "cpu"], "{why}");
                    assert!(
                        proved[0].attempts[0].failure.as_ref().unwrap().contains("scripted failure"),
                        "{why}"
                    );
                }
                Err(JobError::Failed { part: 0, source }) => {
                    assert!(!other && source.to_string().contains("scripted failure"), "{why}: {source}");
                }
                Err(error) => panic!("{why}: {error:?}"),
            }
            assert_nothing_left(&engine, 0, bench.script(), &why);
            assert_next_succeeds(&engine, &why);
        }
    }
}

/// A lost device: another one of the same backend proves, and does from then on; so does the CPU backend.
#[test]
fn a_lost_device_is_left_for_another() {
    let losses: [Fault; 3] = [
        ("context lost", |script, nth| drop(script.on_any().nth(nth).fail(LOST))),
        ("lost until reopened", |script, nth| drop(script.on_any().nth(nth).lose(Loss::UntilReopened))),
        ("lost for good", |script, nth| drop(script.on_any().nth(nth).lose(Loss::UntilRestored))),
    ];
    for nth in 1..=calls_of_a_first_proof() {
        for (index, (fault, arm)) in losses.into_iter().enumerate() {
            for to_cpu in [true, false] {
                // Which strategy does not matter here; each has its share.
                let name = ["ledger", "two-lock", "prestage"][(nth as usize + index) % 3];
                let why = format!("{name}: {fault} at call {nth}, to the CPU: {to_cpu}");
                let bench = Bench::with_devices(if to_cpu { 1 } else { 2 });
                let config = if to_cpu { config_with_cpu(&bench) } else { config(&bench) };
                let engine = engine(with_strategy(config, name));
                arm(bench.script(), nth);
                let proved = ends(engine.submit(small().job(1)).unwrap(), &why)
                    .unwrap_or_else(|error| panic!("{why}: {error}"));
                small().assert_proved(&proved, 1, &why);
                let there = if to_cpu { "cpu" } else { "dummy" };
                assert_eq!(proved[0].attempts.last().unwrap().backend, there, "{why}");
                assert!(engine.is_lost(0) && !engine.is_lost(1), "{why}");
                assert_nothing_left(&engine, 0, bench.script(), &why);
                let calls = bench.script().all_calls();
                let next = assert_next_succeeds(&engine, &why);
                assert_eq!(next.attempts[0].backend, there, "{why}");
                assert_eq!(bench.script().all_calls(), calls, "a lost device is left alone: {why}");
                assert_nothing_left(&engine, 1, bench.scripts().last().unwrap(), &why);
                assert_eq!(engine.drain().counters.done, 2, "{why}");
            }
        }
    }
}

/// Every call fails: the job ends after as many tries as are allowed, with all of them told.
#[test]
fn a_device_on_which_nothing_works() {
    for retries in [0, 1, 5] {
        let bench = Bench::with_devices(2);
        let engine = engine(EngineConfig { retries: Some(retries), ..config(&bench) });
        for script in bench.scripts() {
            script.on_any().always().fail(ErrorKind::Device);
        }
        let error = ends(engine.submit(small().job(1)).unwrap(), "nothing works").unwrap_err();
        assert!(matches!(error, JobError::Failed { part: 0, .. }), "{error:?}");
        assert_eq!(engine.counters().retries, u64::from(retries));
        bench.scripts().iter().for_each(Script::clear_faults);
        assert_next_succeeds(&engine, "it works again");
    }
}
