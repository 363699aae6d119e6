//! The ABI version.
//!
//! While the major version is 0 the host and a plugin must agree exactly on both numbers. From 1.0 on, the major
//! version must be equal and each side ignores what the other does not have.

/// Major version; a difference is always refused.
pub const INTERLOCK_ABI_MAJOR: u32 = 0;

/// Minor version; must be equal while the major version is 0.
pub const INTERLOCK_ABI_MINOR: u32 = 2;

/// Bit of [`InterlockExtension::flags`]: a reader that does not know this extension must refuse the struct.
pub const INTERLOCK_EXTENSION_REQUIRED: u32 = 1;

/// Head of an extension: an element of the chain that begins in a struct's `ext` field.
///
/// Unknown extensions are skipped unless they are flagged [`INTERLOCK_EXTENSION_REQUIRED`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InterlockExtension {
    /// Bytes of the whole extension, this head included.
    pub struct_size: usize,
    /// Next extension, or NULL.
    pub next: *const InterlockExtension,
    /// Which extension this is. Numbers below 2^32 belong to Interlock, the others to vendors.
    pub id: u64,
    /// Bits `INTERLOCK_EXTENSION_*`.
    pub flags: u32,
    /// Zero.
    pub reserved: u32,
}

/// A UTF-8 string that is not NUL-terminated. Lives as long as the struct's documentation says.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InterlockStr {
    /// First byte; may be NULL when `len` is 0.
    pub ptr: *const u8,
    /// Bytes.
    pub len: usize,
}

impl InterlockStr {
    /// The empty string.
    pub const EMPTY: Self = Self { ptr: std::ptr::null(), len: 0 };

    /// Borrows a Rust string; the result must not outlive it.
    pub const fn new(s: &str) -> Self {
        Self { ptr: s.as_ptr(), len: s.len() }
    }
}
