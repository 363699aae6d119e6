//! The table that plugins get from us.

use std::ffi::c_void;
use std::panic::catch_unwind;
use std::sync::{LazyLock, RwLock};

use interlock_abi::{
    INTERLOCK_ABI_MAJOR, INTERLOCK_ABI_MINOR, INTERLOCK_LOG_DEBUG, INTERLOCK_LOG_ERROR, INTERLOCK_LOG_WARN,
    InterlockHost, InterlockStr, transfer,
};

/// How much a plugin's log line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// Something failed.
    Error,
    /// Something is odd.
    Warn,
    /// Worth knowing once.
    Info,
    /// For developers.
    Debug,
}

type Sink = Box<dyn Fn(LogLevel, &str) + Send + Sync>;

static SINK: RwLock<Option<Sink>> = RwLock::new(None);

/// Where plugins' log lines go; without a sink they are dropped. The sink may be called from any thread.
pub fn set_log_sink(sink: impl Fn(LogLevel, &str) + Send + Sync + 'static) {
    *SINK.write().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(Box::new(sink));
}

unsafe extern "C" fn log(_user: *mut c_void, level: u32, text: InterlockStr) {
    // A sink that panics must not unwind into the plugin.
    let _ = catch_unwind(|| {
        // SAFETY: the plugin's string lives for the call (contract of the ABI).
        let Some(text) = (unsafe { transfer::text(text) }) else { return };
        let level = match level {
            0..=INTERLOCK_LOG_ERROR => LogLevel::Error,
            INTERLOCK_LOG_WARN => LogLevel::Warn,
            INTERLOCK_LOG_DEBUG.. => LogLevel::Debug,
            _ => LogLevel::Info,
        };
        if let Some(sink) = SINK.read().unwrap_or_else(std::sync::PoisonError::into_inner).as_ref() {
            // A terminal must not obey a plugin.
            let text: String =
                text.chars().take(1024).map(|c| if c.is_control() { ' ' } else { c }).collect();
            sink(level, &text);
        }
    });
}

struct Shared(InterlockHost);
// SAFETY: immutable after construction; its only pointer (`user`) is NULL.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

/// The one host table of this process; lives for good.
pub(crate) fn host_table() -> &'static InterlockHost {
    static HOST: LazyLock<Shared> = LazyLock::new(|| {
        let mut host: InterlockHost = transfer::empty();
        host.abi_major = INTERLOCK_ABI_MAJOR;
        host.abi_minor = INTERLOCK_ABI_MINOR;
        host.log = Some(log);
        Shared(host)
    });
    &HOST.0
}
