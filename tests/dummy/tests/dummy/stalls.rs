//! Hangs and delays.

use std::time::Duration;

use interlock_core::backend::{BackendErrorKind, Device, DeviceOptions, Scalars};
use interlock_core::groth16::{CancelFlag, ProveError, Proved};
use interlock_curves::{Bn254, Curve};
use interlock_dummy::{Bench, Delay, ErrorKind, Operation};

use crate::{PATIENCE, blinding, by_cpu, open, plugin, prover};

const LONG: Duration = Duration::from_secs(24 * 3600);

type Outcome = Result<Proved<Bn254>, ProveError>;

/// Proves in a thread of its own while `meanwhile` happens, which is given whether the proof has ended.
fn while_proving(bench: &Bench, meanwhile: impl FnOnce(&CancelFlag, &dyn Fn() -> bool)) -> Outcome {
    let (key, witness) = open(Curve::Bn254, "multiplier");
    let prover = prover(bench, &key);
    let cancel = CancelFlag::default();
    let outcome = std::thread::scope(|scope| {
        let proof = scope.spawn(|| prover.prove_observed(&witness, &blinding(), &(), &cancel));
        meanwhile(&cancel, &|| proof.is_finished());
        proof.join().unwrap()
    });
    assert_eq!(bench.script().live_bytes(), 0);
    if let Ok(proved) = &outcome {
        assert_eq!(proved.proof, by_cpu(&key, &witness));
    }
    outcome
}

#[test]
fn a_call_hangs_until_it_is_released() {
    for operation in [Operation::Lane, Operation::Alloc, Operation::Upload, Operation::Msm, Operation::Sync] {
        let bench = Bench::new();
        let script = bench.script();
        let fault = script.on(operation).hang();
        let outcome = while_proving(&bench, |_, ended| {
            assert!(script.await_stalled(1, PATIENCE));
            assert!(!ended() && script.stalled() == 1 && fault.hits() == 1);
            script.release_hangs();
        });
        assert!(outcome.is_ok(), "{operation}");
        assert_eq!(script.stalled(), 0);
    }
}

#[test]
fn a_hang_does_not_hear_of_cancellation() {
    let bench = Bench::new();
    let script = bench.script();
    script.on(Operation::Msm).hang();
    let outcome = while_proving(&bench, |cancel, ended| {
        assert!(script.await_stalled(1, PATIENCE));
        cancel.cancel();
        assert!(!script.await_stalled(2, Duration::from_millis(20)) && !ended());
        script.release_hangs();
    });
    assert!(matches!(outcome, Err(ProveError::Cancelled)));
}

#[test]
fn a_cooperative_hang_ends_when_its_lane_is_cancelled() {
    for operation in Operation::ALL.into_iter().filter(|operation| operation.on_lane()) {
        if matches!(operation, Operation::Download | Operation::Scale) {
            continue; // not called by a proof
        }
        let bench = Bench::new();
        bench.script().on(operation).hang_until_cancelled();
        let outcome = while_proving(&bench, |cancel, _| {
            assert!(bench.script().await_stalled(1, PATIENCE));
            cancel.cancel();
        });
        assert!(matches!(outcome, Err(ProveError::Cancelled)), "{operation}");
    }
}

#[test]
#[should_panic(expected = "cannot happen to device_open")]
fn what_has_no_lane_cannot_be_cancelled() {
    Bench::new().script().on(Operation::Open).hang_until_cancelled();
}

/// Delays of a day, by a fault, for each call and for each scalar: a cancelled lane does not wait for them.
#[test]
fn a_delay_ends_when_its_lane_is_cancelled() {
    let arm: [fn(&Bench); 3] = [
        |bench| drop(bench.script().on(Operation::Ntt).nth(3).delay(LONG)),
        |bench| bench.script().set_delay(Operation::Msm, LONG),
        |bench| {
            let delay = Delay { per_scalar: LONG, ..Delay::default() };
            bench.script().set_delay(Operation::Upload, delay);
        },
    ];
    for arm in arm {
        let bench = Bench::new();
        arm(&bench);
        let outcome = while_proving(&bench, |cancel, ended| {
            assert!(bench.script().await_stalled(1, PATIENCE) && !ended());
            cancel.cancel();
        });
        assert!(matches!(outcome, Err(ProveError::Cancelled)));
    }
}

#[test]
fn delays_are_scaled() {
    let bench = Bench::new();
    for operation in Operation::ALL {
        bench.script().set_delay(operation, LONG);
    }
    bench.script().on(Operation::Msm).delay(LONG);
    bench.script().set_time_scale(0.0);
    assert!(while_proving(&bench, |_, _| {}).is_ok());
    bench.script().set_time_scale(1e-9);
    assert!(while_proving(&bench, |_, _| {}).is_ok());
}

#[test]
fn several_calls_hang_and_go_on_together() {
    let bench = Bench::new();
    let script = bench.script();
    let device = Device::open(&plugin(&bench), Curve::Bn254, DeviceOptions::default()).unwrap();
    let fault = script.on(Operation::Alloc).times(3).hang();
    script.on(Operation::Alloc).nth(4).fail(ErrorKind::NotNow);
    std::thread::scope(|scope| {
        let calls: Vec<_> = (0..3).map(|_| scope.spawn(|| Scalars::alloc(&device, 1))).collect();
        assert!(script.await_stalled(3, PATIENCE));
        assert_eq!(script.live_bytes(), 96, "booked while they hang");
        // The fourth is not for hanging.
        assert_eq!(Scalars::alloc(&device, 1).unwrap_err().kind, BackendErrorKind::NotNow);
        script.release_hangs();
        for call in calls {
            call.join().unwrap().unwrap();
        }
    });
    assert_eq!((fault.hits(), script.stalled(), script.live_bytes()), (3, 0, 0));
}

/// A test that fails while calls hang ends all the same.
#[test]
fn the_end_of_a_bench_lets_everybody_go() {
    let bench = Bench::new();
    let device = Device::open(&plugin(&bench), Curve::Bn254, DeviceOptions::default()).unwrap();
    bench.script().on(Operation::Alloc).hang();
    bench.script().on(Operation::Alloc).nth(2).delay(LONG);
    bench.script().set_delay(Operation::Lane, LONG);
    std::thread::scope(|scope| {
        let hung: Vec<_> = (0..2).map(|_| scope.spawn(|| Scalars::alloc(&device, 1).unwrap())).collect();
        assert!(bench.script().await_stalled(2, PATIENCE));
        drop(bench);
        for call in hung {
            call.join().unwrap();
        }
    });
    interlock_core::backend::Lane::create(&device).unwrap();
}
