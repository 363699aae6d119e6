//! Scalar buffers.

use std::sync::Arc;

use interlock_sdk::BackendError;
use interlock_sdk::account::{Account, Held, Purpose};
use zeroize::Zeroize;

/// A buffer of scalars: raw limbs in whatever form the SDK has on record, held as field elements.
///
/// Canonical limbs are *not* the field element of that value; they only share its memory layout, which is what makes
/// `coefficient·R² × canonical` one multiplication.
#[derive(Debug)]
pub struct ScalarBuf<F: Zeroize> {
    /// The scalars.
    pub data: Vec<F>,
    _held: Held,
}

impl<F: Zeroize + Clone> ScalarBuf<F> {
    /// `count` copies of `zero`.
    ///
    /// # Errors
    /// The account or the machine has no room.
    pub fn new(count: usize, zero: F, account: &Arc<Account>) -> Result<Self, BackendError> {
        let bytes = (count * size_of::<F>()) as u64;
        let mut buf = Self { data: Vec::new(), _held: account.hold(Purpose::Scalars, bytes)? };
        buf.data.try_reserve_exact(count).map_err(|_| BackendError::not_now(bytes, 0))?;
        buf.data.resize(count, zero);
        Ok(buf)
    }
}

impl<F: Zeroize> Drop for ScalarBuf<F> {
    fn drop(&mut self) {
        self.data.zeroize();
    }
}
