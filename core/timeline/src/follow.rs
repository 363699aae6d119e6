//! How the model is made from records: what a partition does next is known from how its last phase ended and from what
//! the scheduler then says.

mod places;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use interlock_scheduler::{Action, Event, Outcome, PartId, Path, PhaseName};

use crate::cause::Cause;
use crate::error::Fault;
use crate::format::{Header, Record, What};
use crate::model::{Counts, Fate, JobStory, PartStory, Point};
use crate::row::{Doing, Ending, Row};

/// What becomes of a partition when its bytes are dropped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    Leave,
    Restage,
    Block,
}

/// Where a partition is, or was last.
#[derive(Clone, Copy)]
struct Place {
    /// The worker's row.
    row: usize,
    then: Then,
    /// Whether its inputs come to the device within compute.
    slow: bool,
}

pub(crate) struct Follower {
    pub(crate) header: Header,
    span: Option<(u64, u64)>,
    slots: Vec<Row>,
    free_slots: BTreeSet<usize>,
    synthesising: HashMap<PartId, usize>,
    workers: Vec<Row>,
    places: HashMap<PartId, Place>,
    tickets: HashMap<u64, PartId>,
    /// Jobs that end before their time, or have ended.
    ending: BTreeSet<u64>,
    /// The job of the event before, when that submitted one.
    fresh: Option<u64>,
    memory: Vec<Vec<Point>>,
    counts: Vec<Counts>,
    host: Counts,
    jobs: BTreeMap<u64, JobStory>,
    parts: BTreeMap<PartId, PartStory>,
}

impl Follower {
    /// The header is checked.
    pub(crate) fn new(header: Header) -> Self {
        let workers = (0..)
            .zip(&header.devices)
            .flat_map(|(device, info)| (0..info.workers).map(move |index| Row::new(Some(device), index, 0)));
        Self {
            span: None,
            slots: Vec::new(),
            free_slots: BTreeSet::new(),
            synthesising: HashMap::new(),
            workers: workers.collect(),
            places: HashMap::new(),
            tickets: HashMap::new(),
            ending: BTreeSet::new(),
            fresh: None,
            memory: vec![Vec::new(); header.devices.len()],
            counts: vec![Counts::default(); header.devices.len()],
            host: Counts::default(),
            jobs: BTreeMap::new(),
            parts: BTreeMap::new(),
            header,
        }
    }

    /// The record is about what the header has.
    pub(crate) fn follow(&mut self, record: &Record) -> Result<(), Fault> {
        let t = record.t.0;
        match &mut self.span {
            Some((_, last)) if t < *last => return Err(Fault::WentBack { t, last: *last }),
            Some((_, last)) => *last = t,
            None => {
                self.span = Some((t, t));
                for row in &mut self.workers {
                    row.current.from = t;
                }
            }
        }
        match &record.what {
            What::Event(event) => self.event(t, event),
            What::Action(action) => self.action(t, action),
            What::Span(span) => {
                let row = match (self.synthesising.get(&span.part), self.places.get(&span.part)) {
                    (Some(slot), _) => self.slots.get_mut(*slot),
                    (None, Some(place)) => self.workers.get_mut(place.row),
                    (None, None) => None,
                };
                if let Some(row) = row.filter(|row| row.current.part == Some(span.part)) {
                    row.measured(t, &span.span, span.part, span.us, span.bytes);
                }
            }
            What::Memory(memory) => {
                let point =
                    Point { t, bytes: memory.bytes, reserved: memory.reserved, budget: memory.budget };
                if let Some(points) = self.memory.get_mut(memory.memory as usize) {
                    points.push(point);
                }
            }
        }
        Ok(())
    }

    fn event(&mut self, t: u64, event: &Event) {
        self.fresh = None;
        match event {
            Event::Submit { job, spec } => {
                if self.jobs.contains_key(job) {
                    return;
                }
                self.fresh = Some(*job);
                let story = JobStory {
                    submitted: t,
                    priority: spec.priority,
                    deadline: spec.deadline.map(|at| at.0),
                    parts: spec.parts.len(),
                    began: None,
                    proving: 0,
                    fate: Fate::Open,
                };
                self.jobs.insert(*job, story);
            }
            Event::Cancel { job } => self.end(t, *job),
            Event::Synthesised { part, outcome } => {
                self.failure(*part, outcome);
                if let Some(slot) = self.synthesising.remove(part) {
                    self.slots[slot].switch(t, outcome.into(), None, Doing::Idle);
                    self.free_slots.insert(slot);
                }
            }
            Event::Ended { part, phase, outcome } => self.ended(t, *part, *phase, outcome),
            Event::Dropped { part } => self.dropped(t, *part),
            Event::Lost { device } => self.lose(t, Some(*device)),
            Event::Shrunk { .. } | Event::Tick | Event::Drain => {}
        }
    }

    fn failure(&mut self, part: PartId, outcome: &Outcome) {
        if let Outcome::Failed { reason, .. }
        | Outcome::Panicked { reason }
        | Outcome::DeviceLost { reason } = outcome
        {
            self.parts.entry(part).or_default().failures.push(reason.clone());
        }
    }

    fn ended(&mut self, t: u64, part: PartId, phase: PhaseName, outcome: &Outcome) {
        let Some(place) = self.places.get_mut(&part) else { return };
        let row = &mut self.workers[place.row];
        if !row.runs(part, phase) {
            return;
        }
        let on_device = matches!(phase, PhaseName::Stage | PhaseName::Compute);
        let goes_on = !self.ending.contains(&part.job);
        let next = match (outcome, phase) {
            (Outcome::Done, PhaseName::Prepare) if place.slow => Some(PhaseName::Compute),
            (Outcome::Done, PhaseName::Prepare) => Some(PhaseName::Stage),
            (Outcome::Done, PhaseName::Stage) => Some(PhaseName::Compute),
            (Outcome::Done, PhaseName::Compute) => Some(PhaseName::Finish),
            (Outcome::NotNow, _) if on_device => Some(PhaseName::Compute),
            _ => None,
        };
        let cause = if *outcome == Outcome::NotNow { Cause::Memory } else { Cause::Unsaid };
        match next.filter(|_| goes_on) {
            Some(phase) => row.switch(t, outcome.into(), Some(part), Doing::Wait { phase, cause }),
            None => row.switch(t, outcome.into(), None, Doing::Idle),
        }
        if matches!(outcome, Outcome::DeviceLost { .. }) {
            let device = row.device;
            self.lose(t, device);
        }
        self.failure(part, outcome);
    }

    fn dropped(&mut self, t: u64, part: PartId) {
        let Some(place) = self.places.get_mut(&part) else { return };
        let row = &mut self.workers[place.row];
        if row.current.part != Some(part) || row.current.doing != Doing::Drop {
            return;
        }
        let then = if self.ending.contains(&part.job) { Then::Leave } else { place.then };
        place.then = Then::Leave;
        let (part, doing) = match then {
            Then::Leave => (None, Doing::Idle),
            Then::Restage => (Some(part), Doing::Wait { phase: PhaseName::Stage, cause: Cause::Unsaid }),
            Then::Block => (Some(part), Doing::Wait { phase: PhaseName::Compute, cause: Cause::Memory }),
        };
        row.switch(t, Ending::Done, part, doing);
    }

    fn action(&mut self, t: u64, action: &Action) {
        match action {
            Action::Synthesise { part } => self.synthesise(t, *part),
            Action::Run { part, device, worker, phase, path } => {
                self.begins(t, *part);
                let Some(place) = self.put(t, *part, *device, *worker) else { return };
                place.slow |= *path == Path::Slow;
                let row = place.row;
                let doing = Doing::Phase { phase: *phase, path: *path };
                self.workers[row].switch(t, Ending::Done, Some(*part), doing);
            }
            Action::Drop { part } => {
                if let Some(place) = self.places.get(part) {
                    self.workers[place.row].switch(t, Ending::Done, Some(*part), Doing::Drop);
                }
            }
            Action::Abort { part } => self.end(t, part.job),
            Action::End { job, end } => {
                self.end(t, *job);
                if let Some(story) = self.jobs.get_mut(job) {
                    story.fate = Fate::Ended { at: t, end: end.clone() };
                }
            }
            Action::Reject { job, .. } => {
                if let Some(story) = self.jobs.get_mut(job).filter(|_| self.fresh == Some(*job)) {
                    story.fate = Fate::Rejected;
                }
            }
            Action::Wake { .. } => {}
            Action::Note { part, note } => self.note(t, *part, note),
        }
    }
}
