//! Interlock strategies behind the ABI: the same decisions as the stock ones, and a host that believes no nonsense.

use std::ffi::c_void;
use std::sync::Arc;

use interlock_abi::{
    INTERLOCK_DECISION_HOLD, INTERLOCK_PHASE_STAGE, INTERLOCK_REASON_LOCK, InterlockApi, InterlockDecision,
    InterlockError, InterlockStrategy, InterlockStrategyAccount, transfer,
};
use interlock_core::backend::{BackendErrorKind, BackendStrategy, Plugin};
use interlock_strategies::{
    Decision, Limits, MemoryPolicy, Misuse, Phase, Priority, Strategy, Ticket, stock,
};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

const LIMITS: Limits = Limits { budget: 100, max_staged: 2 };

fn plugin() -> Arc<Plugin> {
    Plugin::linked(interlock_cpu::interlock_api()).unwrap()
}

fn ticket(id: u64) -> Ticket {
    let priority = if id.is_multiple_of(7) { Priority::High } else { Priority::Normal };
    Ticket { id, priority, age: id }
}

#[test]
fn the_cpu_backend_offers_the_stock_ones() {
    let offered = plugin().strategies().unwrap();
    let names: Vec<&str> = offered.iter().map(|strategy| strategy.name.as_str()).collect();
    assert_eq!(names, ["ledger", "prestage", "narrow", "whole", "two-lock"]);
    assert!(offered.iter().all(|strategy| !strategy.summary.is_empty()));
    assert_eq!(offered[0].memory, MemoryPolicy::Reserving);
    assert_eq!(offered[4].memory, MemoryPolicy::Overcommitting);
    let error = BackendStrategy::create(&plugin(), "ledgers", LIMITS).unwrap_err();
    assert_eq!(error.kind, BackendErrorKind::InvalidArgument);
    assert!(error.to_string().contains("two-lock"), "{error}");
}

/// Random calls, fitting and not: both sides answer and decide alike.
#[test]
fn decisions_are_those_of_the_strategy_itself() {
    for strategy in stock::ALL {
        for seed in 0..20 {
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            let mut below = |n: u64| rng.next_u64() % n;
            let mut own = stock::create(strategy.name, LIMITS).unwrap();
            let mut remote = BackendStrategy::create(&plugin(), strategy.name, LIMITS).unwrap();
            for step in 0..300 {
                let id = 1 + below(7);
                let phase = Phase::ALL[below(4) as usize];
                let (bytes, peak) = (below(60), below(120));
                let what = below(10);
                let call = |strategy: &mut dyn Strategy| match what {
                    0..=4 => strategy.request(ticket(id), phase, bytes, peak),
                    5 | 6 => strategy.release(id, phase),
                    7 => strategy.shrink(id, peak),
                    8 => strategy.request(Ticket { age: 99, ..ticket(id) }, phase, bytes, peak),
                    _ => {
                        strategy.cancel(id);
                        Ok(())
                    }
                };
                let where_ = || format!("{} seed {seed} step {step}", strategy.name);
                assert_eq!(call(&mut own), call(&mut remote), "{}", where_());
                let decide = |strategy: &mut dyn Strategy| {
                    let mut out = Vec::new();
                    strategy.decide(&mut out);
                    out
                };
                assert_eq!(decide(&mut own), decide(&mut remote), "{}", where_());
                assert_eq!(own.account(), remote.account(), "{}", where_());
            }
            assert!(remote.failure().is_none());
        }
    }
}

/// More decisions than are asked for at once.
#[test]
fn many_decisions_come_in_several_calls() {
    let mut remote = BackendStrategy::create(&plugin(), "narrow", LIMITS).unwrap();
    for id in 1..=200 {
        remote.request(ticket(id), Phase::Prepare, 0, 0).unwrap();
    }
    let mut out = Vec::new();
    remote.decide(&mut out);
    assert_eq!(out.len(), 200);
    assert!(out.iter().all(|decision| matches!(decision, Decision::Grant { phase: Phase::Prepare, .. })));
}

/// A copy of the CPU backend's table with one function replaced.
fn with(change: impl FnOnce(&mut InterlockApi)) -> Arc<Plugin> {
    let mut table = *interlock_cpu::interlock_api();
    change(&mut table);
    Plugin::linked(Box::leak(Box::new(table))).unwrap()
}

unsafe fn answer(
    decisions: *mut InterlockDecision,
    count: *mut u64,
    decision: impl FnOnce(&mut InterlockDecision),
) -> *mut InterlockError {
    let mut wire: InterlockDecision = transfer::empty();
    decision(&mut wire);
    // SAFETY: the host gives room for 64 decisions, and a place for their number.
    unsafe {
        transfer::write(decisions, &wire).unwrap();
        count.write(1);
    }
    std::ptr::null_mut()
}

type Decide = unsafe extern "C" fn(
    *const InterlockStrategy,
    *mut InterlockDecision,
    u64,
    usize,
    *mut u64,
    *mut InterlockStrategyAccount,
) -> *mut InterlockError;

macro_rules! liar {
    ($name:ident, $wire:ident => $change:expr) => {
        unsafe extern "C" fn $name(
            _: *const InterlockStrategy,
            decisions: *mut InterlockDecision,
            _: u64,
            _: usize,
            count: *mut u64,
            _: *mut InterlockStrategyAccount,
        ) -> *mut InterlockError {
            // SAFETY: passed on.
            unsafe { answer(decisions, count, |$wire| $change) }
        }
    };
}

liar!(grants_a_stranger, wire => wire.ticket = 77);
liar!(grants_another_phase, wire => (wire.ticket, wire.phase) = (1, 2));
liar!(has_a_ninth_kind, wire => (wire.ticket, wire.kind) = (1, 9));
liar!(has_a_fifth_phase, wire => (wire.ticket, wire.phase) = (1, 4));
liar!(revokes_what_is_not_staged, wire => (wire.ticket, wire.kind) = (1, 1));

unsafe extern "C" fn counts_wrong(
    _: *const InterlockStrategy,
    _: *mut InterlockDecision,
    _: u64,
    _: usize,
    count: *mut u64,
    _: *mut InterlockStrategyAccount,
) -> *mut InterlockError {
    // SAFETY: the host's place for a number.
    unsafe { count.write(u64::MAX) };
    std::ptr::null_mut()
}

#[test]
fn nonsense_ends_a_strategy_with_an_error() {
    let liars: [(Decide, &str); 6] = [
        (grants_a_stranger, "was not asked"),
        (grants_another_phase, "was not asked"),
        (has_a_ninth_kind, "no decision"),
        (has_a_fifth_phase, "no decision"),
        (revokes_what_is_not_staged, "was not asked"),
        (counts_wrong, "decisions, where 64"),
    ];
    for (liar, says) in liars {
        let plugin = with(|table| table.strategy_decide = Some(liar));
        let mut remote = BackendStrategy::create(&plugin, "ledger", LIMITS).unwrap();
        remote.request(ticket(1), Phase::Stage, 1, 2).unwrap();
        let mut out = Vec::new();
        remote.decide(&mut out);
        let failure = remote.failure().expect("it failed").to_string();
        assert!(out.is_empty() && failure.contains(says), "{failure}");
        // It decides nothing any more, and misuse is still told.
        remote.decide(&mut out);
        assert!(out.is_empty());
        assert_eq!(
            remote.request(ticket(1), Phase::Stage, 1, 2),
            Err(Misuse::Busy { id: 1, phase: Phase::Stage })
        );
    }
}

/// Fills every place with the same, whenever it is asked.
unsafe extern "C" fn never_stops(
    _: *const InterlockStrategy,
    decisions: *mut InterlockDecision,
    capacity: u64,
    _: usize,
    count: *mut u64,
    _: *mut InterlockStrategyAccount,
) -> *mut InterlockError {
    let mut wire: InterlockDecision = transfer::empty();
    (wire.ticket, wire.kind, wire.phase) = (1, INTERLOCK_DECISION_HOLD, INTERLOCK_PHASE_STAGE);
    wire.reason = INTERLOCK_REASON_LOCK;
    // SAFETY: the host gives room for `capacity` decisions of its size, and a place for their number.
    unsafe {
        for i in 0..capacity as usize {
            transfer::write(decisions.add(i), &wire).unwrap();
        }
        count.write(capacity);
    }
    std::ptr::null_mut()
}

#[test]
fn decisions_without_end_end_a_strategy() {
    let plugin = with(|table| table.strategy_decide = Some(never_stops));
    let mut remote = BackendStrategy::create(&plugin, "ledger", LIMITS).unwrap();
    remote.request(ticket(1), Phase::Stage, 1, 2).unwrap();
    let mut out = Vec::new();
    remote.decide(&mut out);
    let failure = remote.failure().expect("it failed").to_string();
    assert!(failure.contains("decisions about 1 tickets"), "{failure}");
}

#[test]
fn a_backend_may_leave_strategies_to_the_host() {
    let plugin = with(|table| {
        table.strategy_count = None;
        table.strategy_create = None;
    });
    assert_eq!(plugin.strategies().unwrap(), []);
    let error = BackendStrategy::create(&plugin, "ledger", LIMITS).unwrap_err();
    assert_eq!(error.kind, BackendErrorKind::Unsupported);
}

/// A dead handle is answered, not followed.
#[test]
fn dead_handles_are_refused() {
    let table = interlock_cpu::interlock_api();
    let dead = std::ptr::without_provenance_mut::<InterlockStrategy>(12345);
    let (Some(cancel), Some(destroy), Some(free)) =
        (table.strategy_cancel, table.strategy_destroy, table.error_destroy)
    else {
        panic!("the table has them")
    };
    // SAFETY: any handle may be asked about; the errors are destroyed once.
    unsafe {
        for error in [cancel(dead, 1), destroy(dead)] {
            assert!(!error.is_null());
            free(error);
        }
    }
    let _: *const c_void = dead.cast();
}
