//! Device group: open, memory, close.

use interlock_abi::{InterlockDevice, InterlockDeviceParams, InterlockError, InterlockMemoryInfo, transfer};

use crate::backend::{Backend, Device};
use crate::error::BackendError;
use crate::handles;
use crate::thunks::entries::DeviceEntry;
use crate::thunks::guard::guard;
use crate::thunks::plugin::{no_such_device, probed};
use crate::thunks::put;
use crate::types::{CurveId, OpenParams};

/// `device_open`
pub(crate) unsafe extern "C" fn open<B: Backend>(
    params: *const InterlockDeviceParams,
    out: *mut *mut InterlockDevice,
) -> *mut InterlockError {
    guard(|| {
        // SAFETY: the caller's struct carries its size.
        let params = unsafe { transfer::read(params) }?;
        let curve = CurveId::from_code(params.curve)
            .filter(|curve| B::INFO.curves.contains(curve))
            .ok_or_else(|| BackendError::unsupported(format!("curve number {}", params.curve)))?;
        let found = probed::<B>();
        if params.index as usize >= found.devices.len() {
            return Err(no_such_device(params.index, found));
        }
        let params = OpenParams {
            index: params.index,
            curve,
            memory_limit: Some(params.memory_limit).filter(|&limit| limit != 0),
            threads: Some(params.threads as usize).filter(|&threads| threads != 0),
        };
        // SAFETY: `out` is the caller's place for a handle.
        unsafe { put(out, || Ok(handles::insert(DeviceEntry { device: B::open(&params)?, curve }))) }
    })
}

/// `device_memory`
pub(crate) unsafe extern "C" fn memory<D: Device>(
    device: *const InterlockDevice,
    out: *mut InterlockMemoryInfo,
) -> *mut InterlockError {
    guard(|| {
        let memory = handles::get::<DeviceEntry<D>, _>(device, "device")?.device.memory();
        let mut info: InterlockMemoryInfo = transfer::empty();
        info.budget_bytes = memory.budget;
        info.scalars_bytes = memory.scalars;
        info.keys_bytes = memory.keys;
        // SAFETY: the caller's struct carries its size.
        Ok(unsafe { transfer::write(out, &info) }?)
    })
}

/// `device_close`
pub(crate) unsafe extern "C" fn close<D: Device>(device: *mut InterlockDevice) -> *mut InterlockError {
    guard(|| handles::remove::<DeviceEntry<D>, _>(device, "device").map(drop))
}
