//! The driver: a virtual clock, the work that the scheduler orders, and the laws, looked at after each event.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use interlock_scheduler::{
    Action, Event, JobEnd, Note, Outcome as Ended, PartId, PhaseName, Scheduler, Time,
};
use interlock_strategies::Strategy;
use interlock_timeline::{Memory, Record, Span, What};

use crate::error::Error;
use crate::factory::Factory;
use crate::laws::Laws;
use crate::scenario::Load;
use crate::setting::Resolved;
use crate::work::{Activity, Doing, Owner, Step, Works};

/// Events that a partition may make, before it is said that it goes on for ever.
const EVENTS_PER_PARTITION: u64 = 5_000;

pub(crate) type Driven = Scheduler<Box<dyn Strategy>>;

enum Due {
    Event(Event),
    /// What a partition does took no time.
    Over(PartId),
}

pub(crate) struct Simulation<'a> {
    load: &'a Load,
    resolved: &'a Resolved,
    pub(crate) machine: Driven,
    pub(crate) laws: Laws,
    works: Works,
    now: u64,
    /// By time, and in the order in which they were planned.
    due: BTreeMap<(u64, u64), Due>,
    order: u64,
    active: BTreeMap<PartId, Activity>,
    /// What prepare left running: its steps that are left.
    beside: BTreeMap<PartId, VecDeque<Step>>,
    /// Those whose next kernel waits for that.
    held_up: BTreeSet<PartId>,
    devices_of: BTreeMap<PartId, usize>,
    pub(crate) records: Vec<Record>,
    events: u64,
    next_proof: u64,
    /// Jobs of a proof that have not ended.
    jobs_left: BTreeMap<u64, u64>,
    done: u64,
    failed: u64,
    host: u64,
    pub(crate) host_peak: u64,
}

impl<'a> Simulation<'a> {
    pub(crate) fn new(load: &'a Load, resolved: &'a Resolved, works: Works, machine: Driven) -> Self {
        Self {
            load,
            resolved,
            machine,
            laws: Laws::new(resolved),
            works,
            now: 0,
            due: BTreeMap::new(),
            order: 0,
            active: BTreeMap::new(),
            beside: BTreeMap::new(),
            held_up: BTreeSet::new(),
            devices_of: BTreeMap::new(),
            records: Vec::new(),
            events: 0,
            next_proof: 0,
            jobs_left: BTreeMap::new(),
            done: 0,
            failed: 0,
            host: resolved.host_resident,
            host_peak: resolved.host_resident,
        }
    }

    pub(crate) fn run(&mut self, factory: &dyn Factory) -> Result<(), Error> {
        let first: Vec<u64> = (0..self.load.concurrency.min(self.load.count)).collect();
        self.submit(&first);
        loop {
            let task = self.works.next();
            let due = self.due.first_key_value().map(|((at, _), _)| *at);
            let Some(now) = task.into_iter().chain(due).min() else { break };
            self.now = now;
            if task.is_some_and(|at| at <= now) {
                while let Some(owner) = self.works.ended(now) {
                    self.task_ended(owner)?;
                }
                continue;
            }
            match self.due.pop_first() {
                Some((_, Due::Event(event))) => self.tell(event)?,
                Some((_, Due::Over(part))) => self.over(part)?,
                None => break,
            }
        }
        if let Some(problem) = factory.failure() {
            return Err(Error::Strategy { name: self.load.interlock.clone(), problem });
        }
        let open = self.load.count - self.done - self.failed;
        if open > 0 || !self.machine.is_idle() {
            return Err(Error::Stalled { at: self.now, open });
        }
        self.laws.check_clean(&self.machine, self.now)
    }

    fn later(&mut self, at: u64, due: Due) {
        self.order += 1;
        self.due.insert((at, self.order), due);
    }

    /// Submits proofs that arrive now.
    fn submit(&mut self, proofs: &[u64]) {
        self.next_proof += proofs.len() as u64;
        for proof in proofs {
            self.jobs_left.insert(*proof, self.load.jobs_per_proof());
        }
        for (job, spec) in self.load.jobs(proofs, &self.resolved.plan) {
            self.later(self.now, Due::Event(Event::Submit { job, spec }));
        }
    }

    fn record(&mut self, what: What) {
        self.records.push(Record { t: Time(self.now), what });
    }

    fn tell(&mut self, event: Event) -> Result<(), Error> {
        if event == Event::Tick && self.machine.is_idle() {
            return Ok(());
        }
        self.events += 1;
        if self.events > EVENTS_PER_PARTITION * self.load.count * self.load.partitions {
            return Err(Error::Law {
                at: self.now,
                law: "a job ends some time: this goes on for ever".into(),
            });
        }
        let mut actions = Vec::new();
        self.machine.on(&event, Time(self.now), &mut actions);
        self.record(What::Event(event));
        for action in actions {
            self.record(What::Action(action.clone()));
            self.act(action)?;
        }
        self.laws.check(&self.machine, self.now)?;
        for device in 0..self.resolved.config.devices.len() {
            if let Some((bytes, reserved)) = self.laws.changed(device) {
                let budget = self.resolved.limits.budget;
                self.record(What::Memory(Memory { memory: device as u32, bytes, reserved, budget }));
            }
        }
        Ok(())
    }

    fn act(&mut self, action: Action) -> Result<(), Error> {
        let plan = &self.resolved.plan;
        match action {
            Action::Synthesise { part } => {
                let steps = plan.synthesis_steps();
                self.hold_on_host();
                self.begin(part, Doing::Synthesis, steps)?;
            }
            Action::Run { part, device, phase, path, .. } => {
                let device = device as usize;
                self.devices_of.insert(part, device);
                if phase == PhaseName::Prepare && self.load.synthesised {
                    self.hold_on_host();
                }
                if phase == PhaseName::Prepare && !plan.beside.is_empty() {
                    let steps = plan.beside_steps();
                    self.beside.insert(part, steps);
                    self.go_on_beside(part)?;
                }
                let steps = self.resolved.plan.phase_steps(phase, path, device);
                self.begin(part, Doing::Phase(phase), steps)?;
            }
            Action::Drop { part } => {
                let device = self.devices_of.get(&part).copied().unwrap_or(0);
                let steps = VecDeque::from([plan.drop_step(device)]);
                self.begin(part, Doing::Drop, steps)?;
            }
            Action::Wake { at } => self.later(at.0, Due::Event(Event::Tick)),
            Action::End { job, end } => self.job_ended(job, &end)?,
            Action::Reject { job, .. } => {
                return Err(Error::Law {
                    at: self.now,
                    law: format!("what fits is accepted: job {job} is not"),
                });
            }
            Action::Note { part, note: Note::Fallback { .. } } => self.laws.fell_back(part, self.now)?,
            // Nothing that is told to end earlier is simulated: it ends in its time.
            Action::Abort { .. } | Action::Note { .. } => {}
        }
        Ok(())
    }

    /// A partition's witness comes into the host's memory, until its kernels end.
    fn hold_on_host(&mut self) {
        self.host += self.resolved.plan.host_bytes;
        self.host_peak = self.host_peak.max(self.host);
    }

    fn begin(&mut self, part: PartId, doing: Doing, steps: VecDeque<Step>) -> Result<(), Error> {
        let activity = Activity { doing, steps, current: None, pending: 0, since: self.now };
        if self.active.insert(part, activity).is_some() {
            return Err(Error::Law { at: self.now, law: format!("{part:?} does one thing at a time") });
        }
        if !self.next_step(part) {
            self.later(self.now, Due::Over(part));
        }
        Ok(())
    }

    /// Begins a partition's next step that takes time, or waits for what runs beside; whether there is one.
    fn next_step(&mut self, part: PartId) -> bool {
        let Some(activity) = self.active.get_mut(&part) else { return true };
        // A step that frees bytes is looked at even if it takes no time.
        while let Some(step) = activity.steps.pop_front() {
            activity.since = self.now;
            if step.after_beside && self.beside.contains_key(&part) {
                activity.steps.push_front(step);
                self.held_up.insert(part);
                return true;
            }
            activity.pending = self.works.begin(Owner::Part(part), &step.tasks, self.now);
            if activity.pending > 0 {
                activity.current = Some(step);
                return true;
            }
            if let Some(peak) = step.then_peak {
                self.order += 1;
                self.due.insert((self.now, self.order), Due::Event(Event::Shrunk { part, peak }));
            }
        }
        false
    }

    fn task_ended(&mut self, owner: Owner) -> Result<(), Error> {
        let part = match owner {
            Owner::Part(part) => part,
            Owner::Beside(part) => return self.go_on_beside(part),
        };
        let Some(activity) = self.active.get_mut(&part) else { return Ok(()) };
        activity.pending = activity.pending.saturating_sub(1);
        if activity.pending > 0 {
            return Ok(());
        }
        let us = self.now - activity.since;
        if let Some(step) = activity.current.take() {
            self.record(What::Span(Span { span: step.name, part, us, bytes: step.moved }));
            if let Some(peak) = step.then_peak {
                self.tell(Event::Shrunk { part, peak })?;
            }
        }
        if self.next_step(part) { Ok(()) } else { self.over(part) }
    }

    /// Begins the next step of what runs beside, or lets go on who waits for its end.
    fn go_on_beside(&mut self, part: PartId) -> Result<(), Error> {
        while let Some(step) = self.beside.get_mut(&part).and_then(VecDeque::pop_front) {
            if self.works.begin(Owner::Beside(part), &step.tasks, self.now) > 0 {
                return Ok(());
            }
        }
        self.beside.remove(&part);
        if self.held_up.remove(&part) && !self.next_step(part) {
            self.later(self.now, Due::Over(part));
        }
        Ok(())
    }

    /// What a partition did has ended.
    fn over(&mut self, part: PartId) -> Result<(), Error> {
        let Some(activity) = self.active.remove(&part) else { return Ok(()) };
        let outcome = Ended::Done;
        let event = match activity.doing {
            Doing::Synthesis => Event::Synthesised { part, outcome },
            Doing::Drop => Event::Dropped { part },
            Doing::Phase(phase) => {
                if phase == PhaseName::Compute {
                    self.host -= self.resolved.plan.host_bytes;
                }
                Event::Ended { part, phase, outcome }
            }
        };
        self.tell(event)
    }

    fn job_ended(&mut self, job: u64, end: &JobEnd) -> Result<(), Error> {
        let proof = self.load.proof_of(job);
        let Some(left) = self.jobs_left.get_mut(&proof) else {
            return Err(Error::Law { at: self.now, law: format!("a job ends once: job {job} ends again") });
        };
        *left -= 1;
        if *left > 0 {
            return Ok(());
        }
        self.jobs_left.remove(&proof);
        match end {
            JobEnd::Done => self.done += 1,
            _ => self.failed += 1,
        }
        if self.next_proof < self.load.count {
            self.submit(&[self.next_proof]);
        }
        Ok(())
    }
}
