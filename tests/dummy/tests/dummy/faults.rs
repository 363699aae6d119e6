//! Each fault does what it says, as core's wrappers see it, and leaves nothing behind.

use interlock_core::backend::{
    BackendError, BackendErrorKind, Device, DeviceOptions, Domain, Form, Lane, NttOp, Scalars,
};
use interlock_core::groth16::ProveError;
use interlock_curves::{Bn254, Curve};
use interlock_dummy::{Bench, ErrorKind, Failure, Loss, Operation};
use interlock_tests::linked;

use crate::{assert_nothing_left, blinding, by_cpu, exercise, open, plugin, prover};

fn device(bench: &Bench) -> Device {
    Device::open(&plugin(bench), Curve::Bn254, DeviceOptions::default()).unwrap()
}

fn backends(error: ProveError) -> BackendError {
    match error {
        ProveError::Backend(error) => error,
        other => panic!("{other}"),
    }
}

#[test]
fn every_operation_can_fail_in_every_way() {
    let (key, witness) = open(Curve::Bn254, "multiplier");
    let bench = Bench::new();
    let script = bench.script();
    exercise(&bench, &key, &witness).unwrap();
    assert!(Operation::ALL.iter().all(|&operation| script.calls(operation) > 0));
    let kinds = [
        (ErrorKind::InvalidArgument, BackendErrorKind::InvalidArgument),
        (ErrorKind::InvalidHandle, BackendErrorKind::InvalidHandle),
        (ErrorKind::Unsupported, BackendErrorKind::Unsupported),
        (ErrorKind::NeverFits, BackendErrorKind::NeverFits),
        (ErrorKind::NotNow, BackendErrorKind::NotNow),
        (ErrorKind::Device, BackendErrorKind::Device),
        (ErrorKind::Cancelled, BackendErrorKind::Cancelled),
        (ErrorKind::Internal, BackendErrorKind::Internal),
        (ErrorKind::AbiMismatch, BackendErrorKind::AbiMismatch),
    ];
    for operation in Operation::ALL {
        for (kind, answer) in kinds {
            for (retryable, context_lost) in [(false, false), (true, false), (false, true)] {
                let fault = script.on(operation).fail(Failure { kind, retryable, context_lost });
                let error = exercise(&bench, &key, &witness).unwrap_err();
                assert_eq!((error.kind, error.operation), (answer, operation.name()));
                assert_eq!((error.retryable, error.context_lost), (retryable, context_lost));
                assert_eq!(error.message, format!("scripted failure of {operation}"));
                assert_eq!(fault.hits(), 1);
                assert_nothing_left(script, operation.name());
            }
        }
        exercise(&bench, &key, &witness).unwrap();
    }
}

#[test]
fn every_operation_can_panic() {
    let (key, witness) = open(Curve::Bn254, "multiplier");
    let bench = Bench::new();
    for operation in Operation::ALL {
        let fault = bench.script().on(operation).panic();
        let error = exercise(&bench, &key, &witness).unwrap_err();
        assert_eq!((error.kind, error.operation), (BackendErrorKind::Internal, operation.name()));
        assert_eq!(error.message, format!("the backend panicked: scripted panic in {operation}"));
        assert!(!error.retryable && !error.context_lost, "{operation}");
        assert_eq!(fault.hits(), 1);
        assert_nothing_left(bench.script(), operation.name());
        exercise(&bench, &key, &witness).unwrap();
    }
}

/// A fault at every single call of a proof in turn. Only the last, the wait when the lane is destroyed, has nobody to hear
/// of it. The key that the device knows is good for the next proof.
#[test]
fn each_call_of_a_proof_can_fail_or_panic() {
    let (key, witness) = open(Curve::Bn254, "multiplier");
    let bench = Bench::new();
    let script = bench.script();
    let prover = prover(&bench, &key);
    let expected = by_cpu::<Bn254>(&key, &witness);
    let loaded = script.live_objects();
    for n in 1..=23 {
        for panics in [false, true] {
            let plan = script.on_any().nth(n);
            let fault = if panics { plan.panic() } else { plan.fail(ErrorKind::Device) };
            let outcome = prover.prove_blinded(&witness, &blinding());
            let kind = if panics { BackendErrorKind::Internal } else { BackendErrorKind::Device };
            match outcome {
                Ok(proved) => assert!(n == 23 && proved.proof == expected),
                Err(error) => assert_eq!(backends(error).kind, kind, "call {n}"),
            }
            assert_eq!(fault.hits(), 1, "call {n}");
            assert_eq!((script.live_bytes(), script.live_objects()), (0, loaded), "call {n}");
            assert_eq!(prover.prove_blinded(&witness, &blinding()).unwrap().proof, expected);
        }
    }
}

#[test]
fn a_fault_befalls_the_calls_that_it_is_for() {
    let bench = Bench::new();
    let script = bench.script();
    let device = device(&bench);
    let fails = |n: usize| -> Vec<bool> { (0..n).map(|_| Scalars::alloc(&device, 1).is_err()).collect() };
    let alloc = || script.on(Operation::Alloc);

    alloc().nth(2).times(2).fail(ErrorKind::Device);
    assert_eq!(fails(5), [false, true, true, false, false]);
    // Calls 1 to 5 were made.
    alloc().call(7).fail(ErrorKind::Device);
    assert_eq!(fails(3), [false, true, false]);
    let forever = alloc().nth(3).always().fail(ErrorKind::Device);
    assert_eq!(fails(5), [false, false, true, true, true]);
    assert_eq!(forever.hits(), 3);
    forever.disarm();
    assert_eq!(fails(2), [false, false]);
    // Each counts all calls; one call has one fault, the first that was armed.
    let (first, second) = (alloc().nth(2).fail(ErrorKind::Device), alloc().nth(1).times(2).panic());
    assert_eq!(fails(4), [true, true, true, false]);
    assert_eq!((first.hits(), second.hits()), (1, 2));
    // What is for other calls counts none of these.
    let other = script.on(Operation::Lane).fail(ErrorKind::Device);
    assert_eq!((fails(1), other.hits()), (vec![false], 0));
    script.clear_faults();
    assert!(Lane::create(&device).is_ok());
}

#[test]
fn chance_follows_from_the_seed() {
    let bench = Bench::new();
    let device = device(&bench);
    let run = |seed| -> Vec<bool> {
        let fault = bench.script().on(Operation::Alloc).always().one_in(10, seed).fail(ErrorKind::NotNow);
        let fails = (0..1000).map(|_| Scalars::alloc(&device, 1).is_err()).collect();
        fault.disarm();
        fails
    };
    let (first, again, other) = (run(1), run(1), run(2));
    assert!(first == again && first != other);
    for fails in [first, other] {
        let count = fails.iter().filter(|&&failed| failed).count();
        // Nine standard deviations around a hundred.
        assert!((15..185).contains(&count), "{count} of 1000");
    }
}

#[test]
#[should_panic(expected = "call 1 was made already")]
fn a_fault_cannot_be_for_the_past() {
    let bench = Bench::new();
    let _open = device(&bench);
    bench.script().on(Operation::Open).call(1).panic();
}

#[test]
#[should_panic(expected = "cannot happen to scalars_alloc")]
fn what_has_no_result_cannot_be_wrong() {
    Bench::new().script().on(Operation::Alloc).corrupt();
}

/// A wrong result is one that only the self-check can tell, and it is told.
#[test]
fn wrong_results_fail_the_self_check() {
    let (key, witness) = open(Curve::Bn254, "multiplier");
    let bench = Bench::new();
    let prover = prover(&bench, &key);
    let expected = by_cpu::<Bn254>(&key, &witness);
    let script = bench.script();
    use Operation::*;
    for (operation, calls) in [(Upload, 1), (Spmv, 2), (Pointwise, 2), (Ntt, 6), (Msm, 2)] {
        for n in 1..=calls {
            let fault = script.on(operation).nth(n).corrupt();
            let proved = prover.prove_blinded(&witness, &blinding()).unwrap();
            assert_eq!((fault.hits(), proved.attempts[0].failed_self_checks), (1, 1), "{operation} {n}");
            assert_eq!(proved.proof, expected);
        }
        let fault = script.on(operation).always().corrupt();
        let error = prover.prove_blinded(&witness, &blinding()).unwrap_err();
        assert!(matches!(error, ProveError::SelfCheck { times: 2, .. }), "{operation}: {error}");
        fault.disarm();
        assert_eq!(script.live_bytes(), 0);
    }
}

/// A device that is wrong and is its own reference blames the witness: a reference must be somebody else.
#[test]
fn a_wrong_device_is_no_reference() {
    let (key, witness) = open(Curve::Bn254, "multiplier");
    let bench = Bench::new();
    let prover = prover(&bench, &key);
    bench.script().on(Operation::Msm).always().corrupt();
    let error = prover.with_reference(&plugin(&bench)).prove(&witness).unwrap_err();
    assert!(matches!(error, ProveError::Unsatisfied { .. }), "{error}");
    let own = self::prover(&bench, &key).with_reference(&linked());
    assert!(matches!(own.prove(&witness).unwrap_err(), ProveError::SelfCheck { .. }));
}

#[test]
fn a_lost_device_answers_so_until_it_is_opened_anew() {
    let (key, witness) = open(Curve::Bn254, "multiplier");
    let bench = Bench::new();
    let script = bench.script();
    let before = prover(&bench, &key);
    let fault = script.on(Operation::Ntt).nth(4).lose(Loss::UntilReopened);
    for _ in 0..3 {
        let error = backends(before.prove(&witness).unwrap_err());
        assert!(error.kind == BackendErrorKind::Device && error.context_lost, "{error}");
        assert_eq!((fault.hits(), script.live_bytes()), (1, 0));
    }
    let after = prover(&bench, &key);
    assert_eq!(after.prove_blinded(&witness, &blinding()).unwrap().proof, by_cpu(&key, &witness));
    assert!(backends(before.prove(&witness).unwrap_err()).context_lost);
    drop((before, after));
    assert_nothing_left(script, "both dropped");
}

#[test]
fn a_device_that_is_lost_until_restored_cannot_be_opened() {
    let (key, witness) = open(Curve::Bn254, "multiplier");
    let bench = Bench::new();
    let script = bench.script();
    let prover = prover(&bench, &key);
    script.lose(Loss::UntilRestored);
    assert!(backends(prover.prove(&witness).unwrap_err()).context_lost);
    let error = exercise(&bench, &key, &witness).unwrap_err();
    assert_eq!((error.operation, error.context_lost), ("device_open", true));
    script.restore();
    exercise(&bench, &key, &witness).unwrap();
    prover.prove(&witness).unwrap();
}

/// What a cancelled lane does: work fails until the lane has been waited for, then it is as before.
#[test]
fn a_cancelled_lane_works_again_after_a_wait() {
    let (key, witness) = open(Curve::Bn254, "multiplier");
    let bench = Bench::new();
    let device = device(&bench);
    let lane = Lane::create(&device).unwrap();
    let domain = Domain::load(&device, &key.domain).unwrap();
    let mut data = Scalars::alloc(&device, key.domain_size()).unwrap();
    let mut inputs = Scalars::alloc(&device, key.n_vars).unwrap();

    lane.canceller().cancel();
    for _ in 0..3 {
        // A transform does not wait for the lane, so it stays cancelled.
        let error = lane.ntt(&domain, &mut data, NttOp::Forward).unwrap_err();
        assert_eq!(error.kind, BackendErrorKind::Cancelled);
    }
    // A transfer does: it fails, and is the last that does.
    let error = lane.upload(&mut inputs, 0, witness.values(), Form::Canonical).unwrap_err();
    assert_eq!(error.kind, BackendErrorKind::Cancelled);
    lane.upload(&mut inputs, 0, witness.values(), Form::Canonical).unwrap();
    lane.ntt(&domain, &mut data, NttOp::Forward).unwrap();

    // Between two calls a wait alone forgets it.
    lane.canceller().cancel();
    lane.sync().unwrap();
    lane.ntt(&domain, &mut data, NttOp::Forward).unwrap();
    // Other lanes never knew of it.
    lane.canceller().cancel();
    Lane::create(&device).unwrap().ntt(&domain, &mut data, NttOp::Forward).unwrap();
}

/// After a panic a lane is of no use, and neither is what the call was writing; another lane is.
#[test]
fn a_lane_that_panicked_is_not_used_again() {
    let bench = Bench::new();
    let device = device(&bench);
    let (key, _) = open(Curve::Bn254, "multiplier");
    let domain = Domain::load(&device, &key.domain).unwrap();
    let lane = Lane::create(&device).unwrap();
    let mut data = Scalars::alloc(&device, key.domain_size()).unwrap();
    bench.script().on(Operation::Ntt).panic();
    assert!(!lane.ntt(&domain, &mut data, NttOp::Forward).unwrap_err().context_lost);
    // Of the lane and of the buffer alone the SDK says that they are lost, although the device is not.
    assert!(lane.sync().unwrap_err().context_lost);
    let mut fresh = Scalars::alloc(&device, key.domain_size()).unwrap();
    assert!(lane.ntt(&domain, &mut fresh, NttOp::Forward).unwrap_err().context_lost);
    let other = Lane::create(&device).unwrap();
    let error = other.ntt(&domain, &mut data, NttOp::Forward).unwrap_err();
    assert!(error.kind == BackendErrorKind::Internal && error.context_lost, "{error}");
    drop((lane, other, data, fresh, domain, device));
    assert_nothing_left(bench.script(), "all dropped");
}
