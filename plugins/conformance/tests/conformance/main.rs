//! A sound backend passes; one with a single fault fails in the group that is about it.

mod mutations;
mod sound;
mod spoiled;
mod tables;

use std::sync::Arc;

use interlock_conformance::{ExpectedFailures, Group, Options, Report, check};
use interlock_core::backend::{DeviceOptions, Plugin};

/// The quick level of some groups, on two threads.
fn quick(plugin: &Arc<Plugin>, groups: &[Group]) -> Report {
    let options = Options {
        groups: groups.to_vec(),
        device: DeviceOptions { threads: Some(2), ..DeviceOptions::default() },
        ..Options::default()
    };
    check(plugin, &options, &ExpectedFailures::default())
}

/// That the group fails, and that the report says in which rows, with what was given, expected and got.
fn fails_in(plugin: &Arc<Plugin>, what: &str, group: Group) {
    let report = quick(plugin, &[group]);
    assert_eq!(report.failed_groups(), [group], "{what} is not noticed:\n{}", report.text());
    assert!(!report.conforms);
    for row in &report.failed {
        let failure = &row.failure;
        assert!(
            ![&failure.input, &failure.expected, &failure.got].iter().any(|text| text.is_empty()),
            "{row:?}"
        );
        assert_ne!(failure.expected, failure.got, "{row:?}");
    }
}
