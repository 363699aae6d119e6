//! Backends that are wrong, that lack operations, or that fail: no wrong proof leaves.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use interlock_abi::{
    InterlockApi, InterlockDomain, InterlockError, InterlockLane, InterlockMsm, InterlockScalars,
};
use interlock_core::backend::Plugin;
use interlock_core::format::Witness;
use interlock_core::groth16::{Blinding, ProveError};
use interlock_core::key::ProvingKey;
use interlock_curves::{Bls12_381, Bn254, Curve, ProvingCurve};
use interlock_tests::linked;
use interlock_tests::places::fixture;

use crate::{open, prove_on};

/// The CPU backend's table with some slots changed, as a plugin of its own.
fn changed(change: impl FnOnce(&mut InterlockApi)) -> Arc<Plugin> {
    let mut table = *interlock_cpu::interlock_api();
    change(&mut table);
    Plugin::linked(Box::leak(Box::new(table))).unwrap()
}

fn multiplier(curve: Curve) -> (Arc<ProvingKey>, Witness) {
    open(&fixture(curve, "multiplier").folder)
}

type MsmFunction = unsafe extern "C" fn(
    *const InterlockLane,
    *const InterlockScalars,
    *const InterlockMsm,
    u64,
    usize,
) -> *mut InterlockError;

static REAL_MSM: LazyLock<MsmFunction> = LazyLock::new(|| interlock_cpu::interlock_api().msm.unwrap());

/// Defines an `msm` that computes and then spoils the sums, given the requests and their number.
macro_rules! spoiled_msm {
    ($(#[doc = $doc:literal] $name:ident($msms:ident, $count:ident) $spoil:block)*) => {
        $(
            #[doc = $doc]
            unsafe extern "C" fn $name(
                lane: *const InterlockLane,
                scalars: *const InterlockScalars,
                $msms: *const InterlockMsm,
                $count: u64,
                stride: usize,
            ) -> *mut InterlockError {
                // SAFETY: the arguments are the host's own, with as many requests as it says; two G1 results have one
                // size.
                unsafe {
                    let error = REAL_MSM(lane, scalars, $msms, $count, stride);
                    if error.is_null() $spoil
                    error
                }
            }
        )*
    };
}

static CALLS: AtomicUsize = AtomicUsize::new(0);

spoiled_msm! {
    /// Copies the first sum over the second: a point of the curve, but the wrong one.
    wrong_point(msms, count) {
        copy_first_sum(msms, count);
    }

    /// Flips a bit of the first sum: no point of the curve any more.
    off_curve(msms, count) {
        if count > 0 {
            *msms.read().result ^= 1;
        }
    }

    /// Writes limbs above the modulus.
    above_modulus(msms, count) {
        if count > 0 {
            let first = msms.read();
            std::ptr::write_bytes(first.result, 0xff, first.result_bytes);
        }
    }

    /// Wrong the first time, right afterwards.
    wrong_once(msms, count) {
        if CALLS.fetch_add(1, Ordering::SeqCst) == 0 {
            copy_first_sum(msms, count);
        }
    }
}

/// # Safety
/// `msms` are `count` requests whose results were written.
unsafe fn copy_first_sum(msms: *const InterlockMsm, count: u64) {
    if count >= 2 {
        // SAFETY: two requests, whose first two results are both of G1.
        unsafe {
            let (first, second) = (msms.read(), msms.add(1).read());
            std::ptr::copy_nonoverlapping(first.result, second.result, first.result_bytes);
        }
    }
}

#[test]
fn a_wrong_sum_fails_the_self_check_and_the_next_backend_is_tried() {
    let wrong = changed(|table| table.msm = Some(wrong_point));
    let (key, witness) = multiplier(Curve::Bn254);
    let blinding = Blinding::<Bn254>::from_seed(&[1; 32]);
    let error = prove_on(&[Arc::clone(&wrong)], &key, &witness, &blinding, None).unwrap_err();
    assert!(matches!(error, ProveError::SelfCheck { times: 2, .. }), "{error}");

    let both = [Arc::clone(&wrong), Arc::clone(&wrong)];
    let error = prove_on(&both, &key, &witness, &blinding, None).unwrap_err();
    assert!(matches!(&error, ProveError::Exhausted { attempts, .. } if attempts.len() == 2), "{error}");

    let proved = prove_on(&[wrong, linked()], &key, &witness, &blinding, None).unwrap();
    let right = prove_on(&[linked()], &key, &witness, &blinding, None).unwrap();
    assert_eq!(proved.proof, right.proof);
    let [failed, succeeded] = proved.attempts.as_slice() else { panic!("{:?}", proved.attempts) };
    assert!(failed.failed_self_checks == 2 && failed.failure.is_some());
    assert!(succeeded.failed_self_checks == 0 && succeeded.failure.is_none());
}

#[test]
fn a_transient_fault_is_repeated_once_and_counted() {
    let flaky = changed(|table| table.msm = Some(wrong_once));
    let (key, witness) = multiplier(Curve::Bls12_381);
    let blinding = Blinding::<Bls12_381>::from_seed(&[1; 32]);
    let proved = prove_on(&[flaky], &key, &witness, &blinding, None).unwrap();
    assert_eq!(proved.attempts.len(), 1);
    assert_eq!(proved.attempts[0].failed_self_checks, 1);
    assert_eq!(proved.proof, prove_on(&[linked()], &key, &witness, &blinding, None).unwrap().proof);
}

#[test]
fn results_that_are_no_points_are_refused_by_name() {
    let (key, witness) = multiplier(Curve::Bn254);
    let blinding = Blinding::<Bn254>::from_seed(&[1; 32]);
    for function in [off_curve as MsmFunction, above_modulus] {
        let broken = changed(|table| table.msm = Some(function));
        let error = prove_on(&[broken], &key, &witness, &blinding, None).unwrap_err();
        assert!(matches!(error, ProveError::Nonsense { what: "MSM over A", .. }), "{error}");
    }
}

#[test]
fn a_comparison_names_the_first_operation_that_differs() {
    let wrong = changed(|table| table.msm = Some(wrong_point));
    let (key, witness) = multiplier(Curve::Bn254);
    let blinding = Blinding::<Bn254>::from_seed(&[1; 32]);
    let error = prove_on(&[linked()], &key, &witness, &blinding, Some(&wrong)).unwrap_err();
    assert!(matches!(error, ProveError::Disagreement { operation: "MSM over B1", .. }), "{error}");

    let shifted = changed(|table| table.ntt = Some(no_transform));
    let error = prove_on(&[linked()], &key, &witness, &blinding, Some(&shifted)).unwrap_err();
    assert!(matches!(error, ProveError::Disagreement { operation: "coset NTT of a", .. }), "{error}");

    // The wrong one proves: its proofs fail their self-check, and the comparison tells where it went wrong.
    for (wrong, named) in [(wrong, "MSM over B1"), (shifted, "coset NTT of a")] {
        let error = prove_on(&[Arc::clone(&wrong)], &key, &witness, &blinding, Some(&linked())).unwrap_err();
        let ProveError::SelfCheck { times: 2, differs: Some(found), .. } = &error else { panic!("{error}") };
        assert_eq!((found.reference.as_str(), found.operation), ("cpu", named));
        assert!(error.to_string().contains(named), "{error}");
        // The next backend in order is tried all the same.
        prove_on(&[wrong, linked()], &key, &witness, &blinding, Some(&linked())).unwrap();
    }

    let same = changed(|_| ());
    let proved = prove_on(&[linked()], &key, &witness, &blinding, Some(&same)).unwrap();
    assert!(proved.comparison.is_some());
}

/// Reports success and does nothing.
unsafe extern "C" fn no_transform(
    _: *const InterlockLane,
    _: *const InterlockDomain,
    _: *const InterlockScalars,
    _: u32,
) -> *mut InterlockError {
    std::ptr::null_mut()
}

/// A backend with the mandatory functions only gives the same proofs, and says what the host did for it.
#[test]
fn missing_operations_are_composed_visibly() {
    composed::<Bn254>();
    composed::<Bls12_381>();
}

fn composed<E: ProvingCurve>() {
    let bare = changed(|table| {
        (table.matrix_create, table.matrix_free, table.spmv) = (None, None, None);
        (table.pointwise, table.scale, table.lane_cancel) = (None, None, None);
    });
    let (key, witness) = multiplier(E::CURVE);
    let blinding = Blinding::<E>::from_seed(&[2; 32]);
    let proved = prove_on(&[bare], &key, &witness, &blinding, None).unwrap();
    assert_eq!(proved.composed, ["spmv", "pointwise", "scale"]);
    assert_eq!(proved.proof, prove_on(&[linked()], &key, &witness, &blinding, None).unwrap().proof);
}

#[test]
fn a_table_that_lacks_a_mandatory_function_or_has_another_version_is_refused() {
    let refuse = |change: fn(&mut InterlockApi)| {
        let mut table = *interlock_cpu::interlock_api();
        change(&mut table);
        Plugin::linked(Box::leak(Box::new(table))).unwrap_err().to_string()
    };
    assert!(refuse(|table| table.msm = None).contains("mandatory function msm"));
    assert!(refuse(|table| table.abi_minor += 1).contains("ABI 0.3"));
    assert!(refuse(|table| table.struct_size = 16).contains("struct_size is 16"));
}

#[test]
fn a_cancelled_proof_ends() {
    use interlock_core::backend::DeviceOptions;
    use interlock_core::groth16::{CancelFlag, Observer, Phase, ProveOptions, prove};

    struct CancelAt(Phase, CancelFlag);
    impl Observer for CancelAt {
        fn begins(&self, phase: Phase, _: &str) {
            if phase == self.0 {
                self.1.cancel();
            }
        }
    }
    let (key, witness) = multiplier(Curve::Bn254);
    for phase in Phase::ALL {
        let cancel = CancelFlag::default();
        let options = ProveOptions {
            backends: &[linked()],
            device: DeviceOptions::default(),
            self_check: true,
            check_against: None,
            reference: None,
            observer: &CancelAt(phase, cancel.clone()),
            cancel: &cancel,
        };
        let outcome = prove(&key, &witness, &Blinding::<Bn254>::from_seed(&[1; 32]), &options);
        match phase {
            // The last phase has nothing behind it that could be given up.
            Phase::SelfCheck => assert!(outcome.is_ok()),
            _ => assert!(outcome.unwrap_err().is_cancelled(), "{phase}"),
        }
    }
}
