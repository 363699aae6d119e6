//! The `extern "C"` functions of the table, generic over the backend.
//!
//! Each one is a guard (nothing unwinds across the boundary), a look-up of its handles, the checks that
//! [`Device`](crate::Device) promises to implementors, and the call.

pub(crate) mod device;
pub(crate) mod entries;
pub(crate) mod guard;
pub(crate) mod keys;
pub(crate) mod lanes;
pub(crate) mod math;
pub(crate) mod plugin;
pub(crate) mod scalars;
pub(crate) mod strategies;

/// Turns a count of the wire into a `usize`, refusing what no address space holds.
pub(crate) fn count(n: u64, what: &str) -> Result<usize, crate::BackendError> {
    // 2^40 elements are more than any domain or key has; larger numbers come from a mistake or a hostile host, and
    // keeping them out means that products with an element's size never overflow.
    match usize::try_from(n) {
        Ok(n) if n <= 1 << 40 => Ok(n),
        _ => {
            Err(crate::BackendError::argument(format!("{what}: {n} elements are more than any memory holds")))
        }
    }
}

/// Refuses NULL where elements are expected.
pub(crate) fn not_null<T>(ptr: *const T, len: usize, what: &str) -> Result<(), crate::BackendError> {
    if ptr.is_null() && len != 0 {
        return Err(crate::BackendError::argument(format!("{what} is NULL")));
    }
    if !ptr.is_null() && !ptr.is_aligned() {
        return Err(crate::BackendError::argument(format!("{what} is not aligned")));
    }
    Ok(())
}

/// Stores a result through an out-pointer.
///
/// # Safety
/// `out` is NULL or writable.
pub(crate) unsafe fn put<T>(
    out: *mut T,
    value: impl FnOnce() -> Result<T, crate::BackendError>,
) -> Result<(), crate::BackendError> {
    not_null(out.cast_const(), 1, "the place for the result")?;
    let value = value()?;
    // SAFETY: not NULL and aligned (checked), writable by the caller's contract.
    unsafe { out.write(value) };
    Ok(())
}
