//! A backend's strategy that fails or answers nonsense: its device is of no use any more, and the jobs go elsewhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use interlock_abi::{
    InterlockApi, InterlockDecision, InterlockError, InterlockStrategy, InterlockStrategyAccount,
};
use interlock_core::backend::Plugin;
use interlock_core::engine::{Engine, EngineConfig, EngineError, JobError, Timeline};

use crate::{GRACE, assert_next_succeeds, device, ends, engine, small};
use interlock_tests::linked;

/// A copy of the CPU backend's table with one function replaced.
fn with(change: impl FnOnce(&mut InterlockApi)) -> Arc<Plugin> {
    let mut table = *interlock_cpu::interlock_api();
    change(&mut table);
    Plugin::linked(Box::leak(Box::new(table))).unwrap()
}

macro_rules! decides_for_a_while {
    ($name:ident, $after:literal) => {
        unsafe extern "C" fn $name(
            strategy: *const InterlockStrategy,
            decisions: *mut InterlockDecision,
            room: u64,
            stride: usize,
            count: *mut u64,
            account: *mut InterlockStrategyAccount,
        ) -> *mut InterlockError {
            static CALLS: AtomicU64 = AtomicU64::new(0);
            if CALLS.fetch_add(1, Ordering::SeqCst) + 1 > $after {
                // SAFETY: the host's place for a number: more decisions than there is room for.
                unsafe { count.write(u64::MAX) };
                return std::ptr::null_mut();
            }
            let Some(decide) = interlock_cpu::interlock_api().strategy_decide else {
                return std::ptr::null_mut();
            };
            // SAFETY: passed on.
            unsafe { decide(strategy, decisions, room, stride, count, account) }
        }
    };
}

decides_for_a_while!(never_decides, 0);
decides_for_a_while!(decides_twice, 2);
decides_for_a_while!(decides_five_times, 5);
decides_for_a_while!(decides_nine_times, 9);
decides_for_a_while!(decides_for_nobody, 0);

/// Refuses every request.
unsafe extern "C" fn refuses(
    _: *const InterlockStrategy,
    _: *const interlock_abi::InterlockTicket,
) -> *mut InterlockError {
    let Some(cancel) = interlock_cpu::interlock_api().strategy_cancel else { return std::ptr::null_mut() };
    // An error object of the backend's: that of a dead handle.
    // SAFETY: any handle may be asked about.
    unsafe { cancel(std::ptr::without_provenance_mut(12345), 1) }
}

type Change = fn(&mut InterlockApi);

#[test]
fn jobs_go_on_elsewhere() {
    let changes: [(&str, Change); 5] = [
        ("decides never", |table| table.strategy_decide = Some(never_decides)),
        ("decides twice", |table| table.strategy_decide = Some(decides_twice)),
        ("decides five times", |table| table.strategy_decide = Some(decides_five_times)),
        ("decides nine times", |table| table.strategy_decide = Some(decides_nine_times)),
        ("refuses requests", |table| table.strategy_request = Some(refuses)),
    ];
    for (why, change) in changes {
        let config = EngineConfig {
            grace: GRACE,
            ..EngineConfig::new(vec![
                device(&with(change), 0).with_workers(2),
                device(&linked(), 0).with_tier(1),
            ])
        };
        let engine = engine(config);
        let jobs: Vec<_> = (0..3).map(|_| engine.submit(small().job(2)).unwrap()).collect();
        for handle in jobs {
            small().assert_proved(&ends(handle, why).unwrap(), 2, why);
        }
        assert!(engine.is_lost(0) && !engine.is_lost(1), "{why}");
        assert_eq!((engine.bytes_on(0), engine.bytes_on(1)), (0, 0), "{why}");
        assert_eq!(engine.reserved_on(1), 0, "{why}");
        assert_next_succeeds(&engine, why);
        assert_eq!(engine.drain().counters.done, 4, "{why}");
    }
}

#[test]
fn without_another_device_the_job_says_so() {
    let plugin = with(|table| table.strategy_decide = Some(decides_for_nobody));
    let engine = engine(EngineConfig::new(vec![device(&plugin, 0)]));
    for _ in 0..2 {
        let error = ends(engine.submit(small().job(2)).unwrap(), "alone").unwrap_err();
        assert!(matches!(error, JobError::Ended { .. }), "{error:?}");
    }
    assert_eq!(engine.drain().counters.failed, 2);
}

#[test]
fn unknown_strategies_are_named_with_those_there_are() {
    let config =
        EngineConfig { interlock: Some("ledgers".into()), ..EngineConfig::new(vec![device(&linked(), 0)]) };
    match Engine::new(config, Timeline::off()).unwrap_err() {
        EngineError::UnknownStrategy { name, known, .. } => {
            assert_eq!((name.as_str(), known[0].as_str(), known.len()), ("ledgers", "ledger", 5));
        }
        error => panic!("{error:?}"),
    }
}
