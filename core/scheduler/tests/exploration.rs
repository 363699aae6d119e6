//! All schedules of three workers and three jobs: whatever ends first, whichever job is cancelled, wherever a fault comes.

#![allow(
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "a test has no order to keep, and tells how much it saw"
)]

mod world;

use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};

use interlock_scheduler::{Again, Event, JobEnd, JobSpec, Outcome, PartSpec, PriorityName, Time};
use interlock_strategies::stock;
use world::{Work, World, config};

/// What may still happen besides work that ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Chances {
    cancels: u32,
    failures: u32,
    refusals: u32,
}

struct Explorer<'a> {
    jobs: &'a [JobSpec],
    seen: HashSet<u64>,
    hasher: RandomState,
    /// States on the way to the current one: coming back to one of them would be going round for ever.
    path: HashSet<u64>,
    ends: [u64; 3],
}

impl Explorer<'_> {
    fn visit(&mut self, world: &World, submitted: usize, chances: Chances) {
        let key = self.hasher.hash_one((world.state(), submitted, chances));
        assert!(!self.path.contains(&key), "a schedule goes round for ever");
        if !self.seen.insert(key) {
            return;
        }
        self.path.insert(key);
        if world.pending.is_empty() && submitted == self.jobs.len() {
            assert_eq!(
                world.ends.len(),
                self.jobs.len(),
                "nothing runs, and not all jobs have ended: a deadlock"
            );
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
            next.submit(submitted as u64, self.jobs[submitted].clone());
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
            if chances.refusals > 0
                && let Work::Phase(_, phase) = work
                && matches!(
                    phase,
                    interlock_scheduler::PhaseName::Stage | interlock_scheduler::PhaseName::Compute
                )
            {
                let less = Chances { refusals: chances.refusals - 1, ..chances };
                self.ending(world, submitted, less, work, Outcome::NotNow);
            }
        }
        if chances.cancels > 0 {
            for job in (0..submitted as u64).filter(|job| !world.ends.contains_key(job)) {
                let mut next = world.clone();
                next.tell(&Event::Cancel { job }, Time(0));
                self.visit(&next, submitted, Chances { cancels: chances.cancels - 1, ..chances });
            }
        }
        self.path.remove(&key);
    }

    fn ending(&mut self, world: &World, submitted: usize, chances: Chances, work: Work, outcome: Outcome) {
        let mut next = world.clone();
        next.end(work, outcome, Time(0));
        self.visit(&next, submitted, chances);
    }
}

fn explore(strategy: &str, sizes: [(u64, u64); 3], priorities: [PriorityName; 3], chances: Chances) -> u64 {
    let jobs: Vec<JobSpec> = sizes
        .into_iter()
        .zip(priorities)
        .map(|((staged, peak), priority)| JobSpec {
            priority,
            deadline: None,
            parts: vec![PartSpec { synthesis: false, staged, peak, key: 0 }],
        })
        .collect();
    let world = World::new(strategy, config(16, 3));
    let mut explorer = Explorer {
        jobs: &jobs,
        seen: HashSet::new(),
        hasher: RandomState::new(),
        path: HashSet::new(),
        ends: [0; 3],
    };
    explorer.visit(&world, 0, chances);
    assert!(explorer.ends[0] > 0);
    assert_eq!(explorer.ends[1] > 0, chances.cancels > 0);
    explorer.seen.len() as u64
}

const EQUAL: [(u64, u64); 3] = [(12, 12); 3];
const MIXED: [(u64, u64); 3] = [(4, 8), (12, 12), (4, 16)];
const NORMAL: [PriorityName; 3] = [PriorityName::Normal; 3];
const URGENT_LAST: [PriorityName; 3] = [PriorityName::Low, PriorityName::Normal, PriorityName::Critical];

#[test]
fn all_schedules_of_three_workers_and_three_jobs() {
    let stack = std::thread::Builder::new().stack_size(256 << 20).spawn(|| {
        let mut total = 0;
        for strategy in stock::ALL {
            for sizes in [EQUAL, MIXED] {
                for priorities in [NORMAL, URGENT_LAST] {
                    for chances in [
                        Chances { cancels: 1, failures: 0, refusals: 0 },
                        Chances { cancels: 0, failures: 1, refusals: 0 },
                        Chances { cancels: 0, failures: 0, refusals: 1 },
                    ] {
                        let visited = explore(strategy.name, sizes, priorities, chances);
                        total += visited;
                    }
                }
            }
            println!("{}: {total} states so far", strategy.name);
        }
        println!("{total} states visited");
    });
    stack.unwrap().join().unwrap();
}
