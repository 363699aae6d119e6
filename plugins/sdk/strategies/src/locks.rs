//! Strategies that are locks: `whole`, `narrow`, `two-lock`.

use crate::desk::Desk;
use crate::{Decision, Phase, Reason};

/// One lock, from the first of the phases that it covers to the last.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct OneLock {
    /// Whose the lock is.
    holder: Option<u64>,
    /// Whether it covers prepare and finish as well.
    whole: bool,
}

impl OneLock {
    pub(crate) fn new(whole: bool) -> Self {
        Self { holder: None, whole }
    }

    fn phases(&self) -> &'static [Phase] {
        if self.whole { &Phase::ALL } else { &[Phase::Stage, Phase::Compute] }
    }

    /// The phase whose end gives the lock back.
    fn last(&self) -> Phase {
        if self.whole { Phase::Finish } else { Phase::Compute }
    }

    /// A ticket has left a phase.
    pub(crate) fn released(&mut self, id: u64, phase: Phase) {
        if self.holder == Some(id) && phase == self.last() {
            self.holder = None;
        }
    }

    /// A ticket is forgotten.
    pub(crate) fn forgotten(&mut self, id: u64) {
        if self.holder == Some(id) {
            self.holder = None;
        }
    }

    pub(crate) fn decide(&mut self, desk: &mut Desk, out: &mut Vec<Decision>) {
        // It may have been refused as too large.
        self.holder = self.holder.filter(|holder| desk.get(*holder).is_some());
        if !self.whole {
            desk.grant_cpu_phases(out);
        }
        let mut waiting: Vec<_> = self.phases().iter().flat_map(|&phase| desk.waiting(phase)).collect();
        waiting.sort_by_key(|entry| entry.ticket.rank());
        for entry in waiting {
            let id = entry.ticket.id;
            match *self.holder.get_or_insert(id) {
                // All of its peak is its own: nobody else is on the device.
                holder if holder == id => desk.grant(id, entry.peak, out),
                holder => desk.hold(id, Reason::Lock { holder }, out),
            }
        }
    }
}

/// A lock for stage and another for compute; bytes are not looked at.
pub(crate) fn decide_two(desk: &mut Desk, out: &mut Vec<Decision>) {
    desk.grant_cpu_phases(out);
    for phase in [Phase::Stage, Phase::Compute] {
        let mut holder = desk.entries().find(|entry| entry.holds == Some(phase)).map(|entry| entry.ticket.id);
        for entry in desk.waiting(phase) {
            let id = entry.ticket.id;
            match holder {
                None => {
                    holder = Some(id);
                    let want = entry.want.map_or(0, |want| match phase {
                        Phase::Stage => want.bytes,
                        _ => want.peak,
                    });
                    desk.grant(id, want, out);
                }
                Some(holder) => desk.hold(id, Reason::Lock { holder }, out),
            }
        }
    }
}
