//! What core's wrappers refuse by themselves, whatever the backend.

use std::sync::Arc;

use interlock_core::backend::{
    BackendErrorKind, Bases, Device, DeviceOptions, Domain, DomainSpec, Form, Group, Lane, Matrix, MsmTerm,
    NttOp, Scalars,
};
use interlock_core::format::{Csr, MappedFile, Section};
use interlock_curves::roots::{RootFamily, root_of_unity};
use interlock_curves::{Bn254, Curve, ProvingCurve};
use interlock_tests::linked;

fn open() -> (Device, Lane) {
    let device = Device::open(&linked(), Curve::Bn254, DeviceOptions::default()).unwrap();
    let lane = Lane::create(&device).unwrap();
    (device, lane)
}

#[test]
fn objects_of_another_device() {
    let (_, lane) = open();
    let (other, _) = open();
    let mut buffer = Scalars::alloc(&other, 1).unwrap();
    let error = lane.upload(&mut buffer, 0, &[0; 32], Form::Canonical).unwrap_err();
    assert_eq!(error.kind, BackendErrorKind::InvalidHandle);
}

#[test]
fn ranges_of_a_buffer() {
    let (device, lane) = open();
    let mut buffer = Scalars::alloc(&device, 3).unwrap();
    for (first, bytes) in [(3, 32), (2, 64), (usize::MAX, 32), (0, 31)] {
        let error = lane.upload(&mut buffer, first, &vec![0; bytes], Form::Canonical).unwrap_err();
        assert_eq!(error.kind, BackendErrorKind::InvalidArgument, "{bytes} bytes to {first}");
    }
    assert!(lane.download(&buffer, 2, 2).is_err());
    assert!(lane.download(&buffer, 1, usize::MAX).is_err());
}

#[test]
fn a_device_that_is_not_there_is_named() {
    let options = DeviceOptions { index: 7, ..DeviceOptions::default() };
    let error = Device::open(&linked(), Curve::Bn254, options).unwrap_err();
    assert!(
        error.kind == BackendErrorKind::InvalidArgument && error.message.contains("no device 7"),
        "{error}"
    );
}

#[test]
fn matrices_whose_arrays_do_not_fit() {
    let (device, _) = open();
    let faults = [
        Csr { rows: 2, cols: 1, row_offsets: vec![0, 1, 1], col_indices: vec![1], values: vec![0; 32] },
        Csr { rows: 2, cols: 1, row_offsets: vec![0, 1, 0], col_indices: vec![], values: vec![] },
        Csr { rows: 2, cols: 1, row_offsets: vec![0, 1], col_indices: vec![0], values: vec![0; 32] },
        Csr { rows: 1, cols: 1, row_offsets: vec![0, 1], col_indices: vec![0], values: vec![0; 31] },
    ];
    for csr in faults {
        let error = Matrix::load(&device, Arc::new(csr)).unwrap_err();
        assert_eq!(error.kind, BackendErrorKind::InvalidArgument);
    }
}

#[test]
fn lengths_of_transforms_and_sums() {
    let (device, lane) = open();
    let root = root_of_unity::<Bn254>(4, RootFamily::Snarkjs).unwrap();
    let generator = Bn254::scalar_to_montgomery(&root);
    let domain = Domain::load(&device, &DomainSpec { log_size: 4, generator, shift: generator }).unwrap();
    let mut short = Scalars::alloc(&device, 15).unwrap();
    let error = lane.ntt(&domain, &mut short, NttOp::Forward).unwrap_err();
    assert_eq!(error.kind, BackendErrorKind::InvalidArgument);

    let file = MappedFile::from_bytes("points", vec![0; 64]).unwrap();
    let points = Section::new(file, 0..64).unwrap();
    // Position 14 of a range that begins at 1 is one beyond the buffer.
    let bases = Bases::load(&device, Group::G1, points, Some(Arc::from([14]))).unwrap();
    assert!(lane.msm(&short, &[MsmTerm { bases: &bases, first: 0 }]).is_ok());
    let error = lane.msm(&short, &[MsmTerm { bases: &bases, first: 1 }]).unwrap_err();
    assert_eq!(error.kind, BackendErrorKind::InvalidArgument);
}
