//! A line to the host's log.

use std::sync::atomic::{AtomicPtr, Ordering};

use interlock_abi::{InterlockHost, InterlockStr, transfer};

static HOST: AtomicPtr<InterlockHost> = AtomicPtr::new(std::ptr::null_mut());

/// How much a line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Level {
    /// Something failed.
    Error = interlock_abi::INTERLOCK_LOG_ERROR,
    /// Something is odd.
    Warn = interlock_abi::INTERLOCK_LOG_WARN,
    /// Worth knowing once.
    Info = interlock_abi::INTERLOCK_LOG_INFO,
    /// For developers.
    Debug = interlock_abi::INTERLOCK_LOG_DEBUG,
}

/// Writes a line; does nothing before the host has introduced itself. Never pass witness values.
pub fn log(level: Level, text: &str) {
    let host = HOST.load(Ordering::Acquire);
    // SAFETY: only `install` stores here, a host that lives as long as the process; `read` bounds the copy by its size.
    let Ok(host) = (unsafe { transfer::read(host.cast_const()) }) else { return };
    if let Some(log) = host.log {
        // SAFETY: the host's callback takes any level and a string that lives for the call.
        unsafe { log(host.user, level as u32, InterlockStr::new(text)) };
    }
}

/// Remembers the host. The first one stays: all hosts of a process are the same program.
///
/// # Safety
/// `host` points to an `InterlockHost` that lives as long as the process.
pub(crate) unsafe fn install(host: *const InterlockHost) {
    let _ = HOST.compare_exchange(std::ptr::null_mut(), host.cast_mut(), Ordering::AcqRel, Ordering::Acquire);
}
