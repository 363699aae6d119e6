//! What the host offers to a plugin. Plugins import no symbols of the host: this table is all they get.

use std::ffi::c_void;

use crate::version::{InterlockExtension, InterlockStr};

/// Something failed.
pub const INTERLOCK_LOG_ERROR: u32 = 1;
/// Something is odd, but the work goes on.
pub const INTERLOCK_LOG_WARN: u32 = 2;
/// Worth knowing once.
pub const INTERLOCK_LOG_INFO: u32 = 3;
/// For developers.
pub const INTERLOCK_LOG_DEBUG: u32 = 4;

/// The host's side of the table. Lives as long as the process. Callbacks may be called from any thread, must not
/// unwind, and must not call back into the plugin.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InterlockHost {
    /// Size of this struct as the host knows it.
    pub struct_size: usize,
    /// Extensions, or NULL.
    pub ext: *const InterlockExtension,
    /// [`INTERLOCK_ABI_MAJOR`](crate::INTERLOCK_ABI_MAJOR) of the host.
    pub abi_major: u32,
    /// [`INTERLOCK_ABI_MINOR`](crate::INTERLOCK_ABI_MINOR) of the host.
    pub abi_minor: u32,
    /// Passed back to every callback.
    pub user: *mut c_void,
    /// Writes a line to the host's log: level `INTERLOCK_LOG_*`, UTF-8 text. Never pass witness values. May be NULL.
    pub log: Option<unsafe extern "C" fn(user: *mut c_void, level: u32, text: InterlockStr)>,
}
