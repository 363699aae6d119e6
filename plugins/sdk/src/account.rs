//! The account of a device's memory.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::BackendError;
use crate::types::Memory;

/// What bytes are held for: the two are told to the host apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Scalar buffers.
    Scalars,
    /// Bases, matrices, tables of domains; not what is borrowed of the host.
    Keys,
}

/// Bytes that a device holds, against an optional budget. The host plans with it, so it is exact: bytes are taken before
/// they are allocated, and given back after they were freed.
///
/// ```
/// use interlock_sdk::ErrorKind;
/// use interlock_sdk::account::{Account, Purpose};
///
/// // The smaller one of what the device has and `OpenParams::memory_limit`.
/// let account = Account::new(Some(100));
/// let buffer = account.hold(Purpose::Scalars, 64)?;
/// assert_eq!(account.hold(Purpose::Keys, 101).unwrap_err().kind, ErrorKind::NeverFits);
/// assert_eq!(account.hold(Purpose::Keys, 100).unwrap_err().kind, ErrorKind::NotNow);
/// drop(buffer);
/// let key = account.hold(Purpose::Keys, 100)?;
/// assert_eq!(account.memory().keys, 100);
/// # Ok::<(), interlock_sdk::BackendError>(())
/// ```
#[derive(Debug)]
pub struct Account {
    budget: Option<u64>,
    held: Mutex<Books>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Books {
    scalars: u64,
    keys: u64,
}

impl Books {
    fn of(&mut self, purpose: Purpose) -> &mut u64 {
        match purpose {
            Purpose::Scalars => &mut self.scalars,
            Purpose::Keys => &mut self.keys,
        }
    }
}

impl Account {
    /// An account with nothing on it; without a budget it refuses nothing.
    pub fn new(budget: Option<u64>) -> Arc<Self> {
        Arc::new(Self { budget, held: Mutex::default() })
    }

    /// Books bytes until the result is dropped. Keep it beside the memory that it stands for, as the later field: fields
    /// are dropped in their order, so that the memory is freed first.
    ///
    /// # Errors
    /// [`NeverFits`](crate::ErrorKind::NeverFits): more than the whole budget. [`NotNow`](crate::ErrorKind::NotNow): more
    /// than is left of it.
    pub fn hold(self: &Arc<Self>, purpose: Purpose, bytes: u64) -> Result<Held, BackendError> {
        let budget = self.budget.unwrap_or(u64::MAX);
        if bytes > budget {
            return Err(BackendError::never_fits(bytes, budget));
        }
        let mut held = self.held();
        let free = budget - (held.scalars + held.keys);
        if bytes > free {
            return Err(BackendError::not_now(bytes, free));
        }
        *held.of(purpose) += bytes;
        Ok(Held { account: Arc::clone(self), purpose, bytes })
    }

    /// The budget, if there is one.
    pub fn budget(&self) -> Option<u64> {
        self.budget
    }

    /// What [`Device::memory`](crate::Device::memory) answers.
    pub fn memory(&self) -> Memory {
        let Books { scalars, keys } = *self.held();
        Memory { budget: self.budget.unwrap_or(0), scalars, keys }
    }

    /// Numbers are whole after any panic, so a poisoned lock is none.
    fn held(&self) -> MutexGuard<'_, Books> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Bytes on an account, for as long as this lives.
#[derive(Debug)]
pub struct Held {
    account: Arc<Account>,
    purpose: Purpose,
    bytes: u64,
}

impl Held {
    /// How many.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        *self.account.held().of(self.purpose) -= self.bytes;
    }
}
