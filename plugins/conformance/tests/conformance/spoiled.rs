//! The dummy backend under a script: wrong results, panics, failures, a call that hangs.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use interlock_conformance::{Event, Group, Options, RowId, run};
use interlock_core::backend::Plugin;
use interlock_dummy::{Bench, ErrorKind, Loss, Operation, Script};

use crate::{fails_in, quick};

#[test]
fn wrong_results_fail_their_group() {
    for (operation, group) in [
        (Operation::Upload, Group::Memory),
        (Operation::Ntt, Group::Ntt),
        (Operation::Pointwise, Group::Ntt),
        (Operation::Scale, Group::Ntt),
        (Operation::Spmv, Group::Ntt),
        (Operation::Msm, Group::Msm),
    ] {
        spoiled(&format!("a wrong {operation}"), group, |script| {
            script.on(operation).always().corrupt();
        });
    }
}

#[test]
fn wrong_results_make_wrong_proofs() {
    for operation in
        [Operation::Upload, Operation::Ntt, Operation::Pointwise, Operation::Spmv, Operation::Msm]
    {
        spoiled(&format!("a wrong {operation} in a proof"), Group::Proofs, |script| {
            script.on(operation).nth(2).one_in(2, 3).always().corrupt();
        });
    }
}

/// One wrong result among many is found as well: the rows look at every one.
#[test]
fn a_single_wrong_result_is_found() {
    for (operation, nth, group) in [
        (Operation::Msm, 1, Group::Msm),
        (Operation::Msm, 40, Group::Msm),
        (Operation::Ntt, 1, Group::Ntt),
        (Operation::Ntt, 77, Group::Ntt),
        (Operation::Upload, 9, Group::Memory),
    ] {
        let bench = Bench::new();
        let plugin = Plugin::linked(bench.api()).unwrap();
        let armed = bench.script().on(operation).nth(nth).corrupt();
        let report = quick(&plugin, &[group]);
        assert_eq!(armed.hits(), 1);
        // An upload or sum of zeros is the same when it is tripled.
        assert!(report.counts.failed <= 1, "{}", report.text());
        assert_eq!(report.conforms, report.counts.failed == 0);
        if operation != Operation::Upload {
            assert_eq!(report.failed.len(), 1, "the {nth}th {operation}");
        }
    }
}

/// What is written into a dummy's script before the suite runs.
type Spoil = fn(&Script);

#[test]
fn panics_and_failures_fail_their_group() {
    let rows: [(&str, Group, Spoil); 6] = [
        ("an msm that panics", Group::Msm, |script| drop(script.on(Operation::Msm).always().panic())),
        ("a transform that panics", Group::Ntt, |script| drop(script.on(Operation::Ntt).always().panic())),
        ("an allocation that panics", Group::Memory, |script| {
            drop(script.on(Operation::Alloc).always().panic())
        }),
        ("a lost device", Group::Proofs, |script| script.lose(Loss::UntilRestored)),
        ("lanes that fail", Group::Async, |script| {
            drop(script.on(Operation::Sync).one_in(5, 1).always().fail(ErrorKind::Device));
        }),
        ("an allocation that never fits", Group::Faults, |script| {
            drop(script.on(Operation::Alloc).one_in(3, 1).always().fail(ErrorKind::NeverFits));
        }),
    ];
    for (what, group, spoil) in rows {
        spoiled(what, group, spoil);
    }
}

#[test]
fn a_row_that_hangs_is_the_one_that_began_last() {
    let bench = Arc::new(Bench::new());
    let plugin = Plugin::linked(bench.api()).unwrap();
    bench.script().on(Operation::Msm).nth(3).hang();
    let running: Arc<Mutex<Option<RowId>>> = Arc::default();
    let thread = std::thread::spawn({
        let running = Arc::clone(&running);
        move || {
            let options = Options { groups: vec![Group::Load, Group::Msm], ..Options::default() };
            run(&plugin, &options, &mut |event| {
                if let Event::Begins(id) = event {
                    *running.lock().unwrap() = Some(id);
                }
            });
        }
    });
    assert!(bench.script().await_stalled(1, Duration::from_secs(60)));
    // The first sums are of no scalars and of one, in both forms: two calls each.
    let id = running.lock().unwrap().clone().unwrap();
    assert_eq!((id.group, id.row.as_str()), (Group::Msm, "length 1"));
    bench.script().release_hangs();
    thread.join().unwrap();
}

fn spoiled(what: &str, group: Group, spoil: impl FnOnce(&Script)) {
    let bench = Bench::new();
    let plugin = Plugin::linked(bench.api()).unwrap();
    spoil(bench.script());
    fails_in(&plugin, what, group);
}
