//! A device of an engine: opened once for each curve, with the keys that it knows.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use interlock_curves::Curve;

use super::config::DeviceSpec;
use crate::backend::{BackendError, Device, Plugin};
use crate::groth16::ResidentKey;
use crate::key::ProvingKey;

/// A device, its handles, its keys.
#[derive(Debug)]
pub(super) struct EngineDevice {
    spec: DeviceSpec,
    /// Keys that stay besides those in use.
    resident_keys: usize,
    single_use: bool,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    opened: HashMap<Curve, Device>,
    /// The last used one last.
    keys: Vec<Arc<ResidentKey>>,
}

impl EngineDevice {
    pub(super) fn new(spec: DeviceSpec, resident_keys: usize, single_use: bool) -> Self {
        Self { spec, resident_keys, single_use, known: Mutex::default() }
    }

    pub(super) fn plugin(&self) -> &Arc<Plugin> {
        &self.spec.plugin
    }

    pub(super) fn spec(&self) -> &DeviceSpec {
        &self.spec
    }

    /// A key on this device. Whoever needs one while another is being loaded waits for that.
    ///
    /// # Errors
    /// The device cannot be opened, or has no room.
    pub(super) fn resident(&self, key: &Arc<ProvingKey>) -> Result<Arc<ResidentKey>, BackendError> {
        let mut known = self.known();
        if let Some(at) = known.keys.iter().position(|resident| Arc::ptr_eq(resident.key(), key)) {
            let found = known.keys.remove(at);
            known.keys.push(Arc::clone(&found));
            return Ok(found);
        }
        let device = match known.opened.get(&key.curve) {
            Some(device) => device.clone(),
            None => {
                let device = Device::open(&self.spec.plugin, key.curve, self.spec.options)?;
                known.opened.insert(key.curve, device.clone());
                device
            }
        };
        known.evict(self.resident_keys.saturating_sub(1));
        let load = || match self.single_use {
            true => ResidentKey::load_for_one(&device, key),
            false => ResidentKey::load(&device, key),
        };
        let loaded = match load() {
            Err(error) if error.kind.is_out_of_memory() && known.evict(0) => load(),
            loaded => loaded,
        };
        let loaded = Arc::new(loaded?);
        known.keys.push(Arc::clone(&loaded));
        Ok(loaded)
    }

    /// The device is gone: whatever is known of it is not true any more. The next that needs it opens it anew.
    pub(super) fn forget(&self) {
        // Closing takes time, and nobody is to wait for it.
        let gone = std::mem::take(&mut *self.known());
        drop(gone);
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// Lets go of all but the `keep` last used ones of the keys that nobody uses; whether there was any.
    fn evict(&mut self, keep: usize) -> bool {
        let before = self.keys.len();
        let mut surplus = before.saturating_sub(keep);
        self.keys.retain(|resident| {
            let goes = surplus > 0 && Arc::strong_count(resident) == 1;
            surplus -= usize::from(goes);
            !goes
        });
        self.keys.len() < before
    }
}
