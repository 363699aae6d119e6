//! Scalar buffers and their account.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use interlock_sdk::BackendError;
use zeroize::Zeroize;

/// Bytes held by the buffers of one device, against an optional limit.
#[derive(Debug, Default)]
pub struct Account {
    held: AtomicU64,
    limit: Option<u64>,
}

impl Account {
    /// An account with nothing on it.
    pub fn new(limit: Option<u64>) -> Arc<Self> {
        Arc::new(Self { held: AtomicU64::new(0), limit })
    }

    /// Bytes held now.
    pub fn held(&self) -> u64 {
        self.held.load(Ordering::Relaxed)
    }

    /// The limit, if any.
    pub fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// Books bytes until the result is dropped.
    ///
    /// # Errors
    /// They exceed the limit, or what is left of it.
    pub fn hold(self: &Arc<Self>, bytes: u64) -> Result<Held, BackendError> {
        self.take(bytes)?;
        Ok(Held { account: Arc::clone(self), bytes })
    }

    fn take(&self, bytes: u64) -> Result<(), BackendError> {
        let limit = self.limit.unwrap_or(u64::MAX);
        if bytes > limit {
            return Err(BackendError::never_fits(bytes, limit));
        }
        self.held
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |held| {
                held.checked_add(bytes).filter(|&sum| sum <= limit)
            })
            .map(drop)
            .map_err(|held| BackendError::not_now(bytes, limit.saturating_sub(held)))
    }

    fn give_back(&self, bytes: u64) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// Bytes on an account, for as long as this lives.
#[derive(Debug)]
pub struct Held {
    account: Arc<Account>,
    bytes: u64,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.account.give_back(self.bytes);
    }
}

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
        let mut buf = Self { data: Vec::new(), _held: account.hold(bytes)? };
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
