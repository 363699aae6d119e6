//! `solo`: one partition at a time on the device. A backend's own strategy, beside the stock ones.
//!
//! The first in order takes the device with its stage and gives it back with the end of its compute. What it decides is
//! what the stock `narrow` decides, by books of its own that know of nothing else.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use interlock_strategies::stock::Description;
use interlock_strategies::{
    Account, Decision, Limits, MemoryPolicy, Misuse, Phase, Reason, Strategy, Ticket,
};

/// What is told of it.
pub const DESCRIPTION: Description = Description {
    name: "solo",
    summary: "one partition at a time stages and computes; the dummy backend's own",
    memory: MemoryPolicy::Exclusive,
};

/// The strategy.
#[derive(Clone, Debug)]
pub struct Solo {
    budget: u64,
    known: BTreeMap<u64, Known>,
    /// Who has the device.
    on_device: Option<u64>,
}

#[derive(Clone, Debug)]
struct Known {
    ticket: Ticket,
    waits: Option<Phase>,
    holds: Option<Phase>,
    /// Bytes that it will have at most, by its last request.
    peak: u64,
    /// Bytes that are granted to it.
    reserved: u64,
    /// Who it was told has the device.
    told: Option<u64>,
}

impl Solo {
    /// Nobody waits.
    pub fn new(limits: Limits) -> Self {
        Self { budget: limits.budget, known: BTreeMap::new(), on_device: None }
    }

    fn known(&mut self, id: u64) -> Result<&mut Known, Misuse> {
        self.known.get_mut(&id).ok_or(Misuse::Unknown { id })
    }

    /// Who waits for one of these phases, in order.
    fn queue(&self, phases: &[Phase]) -> Vec<(u64, Phase)> {
        let waits = |known: &Known| Some((known.ticket, known.waits.filter(|phase| phases.contains(phase))?));
        let mut queue: Vec<(Ticket, Phase)> = self.known.values().filter_map(waits).collect();
        queue.sort_by_key(|(ticket, _)| (Reverse(ticket.priority), ticket.age, ticket.id));
        queue.into_iter().map(|(ticket, phase)| (ticket.id, phase)).collect()
    }

    fn grant(&mut self, id: u64, phase: Phase, out: &mut Vec<Decision>) {
        if let Some(known) = self.known.get_mut(&id) {
            (known.waits, known.holds, known.told) = (None, Some(phase), None);
            if phase.on_device() {
                known.reserved = known.peak;
            }
            out.push(Decision::Grant { id, phase });
        }
    }

    fn forget(&mut self, id: u64) {
        self.known.remove(&id);
        self.on_device = self.on_device.filter(|&other| other != id);
    }
}

impl Strategy for Solo {
    fn request(&mut self, ticket: Ticket, phase: Phase, bytes: u64, peak: u64) -> Result<(), Misuse> {
        let id = ticket.id;
        let fresh = Known { ticket, waits: None, holds: None, peak: 0, reserved: 0, told: None };
        let known = self.known.entry(id).or_insert(fresh);
        if known.ticket != ticket {
            return Err(Misuse::Changed { id });
        }
        if known.waits.is_some() || known.holds.is_some() {
            return Err(Misuse::Busy { id, phase });
        }
        known.waits = Some(phase);
        known.peak = if phase.on_device() { bytes.max(peak) } else { 0 };
        Ok(())
    }

    fn shrink(&mut self, id: u64, peak: u64) -> Result<(), Misuse> {
        let known = self.known(id)?;
        (known.peak, known.reserved) = (known.peak.min(peak), known.reserved.min(peak));
        Ok(())
    }

    fn release(&mut self, id: u64, phase: Phase) -> Result<(), Misuse> {
        let known = self.known(id)?;
        if known.holds != Some(phase) {
            return Err(Misuse::NotHeld { id, phase });
        }
        known.holds = None;
        match phase {
            Phase::Prepare | Phase::Stage => {}
            Phase::Compute => {
                (known.peak, known.reserved) = (0, 0);
                self.on_device = self.on_device.filter(|&other| other != id);
            }
            Phase::Finish => self.forget(id),
        }
        Ok(())
    }

    fn cancel(&mut self, id: u64) {
        self.forget(id);
    }

    fn decide(&mut self, out: &mut Vec<Decision>) {
        let budget = self.budget;
        let too_large = self.known.values().filter(|known| known.waits.is_some() && known.peak > budget);
        let too_large: Vec<(u64, u64)> = too_large.map(|known| (known.ticket.id, known.peak)).collect();
        for (id, needed) in too_large {
            self.forget(id);
            out.push(Decision::NeverFits { id, needed, budget });
        }
        for phase in [Phase::Prepare, Phase::Finish] {
            for (id, phase) in self.queue(&[phase]) {
                self.grant(id, phase, out);
            }
        }
        for (id, phase) in self.queue(&[Phase::Stage, Phase::Compute]) {
            let holder = *self.on_device.get_or_insert(id);
            if holder == id {
                self.grant(id, phase, out);
            } else if let Some(known) = self.known.get_mut(&id)
                && known.told.replace(holder) != Some(holder)
            {
                out.push(Decision::Hold { id, phase, reason: Reason::Lock { holder } });
            }
        }
    }

    fn account(&self) -> Account {
        let count = |of: fn(&Known) -> bool| self.known.values().filter(|known| of(known)).count() as u32;
        Account {
            budget: self.budget,
            reserved: self.known.values().map(|known| known.reserved).sum(),
            waiting: count(|known| known.waits.is_some()),
            holding: count(|known| known.holds.is_some() || known.reserved > 0),
        }
    }
}
