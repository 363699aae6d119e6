//! `prestage`: one partition computes, and one ahead of it may stage when its bytes fit beside the running one's peak.

use crate::desk::{Desk, Entry};
use crate::{Decision, Phase, Reason};

/// Decides on the books.
pub(crate) fn decide(desk: &mut Desk, out: &mut Vec<Decision>) {
    desk.grant_cpu_phases(out);
    // The first in order that fits: what was staged beside another's peak may have to let that one go first.
    let mut computing = desk.entries().find(|entry| entry.computes()).map(|entry| entry.ticket.id);
    for entry in desk.waiting(Phase::Compute) {
        let (id, needed) = (entry.ticket.id, entry.peak);
        let free = desk.free_for(id);
        match computing {
            Some(holder) => desk.hold(id, Reason::Lock { holder }, out),
            None if needed <= free => {
                desk.grant(id, needed, out);
                computing = Some(id);
            }
            None => desk.hold(id, Reason::Room { needed, free }, out),
        }
    }
    let mut first = None;
    for entry in desk.waiting(Phase::Stage) {
        let id = entry.ticket.id;
        let bytes = entry.want.map_or(0, |want| want.bytes);
        if let Some(before) = first {
            desk.hold(id, Reason::Order { before }, out);
            continue;
        }
        match obstacle(desk, &entry, bytes) {
            None => desk.grant(id, bytes, out),
            Some(reason) => {
                first = Some(id);
                desk.hold(id, reason, out);
            }
        }
    }
}

/// Why the first that waits for stage may not; what it may.
fn obstacle(desk: &Desk, entry: &Entry, bytes: u64) -> Option<Reason> {
    let id = entry.ticket.id;
    // Somebody who takes the slow path and is before it must find the room that it waits for.
    if let Some(before) = desk
        .waiting(Phase::Compute)
        .iter()
        .find(|other| other.reserved == 0 && other.ticket.rank() < entry.ticket.rank())
    {
        return Some(Reason::Order { before: before.ticket.id });
    }
    let others: Vec<&Entry> =
        desk.entries().filter(|other| other.ticket.id != id && other.is_on_device()).collect();
    match others.as_slice() {
        [] => None,
        [other] if other.stages() => Some(Reason::Lock { holder: other.ticket.id }),
        [other] => {
            let free = desk.limits.budget.saturating_sub(other.peak.max(other.reserved));
            (bytes > free).then_some(Reason::Room { needed: bytes, free })
        }
        several => {
            Some(Reason::Ahead { staged: several.iter().filter(|other| other.is_ahead()).count() as u32 })
        }
    }
}
