//! Error codes and flags.

use crate::version::{InterlockExtension, InterlockStr};

/// An argument is out of range, of the wrong length or form, or two arguments alias.
pub const INTERLOCK_INVALID_ARGUMENT: u32 = 1;
/// A handle was freed before, is of another kind, or belongs to another device.
pub const INTERLOCK_INVALID_HANDLE: u32 = 2;
/// The plugin does not offer this operation, curve or size.
pub const INTERLOCK_UNSUPPORTED: u32 = 3;
/// The request exceeds what the device could ever give; retrying is pointless.
pub const INTERLOCK_OUT_OF_MEMORY_NEVER: u32 = 4;
/// The request does not fit now, but may once others have released memory.
pub const INTERLOCK_OUT_OF_MEMORY_NOW: u32 = 5;
/// The device, its driver or its runtime failed; see the native code.
pub const INTERLOCK_DEVICE_FAILED: u32 = 6;
/// The work was cancelled by `lane_cancel`.
pub const INTERLOCK_CANCELLED: u32 = 7;
/// The plugin broke one of its own invariants (a caught panic or exception).
pub const INTERLOCK_INTERNAL: u32 = 8;
/// A struct was smaller than its minimum, or carried an unknown required extension, or versions differ.
pub const INTERLOCK_ABI_MISMATCH: u32 = 9;

/// The same call may succeed when repeated.
pub const INTERLOCK_ERROR_RETRYABLE: u32 = 1;
/// The device handle is lost: close it and open it again.
pub const INTERLOCK_ERROR_CONTEXT_LOST: u32 = 2;

/// What `error_get` tells of an error. The message lives until `error_destroy`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InterlockErrorInfo {
    /// Size of this struct as the caller knows it.
    pub struct_size: usize,
    /// Extensions, or NULL.
    pub ext: *const InterlockExtension,
    /// One of the error codes above; never 0.
    pub code: u32,
    /// Bits `INTERLOCK_ERROR_*`.
    pub flags: u32,
    /// Index of the device concerned, or `UINT32_MAX`.
    pub device: u32,
    /// Zero.
    pub reserved: u32,
    /// The driver's or runtime's own code, or 0.
    pub native_code: i64,
    /// What went wrong, for a person: UTF-8, one line.
    pub message: InterlockStr,
}
