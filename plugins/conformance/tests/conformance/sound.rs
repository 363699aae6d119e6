//! Sound backends.

use std::time::Duration;

use interlock_conformance::{
    Event, ExpectedFailure, ExpectedFailures, Group, Level, Options, Report, check, run,
};
use interlock_core::backend::Plugin;
use interlock_dummy::Bench;

use crate::quick;

#[test]
fn the_cpu_backend_conforms() {
    let plugin = Plugin::linked(interlock_cpu::interlock_api()).unwrap();
    let report = quick(&plugin, &Group::ALL);
    assert!(report.conforms, "{}", report.text());
    assert_eq!(report.counts.not_offered, 0);
    assert!(report.counts.passed > 300, "{}", report.counts.passed);
    let subject = report.subject.as_ref().unwrap();
    assert_eq!((subject.name.as_str(), subject.abi.as_str(), subject.curves.len()), ("cpu", "0.2", 2));
    // Programs read what people read.
    let json = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), report);
}

#[test]
fn the_dummy_conforms_without_a_script() {
    let bench = Bench::new();
    let report = quick(&Plugin::linked(bench.api()).unwrap(), &Group::ALL);
    assert!(report.conforms, "{}", report.text());
    assert_eq!(bench.script().live_bytes(), 0);
}

/// What a row is given depends on the seed and its name, not on what ran before.
#[test]
fn a_row_runs_alone_as_it_ran_among_others() {
    let plugin = Plugin::linked(interlock_cpu::interlock_api()).unwrap();
    let bench = Bench::new();
    let spoiled = Plugin::linked(bench.api()).unwrap();
    bench.script().on(interlock_dummy::Operation::Ntt).always().corrupt();
    let inputs = |groups: &[Group]| -> Vec<String> {
        let failed = quick(&spoiled, groups).failed.into_iter();
        failed.filter(|row| row.id.group == Group::Ntt).map(|row| row.failure.input).collect()
    };
    let alone = inputs(&[Group::Ntt]);
    assert!(alone.len() > 20 && alone == inputs(&[Group::Load, Group::Ntt]));
    assert_eq!(plugin.name(), "cpu");
}

#[test]
fn operations_that_are_not_offered_are_counted_apart() {
    let mut table = *interlock_cpu::interlock_api();
    (table.spmv, table.matrix_create, table.matrix_free) = (None, None, None);
    (table.pointwise, table.scale, table.lane_cancel) = (None, None, None);
    let plugin = Plugin::linked(Box::leak(Box::new(table))).unwrap();
    let report = quick(&plugin, &[Group::Load, Group::Abi, Group::Ntt, Group::Async, Group::Proofs]);
    assert!(report.conforms, "{}", report.text());
    assert!(report.counts.not_offered > 40, "{}", report.counts.not_offered);
    assert_eq!(report.subject.unwrap().not_offered, ["lane_cancel", "spmv", "pointwise", "scale"]);
}

#[test]
fn soaking_ends_with_its_time_and_repeats_by_seed() {
    let plugin = Plugin::linked(interlock_cpu::interlock_api()).unwrap();
    let mut rows = Vec::new();
    let options = Options {
        level: Level::Soak,
        groups: vec![Group::Memory],
        seed: 7,
        soak: Duration::from_secs(1),
        ..Options::default()
    };
    run(&plugin, &options, &mut |event| {
        if let Event::Passed(id) = event {
            rows.push(id);
        }
    });
    assert!(rows.len() > 10, "{}", rows.len());
    assert!(rows.iter().zip(7..).all(|(id, seed)| id.seed == seed));
    assert!(rows.iter().any(|id| id.row != rows[0].row));
}

#[test]
fn a_known_failure_is_expected_and_a_stale_entry_is_told() {
    let bench = Bench::new();
    let plugin = Plugin::linked(bench.api()).unwrap();
    bench.script().on(interlock_dummy::Operation::Scale).always().corrupt();
    let entry = |row: &str| ExpectedFailure {
        backend: plugin.name().into(),
        device: "*".into(),
        row: row.into(),
        reason: "the script says so".into(),
    };
    let options = Options { groups: vec![Group::Ntt], ..Options::default() };
    let known = ExpectedFailures { expected: vec![entry("ntt / scale of *"), entry("ntt / scale by *")] };
    let report = check(&plugin, &options, &known);
    // Nothing to scale is scaled rightly by any factor.
    let names: Vec<String> = report.passed_unexpectedly.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["ntt / scale of 0 / bn254", "ntt / scale of 0 / bls12-381"], "{}", report.text());
    assert!(report.counts.failed == 0 && report.counts.failed_as_expected > 10 && !report.conforms);
    let mut known = known;
    known.expected.remove(0);
    known.expected.extend([1, 2, 31, 32, 33, 1023, 1025].map(|n| entry(&format!("ntt / scale of {n}"))));
    let report = check(&plugin, &options, &known);
    assert!(report.conforms, "{}", report.text());
}
