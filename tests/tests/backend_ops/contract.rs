//! What the ABI promises around the arithmetic: handles, limits, cancellation, threads, secrets.

use std::sync::Arc;

use interlock_core::backend::{BackendErrorKind, Device, DeviceOptions, Form, Lane, Plugin, Scalars};
use interlock_curves::ProvingCurve;

use crate::{on_every_backend, open};

#[test]
fn objects_of_another_device_are_refused() {
    on_every_backend!(foreign);
}

#[test]
fn buffers_begin_as_zeros_and_ranges_are_checked() {
    on_every_backend!(buffers);
}

#[test]
fn the_memory_limit_holds_and_memory_comes_back() {
    on_every_backend!(limit);
}

#[test]
fn a_cancelled_lane_works_again_after_a_sync() {
    on_every_backend!(cancelled);
}

#[test]
fn a_device_that_is_not_there() {
    on_every_backend!(absent);
}

fn foreign<E: ProvingCurve>(plugin: &Arc<Plugin>) {
    let (_, lane) = open::<E>(plugin);
    let (other, _) = open::<E>(plugin);
    let mut buffer = Scalars::alloc(&other, 1).unwrap();
    let error = lane.upload(&mut buffer, 0, &[0; 32], Form::Canonical).unwrap_err();
    assert_eq!(error.kind, BackendErrorKind::InvalidHandle);
}

fn buffers<E: ProvingCurve>(plugin: &Arc<Plugin>) {
    let (device, lane) = open::<E>(plugin);
    let mut buffer = Scalars::alloc(&device, 3).unwrap();
    assert_eq!(*lane.download(&buffer, 0, 3).unwrap().0, vec![0; 96]);
    lane.upload(&mut buffer, 1, &[1; 64], Form::Canonical).unwrap();
    assert_eq!(*lane.download(&buffer, 0, 2).unwrap().0, [[0; 32], [1; 32]].concat());
    for (first, bytes) in [(3, 32), (2, 64), (usize::MAX, 32), (0, 31)] {
        let error = lane.upload(&mut buffer, first, &vec![0; bytes], Form::Canonical).unwrap_err();
        assert_eq!(error.kind, BackendErrorKind::InvalidArgument, "{bytes} bytes to {first}");
    }
    assert!(lane.download(&buffer, 2, 2).is_err());
    assert!(lane.download(&buffer, 1, usize::MAX).is_err());
}

fn limit<E: ProvingCurve>(plugin: &Arc<Plugin>) {
    let options = DeviceOptions { threads: Some(1), memory_limit: Some(3200), ..DeviceOptions::default() };
    let device = Device::open(plugin, E::CURVE, options).unwrap();
    assert_eq!(Scalars::alloc(&device, 101).unwrap_err().kind, BackendErrorKind::NeverFits);
    assert_eq!(Scalars::alloc(&device, 1 << 39).unwrap_err().kind, BackendErrorKind::NeverFits);
    assert_eq!(Scalars::alloc(&device, usize::MAX).unwrap_err().kind, BackendErrorKind::InvalidArgument);
    let first = Scalars::alloc(&device, 60).unwrap();
    let memory = device.memory().unwrap();
    assert_eq!((memory.budget, memory.scalars), (3200, 1920));
    let error = Scalars::alloc(&device, 60).unwrap_err();
    assert!(error.kind == BackendErrorKind::NotNow && error.retryable, "{error}");
    drop(first);
    let second = Scalars::alloc(&device, 100).unwrap();
    drop(second);
    assert_eq!(device.memory().unwrap().scalars, 0);
}

fn cancelled<E: ProvingCurve>(plugin: &Arc<Plugin>) {
    let (device, lane) = open::<E>(plugin);
    let mut buffer = Scalars::alloc(&device, 1).unwrap();
    let canceller = lane.canceller();
    std::thread::spawn(move || canceller.cancel()).join().unwrap();
    let error = lane.upload(&mut buffer, 0, &[0; 32], Form::Canonical).unwrap_err();
    assert_eq!(error.kind, BackendErrorKind::Cancelled);
    // The failed upload waited for the lane, which ends the cancellation.
    lane.upload(&mut buffer, 0, &[0; 32], Form::Canonical).unwrap();
}

fn absent<E: ProvingCurve>(plugin: &Arc<Plugin>) {
    let options = DeviceOptions { index: 7, ..DeviceOptions::default() };
    let error = Device::open(plugin, E::CURVE, options).unwrap_err();
    assert!(
        error.kind == BackendErrorKind::InvalidArgument && error.message.contains("no device 7"),
        "{error}"
    );
    assert!(Lane::create(&open::<E>(plugin).0).is_ok());
}
