//! Who is where, so that an event costs no look at all partitions.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use interlock_strategies::{Priority, Ticket};

use crate::event::{PartId, Time};
use crate::job::{State, Step};

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
    pub(crate) synthesising: usize,
    /// Jobs with a deadline that have not ended.
    pub(crate) deadlines: BTreeSet<(Time, u64)>,
    /// Partitions that were told to end, by when.
    pub(crate) aborts: BTreeSet<(Time, PartId)>,
    /// The first ticket of each job.
    pub(crate) tickets: BTreeMap<u64, u64>,
    /// Jobs of which nothing is left to do.
    pub(crate) at_rest: BTreeSet<u64>,
}

impl Index {
    /// A partition is in `state` now, or (`there` false) is not any more.
    pub(crate) fn enter(&mut self, id: PartId, ticket: Ticket, synthesis: bool, state: State, there: bool) {
        let place = place(ticket, id);
        match state {
            State::Queued => put(&mut self.queued, place, there),
            State::Ready => {
                put(&mut self.ready, place, there);
                if synthesis {
                    count(&mut self.ready_synthesised, there);
                }
            }
            State::Synthesising { abort_by } => {
                count(&mut self.synthesising, there);
                if let Some(at) = abort_by {
                    put(&mut self.aborts, (at, id), there);
                }
            }
            State::On { step: Step::Running { abort_by: Some(at), .. }, .. } => {
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
