//! The tables: one per bench, since a function of a table has nothing but its own identity to tell whose it is.

use interlock_abi::{
    InterlockApi, InterlockDeviceInfo, InterlockError, InterlockProbe, InterlockStr, transfer,
};
use interlock_sdk::{Backend, BackendError, CurveId, DeviceInfo, OpenParams, PluginInfo, Probe};
use interlock_strategies::stock::{self, Description};
use interlock_strategies::{Limits, Strategy};

use crate::bench::{BENCHES, MOST_DEVICES, Shelf};
use crate::device::Scripted;
use crate::solo::{self, Solo};

/// The backend of the bench in a slot.
struct Dummy<const SLOT: usize>;

impl<const SLOT: usize> Backend for Dummy<SLOT> {
    type Device = Scripted;

    const INFO: PluginInfo = PluginInfo {
        name: "dummy",
        version: env!("CARGO_PKG_VERSION"),
        description: "The CPU backend under a script, for tests",
        license: env!("CARGO_PKG_LICENSE"),
        curves: &[CurveId::Bn254, CurveId::Bls12_381],
    };

    /// What the SDK keeps for good: as many devices as any bench has. What is true at the moment, [`probe`] and
    /// [`device_info`] tell.
    fn probe() -> Probe {
        Probe { score: 1, reason: "for tests".into(), devices: vec![DeviceInfo::default(); MOST_DEVICES] }
    }

    fn open(params: &OpenParams) -> Result<Scripted, BackendError> {
        let missing = || BackendError::argument(format!("this bench has no device {}", params.index));
        Scripted::open(Shelf::at(SLOT).ok_or_else(missing)?, params)
    }

    fn strategies() -> Vec<Description> {
        let mut all = stock::ALL.to_vec();
        all.push(solo::DESCRIPTION);
        all
    }

    fn strategy(name: &str, limits: Limits) -> Option<Box<dyn Strategy>> {
        if name == solo::DESCRIPTION.name {
            return Some(Box::new(Solo::new(limits)));
        }
        Some(Box::new(stock::create(name, limits)?))
    }
}

/// The SDK's table for a slot.
struct Sdk<const SLOT: usize>;

impl<const SLOT: usize> Sdk<SLOT> {
    const API: InterlockApi = interlock_sdk::table::<Dummy<SLOT>>();
}

const fn table<const SLOT: usize>() -> InterlockApi {
    InterlockApi {
        plugin_probe: Some(probe::<SLOT>),
        device_info: Some(device_info::<SLOT>),
        ..Sdk::<SLOT>::API
    }
}

macro_rules! tables {
    ($($slot:literal)*) => { [$(table::<$slot>()),*] };
}

static TABLES: [InterlockApi; BENCHES] =
    tables!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);

pub(crate) fn table_of(slot: usize) -> &'static InterlockApi {
    &TABLES[slot]
}

/// `plugin_probe`: the bench's devices.
unsafe extern "C" fn probe<const SLOT: usize>(out: *mut InterlockProbe) -> *mut InterlockError {
    let Some(of_sdk) = Sdk::<SLOT>::API.plugin_probe else { return std::ptr::null_mut() };
    // SAFETY: passed on. It checks `out`, and makes the error when that is refused.
    let error = unsafe { of_sdk(out) };
    if error.is_null() {
        let mut probe: InterlockProbe = transfer::empty();
        probe.score = 1;
        probe.device_count = Shelf::at(SLOT).map_or(0, |shelf| shelf.scripts().len() as u32);
        probe.reason = InterlockStr::new("for tests");
        // SAFETY: the caller's struct carries its size; it was accepted a moment ago.
        let _ = unsafe { transfer::write(out, &probe) };
    }
    error
}

/// `device_info`: the memory that the device's script gives it now.
unsafe extern "C" fn device_info<const SLOT: usize>(
    index: u32,
    out: *mut InterlockDeviceInfo,
) -> *mut InterlockError {
    let Some(of_sdk) = Sdk::<SLOT>::API.device_info else { return std::ptr::null_mut() };
    let memory =
        Shelf::at(SLOT).and_then(|shelf| shelf.scripts().get(index as usize).map(|script| script.memory()));
    let Some(memory) = memory else {
        // SAFETY: passed on, with an index that no device has, for the error.
        return unsafe { of_sdk(u32::MAX, out) };
    };
    // SAFETY: as in `probe`.
    let error = unsafe { of_sdk(index, out) };
    if error.is_null() {
        let mut info: InterlockDeviceInfo = transfer::empty();
        info.name = InterlockStr::new("scripted device");
        info.uuid = InterlockStr::EMPTY;
        info.memory_bytes = memory;
        info.compute_units = 1;
        // SAFETY: as in `probe`.
        let _ = unsafe { transfer::write(out, &info) };
    }
    error
}
