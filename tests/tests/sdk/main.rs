//! The SDK's side of the ABI: panics stay inside, handles are checked, cancellation resets, both doors are exported.

use std::sync::Arc;

use interlock_core::backend::{BackendErrorKind, Device, DeviceOptions, Form, Lane, Plugin, Scalars};
use interlock_curves::Curve;
use interlock_sdk::{
    Backend, BackendError, BasesSource, CancelToken, CurveId, DeviceInfo, DomainSource, HostBytes,
    HostBytesMut, Memory, MsmRequest, NttOp, OpenParams, PluginInfo, Probe,
};

/// A backend that panics where it is told to.
struct Panics;

struct PanicsDevice;

impl Backend for Panics {
    type Device = PanicsDevice;
    const INFO: PluginInfo = PluginInfo {
        name: "panics",
        version: "1.0.0",
        description: "Panics on purpose",
        license: "MIT OR Apache-2.0",
        curves: &[CurveId::Bn254],
    };

    fn probe() -> Probe {
        Probe { score: 1, reason: "a test".into(), devices: vec![DeviceInfo::default()] }
    }

    fn open(_: &OpenParams) -> Result<PanicsDevice, BackendError> {
        Ok(PanicsDevice)
    }
}

impl interlock_sdk::Device for PanicsDevice {
    type Lane = CancelToken;
    type Scalars = usize;
    type Bases = ();
    type Matrix = ();
    type Domain = ();

    fn memory(&self) -> Memory {
        panic!("in memory")
    }
    fn lane(&self, cancel: CancelToken) -> Result<CancelToken, BackendError> {
        Ok(cancel)
    }
    fn alloc(&self, count: usize) -> Result<usize, BackendError> {
        if count == 13 { panic!("unlucky {count}") } else { Ok(count) }
    }
    fn upload(
        &self,
        _: &mut CancelToken,
        _: &mut usize,
        _: usize,
        _: HostBytes<'_>,
    ) -> Result<(), BackendError> {
        panic!("in upload")
    }
    fn download(
        &self,
        _: &mut CancelToken,
        _: &usize,
        _: usize,
        _: HostBytesMut<'_>,
    ) -> Result<(), BackendError> {
        Err(BackendError { native_code: -77, ..BackendError::device("no cable") })
    }
    fn load_bases(&self, _: BasesSource) -> Result<(), BackendError> {
        Ok(())
    }
    fn load_domain(&self, _: &DomainSource) -> Result<(), BackendError> {
        Ok(())
    }
    fn ntt(&self, _: &mut CancelToken, (): &(), _: &mut usize, _: NttOp) -> Result<(), BackendError> {
        Ok(())
    }
    fn msm(
        &self,
        _: &mut CancelToken,
        _: &usize,
        _: interlock_sdk::Form,
        _: Vec<MsmRequest<'_, ()>>,
    ) -> Result<(), BackendError> {
        Ok(())
    }
}

interlock_sdk::export_backend!(Panics);

fn device() -> (Arc<Plugin>, Device) {
    let plugin = Plugin::linked(interlock_api()).unwrap();
    let device = Device::open(&plugin, Curve::Bn254, DeviceOptions::default()).unwrap();
    (plugin, device)
}

#[test]
fn a_panic_becomes_an_error_and_the_host_lives_on() {
    let (_, device) = device();
    let error = device.memory().unwrap_err();
    assert_eq!(error.kind, BackendErrorKind::Internal);
    assert_eq!(error.to_string(), "backend panics: device_memory: the backend panicked: in memory");
    let error = Scalars::alloc(&device, 13).unwrap_err();
    assert!(error.message.contains("unlucky 13"), "{error}");
    assert_eq!(Scalars::alloc(&device, 12).unwrap().len(), 12);
}

#[test]
fn what_a_panicking_call_held_is_not_trusted_again() {
    let (_, device) = device();
    let lane = Lane::create(&device).unwrap();
    let mut buffer = Scalars::alloc(&device, 1).unwrap();
    let first = lane.upload(&mut buffer, 0, &[0; 32], Form::Canonical).unwrap_err();
    assert!(first.message.contains("in upload") && !first.context_lost, "{first}");
    let second = lane.upload(&mut buffer, 0, &[0; 32], Form::Canonical).unwrap_err();
    assert!(second.context_lost && second.message.contains("earlier call panicked"), "{second}");
    // Other lanes and buffers of the device go on.
    let lane = Lane::create(&device).unwrap();
    let fresh = Scalars::alloc(&device, 1).unwrap();
    assert_eq!(lane.download(&fresh, 0, 1).unwrap_err().kind, BackendErrorKind::Device);
}

#[test]
fn native_codes_and_absent_operations_are_told() {
    let (_, device) = device();
    let lane = Lane::create(&device).unwrap();
    let buffer = Scalars::alloc(&device, 1).unwrap();
    let error = lane.download(&buffer, 0, 1).unwrap_err();
    assert_eq!(error.to_string(), "backend panics: scalars_download: no cable (native code -77)");
    assert_eq!(device.composed(), ["spmv", "pointwise", "scale"]);
    assert!(Device::open(device.plugin(), Curve::Bls12_381, DeviceOptions::default()).is_err());
}

/// Calls through the raw table, as a host with a bug would.
#[test]
fn handles_are_numbers_that_are_looked_up() {
    use interlock_abi::{InterlockDeviceParams, InterlockErrorInfo, transfer};
    let api = interlock_api();
    let code = |error: *mut interlock_abi::InterlockError| {
        let mut info: InterlockErrorInfo = transfer::empty();
        // SAFETY: the error comes from this table and is destroyed once.
        unsafe {
            api.error_get.unwrap()(error, &raw mut info);
            api.error_destroy.unwrap()(error);
        }
        info.code
    };
    let mut params: InterlockDeviceParams = transfer::empty();
    params.curve = interlock_abi::INTERLOCK_CURVE_BN254;
    let mut device = std::ptr::null_mut();
    // SAFETY: every pointer is valid or one of those that the table promises to refuse.
    unsafe {
        assert!(api.device_open.unwrap()(&raw const params, &raw mut device).is_null());
        let close = api.device_close.unwrap();
        assert!(close(device).is_null());
        assert_eq!(code(close(device)), interlock_abi::INTERLOCK_INVALID_HANDLE, "closed twice");
        assert_eq!(code(close(std::ptr::null_mut())), interlock_abi::INTERLOCK_INVALID_HANDLE);
        assert_eq!(code(api.lane_destroy.unwrap()(device.cast())), interlock_abi::INTERLOCK_INVALID_HANDLE);
        let invalid = interlock_abi::INTERLOCK_INVALID_ARGUMENT;
        assert_eq!(code(api.device_open.unwrap()(&raw const params, std::ptr::null_mut())), invalid);
        params.struct_size = 8;
        let open = api.device_open.unwrap()(&raw const params, &raw mut device);
        assert_eq!(code(open), interlock_abi::INTERLOCK_ABI_MISMATCH);
        api.error_destroy.unwrap()(std::ptr::null_mut());
    }
}

/// The CPU backend's library has both doors, and both lead to one table.
#[cfg(target_os = "linux")]
#[test]
fn both_doors_hand_over_the_same_table() {
    use abi_stable::library::{AbiHeaderRef, ROOT_MODULE_LOADER_NAME_WITH_NUL};
    use interlock_abi::door::InterlockDoorRef;
    use interlock_abi::{InterlockGetApi, InterlockHost, transfer};

    let mut host: InterlockHost = transfer::empty();
    host.abi_major = interlock_abi::INTERLOCK_ABI_MAJOR;
    host.abi_minor = interlock_abi::INTERLOCK_ABI_MINOR;
    let host: &'static InterlockHost = Box::leak(Box::new(host));
    // SAFETY: our own library; it stays loaded because it is leaked.
    unsafe {
        let library = libloading::Library::new(interlock_tests::places::cpu_library()).unwrap();
        let library: &'static libloading::Library = Box::leak(Box::new(library));
        let c = library.get::<InterlockGetApi>(interlock_abi::INTERLOCK_GET_API_SYMBOL.as_bytes()).unwrap();
        let header = *library.get::<AbiHeaderRef>(ROOT_MODULE_LOADER_NAME_WITH_NUL.as_bytes()).unwrap();
        let door = header.upgrade().unwrap().init_root_module::<InterlockDoorRef>().unwrap();
        let table = c(host);
        assert!(!table.is_null());
        assert_eq!(table, door.get_api()(host));
        // A host of another version gets nothing.
        let mut newer = *host;
        newer.abi_minor += 1;
        assert!(c(&raw const newer).is_null());
    }
}
