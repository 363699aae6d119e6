//! Strategies that are locks: `whole`, `narrow`, `two-lock`.

use crate::desk::{Desk, books};
use crate::{Decision, Limits, Misuse, Phase, Reason, Strategy};

/// One lock, from the first of the phases that it covers to the last.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct OneLock {
    desk: Desk,
    /// Whose the lock is.
    holder: Option<u64>,
    /// Whether it covers prepare and finish as well.
    whole: bool,
}

impl OneLock {
    pub(crate) fn new(limits: Limits, whole: bool) -> Self {
        Self { desk: Desk::new(limits), holder: None, whole }
    }

    fn phases(&self) -> &'static [Phase] {
        if self.whole { &Phase::ALL } else { &[Phase::Stage, Phase::Compute] }
    }

    /// The phase whose end gives the lock back.
    fn last(&self) -> Phase {
        if self.whole { Phase::Finish } else { Phase::Compute }
    }
}

impl Strategy for OneLock {
    books!();

    fn release(&mut self, id: u64, phase: Phase) -> Result<(), Misuse> {
        self.desk.release(id, phase)?;
        if self.holder == Some(id) && phase == self.last() {
            self.holder = None;
        }
        Ok(())
    }

    fn cancel(&mut self, id: u64) {
        self.desk.cancel(id);
        if self.holder == Some(id) {
            self.holder = None;
        }
    }

    fn decide(&mut self, out: &mut Vec<Decision>) {
        self.desk.refuse_what_never_fits(out);
        if self.holder.is_some_and(|holder| self.desk.get(holder).is_none()) {
            self.holder = None;
        }
        if !self.whole {
            self.desk.grant_cpu_phases(out);
        }
        let mut waiting: Vec<_> = self.phases().iter().flat_map(|&phase| self.desk.waiting(phase)).collect();
        waiting.sort_by_key(|entry| entry.ticket.rank());
        for entry in waiting {
            let id = entry.ticket.id;
            match *self.holder.get_or_insert(id) {
                // All of its peak is its own: nobody else is on the device.
                holder if holder == id => self.desk.grant(id, entry.peak, out),
                holder => self.desk.hold(id, Reason::Lock { holder }, out),
            }
        }
    }
}

/// A lock for stage and another for compute; bytes are not looked at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TwoLock {
    desk: Desk,
}

impl TwoLock {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { desk: Desk::new(limits) }
    }
}

impl Strategy for TwoLock {
    books!();

    fn release(&mut self, id: u64, phase: Phase) -> Result<(), Misuse> {
        self.desk.release(id, phase)
    }

    fn cancel(&mut self, id: u64) {
        self.desk.cancel(id);
    }

    fn decide(&mut self, out: &mut Vec<Decision>) {
        self.desk.refuse_what_never_fits(out);
        self.desk.grant_cpu_phases(out);
        for phase in [Phase::Stage, Phase::Compute] {
            let mut holder =
                self.desk.entries().find(|entry| entry.holds == Some(phase)).map(|entry| entry.ticket.id);
            for entry in self.desk.waiting(phase) {
                let id = entry.ticket.id;
                match holder {
                    None => {
                        holder = Some(id);
                        let want = entry.want.map_or(0, |want| match phase {
                            Phase::Stage => want.bytes,
                            _ => want.peak,
                        });
                        self.desk.grant(id, want, out);
                    }
                    Some(holder) => self.desk.hold(id, Reason::Lock { holder }, out),
                }
            }
        }
    }
}
