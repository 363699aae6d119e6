//! The table itself, called as a careless host would: sizes, versions, dead handles, lengths.

use std::ptr::{null, null_mut};

use ark_ff::One;
use interlock_abi::sizes::Sized01;
use interlock_abi::{
    INTERLOCK_ABI_MAJOR, INTERLOCK_ABI_MINOR, INTERLOCK_ABI_MISMATCH, INTERLOCK_CANONICAL,
    INTERLOCK_CURVE_BN254, INTERLOCK_INVALID_ARGUMENT, INTERLOCK_INVALID_HANDLE, INTERLOCK_NTT_FORWARD,
    InterlockApi, InterlockDevice, InterlockDeviceParams, InterlockDomain, InterlockDomainDesc,
    InterlockError, InterlockErrorInfo, InterlockGetApi, InterlockHost, InterlockLane, InterlockScalars,
    transfer,
};
use interlock_curves::{Bn254, ProvingCurve};
use interlock_tests::template_c::build;

/// The template's entry, in a library that is never closed.
fn entry() -> InterlockGetApi {
    let folder = tempfile::tempdir().unwrap();
    // SAFETY: the library is ours and its constructors do nothing.
    let library = Box::leak(Box::new(unsafe { libloading::Library::new(build(folder.path())) }.unwrap()));
    // SAFETY: the header gives the symbol this type.
    *unsafe { library.get::<InterlockGetApi>(b"interlock_get_api\0") }.unwrap()
}

fn host() -> &'static mut InterlockHost {
    let mut host: InterlockHost = transfer::empty();
    host.abi_major = INTERLOCK_ABI_MAJOR;
    host.abi_minor = INTERLOCK_ABI_MINOR;
    Box::leak(Box::new(host))
}

/// A call's code, 0 for success; the error is destroyed.
fn code(api: &InterlockApi, error: *mut InterlockError) -> u32 {
    if error.is_null() {
        return 0;
    }
    let mut info: InterlockErrorInfo = transfer::empty();
    // SAFETY: the plugin gave the error, which is destroyed once; the struct carries its size.
    unsafe {
        (api.error_get.unwrap())(error, &raw mut info);
        (api.error_destroy.unwrap())(error);
    }
    info.code
}

#[test]
fn hosts_of_another_size_or_version_are_refused() {
    let entry = entry();
    // SAFETY: each host is NULL or has at least the bytes that its size says, and lives as long as the process.
    let given = |host: *const InterlockHost| unsafe { entry(host) };
    let (short, other, newer) = (host(), host(), host());
    short.struct_size = InterlockHost::MIN_SIZE - 1;
    other.abi_major += 1;
    newer.abi_minor += 1;
    for refused in [null(), &raw const *short, &raw const *other, &raw const *newer] {
        assert!(given(refused).is_null());
    }
    let table = given(host());
    // SAFETY: a table is what a host of this version gets, with its size.
    let api = unsafe { transfer::read(table) }.unwrap();
    assert_eq!(api.struct_size, size_of::<InterlockApi>());
    assert!(api.strategy_count.is_none() && api.msm.is_some());
}

#[test]
fn dead_handles_and_lengths_that_do_not_fit_are_errors() {
    // SAFETY: the host lives as long as the process; the table carries its size.
    let api = unsafe { transfer::read(entry()(host())) }.unwrap();
    let code = |error| code(&api, error);
    let mut params: InterlockDeviceParams = transfer::empty();
    params.curve = INTERLOCK_CURVE_BN254;
    let mut device: *mut InterlockDevice = null_mut();
    let mut lane: *mut InterlockLane = null_mut();
    let mut scalars: *mut InterlockScalars = null_mut();
    let mut domain: *mut InterlockDomain = null_mut();
    let mut desc: InterlockDomainDesc = transfer::empty();
    let one = Bn254::scalar_to_montgomery(&One::one());
    (desc.generator, desc.shift) = (one, one);
    let mut bytes = [0; 128];
    let mut form = 0;
    // SAFETY: outputs are places for what is put there, buffers have the lengths that are told where they are read;
    // handles are the plugin's, which is to refuse those that are dead.
    unsafe {
        params.struct_size = InterlockDeviceParams::MIN_SIZE - 1;
        let open = api.device_open.unwrap();
        assert_eq!(code(open(&raw const params, &raw mut device)), INTERLOCK_ABI_MISMATCH);
        params.struct_size = InterlockDeviceParams::MIN_SIZE;
        assert_eq!(code(open(&raw const params, &raw mut device)), 0);
        assert_eq!(code((api.lane_create.unwrap())(device, &raw mut lane)), 0);
        assert_eq!(code((api.scalars_alloc.unwrap())(device, 3, &raw mut scalars)), 0);
        assert_eq!(code((api.domain_create.unwrap())(device, &raw const desc, &raw mut domain)), 0);

        let (upload, download) = (api.scalars_upload.unwrap(), api.scalars_download.unwrap());
        let up =
            |first, count| code(upload(lane, scalars, first, bytes.as_ptr(), count, INTERLOCK_CANONICAL));
        assert_eq!((up(0, 3), up(3, 0)), (0, 0));
        for (first, count) in [(0, 4), (3, 1), (1, u64::MAX), (u64::MAX, 1)] {
            assert_eq!(up(first, count), INTERLOCK_INVALID_ARGUMENT, "{count} from {first}");
        }
        let down = download(lane, scalars, 0, bytes.as_mut_ptr(), 4, &raw mut form);
        assert_eq!(code(down), INTERLOCK_INVALID_ARGUMENT);
        let ntt = (api.ntt.unwrap())(lane, domain, scalars, INTERLOCK_NTT_FORWARD);
        assert_eq!(code(ntt), INTERLOCK_INVALID_ARGUMENT, "3 scalars on a domain of one");

        let free = api.scalars_free.unwrap();
        assert_eq!((code(free(scalars)), code(free(scalars))), (0, INTERLOCK_INVALID_HANDLE));
        assert_eq!(code(free(lane.cast())), INTERLOCK_INVALID_HANDLE, "a lane is no buffer");
        let forget = api.domain_free.unwrap();
        assert_eq!((code(forget(domain)), code(forget(domain))), (0, INTERLOCK_INVALID_HANDLE));
        let destroy = api.lane_destroy.unwrap();
        assert_eq!((code(destroy(lane)), code(destroy(lane))), (0, INTERLOCK_INVALID_HANDLE));
        let close = api.device_close.unwrap();
        assert_eq!((code(close(device)), code(close(device))), (0, INTERLOCK_INVALID_HANDLE));
    }
}
