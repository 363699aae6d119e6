//! How a partition goes on.

use interlock_strategies::{Phase, Strategy};

use crate::action::{Action, Note, Path};
use crate::device::{Loss, Worker};
use crate::event::{Again, Outcome, PartId};
use crate::job::{State, Step, Then};
use crate::scheduler::Scheduler;

impl<S: Strategy> Scheduler<S> {
    /// Asks the strategy of a partition's device for a phase.
    pub(crate) fn ask(&mut self, id: PartId, phase: Phase) {
        let Some(part) = self.part(id) else { return };
        let State::On { device, worker, .. } = part.state else { return };
        let (ticket, spec, slow) = (part.ticket, part.spec, part.slow);
        self.set_state(id, State::On { device, worker, step: Step::Waiting(phase) });
        let (bytes, peak) = match phase {
            Phase::Stage => (spec.staged, spec.peak),
            Phase::Compute if slow => (0, spec.peak),
            Phase::Compute => (spec.staged, spec.peak),
            Phase::Prepare | Phase::Finish => (0, 0),
        };
        // It cannot be busy: it waits for nothing and holds nothing.
        let _ = self.devices[device].strategy.request(ticket, phase, bytes, peak);
    }

    /// A phase was granted.
    pub(crate) fn begin(&mut self, id: PartId, phase: Phase, out: &mut Vec<Action>) {
        let Some(part) = self.part(id) else { return };
        let State::On { device, worker, step: Step::Waiting(_) } = part.state else { return };
        let (spec, slow) = (part.spec, part.slow);
        let needed = match phase {
            Phase::Stage => spec.staged,
            Phase::Compute => spec.peak,
            Phase::Prepare | Phase::Finish => 0,
        };
        if phase.on_device() {
            if !self.devices[device].fits(id, needed) {
                return self.not_now(id, phase, out);
            }
            self.devices[device].set_bytes(id, needed);
        }
        let path = if slow && phase == Phase::Compute { Path::Slow } else { Path::Fast };
        self.set_state(id, State::On { device, worker, step: Step::Running { phase, abort_by: None } });
        let (device, worker) = (device as u32, worker as u32);
        out.push(Action::Run { part: id, device, worker, phase: phase.into(), path });
    }

    /// The device has no memory for a phase that was granted: the slow path.
    fn not_now(&mut self, id: PartId, phase: Phase, out: &mut Vec<Action>) {
        let Some(part) = self.part_mut(id) else { return };
        let State::On { device, worker, .. } = part.state else { return };
        // Bytes that hang are never given back there, so it would wait for ever.
        if self.devices[device].lost.is_some() {
            return self.set_aside(id, out);
        }
        let Some(part) = self.part_mut(id) else { return };
        let ticket = part.ticket.id;
        if !part.slow {
            part.slow = true;
            self.counters.fallbacks += 1;
            out.push(Action::Note { part: id, note: Note::Fallback { phase: phase.into() } });
        }
        let strategy = &mut self.devices[device].strategy;
        let _ = strategy.shrink(ticket, 0);
        let _ = strategy.release(ticket, phase);
        if phase == Phase::Stage {
            return self.ask(id, Phase::Compute);
        }
        if self.devices[device].has_bytes(id) {
            return self.begin_drop(id, Then::Block, out);
        }
        self.set_state(id, State::On { device, worker, step: Step::Blocked(Phase::Compute) });
    }

    /// A phase has ended.
    pub(crate) fn ended(&mut self, id: PartId, phase: Phase, outcome: &Outcome, out: &mut Vec<Action>) {
        let Some(part) = self.part(id) else { return self.ended_late(id, outcome, out) };
        let State::On { device, step: Step::Running { phase: running, .. }, .. } = part.state else {
            return self.ended_late(id, outcome, out);
        };
        if running != phase {
            return;
        }
        let ticket = part.ticket.id;
        if *outcome != Outcome::Done {
            // By the contract of `Outcome`.
            self.set_bytes(device, id, 0);
        }
        match outcome {
            Outcome::Done | Outcome::NotNow if self.is_ending(id) => self.give_up(id, out),
            Outcome::Done => {
                let _ = self.devices[device].strategy.release(ticket, phase);
                self.next_phase(id, device, phase, out);
            }
            Outcome::NotNow if phase.on_device() => self.refused_memory(id, device, phase, out),
            Outcome::NotNow if phase == Phase::Prepare => self.refused_key(id, device, out),
            Outcome::NotNow => self.failed(id, Again::Here, "the host has no memory for it now", out),
            Outcome::Failed { again, reason } => self.failed(id, *again, reason, out),
            Outcome::Panicked { reason } => {
                self.counters.panics += 1;
                self.failed(id, Again::Here, reason, out);
            }
            Outcome::DeviceLost { reason } => {
                self.lose(device, Loss::Gone, out);
                self.failed(id, Again::Here, reason, out);
            }
            Outcome::Cancelled if self.is_ending(id) => self.give_up(id, out),
            Outcome::Cancelled => self.failed(id, Again::Here, "it ended without being told to", out),
        }
    }

    fn next_phase(&mut self, id: PartId, device: usize, phase: Phase, out: &mut Vec<Action>) {
        let lost = self.devices[device].lost.is_some();
        match phase {
            Phase::Prepare | Phase::Stage if lost => self.set_aside(id, out),
            Phase::Compute if lost => {
                self.set_bytes(device, id, 0);
                self.finish_regardless(id, out);
            }
            Phase::Prepare if self.part(id).is_some_and(|part| part.slow) => self.ask(id, Phase::Compute),
            Phase::Prepare => self.ask(id, Phase::Stage),
            Phase::Stage => self.ask(id, Phase::Compute),
            Phase::Compute => {
                self.set_bytes(device, id, 0);
                self.ask(id, Phase::Finish);
            }
            Phase::Finish => {
                self.leave(id);
                self.set_state(id, State::Done);
            }
        }
    }

    /// The last phase needs nothing of a device that is lost, and its strategy may not decide any more: nobody is asked.
    pub(crate) fn finish_regardless(&mut self, id: PartId, out: &mut Vec<Action>) {
        let Some(State::On { device, worker, .. }) = self.part(id).map(|part| part.state) else { return };
        let phase = Phase::Finish;
        self.set_state(id, State::On { device, worker, step: Step::Running { phase, abort_by: None } });
        let (device, worker) = (device as u32, worker as u32);
        out.push(Action::Run { part: id, device, worker, phase: phase.into(), path: Path::Fast });
    }

    /// A partition that stands still gives its worker back: at once, or when its bytes are dropped.
    pub(crate) fn set_aside(&mut self, id: PartId, out: &mut Vec<Action>) {
        if self.has_bytes(id) {
            self.begin_drop(id, Then::SetAside, out);
        } else {
            self.leave(id);
            self.set_state(id, State::Ready);
        }
    }

    /// The device itself said that it has no memory now.
    fn refused_memory(&mut self, id: PartId, device: usize, phase: Phase, out: &mut Vec<Action>) {
        // With nobody else there, it will have none later. On a device that is lost, see below.
        if self.devices[device].lost.is_none() && phase == Phase::Compute && self.devices[device].used() == 0
        {
            return self.failed(
                id,
                Again::Elsewhere,
                "the device has no memory for it, though nobody else is there",
                out,
            );
        }
        self.not_now(id, phase, out);
    }

    /// The device has no memory for a partition's key, beside what is there. Others' keys go when they do.
    fn refused_key(&mut self, id: PartId, device: usize, out: &mut Vec<Action>) {
        let Some(State::On { worker, .. }) = self.part(id).map(|part| part.state) else { return };
        if self.devices[device].lost.is_some() {
            return self.set_aside(id, out);
        }
        if !self.others_work(id, device) {
            let reason = "the device has no memory for its key, though nobody else is there";
            return self.failed(id, Again::Elsewhere, reason, out);
        }
        // Not a release: what a strategy gives from prepare on, such as the lock of `whole`, is for others meanwhile.
        if let Some(ticket) = self.part(id).map(|part| part.ticket.id) {
            self.devices[device].strategy.cancel(ticket);
        }
        self.set_state(id, State::On { device, worker, step: Step::Blocked(Phase::Prepare) });
    }

    /// Whether another partition on a device does something there, or is to, whose end others can wait for.
    fn others_work(&self, id: PartId, device: usize) -> bool {
        let of = &self.devices[device];
        of.used() > 0
            || of.workers.iter().any(|worker| match worker {
                Worker::With(other) if *other != id => {
                    let state = self.part(*other).map(|part| part.state);
                    !matches!(state, Some(State::On { step: Step::Blocked(_), .. }) | None)
                }
                _ => false,
            })
    }

    pub(crate) fn shrunk(&mut self, id: PartId, peak: u64) {
        let Some(part) = self.part(id) else { return };
        let State::On { device, step: Step::Running { phase: Phase::Compute, .. }, .. } = part.state else {
            return;
        };
        let ticket = part.ticket.id;
        if self.devices[device].bytes.get(&id).is_some_and(|bytes| *bytes > peak) {
            let _ = self.devices[device].strategy.shrink(ticket, peak);
            self.set_bytes(device, id, peak);
        }
    }

    /// Sets what a partition has on a device. When bytes come free, those that wait for that ask again.
    pub(crate) fn set_bytes(&mut self, device: usize, id: PartId, bytes: u64) {
        if self.devices[device].set_bytes(id, bytes) {
            self.unblock(device);
        }
    }

    pub(crate) fn unblock(&mut self, device: usize) {
        self.ask_again(device, |_| true);
    }

    /// Has those that wait for something to come free ask for their phase again, if it is one of these.
    pub(crate) fn ask_again(&mut self, device: usize, of: impl Fn(Phase) -> bool) {
        let blocked: Vec<(PartId, Phase)> = self.devices[device]
            .workers
            .iter()
            .filter_map(|worker| match worker {
                Worker::With(id) => Some(*id),
                _ => None,
            })
            .filter_map(|id| match self.part(id).map(|part| part.state) {
                Some(State::On { step: Step::Blocked(phase), .. }) if of(phase) => Some((id, phase)),
                _ => None,
            })
            .collect();
        for (id, phase) in blocked {
            self.ask(id, phase);
        }
    }

    pub(crate) fn has_bytes(&self, id: PartId) -> bool {
        match self.part(id).map(|part| part.state) {
            Some(State::On { device, .. }) => self.devices[device].has_bytes(id),
            _ => false,
        }
    }

    /// Has a partition's bytes dropped.
    pub(crate) fn begin_drop(&mut self, id: PartId, then: Then, out: &mut Vec<Action>) {
        let Some(State::On { device, worker, .. }) = self.part(id).map(|part| part.state) else { return };
        let abort_by = self.now.after(self.config.grace);
        self.set_state(id, State::On { device, worker, step: Step::Dropping { then, abort_by } });
        out.push(Action::Drop { part: id });
    }

    /// A partition's bytes are dropped.
    pub(crate) fn dropped(&mut self, id: PartId, out: &mut Vec<Action>) {
        let Some(part) = self.part(id) else { return self.ended_late(id, &Outcome::Done, out) };
        let State::On { device, worker, step: Step::Dropping { then, .. } } = part.state else {
            return self.ended_late(id, &Outcome::Done, out);
        };
        let ticket = part.ticket.id;
        self.devices[device].strategy.cancel(ticket);
        let then = if self.is_ending(id) { Then::Over } else { then };
        if then == Then::Block {
            self.set_state(id, State::On { device, worker, step: Step::Blocked(Phase::Compute) });
            self.devices[device].set_bytes(id, 0);
            // Its own bytes may be those that were missing: it asks again with the others.
            return self.unblock(device);
        }
        match then {
            Then::Restage => self.ask(id, Phase::Stage),
            Then::SetAside => {
                self.leave(id);
                self.set_state(id, State::Ready);
            }
            Then::Over | Then::Block => self.over(id),
        }
        self.set_bytes(device, id, 0);
    }

    /// Gives a partition's worker back, and all that its strategy knows of it.
    pub(crate) fn leave(&mut self, id: PartId) {
        let Some(part) = self.part(id) else { return };
        let State::On { device, worker, .. } = part.state else { return };
        let ticket = part.ticket.id;
        self.devices[device].strategy.cancel(ticket);
        if let Some(place) = self.devices[device].workers.get_mut(worker)
            && *place == Worker::With(id)
        {
            *place = Worker::Free;
        }
        // Its key may go now.
        self.ask_again(device, |phase| phase == Phase::Prepare);
    }
}
