//! `ledger`: one order for staging and computing, looked at again at each phase boundary, and an account of bytes.
//!
//! - The one that computes has its remaining peak reserved, which shrinks as its kernels end; one that is staged has its
//!   staged bytes.
//! - The first in order that waits for stage may, when its bytes fit beside all that is reserved, and when, by what is
//!   known now, they will fit beside the peaks of all that go before it: what is staged in vain has to be revoked.
//! - The first in order that is staged computes next. When its peak does not fit, what was staged by those behind it is
//!   revoked, the last first. The same makes room for staging when a more urgent ticket arrives.
//! - Nobody stages ahead of a ticket that is before him. So a ticket waits for those before it only, and each of them
//!   fits by itself: nobody waits for ever.

use crate::desk::{Desk, Entry};
use crate::{Decision, Phase, Reason};

/// Decides on the books.
pub(crate) fn decide(desk: &mut Desk, out: &mut Vec<Decision>) {
    desk.grant_cpu_phases(out);
    let mut ledger = Ledger { desk };
    ledger.let_compute(out);
    ledger.let_stage(out);
}

struct Ledger<'a> {
    desk: &'a mut Desk,
}

impl Ledger<'_> {
    fn budget(&self) -> u64 {
        self.desk.limits.budget
    }

    /// Those that are staged, or staging, and do not compute; the first in order first.
    fn ahead(&self) -> Vec<Entry> {
        let mut found: Vec<Entry> = self.desk.entries().filter(|entry| entry.is_ahead()).copied().collect();
        found.sort_by_key(|entry| entry.ticket.rank());
        found
    }

    fn computing(&self) -> Option<u64> {
        self.desk.entries().find(|entry| entry.computes()).map(|entry| entry.ticket.id)
    }

    /// Bytes that come free when what was staged behind `entry` is revoked, and whose they are, the last in order first.
    fn revocable(&self, entry: &Entry) -> Vec<Entry> {
        let mut found: Vec<Entry> = self
            .ahead()
            .into_iter()
            .filter(|other| {
                other.wants(Phase::Compute).is_some() && other.ticket.rank() > entry.ticket.rank()
            })
            .collect();
        found.reverse();
        found
    }

    /// Revokes as much behind `entry` as makes `needed` bytes fit, or nothing when that is not to be had.
    /// Whether anything is, or was already, on its way.
    fn make_room(&mut self, entry: &Entry, needed: u64, out: &mut Vec<Decision>) -> bool {
        let id = entry.ticket.id;
        let mut free = self.desk.free_for(id);
        let mut chosen = Vec::new();
        for other in self.revocable(entry) {
            if needed <= free {
                break;
            }
            free += other.reserved;
            chosen.push(other.ticket.id);
        }
        if needed > free || chosen.is_empty() {
            return false;
        }
        for other in chosen {
            self.desk.revoke(other, id, out);
        }
        true
    }

    fn let_compute(&mut self, out: &mut Vec<Decision>) {
        for entry in self.desk.waiting(Phase::Compute) {
            if entry.revoked {
                continue;
            }
            let (id, needed) = (entry.ticket.id, entry.peak);
            if let Some(holder) = self.computing() {
                self.desk.hold(id, Reason::Lock { holder }, out);
                continue;
            }
            let free = self.desk.free_for(id);
            if needed <= free {
                self.desk.grant(id, needed, out);
                continue;
            }
            let awaited = self.make_room(&entry, needed, out);
            self.desk.hold(id, Reason::Room { needed, free }, out);
            if awaited {
                // The room that is being made is this one's.
                return;
            }
        }
    }

    /// Why `entry` may not stage `bytes` now.
    fn obstacle(&self, entry: &Entry, bytes: u64) -> Option<Reason> {
        let ahead = self.ahead();
        if let Some(other) = ahead.iter().find(|other| other.stages()) {
            return Some(Reason::Lock { holder: other.ticket.id });
        }
        // One on the slow path has nothing staged; it must find the room that it waits for.
        let slow = self
            .desk
            .waiting(Phase::Compute)
            .into_iter()
            .find(|other| other.reserved == 0 && other.ticket.rank() < entry.ticket.rank());
        if let Some(slow) = slow {
            return Some(Reason::Order { before: slow.ticket.id });
        }
        if self.computing().is_some() && ahead.len() >= self.desk.limits.max_staged as usize {
            return Some(Reason::Ahead { staged: ahead.len() as u32 });
        }
        if self.computing().is_none() && ahead.len() > self.desk.limits.max_staged as usize {
            return Some(Reason::Ahead { staged: ahead.len() as u32 });
        }
        let free = self.desk.free_for(entry.ticket.id);
        if bytes > free {
            return Some(Reason::Room { needed: bytes, free });
        }
        // Each of those before it will compute with all those behind staged.
        let mut behind: u64 = ahead.iter().map(|other| other.reserved).sum::<u64>() + bytes;
        for other in ahead.iter().filter(|other| other.ticket.rank() < entry.ticket.rank()) {
            behind -= other.reserved;
            let free = self.budget().saturating_sub(behind - bytes).saturating_sub(other.peak);
            if bytes > free {
                return Some(Reason::Room { needed: bytes, free });
            }
        }
        None
    }

    fn let_stage(&mut self, out: &mut Vec<Decision>) {
        let mut first = None;
        for entry in self.desk.waiting(Phase::Stage) {
            let id = entry.ticket.id;
            let bytes = entry.want.map_or(0, |want| want.bytes);
            if let Some(before) = first {
                self.desk.hold(id, Reason::Order { before }, out);
                continue;
            }
            let Some(reason) = self.obstacle(&entry, bytes) else {
                self.desk.grant(id, bytes, out);
                continue;
            };
            first = Some(id);
            if matches!(reason, Reason::Room { .. }) {
                self.make_room(&entry, bytes, out);
            }
            if matches!(reason, Reason::Ahead { .. }) {
                self.make_place(&entry, out);
            }
            self.desk.hold(id, reason, out);
        }
    }

    /// As many are staged as may be: the last of them makes place for a more urgent one.
    fn make_place(&mut self, entry: &Entry, out: &mut Vec<Decision>) {
        let last =
            self.revocable(entry).into_iter().find(|other| other.ticket.priority < entry.ticket.priority);
        if let Some(last) = last
            && !self.desk.entries().any(|other| other.revoked)
        {
            self.desk.revoke(last.ticket.id, entry.ticket.id, out);
        }
    }
}
