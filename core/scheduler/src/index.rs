//! Who is where, so that an event costs no look at all partitions.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use interlock_strategies::{Priority, Ticket};

use crate::event::{PartId, Time};
use crate::job::{Part, State, Step};

/// A partition's place in the order; the first goes first.
pub(crate) type Place = (Reverse<Priority>, u64, PartId);

pub(crate) fn place(ticket: Ticket, id: PartId) -> Place {
    (Reverse(ticket.priority), ticket.age, id)
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Index {
    pub(crate) queued: BTreeSet<Place>,
    pub(crate) ready: BTreeSet<Place>,
    /// Those that are ready and were synthesised: they hold memory of the host.
    pub(crate) ready_synthesised: usize,
    /// Those that are ready and cannot go to all devices. What a partition avoids changes only while it is on a worker.
    pub(crate) ready_avoiding: usize,
    pub(crate) synthesising: usize,
    /// Jobs with a deadline that have not ended.
    pub(crate) deadlines: BTreeSet<(Time, u64)>,
    /// Partitions that were told to end, or to drop their bytes, by when.
    pub(crate) aborts: BTreeSet<(Time, PartId)>,
    /// The first ticket of each job.
    pub(crate) tickets: BTreeMap<u64, u64>,
    /// Jobs of which nothing is left to do.
    pub(crate) at_rest: BTreeSet<u64>,
}

/// After all places of a priority.
pub(crate) fn last_of(priority: Priority) -> Place {
    (Reverse(priority), u64::MAX, PartId { job: u64::MAX, index: u32::MAX })
}

impl Index {
    /// The first that is ready after a place.
    pub(crate) fn ready_after(&self, last: Option<Place>) -> Option<Place> {
        let from = last.map_or(Bound::Unbounded, Bound::Excluded);
        self.ready.range((from, Bound::Unbounded)).next().copied()
    }

    /// A partition is in `state` now, or (`there` false) is not any more.
    pub(crate) fn enter(&mut self, id: PartId, part: &Part, state: State, there: bool) {
        let place = place(part.ticket, id);
        match state {
            State::Queued => put(&mut self.queued, place, there),
            State::Ready => {
                put(&mut self.ready, place, there);
                if part.spec.synthesis {
                    count(&mut self.ready_synthesised, there);
                }
                if !part.avoid.is_empty() {
                    count(&mut self.ready_avoiding, there);
                }
            }
            State::Synthesising { abort_by } => {
                count(&mut self.synthesising, there);
                if let Some(at) = abort_by {
                    put(&mut self.aborts, (at, id), there);
                }
            }
            State::On {
                step: Step::Running { abort_by: Some(at), .. } | Step::Dropping { abort_by: at, .. },
                ..
            } => {
                put(&mut self.aborts, (at, id), there);
            }
            State::On { .. } | State::Done | State::Over => {}
        }
    }
}

fn put<T: Ord>(set: &mut BTreeSet<T>, value: T, there: bool) {
    if there {
        set.insert(value);
    } else {
        set.remove(&value);
    }
}

fn count(number: &mut usize, there: bool) {
    *number = if there { *number + 1 } else { number.saturating_sub(1) };
}
