//! The state machine.

use std::collections::BTreeMap;

use interlock_strategies::{Decision, Phase, Strategy};
use serde::{Deserialize, Serialize};

use crate::action::{Action, JobEnd, Note};
use crate::config::Config;
use crate::device::{Device, Worker};
use crate::event::{Event, JobSpec, PartId, Time};
use crate::job::{Job, Part, State, Step, Then};

/// What has happened so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Counters {
    /// Jobs that were accepted.
    pub accepted: u64,
    /// Jobs that were not.
    pub rejected: u64,
    /// Jobs whose partitions are all proved.
    pub done: u64,
    /// Jobs that ended otherwise, cancelled ones not counted.
    pub failed: u64,
    /// Jobs that were cancelled.
    pub cancelled: u64,
    /// Partitions that were tried again.
    pub retries: u64,
    /// Partitions that took the slow path.
    pub fallbacks: u64,
    /// Staged partitions that were revoked.
    pub revoked: u64,
    /// Partitions whose work panicked.
    pub panics: u64,
}

/// Jobs, devices, and what goes where. `S` is the devices' strategy.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scheduler<S> {
    pub(crate) config: Config,
    pub(crate) devices: Vec<Device<S>>,
    pub(crate) jobs: BTreeMap<u64, Job>,
    next_age: u64,
    draining: bool,
    pub(crate) counters: Counters,
    /// What a job took, in microseconds, averaged with a preference for the last ones.
    mean_job: u64,
    pub(crate) now: Time,
    /// The time for which a wake-up was asked.
    wake: Option<Time>,
}

impl<S: Strategy> Scheduler<S> {
    /// A scheduler; `strategy` makes one for each device, by its position.
    pub fn new(config: Config, mut strategy: impl FnMut(usize) -> S) -> Self {
        let devices = config
            .devices
            .iter()
            .enumerate()
            .map(|(index, device)| Device {
                strategy: strategy(index),
                budget: device.budget,
                workers: vec![Worker::Free; device.workers.max(1) as usize],
                bytes: BTreeMap::new(),
                quarantined: BTreeMap::new(),
                lost: false,
            })
            .collect();
        Self {
            config,
            devices,
            jobs: BTreeMap::new(),
            next_age: 0,
            draining: false,
            counters: Counters::default(),
            mean_job: 0,
            now: Time::default(),
            wake: None,
        }
    }

    /// What is to be done now that this has happened. Times must not go back. Events about what is not known, such as
    /// the late end of something that was given up, are allowed.
    pub fn on(&mut self, event: &Event, now: Time, out: &mut Vec<Action>) {
        self.now = now;
        match event {
            Event::Submit { job, spec } => self.submit(*job, spec, out),
            Event::Cancel { job } => self.end_job(*job, JobEnd::Cancelled, out),
            Event::Synthesised { part, outcome } => self.synthesised(*part, outcome, out),
            Event::Ended { part, phase, outcome } => self.ended(*part, Phase::from(*phase), outcome, out),
            Event::Shrunk { part, peak } => self.shrunk(*part, *peak),
            Event::Dropped { part } => self.dropped(*part),
            Event::Tick => {}
            Event::Drain => self.draining = true,
        }
        if self.wake.is_some_and(|at| at <= now) {
            self.wake = None;
        }
        self.expire(out);
        self.settle(out);
        self.report_ended(out);
        self.ask_to_be_woken(out);
    }

    /// What has happened so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The same state without what only tells of the past: equal ones behave alike.
    #[must_use]
    pub fn without_history(&self) -> Self
    where
        S: Clone,
    {
        Self { counters: Counters::default(), mean_job: 0, ..self.clone() }
    }

    /// Whether no job is left.
    pub fn is_idle(&self) -> bool {
        self.jobs.is_empty()
    }

    /// Bytes that partitions have on a device, those of hung ones included.
    pub fn bytes_on(&self, device: usize) -> u64 {
        self.devices.get(device).map_or(0, Device::used)
    }

    /// Bytes on a device that cannot be known to be free.
    pub fn quarantined_on(&self, device: usize) -> u64 {
        self.devices.get(device).map_or(0, |device| device.quarantined.values().sum())
    }

    /// Whether a device counts as lost.
    pub fn is_lost(&self, device: usize) -> bool {
        self.devices.get(device).is_some_and(|device| device.lost)
    }

    /// A device's strategy.
    pub fn strategy(&self, device: usize) -> Option<&S> {
        self.devices.get(device).map(|device| &device.strategy)
    }

    fn submit(&mut self, job: u64, spec: &JobSpec, out: &mut Vec<Action>) {
        let full = self.jobs.len() >= self.config.max_jobs as usize;
        let unknown = !self.jobs.contains_key(&job) && !spec.parts.is_empty();
        if self.draining || full || !unknown {
            self.counters.rejected += 1;
            // When one of those that are there has ended, by what they took until now.
            let wait = (self.mean_job / self.workers().max(1)).max(1_000_000);
            out.push(Action::Reject { job, retry_after: (!self.draining && unknown).then_some(wait) });
            return;
        }
        self.counters.accepted += 1;
        let job_state = Job::new(spec, self.now, self.next_age);
        self.next_age += spec.parts.len() as u64;
        self.jobs.insert(job, job_state);
    }

    fn workers(&self) -> u64 {
        self.devices.iter().map(|device| device.workers.len() as u64).sum()
    }

    pub(crate) fn part(&self, id: PartId) -> Option<&Part> {
        self.jobs.get(&id.job)?.parts.get(id.index as usize)
    }

    pub(crate) fn part_mut(&mut self, id: PartId) -> Option<&mut Part> {
        self.jobs.get_mut(&id.job)?.parts.get_mut(id.index as usize)
    }

    pub(crate) fn is_ending(&self, id: PartId) -> bool {
        self.jobs.get(&id.job).is_none_or(|job| job.ending.is_some())
    }

    /// All partitions in a state, the first in order first.
    fn parts_where(&self, wanted: impl Fn(&Part) -> bool) -> Vec<PartId> {
        let mut found: Vec<_> = self
            .jobs
            .iter()
            .flat_map(|(job, state)| {
                state
                    .parts
                    .iter()
                    .enumerate()
                    .map(move |(index, part)| (PartId { job: *job, index: index as u32 }, part))
            })
            .filter(|(_, part)| wanted(part))
            .map(|(id, part)| (std::cmp::Reverse(part.ticket.priority), part.ticket.age, id))
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, _, id)| id).collect()
    }

    pub(crate) fn by_ticket(&self, ticket: u64) -> Option<PartId> {
        self.jobs.iter().find_map(|(job, state)| {
            let first = state.parts.first()?.ticket.id;
            let index = ticket.checked_sub(first).filter(|index| *index < state.parts.len() as u64)?;
            Some(PartId { job: *job, index: index as u32 })
        })
    }

    /// Goes on until nothing more can be begun.
    fn settle(&mut self, out: &mut Vec<Action>) {
        self.begin_syntheses(out);
        loop {
            let assigned = self.assign(out);
            let mut decided = false;
            for device in 0..self.devices.len() {
                decided |= self.carry_out(device, out);
            }
            if !assigned && !decided {
                return;
            }
        }
    }

    fn begin_syntheses(&mut self, out: &mut Vec<Action>) {
        let count = |state: fn(&State) -> bool| self.parts_where(|part| state(&part.state)).len();
        let mut running = count(|state| matches!(state, State::Synthesising { .. }));
        let mut waiting =
            running + self.parts_where(|part| part.state == State::Ready && part.spec.synthesis).len();
        for id in self.parts_where(|part| part.state == State::Queued) {
            if running >= self.config.partition_workers as usize
                || waiting >= self.config.max_synthesised as usize
            {
                return;
            }
            if let Some(part) = self.part_mut(id) {
                part.state = State::Synthesising { abort_by: None };
                (running, waiting) = (running + 1, waiting + 1);
                out.push(Action::Synthesise { part: id });
            }
        }
    }

    /// Gives workers to those that are ready; whether anybody got one, or is about to.
    fn assign(&mut self, out: &mut Vec<Action>) -> bool {
        let mut changed = false;
        for id in self.parts_where(|part| part.state == State::Ready) {
            let Some(part) = self.part(id) else { continue };
            let usable = |index: &usize| !part.avoid.contains(index) && !self.devices[*index].lost;
            let candidates: Vec<usize> = (0..self.devices.len()).filter(usable).collect();
            if candidates.is_empty() {
                self.has_no_device(id, out);
                changed = true;
                continue;
            }
            let free = candidates
                .iter()
                .filter_map(|index| {
                    Some((self.devices[*index].busy(), *index, self.devices[*index].free_worker()?))
                })
                .min();
            match free {
                Some((_, device, worker)) => {
                    self.put_on(id, device, worker, out);
                    changed = true;
                }
                // The worker that came free is this one's, not that of a later one in the list.
                None if self.make_way(id, &candidates, out) => return true,
                None => {}
            }
        }
        changed
    }

    fn put_on(&mut self, id: PartId, device: usize, worker: usize, out: &mut Vec<Action>) {
        let Some(part) = self.part_mut(id) else { return };
        let ticket = part.ticket;
        part.state = State::On { device, worker, step: Step::Waiting(Phase::Prepare) };
        self.devices[device].workers[worker] = Worker::With(id);
        let note = Note::Assigned { device: device as u32, worker: worker as u32, ticket: ticket.id };
        out.push(Action::Note { part: id, note });
        self.ask(id, Phase::Prepare);
    }

    /// Takes a worker from a less urgent partition that waits. Whether that changed anything at once.
    fn make_way(&mut self, id: PartId, candidates: &[usize], out: &mut Vec<Action>) -> bool {
        let Some(priority) = self.part(id).map(|part| part.ticket.priority) else { return false };
        // Somebody is on his way out already.
        let leaving = self.parts_where(|part| {
            matches!(part.state, State::On { device, step: Step::Dropping(Then::SetAside), .. } if candidates.contains(&device))
        });
        let claims = self.parts_where(|part| part.state == State::Ready && part.ticket.priority > priority);
        if leaving.len() > claims.len() {
            return false;
        }
        let less_urgent = self.parts_where(|part| {
            part.ticket.priority < priority
                && matches!(part.state, State::On { device, step: Step::Waiting(_) | Step::Blocked, .. } if candidates.contains(&device))
        });
        // The last in order, but first those that have nothing on the device.
        let last =
            |staged: bool| less_urgent.iter().rev().copied().find(|other| self.has_bytes(*other) == staged);
        let Some(other) = last(false).or_else(|| last(true)) else { return false };
        out.push(Action::Note { part: other, note: Note::SetAside });
        if self.has_bytes(other) {
            self.begin_drop(other, Then::SetAside, out);
            return false;
        }
        self.leave(other);
        if let Some(part) = self.part_mut(other) {
            part.state = State::Ready;
        }
        true
    }

    /// Carries out what a device's strategy decides; whether it decided anything that changes something.
    fn carry_out(&mut self, device: usize, out: &mut Vec<Action>) -> bool {
        let mut decisions = Vec::new();
        self.devices[device].strategy.decide(&mut decisions);
        let mut changed = false;
        for decision in decisions {
            match decision {
                Decision::Grant { id, phase } => {
                    changed = true;
                    match self.by_ticket(id) {
                        Some(part) => self.begin(part, phase, out),
                        None => self.devices[device].strategy.cancel(id),
                    }
                }
                Decision::Revoke { id, by } => {
                    changed = true;
                    // Whoever drops its bytes already will be forgotten by the strategy as well.
                    if let Some(part) = self.by_ticket(id)
                        && self.waits_for(part, Phase::Compute)
                    {
                        self.counters.revoked += 1;
                        out.push(Action::Note { part, note: Note::Revoked { by } });
                        self.begin_drop(part, Then::Restage, out);
                    }
                }
                Decision::NeverFits { id, needed, .. } => {
                    changed = true;
                    if let Some(part) = self.by_ticket(id) {
                        self.never_fits(part, needed, out);
                    }
                }
                Decision::Hold { id, phase, reason } => {
                    if let Some(part) = self.by_ticket(id) {
                        let note = Note::Waits { phase: phase.into(), reason: reason.into() };
                        out.push(Action::Note { part, note });
                    }
                }
            }
        }
        changed
    }

    fn waits_for(&self, id: PartId, wanted: Phase) -> bool {
        let state = self.part(id).map(|part| part.state);
        matches!(state, Some(State::On { step: Step::Waiting(phase), .. }) if phase == wanted)
    }

    fn report_ended(&mut self, out: &mut Vec<Action>) {
        let now = self.now;
        let ended: Vec<u64> = self
            .jobs
            .iter()
            .filter(|(_, job)| job.parts.iter().all(|part| part.state.at_rest()))
            .map(|(id, _)| *id)
            .collect();
        for id in ended {
            let Some(job) = self.jobs.remove(&id) else { continue };
            let end = job.ending.unwrap_or(JobEnd::Done);
            debug_assert!(end != JobEnd::Done || job.parts.iter().all(|part| part.state == State::Done));
            match &end {
                JobEnd::Done => {
                    self.counters.done += 1;
                    let took = now.since(job.submitted);
                    self.mean_job = if self.mean_job == 0 { took } else { (7 * self.mean_job + took) / 8 };
                }
                JobEnd::Cancelled => self.counters.cancelled += 1,
                _ => self.counters.failed += 1,
            }
            out.push(Action::End { job: id, end });
        }
    }

    fn ask_to_be_woken(&mut self, out: &mut Vec<Action>) {
        let deadlines = self.jobs.values().filter(|job| job.ending.is_none()).filter_map(|job| job.deadline);
        let aborts = self.jobs.values().flat_map(|job| &job.parts).filter_map(|part| match part.state {
            State::Synthesising { abort_by } | State::On { step: Step::Running { abort_by, .. }, .. } => {
                abort_by
            }
            _ => None,
        });
        let Some(next) = deadlines.chain(aborts).min() else { return };
        if self.wake.is_none_or(|at| next < at) {
            self.wake = Some(next);
            out.push(Action::Wake { at: next });
        }
    }
}
