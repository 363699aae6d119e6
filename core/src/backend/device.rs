//! An opened device.

use std::sync::Arc;

use interlock_abi::{InterlockDevice, InterlockDeviceParams, InterlockMemoryInfo, transfer};
use interlock_curves::Curve;

use super::api::call;
use super::error::{BackendError, BackendErrorKind};
use super::plugin::{Plugin, curve_code};

/// How to open a device.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeviceOptions {
    /// Which of the plugin's devices.
    pub index: u32,
    /// Most bytes of device memory.
    pub memory_limit: Option<u64>,
    /// Most host threads, the plugin's own pools included.
    pub threads: Option<u32>,
}

/// A device's memory account, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryInfo {
    /// What it may use; 0 when unknown.
    pub budget: u64,
    /// Held by scalar buffers.
    pub scalars: u64,
    /// Held by keys.
    pub keys: u64,
}

/// A device, opened for one curve. Cheap to clone; closed when the last clone and the last object made from it are gone.
#[derive(Clone, Debug)]
pub struct Device(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    plugin: Arc<Plugin>,
    curve: Curve,
    handle: Handle<InterlockDevice>,
}

/// A plugin's handle. It is a number to us, valid on any thread.
pub(super) struct Handle<T>(pub(super) *mut T);

impl<T> std::fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:p}", self.0)
    }
}

// SAFETY: the ABI lets any thread use and free any handle.
unsafe impl<T> Send for Handle<T> {}
// SAFETY: the ABI lets any thread call with any handle; lanes, the exception, are not Sync by their wrapper.
unsafe impl<T> Sync for Handle<T> {}

impl<T> Handle<T> {
    /// Runs a call that makes a handle, and refuses NULL.
    pub(super) fn make(
        plugin: &Plugin,
        operation: &'static str,
        call: impl FnOnce(*mut *mut T) -> Result<(), BackendError>,
    ) -> Result<Self, BackendError> {
        let mut handle = std::ptr::null_mut();
        call(&raw mut handle)?;
        if handle.is_null() {
            let message = "it reported success and returned no handle";
            return Err(BackendError::host(BackendErrorKind::Internal, plugin.name(), operation, message));
        }
        Ok(Self(handle))
    }
}

impl Device {
    /// Opens a device of a plugin for a curve.
    ///
    /// # Errors
    /// The plugin cannot: no such device, curve not supported, driver trouble.
    pub fn open(plugin: &Arc<Plugin>, curve: Curve, options: DeviceOptions) -> Result<Self, BackendError> {
        if !plugin.info().curves.contains(&curve) {
            let message = format!("the backend does not support the curve {curve}");
            return Err(BackendError::host(
                BackendErrorKind::Unsupported,
                plugin.name(),
                "device_open",
                message,
            ));
        }
        let mut params: InterlockDeviceParams = transfer::empty();
        params.index = options.index;
        params.curve = curve_code(curve);
        params.memory_limit = options.memory_limit.unwrap_or(0);
        params.threads = options.threads.unwrap_or(0);
        let handle =
            Handle::make(plugin, "device_open", |out| call!(plugin, device_open(&raw const params, out)))?;
        Ok(Self(Arc::new(Inner { plugin: Arc::clone(plugin), curve, handle })))
    }

    /// The plugin.
    pub fn plugin(&self) -> &Arc<Plugin> {
        &self.0.plugin
    }

    /// The curve that it was opened for.
    pub fn curve(&self) -> Curve {
        self.0.curve
    }

    /// Its memory account.
    ///
    /// # Errors
    /// The device failed.
    pub fn memory(&self) -> Result<MemoryInfo, BackendError> {
        let mut info: InterlockMemoryInfo = transfer::empty();
        call!(self.plugin(), device_memory(self.handle(), &raw mut info))?;
        Ok(MemoryInfo { budget: info.budget_bytes, scalars: info.scalars_bytes, keys: info.keys_bytes })
    }

    /// The optional operations that this backend lacks and the host computes in its stead.
    pub fn composed(&self) -> Vec<&'static str> {
        let api = &self.plugin().api().0;
        let matrix = api.matrix_create.is_some() && api.matrix_free.is_some() && api.spmv.is_some();
        [("spmv", matrix), ("pointwise", api.pointwise.is_some()), ("scale", api.scale.is_some())]
            .into_iter()
            .filter_map(|(name, present)| (!present).then_some(name))
            .collect()
    }

    pub(super) fn handle(&self) -> *mut InterlockDevice {
        self.0.handle.0
    }

    pub(crate) fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // Nobody is left to hear of a failure, and the handle is gone either way.
        let _ = call!(&self.plugin, device_close(self.handle.0));
    }
}
