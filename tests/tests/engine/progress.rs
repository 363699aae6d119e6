//! A job's stream of what happens to it.

use std::sync::Arc;

use interlock_core::engine::{Job, PartitionSpec, Progress, Step};
use interlock_core::groth16::ProveError;
use interlock_dummy::{Bench, ErrorKind, Operation, Script};
use interlock_scheduler::PhaseName::{Compute, Finish, Prepare, Stage};

use crate::{blinding, config, ends, engine, small};

/// What a job of one partition tells, until its stream ends.
fn told(script: impl FnOnce(&Script), job: impl FnOnce() -> Job<interlock_curves::Bn254>) -> Vec<Step> {
    let bench = Bench::new();
    let engine = engine(config(&bench));
    script(bench.script());
    let (job, stream) = job().with_progress();
    let handle = engine.submit(job).unwrap();
    // It ends by itself: nobody holds its other end when the job is over.
    let heard: Vec<Progress> = stream.iter().collect();
    ends(handle, "a job that is watched").unwrap();
    assert!(heard.iter().all(|progress| progress.part == 0));
    heard.into_iter().map(|progress| progress.step).collect()
}

fn on_a_worker() -> Vec<Step> {
    let phases = [Prepare, Stage, Compute, Finish].map(Step::Phase);
    [Step::Assigned { device: 0, worker: 0 }].into_iter().chain(phases).collect()
}

#[test]
fn each_phase_is_told_in_its_order() {
    assert_eq!(told(|_| {}, || small().job(1)), on_a_worker());
}

#[test]
fn a_witness_that_is_made_and_what_is_tried_again_are_told() {
    let mut tries = 0;
    let make = move |_: &_| {
        tries += 1;
        if tries == 1 {
            std::panic::resume_unwind(Box::new("once"));
        }
        Ok::<_, ProveError>((*small().witness).clone())
    };
    let job = || {
        let spec = PartitionSpec::made(&Arc::clone(&small().key), make).with_blinding(blinding());
        Job::new(vec![spec])
    };
    let again = Step::Retry { failed: 1, reason: "it panicked: once".into() };
    let mut expected = vec![Step::Synthesis, again, Step::Synthesis];
    expected.extend(on_a_worker());
    assert_eq!(told(|_| {}, job), expected);
}

#[test]
fn the_slow_path_is_told() {
    let heard = told(
        |script| {
            script.on(Operation::Alloc).fail(ErrorKind::NotNow);
        },
        || small().job(1),
    );
    assert_eq!(heard.iter().filter(|step| **step == Step::Fallback).count(), 1, "{heard:?}");
    assert_eq!(heard.last(), Some(&Step::Phase(Finish)));
}
