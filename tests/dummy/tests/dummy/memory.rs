//! The account of bytes: exact, limited, and right after whatever happened.

use interlock_core::backend::{BackendErrorKind, Device, DeviceOptions, Scalars};
use interlock_core::groth16::ProveError;
use interlock_curves::{Bn254, Curve};
use interlock_dummy::{Bench, ErrorKind, Operation};

use crate::{assert_nothing_left, blinding, by_cpu, open, plugin, prover};

#[test]
fn buffers_are_booked_and_given_back() {
    let bench = Bench::new();
    let script = bench.script();
    script.set_memory(1000);
    let device = Device::open(&plugin(&bench), Curve::Bls12_381, DeviceOptions::default()).unwrap();
    assert_eq!(device.memory().unwrap().budget, 1000);
    let first = Scalars::alloc(&device, 20).unwrap();
    let error = Scalars::alloc(&device, 12).unwrap_err();
    assert!(error.kind == BackendErrorKind::NotNow && error.retryable, "{error}");
    assert!(error.message.contains("384 bytes") && error.message.contains("360 are free"), "{error}");
    let error = Scalars::alloc(&device, 32).unwrap_err();
    assert!(error.kind == BackendErrorKind::NeverFits && !error.retryable, "{error}");
    let second = Scalars::alloc(&device, 11).unwrap();
    assert_eq!((script.live_bytes(), script.peak_bytes()), (992, 992));
    assert_eq!((device.memory().unwrap().scalars, script.live_objects().scalars), (992, 2));
    drop(first);
    assert_eq!((script.live_bytes(), script.peak_bytes()), (352, 992));
    script.reset_peak();
    assert_eq!(script.peak_bytes(), 352);
    // Less than there is: what is alive stays, and nothing fits.
    script.set_memory(100);
    assert_eq!(Scalars::alloc(&device, 1).unwrap_err().kind, BackendErrorKind::NotNow);
    assert_eq!(Scalars::alloc(&device, 0).unwrap().len(), 0);
    drop((second, device));
    assert_nothing_left(script, "all dropped");
}

/// Openings share the device's memory; an opening's own limit is its own.
#[test]
fn openings_share_a_device() {
    let bench = Bench::new();
    let plugin = plugin(&bench);
    bench.script().set_memory(3200);
    let limited = DeviceOptions { memory_limit: Some(640), ..DeviceOptions::default() };
    let small = Device::open(&plugin, Curve::Bn254, limited).unwrap();
    let large = Device::open(&plugin, Curve::Bls12_381, DeviceOptions::default()).unwrap();
    assert_eq!((small.memory().unwrap().budget, large.memory().unwrap().budget), (640, 3200));
    assert_eq!(Scalars::alloc(&small, 21).unwrap_err().kind, BackendErrorKind::NeverFits);
    let held = Scalars::alloc(&small, 20).unwrap();
    assert_eq!(Scalars::alloc(&small, 1).unwrap_err().kind, BackendErrorKind::NotNow);
    assert_eq!(bench.script().live_bytes(), 640, "what was refused is not booked");
    assert_eq!(Scalars::alloc(&large, 81).unwrap_err().kind, BackendErrorKind::NotNow);
    assert_eq!(Scalars::alloc(&large, 80).unwrap().len(), 80);
    assert_eq!(bench.script().live_objects().devices, 2);
    drop(held);
}

/// Out of memory at every single allocation of a proof in turn.
#[test]
fn each_allocation_of_a_proof_can_fail() {
    let (key, witness) = open(Curve::Bn254, "multiplier");
    let bench = Bench::new();
    let script = bench.script();
    let prover = prover(&bench, &key);
    let expected = by_cpu::<Bn254>(&key, &witness);
    for (kind, answer) in
        [(ErrorKind::NotNow, BackendErrorKind::NotNow), (ErrorKind::NeverFits, BackendErrorKind::NeverFits)]
    {
        for n in 1..=4 {
            let fault = script.on(Operation::Alloc).nth(n).fail(kind);
            let error = prover.prove_blinded(&witness, &blinding()).unwrap_err();
            let ProveError::Backend(error) = error else { panic!("{error}") };
            assert_eq!((error.kind, error.operation), (answer, "scalars_alloc"));
            assert_eq!((fault.hits(), script.live_bytes()), (1, 0), "allocation {n}");
            assert_eq!(prover.prove_blinded(&witness, &blinding()).unwrap().proof, expected);
        }
    }
}

/// The peak is what a proof needs, to the byte.
#[test]
fn a_proof_needs_its_peak() {
    let (key, witness) = open(Curve::Bn254, "membership");
    let bench = Bench::new();
    let script = bench.script();
    let prover = prover(&bench, &key);
    prover.prove(&witness).unwrap();
    let peak = script.peak_bytes();
    script.set_memory(peak);
    prover.prove(&witness).unwrap();
    script.set_memory(peak - 1);
    let error = prover.prove(&witness).unwrap_err();
    assert!(
        matches!(&error, ProveError::Backend(error) if error.kind == BackendErrorKind::NotNow),
        "{error}"
    );
    script.set_memory(100);
    let error = prover.prove(&witness).unwrap_err();
    assert!(
        matches!(&error, ProveError::Backend(error) if error.kind == BackendErrorKind::NeverFits),
        "{error}"
    );
    assert_eq!(script.live_bytes(), 0);
}
