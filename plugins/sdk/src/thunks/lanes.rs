//! Lanes.

use interlock_abi::{InterlockDevice, InterlockError, InterlockLane};

use crate::backend::Device;
use crate::cancel::CancelToken;
use crate::handles;
use crate::thunks::entries::{DeviceEntry, LaneEntry};
use crate::thunks::guard::guard;
use crate::thunks::put;

/// `lane_create`
pub(crate) unsafe extern "C" fn create<D: Device>(
    device: *const InterlockDevice,
    out: *mut *mut InterlockLane,
) -> *mut InterlockError {
    guard(|| {
        let device = handles::get::<DeviceEntry<D>, _>(device, "device")?;
        let cancel = CancelToken::default();
        // SAFETY: `out` is the caller's place for a handle.
        unsafe {
            put(out, || {
                let lane = device.device.lane(cancel.clone())?;
                Ok(handles::insert(LaneEntry::<D> { device, lane: lane.into(), cancel }))
            })
        }
    })
}

/// `lane_sync`
pub(crate) unsafe extern "C" fn sync<D: Device>(lane: *const InterlockLane) -> *mut InterlockError {
    guard(|| {
        let entry = handles::get::<LaneEntry<D>, _>(lane, "lane")?;
        let mut lane = entry.lock()?;
        let outcome = entry.device.device.sync(&mut lane);
        entry.cancel.reset();
        outcome
    })
}

/// `lane_cancel`
pub(crate) unsafe extern "C" fn cancel<D: Device>(lane: *const InterlockLane) -> *mut InterlockError {
    guard(|| {
        handles::get::<LaneEntry<D>, _>(lane, "lane")?.cancel.cancel();
        Ok(())
    })
}

/// `lane_destroy`
pub(crate) unsafe extern "C" fn destroy<D: Device>(lane: *mut InterlockLane) -> *mut InterlockError {
    guard(|| {
        let entry = handles::remove::<LaneEntry<D>, _>(lane, "lane")?;
        let mut lane = entry.lock()?;
        entry.device.device.sync(&mut lane)
    })
}
