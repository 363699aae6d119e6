//! Reading and writing structs whose other side may be older or newer.

use crate::sizes::Sized01;
use crate::version::{INTERLOCK_EXTENSION_REQUIRED, InterlockExtension, InterlockStr};

/// Why a struct was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferError {
    /// The pointer is NULL.
    Null,
    /// `struct_size` is below the minimum.
    TooSmall {
        /// What the struct says.
        got: usize,
        /// What version 0.1 needs.
        min: usize,
    },
    /// `struct_size` is not a plausible size: it exceeds 64 KiB.
    TooLarge(usize),
    /// The extension chain holds a required extension that this side does not know, or does not end.
    UnknownExtension(u64),
}

impl std::fmt::Display for TransferError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Null => f.write_str("the pointer is NULL"),
            Self::TooSmall { got, min } => write!(f, "struct_size is {got}, at least {min} is needed"),
            Self::TooLarge(got) => write!(f, "struct_size is {got}, which no version of this struct has"),
            Self::UnknownExtension(id) => write!(f, "extension {id:#x} is required but not known here"),
        }
    }
}

impl std::error::Error for TransferError {}

/// No struct of this ABI comes near this size; a larger `struct_size` is garbage.
const SANE_SIZE: usize = 1 << 16;

/// More extensions than this on one struct are taken for a loop.
const MAX_EXTENSIONS: usize = 64;

/// An all-zero struct with `struct_size` filled: what a caller passes for an output, or begins an input with.
pub fn empty<T: Sized01>() -> T {
    // SAFETY: `Sized01` promises that all-zero bytes are valid and that the first field is `struct_size: usize`.
    unsafe {
        let mut value: T = std::mem::zeroed();
        (&raw mut value).cast::<usize>().write(size_of::<T>());
        value
    }
}

/// Copies a struct from the other side, whatever its version: fields it does not have read as zero.
///
/// # Errors
/// See [`TransferError`].
///
/// # Safety
/// `ptr` is NULL or points to at least `*ptr as usize` readable bytes (the struct's own `struct_size`).
pub unsafe fn read<T: Sized01>(ptr: *const T) -> Result<T, TransferError> {
    if ptr.is_null() {
        return Err(TransferError::Null);
    }
    // SAFETY: not NULL, so by contract it begins with `struct_size` and has that many readable bytes; the copy is
    // bounded by both sizes. The destination is a zeroed `T`, for which any further bytes stay zero.
    unsafe {
        let size = ptr.cast::<usize>().read_unaligned();
        check_size::<T>(size)?;
        let mut value: T = std::mem::zeroed();
        std::ptr::copy_nonoverlapping(
            ptr.cast::<u8>(),
            (&raw mut value).cast::<u8>(),
            size.min(size_of::<T>()),
        );
        check_extensions(extension_of(&raw const value))?;
        Ok(value)
    }
}

/// Writes `value` into the caller's struct, as far as the caller's version has the fields; the caller's `struct_size`
/// and `ext` stay.
///
/// # Errors
/// See [`TransferError`].
///
/// # Safety
/// As for [`read`], and the bytes are writable.
pub unsafe fn write<T: Sized01>(out: *mut T, value: &T) -> Result<(), TransferError> {
    const HEAD: usize = size_of::<usize>() + size_of::<*const InterlockExtension>();
    if out.is_null() {
        return Err(TransferError::Null);
    }
    // SAFETY: not NULL, so by contract it begins with `struct_size` and has that many writable bytes; the copy starts
    // behind the two head fields and is bounded by both sizes.
    unsafe {
        let size = out.cast::<usize>().read_unaligned();
        check_size::<T>(size)?;
        check_extensions(extension_of(out.cast_const()))?;
        std::ptr::copy_nonoverlapping(
            std::ptr::from_ref(value).cast::<u8>().add(HEAD),
            out.cast::<u8>().add(HEAD),
            size.min(size_of::<T>()) - HEAD,
        );
    }
    Ok(())
}

/// Borrows a string of the other side; `None` when it is not UTF-8 or its length is absurd.
///
/// # Safety
/// `s` is empty or points to `len` readable bytes that live and stay unchanged for `'a`.
pub unsafe fn text<'a>(s: InterlockStr) -> Option<&'a str> {
    if s.len == 0 {
        return Some("");
    }
    if s.ptr.is_null() || s.len > SANE_SIZE {
        return None;
    }
    // SAFETY: by contract `ptr` has `len` readable bytes.
    std::str::from_utf8(unsafe { std::slice::from_raw_parts(s.ptr, s.len) }).ok()
}

fn check_size<T: Sized01>(size: usize) -> Result<(), TransferError> {
    match size {
        got if got < T::MIN_SIZE => Err(TransferError::TooSmall { got, min: T::MIN_SIZE }),
        got if got > SANE_SIZE => Err(TransferError::TooLarge(got)),
        _ => Ok(()),
    }
}

/// # Safety
/// `value` points to a readable `T` head.
unsafe fn extension_of<T: Sized01>(value: *const T) -> *const InterlockExtension {
    // SAFETY: `Sized01` promises that `ext` is the second field, right behind the `usize`.
    unsafe { value.cast::<u8>().add(size_of::<usize>()).cast::<*const InterlockExtension>().read_unaligned() }
}

/// This version knows no extension, so any required one is refused.
///
/// # Safety
/// The chain consists of readable extensions.
unsafe fn check_extensions(mut ext: *const InterlockExtension) -> Result<(), TransferError> {
    for _ in 0..MAX_EXTENSIONS {
        if ext.is_null() {
            return Ok(());
        }
        // SAFETY: by contract of the chain.
        let head = unsafe { ext.read_unaligned() };
        if head.flags & INTERLOCK_EXTENSION_REQUIRED != 0 {
            return Err(TransferError::UnknownExtension(head.id));
        }
        ext = head.next;
    }
    Err(TransferError::UnknownExtension(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InterlockDeviceParams, InterlockProbe};

    /// A newer struct: today's, with a field appended.
    #[repr(C)]
    struct Newer {
        today: InterlockDeviceParams,
        appended: u64,
    }

    #[test]
    fn a_newer_and_an_older_struct_are_read() {
        let mut newer = Newer { today: empty(), appended: 7 };
        newer.today.struct_size = size_of::<Newer>();
        newer.today.threads = 3;
        // SAFETY: `Newer` has the bytes its size says.
        let got: InterlockDeviceParams = unsafe { read((&raw const newer).cast()) }.unwrap();
        assert_eq!((got.threads, newer.appended), (3, 7));

        let mut older: InterlockDeviceParams = empty();
        older.struct_size = InterlockDeviceParams::MIN_SIZE;
        older.threads = 5;
        older.reserved = 99; // beyond the minimum: belongs to nobody, so it must not be read
        // SAFETY: it has at least the bytes its size says.
        let got = unsafe { read(&raw const older) }.unwrap();
        assert_eq!((got.threads, got.reserved), (5, 0));
    }

    #[test]
    fn truncated_absurd_and_null_structs_are_refused() {
        let mut params: InterlockDeviceParams = empty();
        params.struct_size = InterlockDeviceParams::MIN_SIZE - 1;
        // SAFETY: it has more bytes than its size says.
        let error = unsafe { read(&raw const params) }.unwrap_err();
        assert_eq!(error, TransferError::TooSmall { got: 35, min: 36 });
        params.struct_size = usize::MAX;
        // SAFETY: the size is refused before anything else is read.
        assert_eq!(unsafe { read(&raw const params) }.unwrap_err(), TransferError::TooLarge(usize::MAX));
        // SAFETY: NULL is allowed.
        assert_eq!(unsafe { read::<InterlockProbe>(std::ptr::null()) }.unwrap_err(), TransferError::Null);
    }

    #[test]
    fn only_required_extensions_are_refused() {
        let mut ext = InterlockExtension {
            struct_size: size_of::<InterlockExtension>(),
            next: std::ptr::null(),
            id: 0xabc,
            flags: 0,
            reserved: 0,
        };
        let mut params: InterlockDeviceParams = empty();
        params.ext = &raw const ext;
        // SAFETY: the chain has one readable element.
        assert!(unsafe { read(&raw const params) }.is_ok());
        ext.flags = INTERLOCK_EXTENSION_REQUIRED;
        params.ext = &raw const ext;
        // SAFETY: as above.
        assert_eq!(unsafe { read(&raw const params) }.unwrap_err(), TransferError::UnknownExtension(0xabc));
        ext.flags = 0;
        ext.next = &raw const ext;
        params.ext = &raw const ext;
        // SAFETY: the chain loops, every element is readable.
        assert!(unsafe { read(&raw const params) }.is_err());
    }

    #[test]
    fn writing_keeps_the_callers_size_and_stays_inside_it() {
        let mut out: InterlockProbe = empty();
        out.struct_size = InterlockProbe::MIN_SIZE;
        let mut value: InterlockProbe = empty();
        value.score = 42;
        // SAFETY: `out` has the bytes its size says.
        unsafe { write(&raw mut out, &value) }.unwrap();
        assert_eq!((out.struct_size, out.score), (InterlockProbe::MIN_SIZE, 42));
    }
}
