//! The linked and the loaded CPU backend and the templates in C and in Rust, through the conformance suite: every operation against
//! arkworks, edge cases first. `wrappers` is what core's safe wrappers refuse before a backend sees it.

mod wrappers;

use std::sync::Arc;

use interlock_conformance::{ExpectedFailures, Group, Options, check};
use interlock_core::backend::{DeviceOptions, Plugin};

/// The rows of a group on each.
fn conforms(group: Group) {
    for plugin in [
        interlock_tests::linked(),
        interlock_tests::loaded(),
        interlock_tests::template_c::loaded(),
        interlock_tests::template_rust::loaded(),
    ] {
        conforms_on(&plugin, group);
    }
}

fn conforms_on(plugin: &Arc<Plugin>, group: Group) {
    let options = Options {
        groups: vec![group],
        device: DeviceOptions { threads: Some(2), ..DeviceOptions::default() },
        ..Options::default()
    };
    let report = check(plugin, &options, &ExpectedFailures::default());
    assert!(report.conforms && report.counts.not_offered == 0, "{}", report.text());
}

#[test]
fn load() {
    conforms(Group::Load);
}

#[test]
fn abi() {
    conforms(Group::Abi);
}

#[test]
fn memory() {
    conforms(Group::Memory);
}

#[test]
fn ntt() {
    conforms(Group::Ntt);
}

// Its name chooses it where kernels without vector instructions are tested (`cargo xtask test`).
#[test]
fn msm() {
    conforms(Group::Msm);
}

#[test]
fn lanes() {
    conforms(Group::Async);
}

#[test]
fn faults() {
    conforms(Group::Faults);
}

#[test]
fn proofs() {
    conforms(Group::Proofs);
}
