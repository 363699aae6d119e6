//! A device of an engine: opened once for each curve, with the keys that it knows.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use interlock_curves::Curve;

use super::config::DeviceSpec;
use crate::backend::{BackendError, BackendErrorKind, Device, Plugin};
use crate::groth16::{CancelFlag, ProveError, ResidentKey};
use crate::key::ProvingKey;

/// A device, its handles, its keys.
#[derive(Debug)]
pub(super) struct EngineDevice {
    spec: DeviceSpec,
    /// Keys that stay besides those in use.
    resident_keys: usize,
    single_use: bool,
    /// Never held during a call of the backend, which may hang.
    known: Mutex<Known>,
    /// A key has been loaded or not, somebody is not to wait any more, or the device is lost.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Known {
    opened: HashMap<Curve, Device>,
    /// The last used one last.
    keys: Vec<Arc<ResidentKey>>,
    /// Somebody is loading a key, for which others wait: one at a time, since there may be room for one only.
    loading: bool,
    /// It counts as lost.
    lost: bool,
}

/// As long as somebody loads a key: until then it is his turn, by a panic too.
struct Turn<'a>(&'a EngineDevice);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.known().loading = false;
        self.0.changed.notify_all();
    }
}

impl EngineDevice {
    pub(super) fn new(spec: DeviceSpec, resident_keys: usize, single_use: bool) -> Self {
        Self { spec, resident_keys, single_use, known: Mutex::default(), changed: Condvar::new() }
    }

    pub(super) fn plugin(&self) -> &Arc<Plugin> {
        &self.spec.plugin
    }

    pub(super) fn spec(&self) -> &DeviceSpec {
        &self.spec
    }

    /// A key on this device. Whoever needs one while another is being loaded waits for that, unless he is cancelled (and
    /// [nudged](Self::nudge)) or the device is lost meanwhile.
    ///
    /// # Errors
    /// The device cannot be opened, or has no room; it was lost; cancelled.
    pub(super) fn resident(
        &self,
        key: &Arc<ProvingKey>,
        cancel: &CancelFlag,
    ) -> Result<Arc<ResidentKey>, ProveError> {
        let mut known = self.known();
        loop {
            if let Some(found) = known.find(key) {
                return Ok(found);
            }
            if !known.loading {
                break;
            }
            if cancel.is_cancelled() {
                return Err(ProveError::Cancelled);
            }
            if known.lost {
                let message = "the device hangs while it loads a key";
                let backend = self.plugin().name();
                return Err(
                    BackendError::host(BackendErrorKind::Device, backend, "bases_create", message).into()
                );
            }
            known = self.changed.wait(known).unwrap_or_else(PoisonError::into_inner);
        }
        known.loading = true;
        drop(known);
        let turn = Turn(self);
        let loaded = Arc::new(self.load(key)?);
        self.known().keys.push(Arc::clone(&loaded));
        drop(turn);
        Ok(loaded)
    }

    fn load(&self, key: &Arc<ProvingKey>) -> Result<ResidentKey, BackendError> {
        let opened = self.known().opened.get(&key.curve).cloned();
        let device = match opened {
            Some(device) => device,
            None => {
                let device = Device::open(&self.spec.plugin, key.curve, self.spec.options)?;
                self.known().opened.insert(key.curve, device.clone());
                device
            }
        };
        // One of those that may stay is the one that comes.
        self.evict(self.resident_keys.saturating_sub(1));
        let load = || match self.single_use {
            true => ResidentKey::load_for_one(&device, key),
            false => ResidentKey::load(&device, key),
        };
        match load() {
            Err(error) if error.kind.is_out_of_memory() && self.evict(0) => load(),
            loaded => loaded,
        }
    }

    /// Lets go of all but the `keep` last used ones of the keys that nobody uses; whether there was any.
    fn evict(&self, keep: usize) -> bool {
        let gone = self.known().evict(keep);
        !gone.is_empty()
    }

    /// Keys that nobody uses and that are not to stay: whoever drops them frees them, which may not come back.
    pub(super) fn surplus(&self) -> Vec<Arc<ResidentKey>> {
        self.known().evict(self.resident_keys)
    }

    /// Has whoever waits look whether he is still to.
    pub(super) fn nudge(&self) {
        drop(self.known());
        self.changed.notify_all();
    }

    /// Whether it counts as lost.
    pub(super) fn set_lost(&self, lost: bool) {
        self.known().lost = lost;
        self.changed.notify_all();
    }

    /// Lets go of all handles and keys: the device is gone, or the engine ends. Whoever needs it afterwards, as a
    /// partition that was under way may, opens it anew.
    pub(super) fn forget(&self) {
        let mut known = self.known();
        let gone = (std::mem::take(&mut known.opened), std::mem::take(&mut known.keys));
        drop(known);
        // Closing takes time, and nobody is to wait for it.
        drop(gone);
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// A key that is there, which is the last used one now.
    fn find(&mut self, key: &Arc<ProvingKey>) -> Option<Arc<ResidentKey>> {
        let at = self.keys.iter().position(|resident| Arc::ptr_eq(resident.key(), key))?;
        let found = self.keys.remove(at);
        self.keys.push(Arc::clone(&found));
        Some(found)
    }

    /// Gives up all but the `keep` last used ones of the keys that nobody uses.
    fn evict(&mut self, keep: usize) -> Vec<Arc<ResidentKey>> {
        let mut surplus = self.keys.len().saturating_sub(keep);
        let goes = |resident: &mut Arc<ResidentKey>| {
            let goes = surplus > 0 && Arc::strong_count(resident) == 1;
            surplus -= usize::from(goes);
            goes
        };
        self.keys.extract_if(.., goes).collect()
    }
}
