//! Partitions that hang, and what becomes of those beside them: each other job ends, and nothing but what hangs is held.

mod world;

use interlock_scheduler::{
    Again, Config, DeviceConfig, Event, JobEnd, JobSpec, Outcome, PartSpec, PhaseName, PriorityName, Time,
};
use interlock_strategies::stock;
use world::{Work, World, config, first, pass, spec};

use PhaseName::{Compute, Finish, Prepare, Stage};

fn devices(n: usize, workers: u32) -> Config {
    let device = |tier: usize| DeviceConfig { budget: 16, workers, tier: tier as u32 };
    Config { devices: (0..n).map(device).collect(), grace: 100, retries: 3, ..config(16, workers) }
}

/// 1 hangs in stage; 2, which computes there, is refused memory: it is to go to the other device.
#[test]
fn refused_memory_in_compute_on_a_lost_device() {
    let mut w = World::new("ledger", devices(2, 2));
    w.submit(2, spec(4, 8));
    pass(&mut w, first(2), &[Prepare, Stage]); // computes
    w.tell(&Event::Submit { job: 1, spec: JobSpec { deadline: Some(Time(1000)), ..spec(4, 8) } }, Time(1));
    pass(&mut w, first(1), &[Prepare]); // stages
    assert!(w.pending.contains(&Work::Phase(first(1), Stage)));
    w.tell(&Event::Tick, Time(1000));
    w.tell(&Event::Tick, Time(1100));
    assert_eq!(w.ends[&1], JobEnd::Late);
    assert!(w.machine.is_lost(0));
    w.end(Work::Phase(first(2), Compute), Outcome::NotNow, Time(1200));
    while let Some(work) = w.pending.iter().copied().find(|x| x.part() != first(1)) {
        w.end(work, Outcome::Done, Time(1300));
    }
    w.tell(&Event::Tick, Time(1_000_000));
    assert_eq!(w.ends.get(&2), Some(&JobEnd::Done), "it waits for ever");
}

/// 1 hangs in compute; 2, which stages there, is refused memory.
#[test]
fn refused_memory_in_stage_on_a_lost_device() {
    let mut w = World::new("ledger", devices(2, 2));
    w.tell(&Event::Submit { job: 1, spec: JobSpec { deadline: Some(Time(1000)), ..spec(4, 8) } }, Time(1));
    pass(&mut w, first(1), &[Prepare, Stage]);
    w.submit(2, spec(4, 8));
    pass(&mut w, first(2), &[Prepare]);
    w.tell(&Event::Tick, Time(1000));
    w.tell(&Event::Tick, Time(1100));
    assert!(w.machine.is_lost(0));
    w.end(Work::Phase(first(2), Stage), Outcome::NotNow, Time(1200));
    while let Some(work) = w.pending.iter().copied().find(|x| x.part() != first(1)) {
        w.end(work, Outcome::Done, Time(1300));
    }
    w.tell(&Event::Tick, Time(1_000_000));
    assert_eq!(w.ends.get(&2), Some(&JobEnd::Done), "it waits for ever");
}

/// All workers of the first device hang in finish, the second is free.
#[test]
fn all_workers_hang_in_finish() {
    let mut w = World::new("ledger", devices(2, 1));
    w.tell(&Event::Submit { job: 1, spec: JobSpec { deadline: Some(Time(1000)), ..spec(4, 8) } }, Time(1));
    pass(&mut w, first(1), &[Prepare, Stage, Compute]);
    w.tell(&Event::Tick, Time(1000));
    w.tell(&Event::Tick, Time(1100));
    assert_eq!(w.ends[&1], JobEnd::Late);
    w.tell(&Event::Submit { job: 2, spec: spec(4, 8) }, Time(1200));
    while let Some(work) = w.pending.iter().copied().find(|x| x.part() != first(1)) {
        w.end(work, Outcome::Done, Time(1300));
    }
    w.tell(&Event::Tick, Time(1_000_000));
    assert_eq!(w.ends.get(&2), Some(&JobEnd::Done), "no worker ever");
}

/// Under `whole` the first one has the lock from prepare on; without memory for its key it lets the second one go first.
#[test]
fn a_key_that_waits_holds_no_lock() {
    let mut w = World::new("whole", devices(1, 2));
    w.submit(1, spec(4, 8));
    w.submit(2, spec(4, 8));
    w.end(Work::Phase(first(1), Prepare), Outcome::NotNow, Time(1));
    while let Some(work) = w.pending.iter().copied().next() {
        w.end(work, Outcome::Done, Time(2));
    }
    assert_eq!((w.ends.get(&1), w.ends.get(&2)), (Some(&JobEnd::Done), Some(&JobEnd::Done)));
    w.check_clean();
}

/// The device has no room for the second key while the first one is in use, and has it afterwards.
#[test]
fn a_key_waits_until_those_before_it_go() {
    for name in ["ledger", "whole", "narrow", "prestage", "two-lock"] {
        let mut w = World::new(name, devices(1, 2));
        w.submit(1, spec(4, 8));
        pass(&mut w, first(1), &[Prepare, Stage]);
        w.submit(2, spec(4, 8));
        if name == "whole" {
            // The first one has the device until it is proved.
            assert!(!w.pending.contains(&Work::Phase(first(2), Prepare)));
            continue;
        }
        w.end(Work::Phase(first(2), Prepare), Outcome::NotNow, Time(1));
        assert!(!w.pending.iter().any(|work| work.part() == first(2)), "{name}: {:?}", w.pending);
        // Bytes come free, but its key is still in use.
        pass(&mut w, first(1), &[Compute]);
        w.end(Work::Phase(first(2), Prepare), Outcome::NotNow, Time(2));
        pass(&mut w, first(1), &[Finish]);
        pass(&mut w, first(2), &[Prepare, Stage, Compute, Finish]);
        assert_eq!((&w.ends[&1], &w.ends[&2]), (&JobEnd::Done, &JobEnd::Done), "{name}");
        w.check_clean();
    }
}

/// Nobody is there whose key could go: waiting would be for ever.
#[test]
fn a_key_that_does_not_fit_alone_goes_elsewhere() {
    let mut w = World::new("ledger", devices(2, 2));
    w.submit(1, spec(4, 8));
    w.submit(2, spec(4, 8));
    w.end(Work::Phase(first(1), Prepare), Outcome::NotNow, Time(1));
    w.end(Work::Phase(first(2), Prepare), Outcome::NotNow, Time(1));
    for _ in 0..20 {
        let Some(work) = w.pending.iter().copied().next() else { break };
        w.end(work, Outcome::Done, Time(2));
    }
    assert_eq!((w.ends.get(&1), w.ends.get(&2)), (Some(&JobEnd::Done), Some(&JobEnd::Done)));
    let mut w = World::new("ledger", devices(1, 1));
    w.submit(1, spec(4, 8));
    w.end(Work::Phase(first(1), Prepare), Outcome::NotNow, Time(1));
    let JobEnd::Failed { reason, .. } = &w.ends[&1] else { panic!("{:?}", w.ends) };
    assert!(reason.contains("no memory for its key"), "{reason}");
    w.check_clean();
}

/// Whose key it waits for hangs on the host, where the key may stay for ever: it is told so by the device, and goes elsewhere.
#[test]
fn a_key_does_not_wait_for_what_hangs() {
    let mut w = World::new("ledger", devices(2, 2));
    w.submit(1, spec(4, 8));
    w.submit(2, JobSpec { priority: PriorityName::Low, ..spec(4, 8) });
    w.submit(3, JobSpec { priority: PriorityName::Low, ..spec(4, 8) });
    pass(&mut w, first(1), &[Prepare, Stage, Compute]);
    pass(&mut w, first(2), &[Prepare, Stage, Compute, Finish]);
    // Beside the first one, on the first device.
    w.end(Work::Phase(first(3), Prepare), Outcome::NotNow, Time(2));
    assert_eq!(w.pending.iter().collect::<Vec<_>>(), [&Work::Phase(first(1), Finish)]);
    w.tell(&Event::Cancel { job: 1 }, Time(3));
    w.tell(&Event::Tick, Time(103));
    assert_eq!(w.ends.get(&1), Some(&JobEnd::Cancelled));
    w.end(Work::Phase(first(3), Prepare), Outcome::NotNow, Time(104));
    pass(&mut w, first(3), &[Prepare, Stage, Compute, Finish]);
    assert_eq!(w.ends.get(&3), Some(&JobEnd::Done));
    assert!(!w.machine.is_lost(0));
    w.end(Work::Phase(first(1), Finish), Outcome::Done, Time(105));
    w.check_clean();
}

fn rnd(s: &mut u64) -> u64 {
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    *s
}

/// 1 computes; 2 is staged and is revoked for a critical one, and its free never comes back.
#[test]
fn a_free_that_hangs() {
    let mut w = World::new("ledger", devices(2, 3));
    w.submit(1, spec(4, 8));
    pass(&mut w, first(1), &[Prepare, Stage]); // computes
    w.submit(2, spec(4, 8));
    pass(&mut w, first(2), &[Prepare, Stage]); // is staged
    let critical = JobSpec { priority: PriorityName::Critical, ..spec(8, 16) };
    w.submit(3, critical);
    pass(&mut w, first(3), &[Prepare]);
    assert!(w.pending.contains(&Work::Drop(first(2))), "{:?}", w.pending);
    w.tell(&Event::Tick, Time(100));
    assert!(w.ends.is_empty());
    w.tell(&Event::Tick, Time(101));
    let JobEnd::Failed { reason, .. } = &w.ends[&2] else { panic!("{:?}", w.ends) };
    assert!(reason.contains("does not give its memory back"), "{reason}");
    assert_eq!((w.machine.is_lost(0), w.machine.quarantined_on(0)), (true, 4));
    while let Some(work) = w.pending.iter().copied().find(|x| x.part() != first(2)) {
        w.end(work, Outcome::Done, Time(200));
    }
    assert_eq!((&w.ends[&1], &w.ends[&3]), (&JobEnd::Done, &JobEnd::Done));
    // It comes back after all.
    w.end(Work::Drop(first(2)), Outcome::Done, Time(300));
    assert_eq!((w.machine.is_lost(0), w.machine.quarantined_on(0)), (false, 0));
    w.check_clean();
}

/// A job that is cancelled ends within the grace, whether its memory is freed or not.
#[test]
fn a_free_that_hangs_after_a_cancellation() {
    let mut w = World::new("narrow", devices(1, 2));
    w.submit(1, spec(4, 8));
    pass(&mut w, first(1), &[Prepare, Stage]);
    w.tell(&Event::Cancel { job: 1 }, Time(10));
    w.end(Work::Phase(first(1), Compute), Outcome::Done, Time(20));
    assert!(w.pending.contains(&Work::Drop(first(1))));
    w.tell(&Event::Tick, Time(120));
    assert_eq!(w.ends.get(&1), Some(&JobEnd::Cancelled));
    assert_eq!((w.machine.is_lost(0), w.machine.quarantined_on(0)), (true, 8));
    w.end(Work::Drop(first(1)), Outcome::Done, Time(1000));
    assert!(!w.machine.is_lost(0));
    w.check_clean();
}

/// Random hangs, losses, refusals, on two devices; `refusals`: whether NotNow may come.
fn random(seed: u64, refusals: bool, hangs_in_finish: bool) -> Result<(), String> {
    let mut s = seed.wrapping_mul(0x9E3779B97F4A7C15) | 1;
    for _ in 0..5 {
        rnd(&mut s);
    }
    let name = stock::ALL[(rnd(&mut s) % 5) as usize].name;
    let mut cfg = devices(2, 1 + (rnd(&mut s) % 3) as u32);
    if rnd(&mut s).is_multiple_of(2) {
        cfg.devices[1].tier = 0;
    }
    let mut w = World::new(name, cfg);
    let mut now = 1;
    let mut hung: Vec<Work> = Vec::new();
    let mut submitted = 0;
    let total = 1 + rnd(&mut s) % 7;
    let prios = [PriorityName::Low, PriorityName::Normal, PriorityName::High, PriorityName::Critical];
    for _ in 0..200 {
        now += 1;
        match rnd(&mut s) % 12 {
            0 | 1 if submitted < total => {
                let parts = (0..1 + rnd(&mut s) % 3)
                    .map(|_| {
                        let a = rnd(&mut s) % 17;
                        let b = rnd(&mut s) % 17;
                        PartSpec {
                            synthesis: rnd(&mut s).is_multiple_of(3),
                            staged: a.min(b),
                            peak: a.max(b),
                            key: rnd(&mut s) % 3,
                        }
                    })
                    .collect();
                let deadline = rnd(&mut s).is_multiple_of(2).then_some(Time(now + rnd(&mut s) % 300));
                w.tell(
                    &Event::Submit {
                        job: submitted,
                        spec: JobSpec { priority: prios[(rnd(&mut s) % 4) as usize], deadline, parts },
                    },
                    Time(now),
                );
                submitted += 1;
            }
            2 if submitted > 0 => {
                let job = rnd(&mut s) % submitted;
                w.tell(&Event::Cancel { job }, Time(now));
            }
            3 => {
                now += rnd(&mut s) % 60;
                w.tell(&Event::Tick, Time(now));
            }
            4 if rnd(&mut s).is_multiple_of(40) => {
                w.tell(&Event::Lost { device: (rnd(&mut s) % 2) as u32 }, Time(now));
            }
            _ => {
                let pending: Vec<Work> = w.pending.iter().copied().filter(|x| !hung.contains(x)).collect();
                if pending.is_empty() {
                    continue;
                }
                let work = pending[(rnd(&mut s) as usize) % pending.len()];
                let on_device = matches!(work, Work::Phase(_, Stage | Compute));
                if matches!(work, Work::Drop(_)) {
                    if hung.len() < 2 && rnd(&mut s).is_multiple_of(10) {
                        hung.push(work);
                    } else {
                        w.end(work, Outcome::Done, Time(now));
                    }
                    continue;
                }
                match rnd(&mut s) % 40 {
                    0 | 1
                        if hung.len() < 2 && (hangs_in_finish || !matches!(work, Work::Phase(_, Finish))) =>
                    {
                        hung.push(work)
                    }
                    2 | 3 => {
                        w.end(work, Outcome::Failed { again: Again::Here, reason: "f".into() }, Time(now))
                    }
                    4 => w.end(
                        work,
                        Outcome::Failed { again: Again::Elsewhere, reason: "f".into() },
                        Time(now),
                    ),
                    5 if on_device && rnd(&mut s).is_multiple_of(4) => {
                        w.end(work, Outcome::DeviceLost { reason: "f".into() }, Time(now))
                    }
                    6..=8 if refusals && (on_device || matches!(work, Work::Phase(_, Prepare))) => {
                        w.end(work, Outcome::NotNow, Time(now))
                    }
                    9 if w.aborted.contains(&work.part()) => w.end(work, Outcome::Cancelled, Time(now)),
                    _ => w.end(work, Outcome::Done, Time(now)),
                }
            }
        }
        for d in 0..2 {
            if w.machine.bytes_on(d) > 16 {
                return Err(format!("bytes on {d}"));
            }
        }
    }
    // cancel the hung ones' jobs, let time pass, finish all others
    for work in hung.clone() {
        w.tell(&Event::Cancel { job: work.part().job }, Time(now));
    }
    for _ in 0..3 {
        now += 150;
        w.tell(&Event::Tick, Time(now));
    }
    for _ in 0..10_000 {
        now += 1;
        let Some(work) = w.pending.iter().copied().find(|x| !hung.contains(x)) else { break };
        w.end(work, Outcome::Done, Time(now));
    }
    now += 1000;
    w.tell(&Event::Tick, Time(now));
    if w.ends.len() as u64 != submitted {
        return Err(format!(
            "{name}: ends {:?} of {submitted}, hung {hung:?}, lost {} {}",
            w.ends,
            w.machine.is_lost(0),
            w.machine.is_lost(1)
        ));
    }
    // the hung ones end after all
    for work in hung {
        if w.pending.contains(&work) {
            w.end(work, Outcome::Cancelled, Time(now));
        }
    }
    while let Some(work) = w.pending.iter().copied().next() {
        w.end(work, Outcome::Done, Time(now));
    }
    for d in 0..2 {
        if w.machine.bytes_on(d) != 0 || w.machine.quarantined_on(d) != 0 {
            return Err(format!("{name}: bytes left"));
        }
        use interlock_strategies::Strategy as _;
        let a = w.machine.strategy(d).unwrap().account();
        if (a.reserved, a.waiting, a.holding) != (0, 0, 0) {
            return Err(format!("{name}: permits left on {d}: {a:?}"));
        }
    }
    Ok(())
}

fn many(refusals: bool, finish: bool) {
    let seeds = std::env::var("INTERLOCK_SEEDS").ok().map_or(5_000, |seeds| seeds.parse().unwrap());
    for seed in 1..seeds {
        if let Err(problem) = random(seed, refusals, finish) {
            panic!("seed {seed}: {problem}");
        }
    }
}

#[test]
fn random_hangs_without_refusals() {
    many(false, false);
}

#[test]
fn random_hangs_with_refusals() {
    many(true, false);
}

#[test]
fn random_hangs_in_finish_too() {
    many(false, true);
}

#[test]
fn random_hangs_in_finish_with_refusals() {
    many(true, true);
}
