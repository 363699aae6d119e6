//! The state machine.

use std::collections::BTreeMap;

use interlock_strategies::{Decision, Phase, Priority, Strategy};
use serde::{Deserialize, Serialize};

use crate::action::{Action, JobEnd, Note};
use crate::config::Config;
use crate::device::{Device, Loss, Worker};
use crate::event::{Event, JobSpec, PartId, Time};
use crate::index::{Index, Place, last_of, place};
use crate::job::{Job, Part, State, Step, Then};

/// Rounds of decisions at one event; each begins something, so there are about as many as partitions.
const ROUNDS: usize = 100_000;

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
    pub(crate) index: Index,
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
                lost: None,
                tier: device.tier,
                keys: Vec::new(),
            })
            .collect();
        Self {
            config,
            devices,
            jobs: BTreeMap::new(),
            index: Index::default(),
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
            Event::Dropped { part } => self.dropped(*part, out),
            Event::Lost { device } if (*device as usize) < self.devices.len() => {
                self.lose(*device as usize, Loss::Gone, out);
            }
            Event::Lost { .. } | Event::Tick => {}
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
        self.devices.get(device).map_or(0, Device::in_quarantine)
    }

    /// Whether a device counts as lost.
    pub fn is_lost(&self, device: usize) -> bool {
        self.devices.get(device).is_some_and(|device| device.lost.is_some())
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
        let state = Job::new(spec, self.now, self.next_age);
        self.index.tickets.insert(self.next_age, job);
        self.next_age += spec.parts.len() as u64;
        if let Some(at) = state.deadline {
            self.index.deadlines.insert((at, job));
        }
        for (index, part) in (0..).zip(&state.parts) {
            let id = PartId { job, index };
            self.index.enter(id, part, part.state, true);
        }
        self.jobs.insert(job, state);
        // What no device could ever hold need not be synthesised first.
        let budget = self.largest_budget();
        let needed = spec.parts.iter().map(|part| part.peak.max(part.staged));
        if let Some((part, needed)) = (0..).zip(needed).find(|(_, needed)| *needed > budget) {
            self.end_job(job, JobEnd::NeverFits { part, needed, budget }, out);
        }
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

    /// Moves a partition into a state.
    pub(crate) fn set_state(&mut self, id: PartId, state: State) {
        let Some(job) = self.jobs.get_mut(&id.job) else { return };
        let Some(part) = job.parts.get_mut(id.index as usize) else { return };
        let before = std::mem::replace(&mut part.state, state);
        self.index.enter(id, part, before, false);
        self.index.enter(id, part, state, true);
        match (before.at_rest(), state.at_rest()) {
            (false, true) => job.open -= 1,
            (true, false) => job.open += 1,
            _ => {}
        }
        if job.open == 0 {
            self.index.at_rest.insert(id.job);
        }
    }

    pub(crate) fn by_ticket(&self, ticket: u64) -> Option<PartId> {
        let (first, job) = self.index.tickets.range(..=ticket).next_back()?;
        let index = ticket - first;
        let known = (index as usize) < self.jobs.get(job)?.parts.len();
        known.then_some(PartId { job: *job, index: index as u32 })
    }

    /// Goes on until nothing more can be begun.
    fn settle(&mut self, out: &mut Vec<Action>) {
        // A strategy that never stops deciding must not stop the engine.
        for _ in 0..ROUNDS {
            // Those who get a worker make place for others to be synthesised.
            let assigned = self.assign(out);
            self.begin_syntheses(out);
            let mut decided = false;
            for device in 0..self.devices.len() {
                decided |= self.carry_out(device, out);
            }
            if !assigned && !decided {
                return;
            }
        }
        debug_assert!(false, "the strategies decide without end");
    }

    fn begin_syntheses(&mut self, out: &mut Vec<Action>) {
        while self.index.synthesising < self.config.partition_workers as usize
            && self.index.synthesising + self.index.ready_synthesised < self.config.max_synthesised as usize
            && let Some((_, _, id)) = self.index.queued.first().copied()
        {
            self.set_state(id, State::Synthesising { abort_by: None });
            out.push(Action::Synthesise { part: id });
        }
    }

    /// Gives workers to those that are ready; whether anybody got one, or is about to.
    fn assign(&mut self, out: &mut Vec<Action>) -> bool {
        let mut changed = false;
        let mut last = None;
        while let Some(place) = self.index.ready_after(last) {
            let (std::cmp::Reverse(priority), _, id) = place;
            last = Some(place);
            let anybody =
                self.devices.iter().any(|device| device.free_worker().is_some() || device.lost.is_some());
            if !anybody && self.least_urgent().is_none_or(|least| least >= priority) {
                // Nor is there a worker for those behind him.
                break;
            }
            let Some(part) = self.part(id) else { continue };
            let plain = part.avoid.is_empty();
            let usable = |index: &usize| !part.avoid.contains(index) && self.devices[*index].lost.is_none();
            let mut candidates: Vec<usize> = (0..self.devices.len()).filter(usable).collect();
            let first_choice = candidates.iter().map(|index| self.devices[*index].tier).min();
            candidates.retain(|index| Some(self.devices[*index].tier) == first_choice);
            let key = part.spec.key;
            if candidates.is_empty() {
                self.has_no_device(id, out);
                changed = true;
                continue;
            }
            let free = candidates
                .iter()
                .filter_map(|index| {
                    let device = &self.devices[*index];
                    Some((device.busy(), !device.keys.contains(&key), *index, device.free_worker()?))
                })
                .min();
            match free {
                Some((_, _, device, worker)) => {
                    self.put_on(id, device, worker, out);
                    changed = true;
                }
                None => {
                    if let Some((device, worker)) = self.make_way(id, &candidates, out) {
                        self.put_on(id, device, worker, out);
                        changed = true;
                    } else if plain && self.index.ready_avoiding == 0 {
                        // Nor is there a place for others that are as urgent: the same devices would do for them.
                        last = Some(last_of(priority));
                    }
                }
            }
        }
        changed
    }

    /// The partitions on these devices, the first in order first.
    fn on_devices(&self, devices: &[usize]) -> Vec<PartId> {
        let mut found: Vec<Place> = devices
            .iter()
            .filter_map(|index| self.devices.get(*index))
            .flat_map(|device| &device.workers)
            .filter_map(|worker| match worker {
                Worker::With(id) => Some(place(self.part(*id)?.ticket, *id)),
                _ => None,
            })
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, _, id)| id).collect()
    }

    /// The least priority of those that wait on a worker.
    fn least_urgent(&self) -> Option<Priority> {
        let workers = self.devices.iter().flat_map(|device| &device.workers);
        workers
            .filter_map(|worker| match worker {
                Worker::With(id) => self.part(*id),
                _ => None,
            })
            .filter(|part| matches!(part.state, State::On { step: Step::Waiting(_) | Step::Blocked(_), .. }))
            .map(|part| part.ticket.priority)
            .min()
    }

    fn put_on(&mut self, id: PartId, device: usize, worker: usize, out: &mut Vec<Action>) {
        let Some((ticket, key)) = self.part(id).map(|part| (part.ticket, part.spec.key)) else { return };
        self.set_state(id, State::On { device, worker, step: Step::Waiting(Phase::Prepare) });
        self.devices[device].uses(key);
        self.devices[device].workers[worker] = Worker::With(id);
        let note = Note::Assigned { device: device as u32, worker: worker as u32, ticket: ticket.id };
        out.push(Action::Note { part: id, note });
        self.ask(id, Phase::Prepare);
    }

    /// Takes a worker from a less urgent partition that waits: at once, or when its bytes are dropped.
    fn make_way(
        &mut self,
        id: PartId,
        candidates: &[usize],
        out: &mut Vec<Action>,
    ) -> Option<(usize, usize)> {
        let priority = self.part(id)?.ticket.priority;
        let there = self.on_devices(candidates);
        if there.iter().all(|other| self.part(*other).is_none_or(|part| part.ticket.priority >= priority)) {
            return None;
        }
        let step_of = |id: &PartId| match self.part(*id).map(|part| part.state) {
            Some(State::On { step, .. }) => Some(step),
            _ => None,
        };
        // As many are on their way out already as there are that are more urgent.
        let leaves = |id: &&PartId| matches!(step_of(id), Some(Step::Dropping { then: Then::SetAside, .. }));
        let leaving = there.iter().filter(leaves).count();
        let claims = self.index.ready.iter().take_while(|(other, _, _)| other.0 > priority).count();
        if leaving > claims {
            return None;
        }
        let less_urgent: Vec<PartId> = there
            .iter()
            .copied()
            .filter(|other| self.part(*other).is_some_and(|part| part.ticket.priority < priority))
            .filter(|other| matches!(step_of(other), Some(Step::Waiting(_) | Step::Blocked(_))))
            .collect();
        // The last in order, but first those that have nothing on the device.
        let last =
            |staged: bool| less_urgent.iter().rev().copied().find(|other| self.has_bytes(*other) == staged);
        let other = last(false).or_else(|| last(true))?;
        out.push(Action::Note { part: other, note: Note::SetAside });
        if self.has_bytes(other) {
            self.begin_drop(other, Then::SetAside, out);
            return None;
        }
        let State::On { device, worker, .. } = self.part(other)?.state else { return None };
        self.leave(other);
        self.set_state(other, State::Ready);
        Some((device, worker))
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
        while let Some(id) = self.index.at_rest.pop_first() {
            let Some(job) = self.jobs.remove(&id) else { continue };
            if let Some(first) = job.parts.first() {
                self.index.tickets.remove(&first.ticket.id);
            }
            if let Some(at) = job.deadline {
                self.index.deadlines.remove(&(at, id));
            }
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
        let deadline = self.index.deadlines.first().map(|(at, _)| *at);
        let abort = self.index.aborts.first().map(|(at, _)| *at);
        let Some(next) = deadline.into_iter().chain(abort).min() else { return };
        if self.wake.is_none_or(|at| next < at) {
            self.wake = Some(next);
            out.push(Action::Wake { at: next });
        }
    }
}
