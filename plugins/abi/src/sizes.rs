//! The minimum size of each struct: the end of the last field that version 0.2 has.
//!
//! A size counts to the end of the last field, not to the end of the struct: trailing padding would hide a field that
//! is appended into it. Once version 1.0 is frozen these numbers never change; until then they move with the minor
//! version.

use crate::*;

/// Offset of a field plus its size.
macro_rules! end_of {
    ($ty:ty, $field:ident) => {{
        const fn size<T, F>(_: fn(&T) -> &F) -> usize {
            size_of::<F>()
        }
        std::mem::offset_of!($ty, $field) + size::<$ty, _>(|s| &s.$field)
    }};
}

/// A struct that begins with `struct_size` and `ext`.
///
/// # Safety
/// The type is `#[repr(C)]`, its first two fields are `struct_size: usize` and `ext: *const InterlockExtension`, and
/// every field is valid when all its bytes are zero.
pub unsafe trait Sized01 {
    /// Bytes that the other side must at least provide.
    const MIN_SIZE: usize;
}

macro_rules! sized {
    ($($ty:ident: $last:ident),* $(,)?) => {
        $(
            // SAFETY: declared in this crate as repr(C) with the two head fields; integers, pointers, byte arrays and
            // `Option<fn>` are all valid as zero bytes.
            unsafe impl Sized01 for $ty {
                const MIN_SIZE: usize = end_of!($ty, $last);
            }
        )*
    };
}

sized! {
    InterlockErrorInfo: message,
    InterlockPluginInfo: curves,
    InterlockProbe: reason,
    InterlockDeviceInfo: compute_units,
    InterlockDeviceParams: threads,
    InterlockMemoryInfo: keys_bytes,
    InterlockHost: log,
    InterlockBasesDesc: index,
    InterlockMatrixDesc: values,
    InterlockDomainDesc: shift,
    InterlockMsm: result_bytes,
    InterlockStrategyInfo: memory,
    InterlockStrategyLimits: max_staged,
    InterlockTicket: peak,
    InterlockDecision: free,
    InterlockStrategyAccount: holding,
    InterlockApi: strategy_destroy,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The layout is a contract: these numbers may only grow, by appended fields.
    #[test]
    fn frozen_sizes() {
        assert_eq!(InterlockErrorInfo::MIN_SIZE, 56);
        assert_eq!(InterlockPluginInfo::MIN_SIZE, 88);
        assert_eq!(InterlockProbe::MIN_SIZE, 40);
        assert_eq!(InterlockDeviceInfo::MIN_SIZE, 60);
        assert_eq!(InterlockDeviceParams::MIN_SIZE, 36);
        assert_eq!(InterlockMemoryInfo::MIN_SIZE, 40);
        assert_eq!(InterlockHost::MIN_SIZE, 40);
        assert_eq!(InterlockBasesDesc::MIN_SIZE, 48);
        assert_eq!(InterlockMatrixDesc::MIN_SIZE, 64);
        assert_eq!(InterlockDomainDesc::MIN_SIZE, 88);
        assert_eq!(InterlockMsm::MIN_SIZE, 48);
        assert_eq!(InterlockStrategyInfo::MIN_SIZE, 52);
        assert_eq!(InterlockStrategyLimits::MIN_SIZE, 28);
        assert_eq!(InterlockTicket::MIN_SIZE, 56);
        assert_eq!(InterlockDecision::MIN_SIZE, 64);
        assert_eq!(InterlockStrategyAccount::MIN_SIZE, 40);
        assert_eq!(InterlockApi::MIN_SIZE, 24 + 8 * (2 + 3 + 3 + 4 + 4 + 6 + 5 + 9));
    }
}
