//! What happens when a partition does not go on.

use interlock_strategies::{Phase, Strategy};

use crate::action::{Action, JobEnd, Note};
use crate::device::{Loss, Quarantined, Worker};
use crate::event::{Again, Outcome, PartId};
use crate::job::{State, Step, Then};
use crate::scheduler::Scheduler;

impl<S: Strategy> Scheduler<S> {
    /// Ends a job before its time; the first reason counts.
    pub(crate) fn end_job(&mut self, job: u64, end: JobEnd, out: &mut Vec<Action>) {
        let Some(state) = self.jobs.get_mut(&job) else { return };
        if state.ending.is_some() {
            return;
        }
        state.ending = Some(end);
        let parts = state.parts.len() as u32;
        if let Some(at) = state.deadline {
            self.index.deadlines.remove(&(at, job));
        }
        for index in 0..parts {
            self.end_part(PartId { job, index }, out);
        }
    }

    fn end_part(&mut self, id: PartId, out: &mut Vec<Action>) {
        let abort_by = Some(self.now.after(self.config.grace));
        let Some(state) = self.part(id).map(|part| part.state) else { return };
        match state {
            State::Queued | State::Ready => self.set_state(id, State::Over),
            State::Synthesising { .. } => {
                self.set_state(id, State::Synthesising { abort_by });
                out.push(Action::Abort { part: id });
            }
            State::On { device, worker, step: Step::Running { phase, .. } } => {
                self.set_state(id, State::On { device, worker, step: Step::Running { phase, abort_by } });
                out.push(Action::Abort { part: id });
            }
            State::On { step: Step::Waiting(_) | Step::Blocked(_), .. } => self.give_up(id, out),
            // It is over when they are dropped.
            State::On { step: Step::Dropping { .. }, .. } | State::Done | State::Over => {}
        }
    }

    /// A partition that is not wanted any more stands still: what it has is dropped.
    pub(crate) fn give_up(&mut self, id: PartId, out: &mut Vec<Action>) {
        if self.has_bytes(id) {
            self.begin_drop(id, Then::Over, out);
        } else {
            self.over(id);
        }
    }

    /// Nothing is left of a partition.
    pub(crate) fn over(&mut self, id: PartId) {
        self.leave(id);
        self.set_state(id, State::Over);
    }

    pub(crate) fn synthesised(&mut self, id: PartId, outcome: &Outcome, out: &mut Vec<Action>) {
        let ending = self.is_ending(id);
        let Some(part) = self.part_mut(id) else { return };
        if !matches!(part.state, State::Synthesising { .. }) {
            return;
        }
        match outcome {
            _ if ending => self.set_state(id, State::Over),
            Outcome::Done => {
                part.synthesised = true;
                self.set_state(id, State::Ready);
            }
            Outcome::Panicked { reason } => {
                self.counters.panics += 1;
                self.failed(id, Again::Here, reason, out);
            }
            Outcome::Failed { again, reason } => self.failed(id, *again, reason, out),
            Outcome::DeviceLost { reason } => self.failed(id, Again::Here, reason, out),
            Outcome::NotNow => self.failed(id, Again::Here, "the host has no memory for it now", out),
            Outcome::Cancelled => {
                self.failed(id, Again::Never, "its synthesis ended without being told to", out);
            }
        }
    }

    /// A try has failed; what it had on its device is freed.
    pub(crate) fn failed(&mut self, id: PartId, again: Again, reason: &str, out: &mut Vec<Action>) {
        self.leave(id);
        let (ending, retries) = (self.is_ending(id), self.config.retries);
        let Some(part) = self.part_mut(id) else { return };
        part.failures += 1;
        part.slow = false;
        let failed = part.failures;
        let device = match part.state {
            State::On { device, .. } => Some(device),
            _ => None,
        };
        let more = match device {
            _ if again == Again::Never => false,
            // It failed on the host, where there is no other place.
            None => again == Again::Here,
            Some(device) => self.go_elsewhere(id, device, again),
        };
        if ending || !more || failed > retries {
            self.set_state(id, State::Over);
            let end = JobEnd::Failed { part: id.index, reason: reason.to_owned() };
            return self.end_job(id.job, end, out);
        }
        let Some(part) = self.part(id) else { return };
        let again = if part.synthesised { State::Ready } else { State::Queued };
        self.set_state(id, again);
        self.counters.retries += 1;
        out.push(Action::Note { part: id, note: Note::Retry { failed, reason: reason.to_owned() } });
    }

    /// A partition failed on a device, and is to be tried again, there or elsewhere; whether there is a place for that.
    fn go_elsewhere(&mut self, id: PartId, device: usize, again: Again) -> bool {
        let Some(part) = self.part_mut(id) else { return false };
        let times = match part.failed_on {
            Some((before, times)) if before == device => times + 1,
            _ => 1,
        };
        part.failed_on = Some((device, times));
        if again == Again::Here && times < 2 {
            return true;
        }
        let avoid = part.avoid.clone();
        let others = self.devices.iter().enumerate();
        let elsewhere = others
            .filter(|(index, of)| *index != device && of.lost.is_none() && !avoid.contains(index))
            .count();
        if elsewhere == 0 {
            return again == Again::Here;
        }
        if let Some(part) = self.part_mut(id) {
            part.avoid.insert(device);
        }
        true
    }

    pub(crate) fn never_fits(&mut self, id: PartId, needed: u64, out: &mut Vec<Action>) {
        let Some(State::On { device, .. }) = self.part(id).map(|part| part.state) else { return };
        self.leave(id);
        if let Some(part) = self.part_mut(id) {
            part.avoid.insert(device);
        }
        self.set_state(id, State::Ready);
        let (part, budget) = (id.index, self.largest_budget());
        if self.devices.iter().all(|device| device.budget < needed) {
            self.set_state(id, State::Over);
            self.end_job(id.job, JobEnd::NeverFits { part, needed, budget }, out);
        }
    }

    pub(crate) fn largest_budget(&self) -> u64 {
        self.devices.iter().map(|device| device.budget).max().unwrap_or(0)
    }

    /// A partition that is ready, and no device is left for it.
    pub(crate) fn has_no_device(&mut self, id: PartId, out: &mut Vec<Action>) {
        self.set_state(id, State::Over);
        let reason = "no device is left that could prove it".to_owned();
        self.end_job(id.job, JobEnd::Failed { part: id.index, reason }, out);
    }

    /// A device is gone. Those who run something there will say so; the others leave.
    pub(crate) fn lose(&mut self, device: usize, loss: Loss, out: &mut Vec<Action>) {
        let before = self.devices[device].lost;
        if before != Some(Loss::Gone) {
            self.devices[device].lost = Some(loss);
        }
        if before.is_some() {
            return;
        }
        let there: Vec<PartId> = self.devices[device]
            .workers
            .iter()
            .filter_map(|worker| match worker {
                Worker::With(id) => Some(*id),
                _ => None,
            })
            .collect();
        for id in there {
            let Some(State::On { device, worker, step }) = self.part(id).map(|part| part.state) else {
                continue;
            };
            match step {
                Step::Waiting(Phase::Finish) => self.finish_regardless(id, out),
                Step::Waiting(_) | Step::Blocked(_) => self.set_aside(id, out),
                Step::Dropping { then: Then::Restage | Then::Block, abort_by } => {
                    let step = Step::Dropping { then: Then::SetAside, abort_by };
                    self.set_state(id, State::On { device, worker, step });
                }
                Step::Running { .. } | Step::Dropping { .. } => {}
            }
        }
    }

    /// Ends what is past its deadline, and gives up what does not end.
    pub(crate) fn expire(&mut self, out: &mut Vec<Action>) {
        let now = self.now;
        while let Some((at, job)) = self.index.deadlines.first().copied()
            && at <= now
        {
            self.end_job(job, JobEnd::Late, out);
        }
        let hung: Vec<PartId> =
            self.index.aborts.iter().take_while(|(at, _)| *at <= now).map(|(_, id)| *id).collect();
        for id in hung {
            self.quarantine(id, out);
        }
    }

    /// A partition does not end. Its job does without it; its bytes and its worker are not given to others, and when it
    /// hangs on the device, or while its key is brought there, or when the last worker hangs, that one counts as lost.
    /// One that hangs while its bytes are dropped cannot go on elsewhere: its thread has what it would go on with.
    fn quarantine(&mut self, id: PartId, out: &mut Vec<Action>) {
        let Some(part) = self.part(id) else { return };
        let (before, ticket) = (part.state, part.ticket.id);
        self.set_state(id, State::Over);
        let State::On { device, worker, step } = before else { return };
        let on_device = match step {
            Step::Running { phase, .. } => phase != Phase::Finish,
            Step::Dropping { .. } => true,
            Step::Waiting(_) | Step::Blocked(_) => return,
        };
        let of = &mut self.devices[device];
        if let Some(place) = of.workers.get_mut(worker) {
            *place = Worker::Hung(id);
        }
        let bytes = of.bytes.remove(&id).unwrap_or(0);
        if on_device {
            of.quarantined.insert(id, Quarantined { bytes, ticket });
            out.push(Action::Note { part: id, note: Note::Quarantined { bytes } });
            self.lose(device, Loss::Hangs, out);
        } else {
            of.strategy.cancel(ticket);
            // Its key may never go: whoever waits for that is not to wait for it.
            self.ask_again(device, |phase| phase == Phase::Prepare);
            let of = &self.devices[device];
            // Without a worker it does no work, whatever its own state: who waits for it would wait for ever.
            if of.workers.iter().all(|worker| matches!(worker, Worker::Hung(_))) {
                self.lose(device, Loss::Hangs, out);
            }
        }
        if !self.is_ending(id) {
            let reason = "the device does not give its memory back".to_owned();
            self.end_job(id.job, JobEnd::Failed { part: id.index, reason }, out);
        }
    }

    /// What was given up has ended after all, and nothing of it is left.
    pub(crate) fn ended_late(&mut self, id: PartId, outcome: &Outcome, out: &mut Vec<Action>) {
        for device in 0..self.devices.len() {
            let of = &mut self.devices[device];
            let Some(worker) = of.workers.iter_mut().find(|worker| **worker == Worker::Hung(id)) else {
                continue;
            };
            *worker = Worker::Free;
            // What hung in finish had nothing there.
            let quarantined = of.quarantined.remove(&id);
            if let Some(Quarantined { ticket, .. }) = quarantined {
                of.strategy.cancel(ticket);
            }
            if quarantined.is_some() && matches!(outcome, Outcome::DeviceLost { .. }) {
                self.lose(device, Loss::Gone, out);
            } else if of.quarantined.is_empty() && of.lost == Some(Loss::Hangs) {
                of.lost = None;
                self.unblock(device);
            }
        }
    }
}
