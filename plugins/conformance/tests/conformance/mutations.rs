//! One limb of one result of one operation is another one: the suite, the comparison with another backend and the self-check
//! each notice, whichever it is.
//!
//! `INTERLOCK_MUTATIONS=1000` tries as many; without it some of each operation.

use std::sync::Arc;

use interlock_conformance::Group;
use interlock_conformance::compare::{Answer, Case, Operation as What, Plan, cases, shrink};
use interlock_core::backend::{DeviceOptions, Plugin};
use interlock_core::format::{R1cs, Witness, Zkey};
use interlock_core::groth16::{Blinding, ProveError, Prover};
use interlock_core::key::ProvingKey;
use interlock_core::setup::{ToxicWaste, setup_zkey};
use interlock_curves::{Bn254, Curve};
use interlock_dummy::{Bench, Operation};

use crate::quick;

const OPERATIONS: [Operation; 6] = [
    Operation::Upload,
    Operation::Ntt,
    Operation::Pointwise,
    Operation::Scale,
    Operation::Spmv,
    Operation::Msm,
];

fn mutations(without: u64) -> u64 {
    std::env::var("INTERLOCK_MUTATIONS").ok().map_or(without, |number| number.parse().unwrap())
}

fn options() -> DeviceOptions {
    DeviceOptions { threads: Some(1), ..DeviceOptions::default() }
}

/// Whether a case is about an operation.
fn is_about(case: &Case, operation: Operation) -> bool {
    matches!(
        (&case.operation, operation),
        (What::Transfer { .. }, Operation::Upload)
            | (What::Ntt { .. }, Operation::Ntt)
            | (What::Pointwise { .. }, Operation::Pointwise)
            | (What::Scale { .. }, Operation::Scale)
            | (What::Spmv { .. }, Operation::Spmv)
            | (What::Msm { .. }, Operation::Msm)
    )
}

/// Cases that have a result, and what the CPU backend answers.
fn known() -> Vec<(Case, Answer)> {
    let plan = Plan { curves: vec![Curve::Bn254, Curve::Bls12_381], seed: 11, max_log: 6, random: 0 };
    let cpu = Plugin::linked(interlock_cpu::interlock_api()).unwrap();
    let all = cases(&plan).filter(|case| (3..400).contains(&case.size()));
    all.filter_map(|case| {
        let answer = case.run(&cpu, options());
        let Answer::Result { bytes, .. } = &answer else { panic!("{case}: {answer:?}") };
        (!bytes.0.is_empty()).then_some((case, answer))
    })
    .collect()
}

#[test]
fn the_comparison_names_the_operation() {
    let known = known();
    let mut harmless = 0;
    let count = mutations(300);
    for seed in 0..count {
        let operation = OPERATIONS[(seed % 6) as usize];
        let about: Vec<_> = known.iter().filter(|(case, _)| is_about(case, operation)).collect();
        let (case, reference) = about[(seed / 6) as usize % about.len()];
        let bench = Bench::new();
        let plugin = Plugin::linked(bench.api()).unwrap();
        let armed = bench.script().on(operation).mutate(seed);
        let answer = case.run(&plugin, options());
        assert_eq!(armed.hits(), 1, "{case}");
        match answer.differs_from(reference) {
            Some(mismatch) => {
                let named = mismatch.step.as_deref().unwrap_or(case.name());
                assert!(named.contains(operation.name()), "{operation}: {named} for {case}");
            }
            // X or Y of a point at infinity is nothing.
            None => {
                harmless += 1;
                assert_eq!(operation, Operation::Msm, "seed {seed}: {case} does not differ");
            }
        }
    }
    assert!(harmless * 10 <= count, "{harmless} of {count} change nothing");
}

/// An input of an operation that came wrongly onto the device is not the operation's fault.
#[test]
fn a_wrong_transfer_is_named_within_another_operation() {
    for (case, reference) in known().iter().filter(|(case, _)| matches!(case.operation, What::Ntt { .. })) {
        let bench = Bench::new();
        let plugin = Plugin::linked(bench.api()).unwrap();
        bench.script().on(Operation::Upload).mutate(3);
        let mismatch = case.run(&plugin, options()).differs_from(reference).unwrap();
        assert_eq!(mismatch.step.as_deref(), Some("scalars_upload or scalars_download"), "{case}");
    }
}

/// A proof that differs says in which of its operations.
#[test]
fn a_proof_names_the_operation() {
    let plan = Plan { curves: vec![Curve::Bn254], seed: 5, max_log: 6, random: 0 };
    let cpu = Plugin::linked(interlock_cpu::interlock_api()).unwrap();
    let proofs = cases(&plan).filter(|case| matches!(case.operation, What::Proof { constraints: 62.., .. }));
    for case in proofs {
        let reference = case.run(&cpu, options());
        for (operation, step) in
            [(Operation::Spmv, "A"), (Operation::Ntt, "transform"), (Operation::Msm, "sum")]
        {
            let bench = Bench::new();
            let plugin = Plugin::linked(bench.api()).unwrap();
            bench.script().on(operation).mutate(7);
            match case.run(&plugin, options()) {
                // A sum that is no point is told at once.
                Answer::Error { kind, .. } => assert!(operation == Operation::Msm && kind == "Prove"),
                answer => {
                    let mismatch = answer.differs_from(&reference).unwrap();
                    assert!(mismatch.step.is_some(), "{operation}, {step}: {mismatch:?}");
                }
            }
        }
    }
}

/// A backend that is wrong whenever there are enough scalars: the smallest case of that is found.
#[test]
fn a_difference_is_made_small() {
    let known = known();
    let mut seen = Vec::new();
    for (case, _) in known.iter().filter(|(case, _)| case.size() > 200) {
        if seen.contains(&case.name()) {
            continue;
        }
        seen.push(case.name());
        let (small, tried) = shrink(case, 500, &mut |case| case.size() >= 40);
        assert!(small.check().is_ok() && small.size() >= 40, "{small}");
        assert!(small.size() < 100 && tried <= 500, "{small} of {case}, {tried} tries");
        let text = serde_json::to_string(&small).unwrap();
        assert_eq!(serde_json::from_str::<Case>(&text).unwrap(), small);
    }
    assert!(seen.len() >= 5, "{seen:?}");
}

/// Of each operation, those calls of its group that have a result, by their number.
fn calls_with_results(operation: Operation, group: Group) -> Vec<u64> {
    let bench = Bench::new();
    let plugin = Plugin::linked(bench.api()).unwrap();
    bench.script().keep_journal();
    assert!(quick(&plugin, &[group]).conforms);
    let journal = bench.script().take_journal();
    let begun = journal.iter().filter(|entry| entry.operation == operation && entry.outcome.is_none());
    (1..).zip(begun).filter(|(_, entry)| entry.scalars > 0).map(|(nth, _)| nth).collect()
}

#[test]
fn the_suite_notices() {
    let group = |operation| match operation {
        Operation::Msm => Group::Msm,
        // Uploads too: where memory is what a row is about, nobody reads what was uploaded.
        _ => Group::Ntt,
    };
    let calls = OPERATIONS.map(|operation| calls_with_results(operation, group(operation)));
    let (count, mut unnoticed) = (mutations(36), Vec::new());
    for seed in 0..count {
        let at = (seed % 6) as usize;
        let (operation, calls) = (OPERATIONS[at], &calls[at]);
        let nth = calls[(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % calls.len()];
        let bench = Bench::new();
        let plugin = Plugin::linked(bench.api()).unwrap();
        let armed = bench.script().on(operation).nth(nth).mutate(seed);
        let report = quick(&plugin, &[group(operation)]);
        assert_eq!(armed.hits(), 1, "{operation} {nth}");
        if report.conforms {
            unnoticed.push(format!("{operation} {nth} (seed {seed})"));
        }
    }
    // X or Y of a sum that is infinity is nothing, nor is what is overwritten before anybody reads it.
    assert!(unnoticed.len() as u64 * 20 <= count, "{} of {count}: {}", unnoticed.len(), unnoticed.join(", "));
}

struct Sample {
    prover_key: Arc<ProvingKey>,
    witness: Witness,
}

/// 40 squarings.
fn sample() -> Sample {
    let mut builder = R1cs::builder(Curve::Bn254, 1, 0, 1);
    let mut values =
        vec![<Bn254 as ark_ec::pairing::Pairing>::ScalarField::from(1_u64), 0_u64.into(), 3_u64.into()];
    let mut last = 2;
    for row in 0..40 {
        let square = values[last as usize] * values[last as usize];
        let next = if row == 39 { 1 } else { builder.wire() };
        builder.constraint(&[(last, 1)], &[(last, 1)], &[(next, 1)]);
        match next {
            1 => values[1] = square,
            _ => values.push(square),
        }
        last = next;
    }
    let r1cs = builder.build().unwrap();
    let mut key = Vec::new();
    setup_zkey::<Bn254>(&r1cs, &ToxicWaste::from_seed([9; 32]), &mut key).unwrap();
    let key = ProvingKey::from_zkey(&Zkey::from_bytes("sample.zkey", key).unwrap()).unwrap();
    Sample { prover_key: Arc::new(key), witness: Witness::from_scalars::<Bn254>(&values) }
}

#[test]
fn the_self_check_notices() {
    let Sample { prover_key, witness } = sample();
    let blinding = Blinding::<Bn254>::from_seed(&[4; 32]);
    let cpu = Plugin::linked(interlock_cpu::interlock_api()).unwrap();
    let right = Prover::<Bn254>::new(&cpu, Arc::clone(&prover_key)).unwrap();
    let right = right.prove_blinded(&witness, &blinding).unwrap().proof;
    let (count, mut caught, mut harmless) = (mutations(300), 0, 0);
    for seed in 0..count {
        // A proof of a key of values on a coset scales nothing.
        let operation = OPERATIONS[(seed % 6) as usize];
        if operation == Operation::Scale {
            continue;
        }
        let bench = Bench::new();
        let plugin = Plugin::linked(bench.api()).unwrap();
        let prover = Prover::<Bn254>::new(&plugin, Arc::clone(&prover_key)).unwrap();
        let calls = match operation {
            Operation::Spmv => 2,
            Operation::Ntt => 6,
            Operation::Pointwise => 2,
            Operation::Msm => 2,
            _ => 1,
        };
        let armed = bench.script().on(operation).nth(1 + (seed / 6) % calls).mutate(seed);
        match prover.prove_blinded(&witness, &blinding) {
            Ok(proved) => {
                assert_eq!(proved.proof, right, "seed {seed}: a wrong proof left");
                match proved.attempts[0].failed_self_checks {
                    0 => harmless += 1,
                    _ => caught += 1,
                }
            }
            // A sum that is no point is an error at once.
            Err(ProveError::Nonsense { .. } | ProveError::Exhausted { .. }) => caught += 1,
            Err(error) => panic!("seed {seed}: {error}"),
        }
        assert_eq!(armed.hits(), 1, "seed {seed}: {operation}");
    }
    assert!(caught > 0 && harmless * 20 <= caught, "{caught} caught, {harmless} without consequence");
}
