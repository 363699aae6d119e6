//! Random jobs, footprints, orders of events and faults: whatever comes, every job ends once and nothing is left.

mod world;

use interlock_scheduler::{
    Again, Config, DeviceConfig, Event, JobEnd, JobSpec, Outcome, PartSpec, PhaseName, PriorityName, Time,
};
use interlock_strategies::stock;
use proptest::collection::vec;
use proptest::prelude::*;
use world::{Work, World, config};

const BUDGET: u64 = 100;
const GRACE: u64 = 60;

fn part() -> impl Strategy<Value = PartSpec> {
    (any::<bool>(), 0..=BUDGET, 0..=BUDGET).prop_map(|(synthesis, a, b)| PartSpec {
        synthesis,
        staged: a.min(b),
        peak: a.max(b),
        key: 0,
    })
}

fn job() -> impl Strategy<Value = JobSpec> {
    let priority = prop_oneof![
        Just(PriorityName::Low),
        Just(PriorityName::Normal),
        Just(PriorityName::Normal),
        Just(PriorityName::High),
        Just(PriorityName::Critical)
    ];
    (priority, proptest::option::weighted(0.2, 0..400_u64), vec(part(), 1..5))
        .prop_map(|(priority, deadline, parts)| JobSpec { priority, deadline: deadline.map(Time), parts })
}

/// What a step does, chosen by numbers so that shrinking makes it simpler.
#[derive(Clone, Debug)]
enum Move {
    Submit,
    End {
        which: usize,
        how: u8,
    },
    Cancel {
        which: usize,
    },
    Shrink {
        which: usize,
        to: u64,
    },
    Tick,
    /// Work that does not end before all others have, nor when it is told to.
    Hang {
        which: usize,
    },
    /// A device is gone.
    Lose {
        device: u32,
    },
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let step = prop_oneof![
        2 => Just(Move::Submit),
        12 => (any::<usize>(), any::<u8>()).prop_map(|(which, how)| Move::End { which, how }),
        1 => any::<usize>().prop_map(|which| Move::Cancel { which }),
        1 => (any::<usize>(), 0..=BUDGET).prop_map(|(which, to)| Move::Shrink { which, to }),
        1 => Just(Move::Tick),
    ];
    vec(step, 0..160)
}

/// The same, with what hangs and, now and then, a device that is lost.
fn moves_with_hangs() -> impl Strategy<Value = Vec<Move>> {
    let hangs = vec((any::<prop::sample::Index>(), any::<usize>()), 0..4);
    let loss = proptest::option::weighted(0.3, (any::<prop::sample::Index>(), 0..2_u32));
    (moves(), hangs, loss).prop_map(|(mut moves, hangs, loss)| {
        for (at, which) in hangs {
            moves.insert(at.index(moves.len() + 1), Move::Hang { which });
        }
        if let Some((at, device)) = loss {
            moves.insert(at.index(moves.len() + 1), Move::Lose { device });
        }
        moves
    })
}

fn outcome(how: u8, work: Work, aborted: bool) -> Outcome {
    // Prepare is where its key needs memory.
    let on_device = matches!(work, Work::Phase(_, phase) if phase != PhaseName::Finish);
    match how {
        _ if matches!(work, Work::Drop(_)) => Outcome::Done,
        _ if aborted && how.is_multiple_of(2) => Outcome::Cancelled,
        0..=5 => Outcome::Failed { again: Again::Here, reason: "a fault".into() },
        6..=8 => Outcome::Failed { again: Again::Never, reason: "a fault for good".into() },
        9..=12 => Outcome::Panicked { reason: "a panic".into() },
        13..=20 if on_device => Outcome::NotNow,
        _ => Outcome::Done,
    }
}

struct Run {
    world: World,
    now: u64,
    submitted: u64,
    hung: Vec<Work>,
}

impl Run {
    fn new(strategy: &str, config: Config) -> Self {
        Self { world: World::new(strategy, config), now: 0, submitted: 0, hung: Vec::new() }
    }

    /// Work that may end now.
    fn pending(&self) -> Vec<Work> {
        self.world.pending.iter().copied().filter(|work| !self.hung.contains(work)).collect()
    }

    fn step(&mut self, step: &Move, jobs: &[JobSpec]) {
        self.now += 1;
        let now = Time(self.now);
        let pending = self.pending();
        match step {
            Move::Submit => {
                if let Some(spec) = jobs.get(self.submitted as usize) {
                    self.world.tell(&Event::Submit { job: self.submitted, spec: spec.clone() }, now);
                    self.submitted += 1;
                }
            }
            Move::End { which, how } => {
                if !pending.is_empty() {
                    let work = pending[which % pending.len()];
                    let outcome = outcome(*how, work, self.world.aborted.contains(&work.part()));
                    self.world.end(work, outcome, now);
                }
            }
            Move::Cancel { which } => {
                if self.submitted > 0 {
                    self.world.tell(&Event::Cancel { job: *which as u64 % self.submitted }, now);
                }
            }
            Move::Shrink { which, to } => {
                if !pending.is_empty() {
                    let part = pending[which % pending.len()].part();
                    self.world.tell(&Event::Shrunk { part, peak: *to }, now);
                }
            }
            Move::Tick => {
                self.now += 40;
                self.world.tell(&Event::Tick, Time(self.now));
            }
            Move::Hang { which } => {
                if !pending.is_empty() {
                    self.hung.push(pending[which % pending.len()]);
                }
            }
            Move::Lose { device } => {
                self.world.tell(&Event::Lost { device: *device }, now);
            }
        }
    }

    /// Lets all work end well, until none is left but what hangs: whose job is cancelled, and ends without it. Then that
    /// ends as well.
    fn finish(&mut self) {
        for work in self.hung.clone() {
            self.world.tell(&Event::Cancel { job: work.part().job }, Time(self.now));
        }
        self.end_all();
        if !self.hung.is_empty() {
            self.now = self.now.saturating_add(GRACE);
            self.world.tell(&Event::Tick, Time(self.now));
            self.end_all();
        }
        assert_eq!(self.world.ends.len() as u64, self.submitted, "not all jobs have ended");
        self.hung.clear();
        self.end_all();
        self.world.check_clean();
    }

    fn end_all(&mut self) {
        for _ in 0..100_000 {
            self.now += 1;
            let Some(work) = self.pending().first().copied() else { break };
            self.world.end(work, Outcome::Done, Time(self.now));
        }
    }
}

fn run(strategy: &str, config: Config, jobs: &[JobSpec], moves: &[Move]) -> World {
    let mut run = Run::new(strategy, config);
    moves.iter().for_each(|step| run.step(step, jobs));
    while (run.submitted as usize) < jobs.len() {
        run.step(&Move::Submit, jobs);
    }
    run.finish();
    run.world
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_job_ends_once_and_nothing_is_left(
        jobs in vec(job(), 1..8),
        moves in moves(),
        workers in 1..5_u32,
        strategy in 0..stock::ALL.len(),
    ) {
        // A phase that was told to end has all the time that it takes: what hangs is another test's.
        let config = Config { grace: u64::MAX, ..config(BUDGET, workers) };
        run(stock::ALL[strategy].name, config, &jobs, &moves);
    }

    /// Work that hangs, beside faults and lost devices: all jobs end without it, and nothing is left when it ends.
    #[test]
    fn what_hangs_keeps_nobody_from_ending(
        jobs in vec(job(), 1..8),
        moves in moves_with_hangs(),
        workers in (1..4_u32, 0..3_u32),
        smaller in 1..=BUDGET,
        strategy in 0..stock::ALL.len(),
    ) {
        let mut devices = vec![DeviceConfig { budget: BUDGET, workers: workers.0, tier: 0 }];
        if workers.1 > 0 {
            devices.push(DeviceConfig { budget: smaller, workers: workers.1, tier: 0 });
        }
        let config = Config { devices, grace: GRACE, ..config(BUDGET, workers.0) };
        run(stock::ALL[strategy].name, config, &jobs, &moves);
    }

    /// Without faults, cancellations and deadlines all jobs are done, whatever the order.
    #[test]
    fn without_faults_all_are_done(
        parts in vec(vec(part(), 1..4), 1..6),
        order in vec(any::<usize>(), 0..200),
        workers in 1..5_u32,
        strategy in 0..stock::ALL.len(),
    ) {
        let jobs: Vec<JobSpec> =
            parts.into_iter().map(|parts| JobSpec { parts, ..JobSpec::default() }).collect();
        let moves: Vec<Move> = jobs
            .iter()
            .map(|_| Move::Submit)
            .chain(order.into_iter().map(|which| Move::End { which, how: u8::MAX }))
            .collect();
        let world = run(stock::ALL[strategy].name, config(BUDGET, workers), &jobs, &moves);
        prop_assert!(world.ends.values().all(|end| *end == JobEnd::Done));
        let counters = world.machine.counters();
        prop_assert_eq!((counters.done, counters.failed, counters.retries), (jobs.len() as u64, 0, 0));
        if stock::ALL[strategy].name != stock::TWO_LOCK {
            prop_assert_eq!(counters.fallbacks, 0);
        }
    }

    /// Two devices of different sizes.
    #[test]
    fn what_fits_one_of_two_devices_is_done(
        parts in vec(vec(part(), 1..4), 1..6),
        moves in moves(),
        strategy in 0..stock::ALL.len(),
    ) {
        let jobs: Vec<JobSpec> =
            parts.into_iter().map(|parts| JobSpec { parts, ..JobSpec::default() }).collect();
        let devices = vec![
            DeviceConfig { budget: BUDGET, workers: 2, tier: 0 },
            DeviceConfig { budget: BUDGET / 3, workers: 2, tier: 0 },
        ];
        let config = Config { devices, grace: u64::MAX, ..config(BUDGET, 2) };
        let moves: Vec<Move> =
            moves.into_iter().map(|step| match step {
                Move::End { which, .. } => Move::End { which, how: u8::MAX },
                Move::Cancel { .. } => Move::Tick,
                other => other,
            }).collect();
        let mut run = Run::new(stock::ALL[strategy].name, config);
        moves.iter().for_each(|step| run.step(step, &jobs));
        while (run.submitted as usize) < jobs.len() {
            run.step(&Move::Submit, &jobs);
        }
        run.finish();
        prop_assert!(run.world.ends.values().all(|end| *end == JobEnd::Done), "{:?}", run.world.ends);
        prop_assert_eq!(run.world.machine.bytes_on(1), 0);
    }
}
