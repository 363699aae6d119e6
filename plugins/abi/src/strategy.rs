//! Interlock strategies: who may be in which phase on a device, and with how many bytes.
//!
//! A partition of a proof passes four phases on a device: prepare (CPU), stage (its inputs go to the device), compute
//! (its kernels), finish (CPU). A strategy is told of requests and releases, and decides. It belongs to no opened device:
//! a simulator makes one as well. None of its functions blocks, looks at a clock or begins a thread; equal calls give
//! equal decisions. One thread at a time uses a strategy.

use crate::version::{InterlockExtension, InterlockStr};

/// Work on the CPU that needs no device.
pub const INTERLOCK_PHASE_PREPARE: u32 = 0;
/// Inputs go to the device.
pub const INTERLOCK_PHASE_STAGE: u32 = 1;
/// Kernels run.
pub const INTERLOCK_PHASE_COMPUTE: u32 = 2;
/// What is left to the CPU.
pub const INTERLOCK_PHASE_FINISH: u32 = 3;

/// When nothing else is to be done.
pub const INTERLOCK_PRIORITY_LOW: u32 = 0;
/// As most jobs are.
pub const INTERLOCK_PRIORITY_NORMAL: u32 = 1;
/// Before those.
pub const INTERLOCK_PRIORITY_HIGH: u32 = 2;
/// Before everything.
pub const INTERLOCK_PRIORITY_CRITICAL: u32 = 3;

/// One partition at a time is on the device.
pub const INTERLOCK_MEMORY_EXCLUSIVE: u32 = 0;
/// Granted bytes, later peaks included, never exceed the budget.
pub const INTERLOCK_MEMORY_RESERVING: u32 = 1;
/// Bytes are not looked at: allocations can fail, and their partitions then stage within compute.
pub const INTERLOCK_MEMORY_OVERCOMMITTING: u32 = 2;

/// The ticket may be in `phase`.
pub const INTERLOCK_DECISION_GRANT: u32 = 0;
/// The ticket, which is staged and waits for compute, is to drop its bytes, to be cancelled and to ask for stage again;
/// `other` takes its place.
pub const INTERLOCK_DECISION_REVOKE: u32 = 1;
/// The ticket needs `needed` bytes, more than the whole budget. It is forgotten.
pub const INTERLOCK_DECISION_NEVER_FITS: u32 = 2;
/// The ticket goes on waiting for `phase`, because of `reason`. Told again when the kind of reason or `other` changes.
pub const INTERLOCK_DECISION_HOLD: u32 = 3;

/// `other` has the lock that it needs.
pub const INTERLOCK_REASON_LOCK: u32 = 0;
/// `other` waits as well, and is before it.
pub const INTERLOCK_REASON_ORDER: u32 = 1;
/// It needs `needed` bytes, and could have `free`.
pub const INTERLOCK_REASON_ROOM: u32 = 2;
/// As many partitions, namely `needed`, are staged ahead as may be.
pub const INTERLOCK_REASON_AHEAD: u32 = 3;

/// A strategy that a backend offers. Strings are static.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InterlockStrategyInfo {
    /// Size of this struct as the caller knows it.
    pub struct_size: usize,
    /// Extensions, or NULL.
    pub ext: *const InterlockExtension,
    /// The name that `--interlock` selects: lower case, digits and `-`, 1 to 32 bytes.
    pub name: InterlockStr,
    /// One line about it.
    pub summary: InterlockStr,
    /// One of `INTERLOCK_MEMORY_*`.
    pub memory: u32,
    /// Zero.
    pub reserved: u32,
}

/// What a strategy may use.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InterlockStrategyLimits {
    /// Size of this struct as the caller knows it.
    pub struct_size: usize,
    /// Extensions, or NULL.
    pub ext: *const InterlockExtension,
    /// Bytes of the device that partitions may have; resident keys are not among them.
    pub budget_bytes: u64,
    /// Partitions that may be staged or staging ahead of the one that computes; at least 1.
    pub max_staged: u32,
    /// Zero.
    pub reserved: u32,
}

/// A partition that wants to be in a phase.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InterlockTicket {
    /// Size of this struct as the caller knows it.
    pub struct_size: usize,
    /// Extensions, or NULL.
    pub ext: *const InterlockExtension,
    /// Unique among the tickets that the strategy knows; the same in all phases.
    pub id: u64,
    /// Smaller is older; the same in all phases.
    pub age: u64,
    /// One of `INTERLOCK_PRIORITY_*`; the same in all phases.
    pub priority: u32,
    /// One of `INTERLOCK_PHASE_*`.
    pub phase: u32,
    /// For stage: the bytes that it takes and leaves. For compute: the bytes that it has there already.
    pub bytes: u64,
    /// For stage and compute: the most that it will have on the device at once until its compute ends.
    pub peak: u64,
}

/// What a strategy has decided.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InterlockDecision {
    /// Size of this struct as the caller knows it.
    pub struct_size: usize,
    /// Extensions, or NULL.
    pub ext: *const InterlockExtension,
    /// Whose.
    pub ticket: u64,
    /// One of `INTERLOCK_DECISION_*`.
    pub kind: u32,
    /// One of `INTERLOCK_PHASE_*`.
    pub phase: u32,
    /// One of `INTERLOCK_REASON_*`, for `INTERLOCK_DECISION_HOLD`.
    pub reason: u32,
    /// Zero.
    pub reserved: u32,
    /// Another ticket, where kind or reason name one.
    pub other: u64,
    /// Bytes or partitions, where kind or reason name them.
    pub needed: u64,
    /// Bytes, where the reason names them.
    pub free: u64,
}

/// A strategy's books.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InterlockStrategyAccount {
    /// Size of this struct as the caller knows it.
    pub struct_size: usize,
    /// Extensions, or NULL.
    pub ext: *const InterlockExtension,
    /// Bytes that there are.
    pub budget_bytes: u64,
    /// Bytes that are granted, later peaks included.
    pub reserved_bytes: u64,
    /// Tickets that wait.
    pub waiting: u32,
    /// Tickets that are in a phase, or staged.
    pub holding: u32,
}
