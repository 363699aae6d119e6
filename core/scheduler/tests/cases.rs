//! What the engine promises, case by case.

mod world;

use interlock_scheduler::{
    Action, Again, Config, DeviceConfig, Event, JobEnd, JobSpec, Note, Outcome, PartId, PartSpec, PhaseName,
    PriorityName, Time,
};
use interlock_strategies::{Strategy as _, stock};
use world::{Work, World, config, first, pass, spec};

use PhaseName::{Compute, Finish, Prepare, Stage};

#[test]
fn a_job_that_never_fits_is_told_so_at_once() {
    for strategy in stock::ALL {
        let mut world = World::new(strategy.name, config(16, 2));
        // Before anything of it is begun: its synthesis could take minutes.
        let mut late = spec(4, 17);
        late.parts[0].synthesis = true;
        world.submit(1, late);
        assert!(world.pending.is_empty());
        world.submit(2, spec(4, 16));
        assert_eq!(
            world.ends[&1],
            JobEnd::NeverFits { part: 0, needed: 17, budget: 16 },
            "{}",
            strategy.name
        );
        pass(&mut world, first(2), &[Prepare, Stage, Compute, Finish]);
        assert_eq!(world.ends[&2], JobEnd::Done);
        world.check_clean();
    }
}

/// What one device could never hold goes to the one that can.
#[test]
fn a_job_that_never_fits_one_of_two_devices() {
    for strategy in stock::ALL {
        let device = |budget| DeviceConfig { budget, workers: 1, tier: 0 };
        let devices = vec![device(16), device(32)];
        let mut world = World::new(strategy.name, Config { devices, ..config(16, 1) });
        world.submit(1, spec(4, 20));
        while let Some(work) = world.pending.iter().copied().next() {
            world.end(work, Outcome::Done, Time(1));
        }
        assert_eq!(world.ends.get(&1), Some(&JobEnd::Done), "{}", strategy.name);
        world.check_clean();
    }
}

#[test]
fn a_full_queue_says_when_to_come_again() {
    let mut world = World::new("ledger", Config { max_jobs: 2, ..config(16, 1) });
    world.submit(1, spec(1, 1));
    world.submit(2, spec(1, 1));
    let actions = world.tell(&Event::Submit { job: 3, spec: spec(1, 1) }, Time(0));
    let [Action::Reject { job: 3, retry_after: Some(wait) }] = actions.as_slice() else {
        panic!("{actions:?}")
    };
    assert!(*wait >= 1_000_000);
    for job in [1, 2] {
        pass(&mut world, first(job), &[Prepare, Stage, Compute, Finish]);
    }
    // An empty job and one whose number is taken never go better; nor does any after the drain.
    world.submit(4, spec(1, 1));
    for (event, job) in [
        (Event::Submit { job: 5, spec: JobSpec::default() }, 5),
        (Event::Submit { job: 4, spec: spec(1, 1) }, 4),
    ] {
        assert_eq!(world.tell(&event, Time(2)), [Action::Reject { job, retry_after: None }]);
    }
    world.tell(&Event::Drain, Time(2));
    let refused = world.tell(&Event::Submit { job: 6, spec: spec(1, 1) }, Time(2));
    assert_eq!(refused, [Action::Reject { job: 6, retry_after: None }]);
    pass(&mut world, first(4), &[Prepare, Stage, Compute, Finish]);
    assert_eq!(world.ends.len(), 3);
    world.check_clean();
}

#[test]
fn a_critical_job_overtakes_at_the_next_boundary() {
    let mut world = World::new("ledger", config(16, 2));
    world.submit(1, spec(6, 8));
    world.submit(2, spec(6, 8));
    pass(&mut world, first(1), &[Prepare, Stage]);
    pass(&mut world, first(2), &[Prepare, Stage]);
    // One computes, the other is staged; all workers are taken.
    let urgent = JobSpec { priority: PriorityName::Critical, ..spec(6, 8) };
    let actions = world.tell(&Event::Submit { job: 3, spec: urgent }, Time(1));
    assert!(actions.contains(&Action::Note { part: first(2), note: Note::SetAside }), "{actions:?}");
    world.end(Work::Drop(first(2)), Outcome::Done, Time(1));
    pass(&mut world, first(3), &[Prepare, Stage]);
    pass(&mut world, first(1), &[Compute]);
    assert!(world.pending.contains(&Work::Phase(first(3), Compute)));
    pass(&mut world, first(1), &[Finish]);
    pass(&mut world, first(2), &[Prepare, Stage]);
    pass(&mut world, first(3), &[Compute, Finish]);
    pass(&mut world, first(2), &[Compute, Finish]);
    assert!(world.ends.values().all(|end| *end == JobEnd::Done) && world.ends.len() == 3);
    world.check_clean();
}

#[test]
fn a_failed_partition_is_tried_again_and_then_fails_its_job() {
    let mut world = World::new("ledger", config(16, 2));
    let parts = vec![PartSpec { synthesis: false, staged: 4, peak: 8, key: 0 }; 3];
    world.submit(1, JobSpec { parts, ..JobSpec::default() });
    let fault = || Outcome::Failed { again: Again::Here, reason: "illegal access".into() };
    pass(&mut world, first(1), &[Prepare, Stage]);
    world.end(Work::Phase(first(1), Compute), fault(), Time(1));
    assert_eq!(world.machine.counters().retries, 1);
    pass(&mut world, first(1), &[Prepare, Stage]);
    world.end(Work::Phase(first(1), Compute), fault(), Time(1));
    // The others are told to end, and what they have is dropped.
    while let Some(work) = world.pending.iter().next().copied() {
        world.end(work, Outcome::Done, Time(1));
    }
    assert_eq!(world.ends[&1], JobEnd::Failed { part: 0, reason: "illegal access".into() });
    world.check_clean();
}

#[test]
fn another_device_is_tried_after_the_second_failure() {
    let devices = vec![DeviceConfig { budget: 16, workers: 1, tier: 0 }; 2];
    let mut world = World::new("ledger", Config { devices, retries: 2, ..config(16, 1) });
    world.submit(1, spec(4, 8));
    let fault = || Outcome::Panicked { reason: "a panic".into() };
    let mut where_ = Vec::new();
    for _ in 0..2 {
        where_.push(world.machine.bytes_on(0));
        world.end(Work::Phase(first(1), Prepare), fault(), Time(1));
    }
    pass(&mut world, first(1), &[Prepare]);
    assert_eq!((world.machine.bytes_on(0), world.machine.bytes_on(1)), (0, 4), "on the second device now");
    pass(&mut world, first(1), &[Stage, Compute, Finish]);
    assert_eq!((world.ends[&1].clone(), world.machine.counters().panics), (JobEnd::Done, 2));
}

#[test]
fn a_hanging_kernel_costs_its_device_and_nothing_else() {
    let devices = vec![DeviceConfig { budget: 16, workers: 2, tier: 0 }; 2];
    let mut world = World::new("ledger", Config { devices, grace: 100, ..config(16, 2) });
    let late = JobSpec { deadline: Some(Time(1000)), ..spec(4, 8) };
    let actions = world.tell(&Event::Submit { job: 1, spec: late }, Time(0));
    assert!(actions.contains(&Action::Wake { at: Time(1000) }), "{actions:?}");
    pass(&mut world, first(1), &[Prepare, Stage]);
    let actions = world.tell(&Event::Tick, Time(1000));
    assert!(
        actions.contains(&Action::Abort { part: first(1) })
            && actions.contains(&Action::Wake { at: Time(1100) })
    );
    assert!(world.ends.is_empty());
    let actions = world.tell(&Event::Tick, Time(1100));
    assert!(actions.contains(&Action::Note { part: first(1), note: Note::Quarantined { bytes: 8 } }));
    assert_eq!(world.ends[&1], JobEnd::Late);
    assert_eq!(
        (world.machine.bytes_on(0), world.machine.quarantined_on(0), world.machine.is_lost(0)),
        (8, 8, true)
    );
    // Later jobs succeed, on the other device.
    world.submit(2, spec(4, 8));
    pass(&mut world, first(2), &[Prepare, Stage, Compute, Finish]);
    assert_eq!(world.ends[&2], JobEnd::Done);
    // It ends after all: its bytes are free, and nobody is told a second time.
    world.end(Work::Phase(first(1), Compute), Outcome::Cancelled, Time(5000));
    assert_eq!((world.machine.bytes_on(0), world.machine.is_lost(0)), (0, false));
    assert_eq!(world.machine.strategy(0).map(|strategy| strategy.account().reserved), Some(0));
    assert_eq!(world.ends.len(), 2);
    // The device is of use again.
    world.submit(3, spec(4, 8));
    pass(&mut world, first(3), &[Prepare, Stage, Compute, Finish]);
    assert_eq!(world.ends[&3], JobEnd::Done);
}

#[test]
fn what_fails_for_good_on_one_device_goes_to_another_of_the_next_rank() {
    let device = |tier| DeviceConfig { budget: 16, workers: 1, tier };
    let devices = vec![device(1), device(0), device(1)];
    let config = Config { devices, retries: 5, ..config(16, 1) };
    let mut world = World::new("ledger", config.clone());
    let busy = |world: &World| (0..3).find(|device| world.machine.bytes_on(*device) > 0);
    // Only the first choice is used, though the others are free.
    world.submit(1, spec(4, 8));
    world.submit(2, spec(4, 8));
    pass(&mut world, first(1), &[Prepare, Stage]);
    assert_eq!(busy(&world), Some(1));
    assert_eq!(world.pending.len(), 1);
    // Elsewhere: not once more there.
    let elsewhere = Outcome::Failed { again: Again::Elsewhere, reason: "not supported".into() };
    world.end(Work::Phase(first(1), Compute), elsewhere.clone(), Time(1));
    pass(&mut world, first(1), &[Prepare, Stage]);
    assert_eq!(world.machine.bytes_on(0), 8);
    // Nor on any device that it failed on before, until none is left.
    world.end(Work::Phase(first(1), Compute), elsewhere.clone(), Time(2));
    pass(&mut world, first(1), &[Prepare, Stage]);
    assert_eq!(world.machine.bytes_on(2), 8);
    world.end(Work::Phase(first(1), Compute), elsewhere, Time(3));
    assert_eq!(world.ends[&1], JobEnd::Failed { part: 0, reason: "not supported".into() });
    // A device that is of no use for a reason of its own: those who wait there leave.
    pass(&mut world, first(2), &[Prepare]);
    world.tell(&Event::Lost { device: 1 }, Time(4));
    assert!(world.machine.is_lost(1));
    world.end(Work::Phase(first(2), Stage), Outcome::Done, Time(5));
    world.end(Work::Drop(first(2)), Outcome::Done, Time(5));
    pass(&mut world, first(2), &[Prepare, Stage, Compute, Finish]);
    assert_eq!(world.ends[&2], JobEnd::Done);
}

#[test]
fn among_devices_that_are_as_busy_the_one_that_knows_the_key_is_taken() {
    let devices = vec![DeviceConfig { budget: 16, workers: 1, tier: 0 }; 2];
    let mut world = World::new("ledger", Config { devices, ..config(16, 1) });
    let keyed = |key| JobSpec {
        parts: vec![PartSpec { synthesis: false, staged: 4, peak: 8, key }],
        ..JobSpec::default()
    };
    for (job, key) in [(1, 7), (2, 8)] {
        world.submit(job, keyed(key));
    }
    for job in [1, 2] {
        pass(&mut world, first(job), &[Prepare, Stage, Compute, Finish]);
    }
    world.submit(3, keyed(8));
    pass(&mut world, first(3), &[Prepare, Stage]);
    assert_eq!((world.machine.bytes_on(0), world.machine.bytes_on(1)), (0, 8), "the second one knows key 8");
}

#[test]
fn a_lost_device_loses_no_job() {
    let devices = vec![DeviceConfig { budget: 16, workers: 2, tier: 0 }; 2];
    let mut world = World::new("ledger", Config { devices, ..config(16, 2) });
    for job in 1..=4 {
        world.submit(job, spec(4, 8));
    }
    pass(&mut world, first(1), &[Prepare, Stage]);
    let lost = Outcome::DeviceLost { reason: "the context is lost".into() };
    world.end(Work::Phase(first(1), Compute), lost, Time(1));
    assert!(world.machine.is_lost(0) && !world.machine.is_lost(1));
    while let Some(work) = world.pending.iter().next().copied() {
        world.end(work, Outcome::Done, Time(2));
    }
    assert!(world.ends.len() == 4 && world.ends.values().all(|end| *end == JobEnd::Done), "{:?}", world.ends);
    assert_eq!(world.machine.bytes_on(1), 0);
    // With no device left a job is not kept waiting.
    let lost = Outcome::DeviceLost { reason: "this one as well".into() };
    world.submit(5, spec(4, 8));
    world.end(Work::Phase(first(5), Prepare), lost, Time(3));
    assert!(matches!(world.ends[&5], JobEnd::Failed { .. }), "{:?}", world.ends[&5]);
}

#[test]
fn two_locks_overcommit_and_lose_time_but_no_proof() {
    let mut world = World::new("two-lock", config(16, 3));
    for job in 1..=3 {
        world.submit(job, spec(8, 12));
    }
    for job in 1..=3 {
        pass(&mut world, first(job), &[Prepare]);
    }
    pass(&mut world, first(1), &[Stage]);
    pass(&mut world, first(2), &[Stage]);
    while let Some(work) = world.pending.iter().next().copied() {
        world.end(work, Outcome::Done, Time(2));
    }
    assert!(world.machine.counters().fallbacks > 0);
    assert!(world.ends.len() == 3 && world.ends.values().all(|end| *end == JobEnd::Done));
    world.check_clean();
}

#[test]
fn synthesis_is_bounded() {
    let mut world =
        World::new("ledger", Config { partition_workers: 3, max_synthesised: 4, ..config(16, 1) });
    let parts = vec![PartSpec { synthesis: true, staged: 1, peak: 1, key: 0 }; 10];
    world.submit(1, JobSpec { parts, ..JobSpec::default() });
    let syntheses =
        |world: &World| world.pending.iter().filter(|work| matches!(work, Work::Synthesis(_))).count();
    assert_eq!(syntheses(&world), 3);
    for index in 0..3 {
        world.end(Work::Synthesis(PartId { job: 1, index }), Outcome::Done, Time(1));
    }
    // One is on the worker, two wait for it, two more are being made.
    assert_eq!(syntheses(&world), 2);
    while let Some(work) = world.pending.iter().next().copied() {
        world.end(work, Outcome::Done, Time(2));
        assert!(syntheses(&world) <= 3);
    }
    assert_eq!(world.ends[&1], JobEnd::Done);
}

/// A partition that gets a worker makes place for the next one's synthesis at once, not at the next event.
#[test]
fn the_next_synthesis_begins_when_a_worker_takes_the_last_one() {
    let mut world =
        World::new("ledger", Config { partition_workers: 1, max_synthesised: 1, ..config(16, 1) });
    let parts = vec![PartSpec { synthesis: true, staged: 1, peak: 1, key: 0 }; 2];
    world.submit(1, JobSpec { parts, ..JobSpec::default() });
    world.end(Work::Synthesis(first(1)), Outcome::Done, Time(1));
    assert!(world.pending.contains(&Work::Synthesis(PartId { job: 1, index: 1 })), "{:?}", world.pending);
}
