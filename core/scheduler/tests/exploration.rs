//! All schedules of three workers and three jobs: whatever ends first, whichever job is cancelled, wherever a fault comes,
//! whatever hangs when the grace or a deadline goes by, whenever a device is lost.

#![allow(
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "a test has no order to keep, and tells how much it saw"
)]

mod world;

use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};

use interlock_scheduler::{
    Again, Config, DeviceConfig, Event, JobEnd, JobSpec, Outcome, PartSpec, PhaseName, PriorityName, Time,
};
use interlock_strategies::stock;
use world::{Work, World, config};

/// What may still happen besides work that ends.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Chances {
    cancels: u32,
    failures: u32,
    refusals: u32,
    /// Times that more goes by than the grace and every deadline: what was told to end until then, and has not, hangs.
    pauses: u32,
    /// A device is lost, as its work says or somebody else.
    losses: u32,
}

/// How long a pause is; the grace is 100.
const PAUSE: u64 = 200;

struct Explorer<'a> {
    jobs: &'a [JobSpec],
    seen: HashSet<u64>,
    hasher: RandomState,
    /// States on the way to the current one: coming back to one of them would be going round for ever.
    path: HashSet<u64>,
    ends: [u64; 3],
    /// All pauses that there were to be.
    pauses: u32,
    /// States in which something hangs.
    hung: u64,
}

impl Explorer<'_> {
    fn visit(&mut self, world: &World, submitted: usize, chances: Chances) {
        let key = self.hasher.hash_one((world.state(), submitted, chances));
        assert!(!self.path.contains(&key), "a schedule goes round for ever");
        if !self.seen.insert(key) {
            return;
        }
        self.path.insert(key);
        let now = self.now(chances);
        // What hangs may do so for ever: nobody waits for it.
        let hangs = |work: &Work| world.ends.contains_key(&work.part().job);
        self.hung += u64::from(world.pending.iter().any(hangs));
        if submitted == self.jobs.len() && world.pending.iter().all(hangs) {
            assert_eq!(
                world.ends.len(),
                self.jobs.len(),
                "nothing runs, and not all jobs have ended: a deadlock"
            );
        }
        if world.pending.is_empty() && submitted == self.jobs.len() {
            world.check_clean();
            for end in world.ends.values() {
                match end {
                    JobEnd::Done => self.ends[0] += 1,
                    JobEnd::Cancelled => self.ends[1] += 1,
                    _ => self.ends[2] += 1,
                }
            }
        }
        if submitted < self.jobs.len() {
            let mut next = world.clone();
            let spec = self.jobs[submitted].clone();
            next.tell(&Event::Submit { job: submitted as u64, spec }, now);
            self.visit(&next, submitted + 1, chances);
        }
        for &work in &world.pending {
            self.ending(world, submitted, chances, work, Outcome::Done);
            if world.aborted.contains(&work.part()) && !matches!(work, Work::Drop(_)) {
                self.ending(world, submitted, chances, work, Outcome::Cancelled);
            }
            if chances.failures > 0 && !matches!(work, Work::Drop(_)) {
                let less = Chances { failures: chances.failures - 1, ..chances };
                self.ending(
                    world,
                    submitted,
                    less,
                    work,
                    Outcome::Failed { again: Again::Here, reason: "a fault".into() },
                );
                self.ending(world, submitted, less, work, Outcome::Panicked { reason: "a panic".into() });
            }
            let Work::Phase(_, phase) = work else { continue };
            // The last one is not on the device.
            if chances.refusals > 0 && phase != PhaseName::Finish {
                let less = Chances { refusals: chances.refusals - 1, ..chances };
                self.ending(world, submitted, less, work, Outcome::NotNow);
            }
            if chances.losses > 0 && phase != PhaseName::Finish {
                let less = Chances { losses: chances.losses - 1, ..chances };
                self.ending(world, submitted, less, work, Outcome::DeviceLost { reason: "gone".into() });
            }
        }
        if chances.losses > 0 {
            for device in 0..world.budgets.len() as u32 {
                let mut next = world.clone();
                next.tell(&Event::Lost { device }, now);
                self.visit(&next, submitted, Chances { losses: chances.losses - 1, ..chances });
            }
        }
        if chances.pauses > 0 {
            let less = Chances { pauses: chances.pauses - 1, ..chances };
            let mut next = world.clone();
            next.tell(&Event::Tick, self.now(less));
            self.visit(&next, submitted, less);
        }
        if chances.cancels > 0 {
            for job in (0..submitted as u64).filter(|job| !world.ends.contains_key(job)) {
                let mut next = world.clone();
                next.tell(&Event::Cancel { job }, now);
                self.visit(&next, submitted, Chances { cancels: chances.cancels - 1, ..chances });
            }
        }
        self.path.remove(&key);
    }

    /// Time stands still but for the pauses, so that there are not too many states.
    fn now(&self, chances: Chances) -> Time {
        Time(u64::from(self.pauses - chances.pauses) * PAUSE)
    }

    fn ending(&mut self, world: &World, submitted: usize, chances: Chances, work: Work, outcome: Outcome) {
        let mut next = world.clone();
        next.end(work, outcome, self.now(chances));
        self.visit(&next, submitted, chances);
    }
}

/// What is explored: a strategy, devices, jobs, and what may happen.
#[derive(Clone, Copy)]
struct Case {
    strategy: &'static str,
    /// Budget and workers of each device.
    devices: &'static [(u64, u32)],
    /// Bytes of each job, staged and at the peak.
    sizes: [(u64, u64); 3],
    priorities: [PriorityName; 3],
    /// Of the first job.
    deadline: Option<Time>,
    chances: Chances,
}

impl Case {
    /// Goes through all of it; how many states there are, and in how many of them something hangs.
    fn explore(self) -> (u64, u64) {
        let deadlines = [self.deadline, None, None];
        let jobs: Vec<JobSpec> = self
            .sizes
            .into_iter()
            .zip(self.priorities)
            .zip(deadlines)
            .map(|(((staged, peak), priority), deadline)| JobSpec {
                priority,
                deadline,
                parts: vec![PartSpec { synthesis: false, staged, peak, key: 0 }],
            })
            .collect();
        let device = |&(budget, workers)| DeviceConfig { budget, workers, tier: 0 };
        let devices = self.devices.iter().map(device).collect();
        let world = World::new(self.strategy, Config { devices, ..config(16, 3) });
        let mut explorer = Explorer {
            jobs: &jobs,
            seen: HashSet::new(),
            hasher: RandomState::new(),
            path: HashSet::new(),
            ends: [0; 3],
            pauses: self.chances.pauses,
            hung: 0,
        };
        explorer.visit(&world, 0, self.chances);
        assert!(explorer.ends[0] > 0);
        assert_eq!(explorer.ends[1] > 0, self.chances.cancels > 0);
        (explorer.seen.len() as u64, explorer.hung)
    }
}

const ONE: &[(u64, u32)] = &[(16, 3)];
const TWO: &[(u64, u32)] = &[(16, 2), (12, 1)];
const EQUAL: [(u64, u64); 3] = [(12, 12); 3];
const MIXED: [(u64, u64); 3] = [(4, 8), (12, 12), (4, 16)];
const NORMAL: [PriorityName; 3] = [PriorityName::Normal; 3];
const URGENT_LAST: [PriorityName; 3] = [PriorityName::Low, PriorityName::Normal, PriorityName::Critical];

/// All schedules of each strategy, with jobs of both kinds and priorities; `hangs`: whether something is to hang in some.
fn all_schedules(devices: &'static [(u64, u32)], deadline: Option<Time>, chances: Chances, hangs: bool) {
    let stack = std::thread::Builder::new().stack_size(256 << 20).spawn(move || {
        for strategy in stock::ALL {
            let mut total = (0, 0);
            for sizes in [EQUAL, MIXED] {
                for priorities in [NORMAL, URGENT_LAST] {
                    let strategy = strategy.name;
                    let case = Case { strategy, devices, sizes, priorities, deadline, chances };
                    let (seen, hung) = case.explore();
                    total = (total.0 + seen, total.1 + hung);
                }
            }
            println!("{}: {} states, {} of them with what hangs", strategy.name, total.0, total.1);
            assert_eq!(total.1 > 0, hangs, "{}", strategy.name);
        }
    });
    stack.unwrap().join().unwrap();
}

const NONE: Chances = Chances { cancels: 0, failures: 0, refusals: 0, pauses: 0, losses: 0 };

#[test]
fn all_schedules_with_a_cancellation() {
    all_schedules(ONE, None, Chances { cancels: 1, ..NONE }, false);
}

#[test]
fn all_schedules_with_a_failure() {
    all_schedules(ONE, None, Chances { failures: 1, ..NONE }, false);
    all_schedules(TWO, None, Chances { failures: 1, ..NONE }, false);
}

#[test]
fn all_schedules_with_a_refusal() {
    all_schedules(ONE, None, Chances { refusals: 2, ..NONE }, false);
    all_schedules(TWO, None, Chances { refusals: 1, ..NONE }, false);
}

#[test]
fn all_schedules_with_a_loss() {
    all_schedules(ONE, None, Chances { losses: 1, ..NONE }, false);
    all_schedules(TWO, None, Chances { losses: 1, ..NONE }, false);
}

/// What was cancelled, or is dropped, does not end within the grace; it does at any time later.
#[test]
fn all_schedules_with_a_hang_after_a_cancellation() {
    all_schedules(ONE, None, Chances { cancels: 1, pauses: 1, ..NONE }, true);
    all_schedules(TWO, None, Chances { cancels: 1, pauses: 1, ..NONE }, true);
}

/// The first pause goes by the deadline, the second one by the grace after it.
#[test]
fn all_schedules_with_a_hang_after_a_deadline() {
    all_schedules(ONE, Some(Time(PAUSE / 2)), Chances { pauses: 2, ..NONE }, true);
    all_schedules(TWO, Some(Time(PAUSE / 2)), Chances { pauses: 2, ..NONE }, true);
}

/// Something hangs, and something else fails, finds no memory or loses a device.
#[test]
fn all_schedules_with_a_hang_and_a_fault() {
    for fault in
        [Chances { failures: 1, ..NONE }, Chances { refusals: 1, ..NONE }, Chances { losses: 1, ..NONE }]
    {
        all_schedules(TWO, Some(Time(PAUSE / 2)), Chances { pauses: 2, ..fault }, true);
    }
}
