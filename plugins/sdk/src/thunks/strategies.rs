//! Interlock strategies.

use std::sync::{Mutex, MutexGuard, TryLockError};

use interlock_abi::{
    INTERLOCK_DECISION_GRANT, INTERLOCK_DECISION_HOLD, INTERLOCK_DECISION_NEVER_FITS,
    INTERLOCK_DECISION_REVOKE, INTERLOCK_REASON_AHEAD, INTERLOCK_REASON_LOCK, INTERLOCK_REASON_ORDER,
    INTERLOCK_REASON_ROOM, InterlockDecision, InterlockError, InterlockStr, InterlockStrategy,
    InterlockStrategyAccount, InterlockStrategyInfo, InterlockStrategyLimits, InterlockTicket, transfer,
};
use interlock_strategies::{Decision, Limits, Misuse, Phase, Priority, Reason, Strategy, Ticket};

use crate::backend::Backend;
use crate::error::BackendError;
use crate::handles;
use crate::thunks::guard::{guard, poisoned};
use crate::thunks::{count as checked_count, not_null, put};

/// What a strategy's handle stands for.
struct Entry(Mutex<State>);

struct State {
    strategy: Box<dyn Strategy>,
    /// Decisions that the host had no place for.
    pending: std::collections::VecDeque<Decision>,
}

impl Entry {
    /// The strategy, for one call. A second thread gets an error instead of waiting: nothing here blocks.
    fn lock(&self) -> Result<MutexGuard<'_, State>, BackendError> {
        self.0.try_lock().map_err(|error| match error {
            TryLockError::Poisoned(_) => poisoned("strategy"),
            TryLockError::WouldBlock => BackendError::argument("the strategy is in use by another thread"),
        })
    }
}

fn with<T>(
    strategy: *const InterlockStrategy,
    call: impl FnOnce(&mut State) -> Result<T, BackendError>,
) -> Result<T, BackendError> {
    let entry = handles::get::<Entry, _>(strategy, "strategy")?;
    let mut state = entry.lock()?;
    call(&mut state)
}

fn misuse(error: Misuse) -> BackendError {
    BackendError::argument(error.to_string())
}

/// `strategy_count`
pub(crate) unsafe extern "C" fn count<B: Backend>(out: *mut u32) -> *mut InterlockError {
    // SAFETY: `out` is the caller's place for a number.
    guard(|| unsafe { put(out, || Ok(B::strategies().len() as u32)) })
}

/// `strategy_info`
pub(crate) unsafe extern "C" fn info<B: Backend>(
    index: u32,
    out: *mut InterlockStrategyInfo,
) -> *mut InterlockError {
    guard(|| {
        let all = B::strategies();
        let described = all.get(index as usize).ok_or_else(|| {
            BackendError::argument(format!("there is no strategy {index}: the plugin has {}", all.len()))
        })?;
        let mut info: InterlockStrategyInfo = transfer::empty();
        info.name = InterlockStr::new(described.name);
        info.summary = InterlockStr::new(described.summary);
        info.memory = described.memory as u32;
        // SAFETY: the caller's struct carries its size.
        Ok(unsafe { transfer::write(out, &info) }?)
    })
}

/// `strategy_create`
pub(crate) unsafe extern "C" fn create<B: Backend>(
    name: InterlockStr,
    limits: *const InterlockStrategyLimits,
    out: *mut *mut InterlockStrategy,
) -> *mut InterlockError {
    guard(|| {
        // SAFETY: the caller's string lives for the call.
        let name = unsafe { transfer::text(name) }
            .ok_or_else(|| BackendError::argument("the strategy's name is not UTF-8"))?;
        // SAFETY: the caller's struct carries its size.
        let limits = unsafe { transfer::read(limits) }?;
        let limits = Limits { budget: limits.budget_bytes, max_staged: limits.max_staged };
        let make = || {
            let strategy = B::strategy(name, limits).ok_or_else(|| {
                let names: Vec<&str> = B::strategies().iter().map(|strategy| strategy.name).collect();
                BackendError::argument(format!(
                    "there is no strategy {name:?}: there are {}",
                    names.join(", ")
                ))
            })?;
            Ok(handles::insert(Entry(Mutex::new(State { strategy, pending: Default::default() }))))
        };
        // SAFETY: `out` is the caller's place for a handle.
        unsafe { put(out, make) }
    })
}

/// `strategy_request`
pub(crate) unsafe extern "C" fn request(
    strategy: *const InterlockStrategy,
    ticket: *const InterlockTicket,
) -> *mut InterlockError {
    guard(|| {
        // SAFETY: the caller's struct carries its size.
        let wanted = unsafe { transfer::read(ticket) }?;
        let phase = phase(wanted.phase)?;
        let priority = Priority::of(wanted.priority)
            .ok_or_else(|| BackendError::argument(format!("there is no priority {}", wanted.priority)))?;
        let ticket = Ticket { id: wanted.id, priority, age: wanted.age };
        with(strategy, |state| {
            state.strategy.request(ticket, phase, wanted.bytes, wanted.peak).map_err(misuse)
        })
    })
}

/// `strategy_shrink`
pub(crate) unsafe extern "C" fn shrink(
    strategy: *const InterlockStrategy,
    ticket: u64,
    peak: u64,
) -> *mut InterlockError {
    guard(|| with(strategy, |state| state.strategy.shrink(ticket, peak).map_err(misuse)))
}

/// `strategy_release`
pub(crate) unsafe extern "C" fn release(
    strategy: *const InterlockStrategy,
    ticket: u64,
    phase_number: u32,
) -> *mut InterlockError {
    guard(|| {
        let phase = phase(phase_number)?;
        with(strategy, |state| state.strategy.release(ticket, phase).map_err(misuse))
    })
}

/// `strategy_cancel`
pub(crate) unsafe extern "C" fn cancel(
    strategy: *const InterlockStrategy,
    ticket: u64,
) -> *mut InterlockError {
    guard(|| {
        with(strategy, |state| {
            state.strategy.cancel(ticket);
            // What was decided about it is void, too.
            state.pending.retain(|decision| ticket_of(decision) != ticket);
            Ok(())
        })
    })
}

/// `strategy_decide`
pub(crate) unsafe extern "C" fn decide(
    strategy: *const InterlockStrategy,
    decisions: *mut InterlockDecision,
    capacity: u64,
    stride: usize,
    count: *mut u64,
    account: *mut InterlockStrategyAccount,
) -> *mut InterlockError {
    guard(|| {
        let capacity = checked_count(capacity, "decisions")?;
        not_null(decisions, capacity, "the place for decisions")?;
        if stride < size_of::<usize>() || !stride.is_multiple_of(align_of::<InterlockDecision>()) {
            return Err(BackendError::argument(format!("a stride of {stride} bytes fits no decision")));
        }
        with(strategy, |state| {
            if state.pending.is_empty() {
                let mut decided = Vec::new();
                state.strategy.decide(&mut decided);
                state.pending.extend(decided);
            }
            let given = state.pending.len().min(capacity);
            // SAFETY: `count` is the caller's place for a number.
            unsafe { put(count, || Ok(given as u64)) }?;
            for (place, decision) in state.pending.drain(..given).enumerate() {
                // SAFETY: the caller has `capacity` elements, `stride` bytes apart, each with its size.
                unsafe {
                    let element = decisions.cast::<u8>().add(place * stride).cast::<InterlockDecision>();
                    transfer::write(element, &wire(&decision))?;
                }
            }
            if !account.is_null() {
                let books = state.strategy.account();
                let mut out: InterlockStrategyAccount = transfer::empty();
                out.budget_bytes = books.budget;
                out.reserved_bytes = books.reserved;
                out.waiting = books.waiting;
                out.holding = books.holding;
                // SAFETY: the caller's struct carries its size.
                unsafe { transfer::write(account, &out) }?;
            }
            Ok(())
        })
    })
}

/// `strategy_destroy`
pub(crate) unsafe extern "C" fn destroy(strategy: *mut InterlockStrategy) -> *mut InterlockError {
    guard(|| handles::remove::<Entry, _>(strategy, "strategy").map(drop))
}

fn phase(number: u32) -> Result<Phase, BackendError> {
    Phase::of(number).ok_or_else(|| BackendError::argument(format!("there is no phase {number}")))
}

fn ticket_of(decision: &Decision) -> u64 {
    match decision {
        Decision::Grant { id, .. }
        | Decision::Revoke { id, .. }
        | Decision::NeverFits { id, .. }
        | Decision::Hold { id, .. } => *id,
    }
}

fn wire(decision: &Decision) -> InterlockDecision {
    let mut out: InterlockDecision = transfer::empty();
    out.ticket = ticket_of(decision);
    match *decision {
        Decision::Grant { phase, .. } => {
            (out.kind, out.phase) = (INTERLOCK_DECISION_GRANT, phase as u32);
        }
        Decision::Revoke { by, .. } => (out.kind, out.other) = (INTERLOCK_DECISION_REVOKE, by),
        Decision::NeverFits { needed, budget, .. } => {
            (out.kind, out.needed, out.free) = (INTERLOCK_DECISION_NEVER_FITS, needed, budget);
        }
        Decision::Hold { phase, reason, .. } => {
            (out.kind, out.phase) = (INTERLOCK_DECISION_HOLD, phase as u32);
            match reason {
                Reason::Lock { holder } => (out.reason, out.other) = (INTERLOCK_REASON_LOCK, holder),
                Reason::Order { before } => (out.reason, out.other) = (INTERLOCK_REASON_ORDER, before),
                Reason::Room { needed, free } => {
                    (out.reason, out.needed, out.free) = (INTERLOCK_REASON_ROOM, needed, free);
                }
                Reason::Ahead { staged } => {
                    (out.reason, out.needed) = (INTERLOCK_REASON_AHEAD, u64::from(staged));
                }
            }
        }
    }
    out
}
