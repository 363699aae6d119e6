//! A world without time: pending work ends in any order that a test chooses.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::{BTreeMap, BTreeSet};

use interlock_scheduler::{
    Action, Config, DeviceConfig, Event, JobEnd, JobSpec, Outcome, PartId, PartSpec, Path, PhaseName,
    Scheduler, Time,
};
use interlock_strategies::{Limits, Strategy as _, stock};

pub(crate) type Machine = Scheduler<stock::Stock>;

/// Work that was begun and has not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Work {
    Synthesis(PartId),
    Phase(PartId, PhaseName),
    Drop(PartId),
}

impl Work {
    pub(crate) fn part(self) -> PartId {
        match self {
            Self::Synthesis(part) | Self::Phase(part, _) | Self::Drop(part) => part,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    pub(crate) machine: Machine,
    pub(crate) pending: BTreeSet<Work>,
    pub(crate) aborted: BTreeSet<PartId>,
    pub(crate) ends: BTreeMap<u64, JobEnd>,
    /// Of each device.
    pub(crate) budgets: Vec<u64>,
    pub(crate) reserving: bool,
}

pub(crate) fn config(budget: u64, workers: u32) -> Config {
    Config {
        devices: vec![DeviceConfig { budget, workers, tier: 0 }],
        partition_workers: 2,
        max_synthesised: workers + 1,
        max_jobs: 64,
        retries: 1,
        grace: 100,
    }
}

/// The first partition of a job.
pub(crate) const fn first(job: u64) -> PartId {
    PartId { job, index: 0 }
}

/// A job of one partition, without synthesis.
pub(crate) fn spec(staged: u64, peak: u64) -> JobSpec {
    JobSpec { parts: vec![PartSpec { synthesis: false, staged, peak, key: 0 }], ..JobSpec::default() }
}

/// Ends phases of a partition, which it must be in.
pub(crate) fn pass(world: &mut World, part: PartId, phases: &[PhaseName]) {
    for phase in phases {
        world.end(Work::Phase(part, *phase), Outcome::Done, Time(1));
    }
}

impl World {
    pub(crate) fn new(strategy: &str, config: Config) -> Self {
        let max_staged = config.devices[0].workers.max(2) - 1;
        let limits = |index: usize| Limits { budget: config.devices[index].budget, max_staged };
        let machine = Scheduler::new(config.clone(), |index| {
            stock::create(strategy, limits(index)).expect("a stock strategy")
        });
        let reserving = strategy != stock::TWO_LOCK;
        Self {
            machine,
            pending: BTreeSet::new(),
            aborted: BTreeSet::new(),
            ends: BTreeMap::new(),
            budgets: config.devices.iter().map(|device| device.budget).collect(),
            reserving,
        }
    }

    /// What two worlds that go on alike have in common.
    pub(crate) fn state(&self) -> Self {
        Self { machine: self.machine.without_history(), ..self.clone() }
    }

    pub(crate) fn submit(&mut self, job: u64, spec: JobSpec) {
        self.tell(&Event::Submit { job, spec }, Time(0));
    }

    /// Ends a piece of work.
    pub(crate) fn end(&mut self, work: Work, outcome: Outcome, now: Time) {
        assert!(self.pending.remove(&work), "{work:?} is not pending");
        let event = match work {
            Work::Synthesis(part) => Event::Synthesised { part, outcome },
            Work::Phase(part, phase) => Event::Ended { part, phase, outcome },
            Work::Drop(part) => Event::Dropped { part },
        };
        if !self.pending.iter().any(|other| other.part() == work.part()) {
            self.aborted.remove(&work.part());
        }
        self.tell(&event, now);
    }

    pub(crate) fn tell(&mut self, event: &Event, now: Time) -> Vec<Action> {
        let mut actions = Vec::new();
        self.machine.on(event, now, &mut actions);
        for action in &actions {
            self.take(action);
        }
        self.check_laws();
        actions
    }

    fn take(&mut self, action: &Action) {
        match action {
            Action::Synthesise { part } => self.begin(Work::Synthesis(*part)),
            Action::Run { part, phase, path, .. } => {
                assert!(*path == Path::Fast || *phase == PhaseName::Compute);
                self.begin(Work::Phase(*part, *phase));
            }
            Action::Drop { part } => self.begin(Work::Drop(*part)),
            Action::Abort { part } => {
                assert!(self.pending.iter().any(|work| work.part() == *part), "{part:?} does nothing");
                self.aborted.insert(*part);
            }
            Action::End { job, end } => {
                assert!(self.ends.insert(*job, end.clone()).is_none(), "job {job} ended twice");
            }
            Action::Reject { .. } | Action::Wake { .. } | Action::Note { .. } => {}
        }
    }

    /// A partition does one thing at a time.
    fn begin(&mut self, work: Work) {
        let busy = self.pending.iter().find(|other| other.part() == work.part());
        assert!(busy.is_none(), "{work:?} begins while {busy:?} runs");
        self.pending.insert(work);
    }

    fn check_laws(&self) {
        for (device, budget) in self.budgets.iter().enumerate() {
            let bytes = self.machine.bytes_on(device);
            assert!(bytes <= *budget, "device {device} has {bytes} bytes, more than there are");
            let account = self.machine.strategy(device).expect("a device").account();
            assert!(
                !self.reserving || account.reserved <= *budget,
                "more is granted than there is on device {device}: {account:?}"
            );
        }
        let computing = self.pending.iter().filter(|work| matches!(work, Work::Phase(_, PhaseName::Compute)));
        assert!(computing.count() <= self.budgets.len(), "two compute at once on a device");
    }

    /// Nothing is left of anything.
    pub(crate) fn check_clean(&self) {
        assert!(self.machine.is_idle() && self.pending.is_empty());
        for device in 0..self.budgets.len() {
            let (bytes, held) = (self.machine.bytes_on(device), self.machine.quarantined_on(device));
            assert_eq!(bytes, held, "bytes are leaked on device {device}");
            let account = self.machine.strategy(device).expect("a device").account();
            let permits = (account.reserved, account.waiting, account.holding);
            // What hangs keeps its own.
            assert!(held > 0 || permits == (0, 0, 0), "permits are leaked on device {device}: {account:?}");
        }
    }
}
