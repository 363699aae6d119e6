//! Plugin group: info, probe, device list.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use interlock_abi::{
    InterlockDeviceInfo, InterlockError, InterlockPluginInfo, InterlockProbe, InterlockStr, transfer,
};

use crate::backend::Backend;
use crate::error::BackendError;
use crate::thunks::guard::guard;
use crate::types::Probe;

/// `plugin_info`
pub(crate) unsafe extern "C" fn info<B: Backend>(out: *mut InterlockPluginInfo) -> *mut InterlockError {
    guard(|| {
        let mut info: InterlockPluginInfo = transfer::empty();
        info.name = InterlockStr::new(B::INFO.name);
        info.version = InterlockStr::new(B::INFO.version);
        info.description = InterlockStr::new(B::INFO.description);
        info.license = InterlockStr::new(B::INFO.license);
        info.curves = B::INFO.curves.iter().fold(0, |bits, curve| bits | (1 << curve.code()));
        // SAFETY: the caller's struct carries its size (contract of the ABI).
        Ok(unsafe { transfer::write(out, &info) }?)
    })
}

/// `plugin_probe`
pub(crate) unsafe extern "C" fn probe<B: Backend>(out: *mut InterlockProbe) -> *mut InterlockError {
    guard(|| {
        let found = probed::<B>();
        let mut probe: InterlockProbe = transfer::empty();
        probe.score = found.score;
        probe.device_count = found.devices.len() as u32;
        probe.reason = InterlockStr::new(&found.reason);
        // SAFETY: the caller's struct carries its size.
        Ok(unsafe { transfer::write(out, &probe) }?)
    })
}

/// `device_info`
pub(crate) unsafe extern "C" fn device_info<B: Backend>(
    index: u32,
    out: *mut InterlockDeviceInfo,
) -> *mut InterlockError {
    guard(|| {
        let found = probed::<B>();
        let device = found.devices.get(index as usize).ok_or_else(|| no_such_device(index, found))?;
        let mut info: InterlockDeviceInfo = transfer::empty();
        info.name = InterlockStr::new(&device.name);
        info.uuid = InterlockStr::new(&device.uuid);
        info.memory_bytes = device.memory_bytes;
        info.compute_units = device.compute_units;
        // SAFETY: the caller's struct carries its size.
        Ok(unsafe { transfer::write(out, &info) }?)
    })
}

/// The plugin's probe, made once per process and kept for good: its strings cross the boundary.
pub(crate) fn probed<B: Backend>() -> &'static Probe {
    static PROBES: LazyLock<Mutex<HashMap<TypeId, &'static Probe>>> = LazyLock::new(Mutex::default);
    let known = PROBES.lock().unwrap_or_else(PoisonError::into_inner).get(&TypeId::of::<B>()).copied();
    // Probed outside the lock: a probe that panics must not take the others with it.
    known.unwrap_or_else(|| {
        let found: &'static Probe = Box::leak(Box::new(B::probe()));
        PROBES.lock().unwrap_or_else(PoisonError::into_inner).entry(TypeId::of::<B>()).or_insert(found)
    })
}

pub(crate) fn no_such_device(index: u32, probe: &Probe) -> BackendError {
    BackendError::argument(format!("there is no device {index}: the plugin found {}", probe.devices.len()))
}
