//! Benches and their devices are apart from each other.

use interlock_core::backend::{BackendErrorKind, Device, DeviceOptions, Scalars};
use interlock_curves::Curve;
use interlock_dummy::{BENCHES, Bench, DEFAULT_MEMORY, MOST_DEVICES, Operation};

use crate::plugin;

fn device(index: u32) -> DeviceOptions {
    DeviceOptions { index, ..DeviceOptions::default() }
}

#[test]
fn a_probe_lists_a_benchs_devices_with_the_memory_they_have_now() {
    let bench = Bench::with_devices(3);
    let plugin = plugin(&bench);
    let memory =
        || -> Vec<u64> { plugin.probe().unwrap().devices.iter().map(|device| device.memory_bytes).collect() };
    assert_eq!(memory(), [DEFAULT_MEMORY; 3]);
    bench.scripts()[1].set_memory(1 << 20);
    assert_eq!(memory(), [DEFAULT_MEMORY, 1 << 20, DEFAULT_MEMORY]);

    let third = Device::open(&plugin, Curve::Bn254, device(2)).unwrap();
    let held = Scalars::alloc(&third, 10).unwrap();
    let bytes: Vec<u64> = bench.scripts().iter().map(|script| script.live_bytes()).collect();
    assert_eq!(bytes, [0, 0, 320]);
    drop(held);
    for index in [3, MOST_DEVICES as u32, u32::MAX] {
        let error = Device::open(&plugin, Curve::Bn254, device(index)).unwrap_err();
        assert_eq!(error.kind, BackendErrorKind::InvalidArgument, "{error}");
    }
    assert!(plugin.probe().unwrap().devices.iter().all(|device| device.name == "scripted device"));
}

#[test]
fn what_befalls_one_bench_does_not_befall_another() {
    let (faulty, sound) = (Bench::new(), Bench::new());
    faulty.script().on(Operation::Open).always().panic();
    assert!(Device::open(&plugin(&faulty), Curve::Bn254, device(0)).is_err());
    Device::open(&plugin(&sound), Curve::Bn254, device(0)).unwrap();
    assert_eq!((faulty.script().all_calls(), sound.script().all_calls()), (1, 1));
}

/// More benches one after the other than there can be at once; a table in use is never another bench's.
#[test]
fn tables_are_used_again_when_nobody_uses_them() {
    let bench = Bench::new();
    let api: *const _ = bench.api();
    let open = Device::open(&plugin(&bench), Curve::Bn254, device(0)).unwrap();
    drop(bench);
    for _ in 0..3 * BENCHES {
        let next = Bench::new();
        assert!(!std::ptr::eq(next.api(), api), "its device is open");
        assert_eq!(plugin(&next).probe().unwrap().devices.len(), 1);
    }
    drop(open);
}

/// A plugin without its bench has no devices, and says so.
#[test]
fn a_bench_that_is_gone_leaves_no_device() {
    let bench = Bench::new();
    let plugin = plugin(&bench);
    let device = Device::open(&plugin, Curve::Bn254, device(0)).unwrap();
    bench.script().on(Operation::Alloc).always().panic();
    drop(bench);
    // It goes on, without its script, for those who have opened it.
    assert_eq!(Scalars::alloc(&device, 4).unwrap().len(), 4);
}
