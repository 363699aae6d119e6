//! Proofs through the dummy are the CPU backend's, and what one takes is known.

use std::collections::BTreeMap;
use std::sync::Arc;

use interlock_core::groth16::Prover;
use interlock_curves::{Bls12_381, Bn254, Curve, ProvingCurve};
use interlock_dummy::{Bench, Operation, Outcome};

use crate::{assert_nothing_left, blinding, by_cpu, open, plugin, prover};

#[test]
fn a_proof_is_that_of_the_cpu_backend() {
    for name in ["multiplier", "membership"] {
        same::<Bn254>(name);
        same::<Bls12_381>(name);
    }
}

fn same<E: ProvingCurve>(name: &str) {
    let (key, witness) = open(E::CURVE, name);
    let bench = Bench::new();
    let prover = Prover::<E>::new(&plugin(&bench), Arc::clone(&key)).unwrap();
    let proved = prover.prove_blinded(&witness, &blinding()).unwrap();
    assert_eq!(proved.proof, by_cpu::<E>(&key, &witness), "{name}");
    assert!(proved.composed.is_empty());
    assert_eq!(bench.script().live_bytes(), 0);
    drop(prover);
    assert_nothing_left(bench.script(), name);
}

#[test]
fn proofs_at_once_are_the_same_proof() {
    let (key, witness) = open(Curve::Bn254, "multiplier");
    let bench = Bench::new();
    let prover = prover(&bench, &key);
    let expected = by_cpu::<Bn254>(&key, &witness);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..10 {
                    assert_eq!(prover.prove_blinded(&witness, &blinding()).unwrap().proof, expected);
                }
            });
        }
    });
    assert_eq!(bench.script().live_bytes(), 0);
    assert_eq!(bench.script().live_objects().lanes, 0);
}

/// The calls of opening, of loading a key, and of a proof with it, from a `.zkey`.
#[test]
fn the_calls_of_a_proof_are_known() {
    use Operation::*;
    let (key, witness) = open(Curve::Bn254, "multiplier");
    let bench = Bench::new();
    let script = bench.script();
    let made = |wanted: &[(Operation, u64)]| {
        let wanted: BTreeMap<_, _> = wanted.iter().copied().collect();
        for operation in Operation::ALL {
            let calls = wanted.get(&operation).copied().unwrap_or(0);
            assert_eq!(script.calls(operation), calls, "{operation}");
        }
        assert_eq!(script.all_calls(), wanted.values().sum::<u64>());
    };
    let prover = prover(&bench, &key);
    let loading = [(Open, 1), (LoadDomain, 1), (LoadMatrix, 2), (LoadBases, 5)];
    made(&loading);

    script.keep_journal();
    prover.prove_blinded(&witness, &blinding()).unwrap();
    let proving =
        [(Lane, 1), (Alloc, 4), (Upload, 1), (Spmv, 2), (Pointwise, 2), (Ntt, 6), (Msm, 2), (Sync, 5)];
    made(&[loading.as_slice(), &proving].concat());

    let journal = script.take_journal();
    assert_eq!(journal.len(), 2 * 23);
    let ends = journal.iter().filter(|entry| entry.outcome.is_some());
    assert!(ends.clone().all(|entry| entry.outcome == Some(Outcome::Done)));
    assert!(ends.clone().all(|entry| entry.lane == entry.operation.on_lane().then_some(1)));
    let order: Vec<Operation> = ends.map(|entry| entry.operation).collect();
    let transforms = [Ntt; 6];
    let expected = [
        [Lane, Alloc, Upload, Sync, Alloc, Alloc, Alloc, Spmv, Spmv, Pointwise].as_slice(),
        &transforms,
        &[Pointwise, Sync, Msm, Sync, Msm, Sync, Sync],
    ];
    assert_eq!(order, expected.concat());

    // Witness, and three vectors of the domain's size.
    assert_eq!(script.peak_bytes(), 32 * (key.n_vars + 3 * key.domain_size()) as u64);
    assert_eq!(script.live_bytes(), 0);
}

/// A second proof with a resident key makes the calls of the first, and nothing stays.
#[test]
fn proofs_leave_nothing() {
    let (key, witness) = open(Curve::Bn254, "multiplier");
    let bench = Bench::new();
    let prover = prover(&bench, &key);
    let loaded = (bench.script().all_calls(), bench.script().live_objects());
    for n in 1..=5 {
        prover.prove(&witness).unwrap();
        assert_eq!(bench.script().all_calls(), loaded.0 + 23 * n);
        assert_eq!(bench.script().live_objects(), loaded.1);
        assert_eq!(bench.script().live_bytes(), 0);
    }
}
