// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory of the device.

use std::sync::Arc;

use interlock_sdk::account::{Account, Held, Purpose};
use interlock_sdk::{BackendError, HostBytesMut};
use zeroize::Zeroize;

use crate::element::Scalar;

/// A piece of the device's memory. It is on the device's account while it lives, and overwritten before it is freed:
/// witnesses are secret.
pub struct Region {
    // Your device: a pointer of its own. Dropped before `held`: memory is freed first, and then given back.
    bytes: Vec<u8>,
    _held: Held,
}

impl Region {
    /// Allocates zeros.
    pub fn zeros(account: &Arc<Account>, purpose: Purpose, bytes: usize) -> Result<Self, BackendError> {
        // What can never fit, and what does not fit now, is told here.
        let held = account.hold(purpose, bytes as u64)?;
        // Your device: allocate and clear. When it refuses what the account allows, somebody else uses it: not now.
        let mut memory = Vec::new();
        memory.try_reserve_exact(bytes).map_err(|_| BackendError::not_now(bytes as u64, 0))?;
        memory.resize(bytes, 0);
        Ok(Self { bytes: memory, _held: held })
    }

    /// Copies from the host to the bytes from `first` on.
    pub fn copy_up(&mut self, first: usize, host: &[u8]) {
        // Your device: copy host to device.
        self.bytes[first..first + host.len()].copy_from_slice(host);
    }

    /// Copies to the host the bytes from `first` on.
    pub fn copy_down(&self, first: usize, mut host: HostBytesMut<'_>) -> Result<(), BackendError> {
        // Your device: copy device to host, to `host.as_mut_ptr()`.
        host.write(&self.bytes[first..first + host.len()])
    }

    /// For kernels.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// For kernels: the scalars.
    pub fn scalars(&self) -> &[Scalar] {
        self.bytes.as_chunks().0
    }

    /// For kernels: the scalars, to be changed.
    pub fn scalars_mut(&mut self) -> &mut [Scalar] {
        self.bytes.as_chunks_mut().0
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // Your device: wait for what still uses the region, overwrite it there, and free it.
        self.bytes.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use interlock_sdk::ErrorKind;

    use super::*;

    #[test]
    fn the_account_follows() {
        let account = Account::new(Some(100));
        let refused = |bytes| match Region::zeros(&account, Purpose::Scalars, bytes) {
            Ok(_) => panic!("{bytes} bytes were given"),
            Err(error) => error.kind,
        };
        let first = Region::zeros(&account, Purpose::Keys, 60).unwrap();
        assert_eq!(account.memory().keys, 60);
        assert_eq!((refused(101), refused(41)), (ErrorKind::NeverFits, ErrorKind::NotNow));
        drop(first);
        let mut all = Region::zeros(&account, Purpose::Scalars, 100).unwrap();
        assert!(all.bytes().iter().all(|&byte| byte == 0));
        all.copy_up(98, &[1, 2]);
        assert_eq!(all.bytes()[97..], [0, 1, 2]);
    }
}
