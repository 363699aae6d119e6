//! Who waits for what and holds what: the books that the five strategies share.

use std::collections::BTreeMap;
use std::mem::discriminant;

use crate::{Account, Decision, Limits, Misuse, Phase, Reason, Ticket};

/// What a ticket waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Want {
    pub(crate) phase: Phase,
    pub(crate) bytes: u64,
    pub(crate) peak: u64,
    /// The reason that was told last.
    told: Option<Reason>,
}

/// What is known of a ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Entry {
    pub(crate) ticket: Ticket,
    pub(crate) want: Option<Want>,
    pub(crate) holds: Option<Phase>,
    /// Bytes that are granted to it.
    pub(crate) reserved: u64,
    /// The most that it will have, once it computes.
    pub(crate) peak: u64,
    /// Whether a revocation was told, and its cancellation is awaited.
    pub(crate) revoked: bool,
}

impl Entry {
    pub(crate) fn wants(&self, phase: Phase) -> Option<Want> {
        self.want.filter(|want| want.phase == phase)
    }

    pub(crate) fn computes(&self) -> bool {
        self.holds == Some(Phase::Compute)
    }

    pub(crate) fn stages(&self) -> bool {
        self.holds == Some(Phase::Stage)
    }

    /// Whether it has, or is about to have, bytes on the device without computing.
    pub(crate) fn is_ahead(&self) -> bool {
        !self.computes() && (self.stages() || self.reserved > 0)
    }

    pub(crate) fn is_on_device(&self) -> bool {
        self.computes() || self.is_ahead()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Desk {
    pub(crate) limits: Limits,
    entries: BTreeMap<u64, Entry>,
}

impl Desk {
    pub(crate) fn new(limits: Limits) -> Self {
        let limits = Limits { max_staged: limits.max_staged.max(1), ..limits };
        Self { limits, entries: BTreeMap::new() }
    }

    pub(crate) fn request(
        &mut self,
        ticket: Ticket,
        phase: Phase,
        bytes: u64,
        peak: u64,
    ) -> Result<(), Misuse> {
        let fresh = Entry { ticket, want: None, holds: None, reserved: 0, peak: 0, revoked: false };
        let entry = self.entries.get(&ticket.id).copied().unwrap_or(fresh);
        if entry.ticket != ticket {
            return Err(Misuse::Changed { id: ticket.id });
        }
        if entry.want.is_some() || entry.holds.is_some() {
            return Err(Misuse::Busy { id: ticket.id, phase });
        }
        let (bytes, peak) = if phase.on_device() { (bytes, peak.max(bytes)) } else { (0, 0) };
        let entry = Entry { want: Some(Want { phase, bytes, peak, told: None }), peak, ..entry };
        self.entries.insert(ticket.id, entry);
        Ok(())
    }

    pub(crate) fn shrink(&mut self, id: u64, peak: u64) -> Result<(), Misuse> {
        let entry = self.entries.get_mut(&id).ok_or(Misuse::Unknown { id })?;
        entry.reserved = entry.reserved.min(peak);
        entry.peak = entry.peak.min(peak);
        Ok(())
    }

    pub(crate) fn release(&mut self, id: u64, phase: Phase) -> Result<(), Misuse> {
        let entry = self.entries.get_mut(&id).ok_or(Misuse::Unknown { id })?;
        if entry.holds != Some(phase) {
            return Err(Misuse::NotHeld { id, phase });
        }
        entry.holds = None;
        if phase == Phase::Compute {
            (entry.reserved, entry.peak) = (0, 0);
        }
        if phase == Phase::Finish {
            self.entries.remove(&id);
        }
        Ok(())
    }

    pub(crate) fn cancel(&mut self, id: u64) {
        self.entries.remove(&id);
    }

    pub(crate) fn get(&self, id: u64) -> Option<&Entry> {
        self.entries.get(&id)
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    /// Those that wait for a phase, the first in order first.
    pub(crate) fn waiting(&self, phase: Phase) -> Vec<Entry> {
        let mut found: Vec<Entry> =
            self.entries().filter(|entry| entry.wants(phase).is_some()).copied().collect();
        found.sort_by_key(|entry| entry.ticket.rank());
        found
    }

    pub(crate) fn reserved(&self) -> u64 {
        self.entries().map(|entry| entry.reserved).sum()
    }

    /// Bytes that nobody but this ticket has reserved.
    pub(crate) fn free_for(&self, id: u64) -> u64 {
        let own = self.get(id).map_or(0, |entry| entry.reserved);
        self.limits.budget.saturating_sub(self.reserved() - own)
    }

    /// Lets a ticket have what it waits for, with so many bytes.
    pub(crate) fn grant(&mut self, id: u64, reserved: u64, out: &mut Vec<Decision>) {
        let Some(entry) = self.entries.get_mut(&id) else { return };
        let Some(want) = entry.want.take() else { return };
        entry.holds = Some(want.phase);
        entry.reserved = reserved;
        out.push(Decision::Grant { id, phase: want.phase });
    }

    /// Lets everybody into the phases that take no device.
    pub(crate) fn grant_cpu_phases(&mut self, out: &mut Vec<Decision>) {
        for phase in [Phase::Prepare, Phase::Finish] {
            for entry in self.waiting(phase) {
                self.grant(entry.ticket.id, entry.reserved, out);
            }
        }
    }

    /// Forgets those that need more than there is.
    pub(crate) fn refuse_what_never_fits(&mut self, out: &mut Vec<Decision>) {
        let budget = self.limits.budget;
        let too_large = |entry: &Entry| entry.want.filter(|want| want.peak > budget).map(|want| want.peak);
        let found: Vec<(u64, u64)> =
            self.entries().filter_map(|entry| Some((entry.ticket.id, too_large(entry)?))).collect();
        for (id, needed) in found {
            self.entries.remove(&id);
            out.push(Decision::NeverFits { id, needed, budget });
        }
    }

    pub(crate) fn revoke(&mut self, id: u64, by: u64, out: &mut Vec<Decision>) {
        if let Some(entry) = self.entries.get_mut(&id)
            && !entry.revoked
        {
            entry.revoked = true;
            out.push(Decision::Revoke { id, by });
        }
    }

    /// Tells why a ticket waits, unless that was told. Numbers of bytes alone make no new reason.
    pub(crate) fn hold(&mut self, id: u64, reason: Reason, out: &mut Vec<Decision>) {
        let Some(want) = self.entries.get_mut(&id).and_then(|entry| entry.want.as_mut()) else { return };
        let same = match (want.told, reason) {
            (Some(told @ (Reason::Room { .. } | Reason::Ahead { .. })), reason) => {
                discriminant(&told) == discriminant(&reason)
            }
            (told, reason) => told == Some(reason),
        };
        if !same {
            want.told = Some(reason);
            out.push(Decision::Hold { id, phase: want.phase, reason });
        }
    }

    pub(crate) fn account(&self) -> Account {
        let count = |of: fn(&Entry) -> bool| self.entries().filter(|entry| of(entry)).count() as u32;
        Account {
            budget: self.limits.budget,
            reserved: self.reserved(),
            waiting: count(|entry| entry.want.is_some()),
            holding: count(|entry| entry.holds.is_some() || entry.reserved > 0),
        }
    }
}
