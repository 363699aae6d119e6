//! Recorded events fed to a fresh scheduler: it must decide what it decided then.

use std::fmt;

use interlock_scheduler::{Action, Event, Scheduler, Time};
use interlock_strategies::Strategy;

use crate::format::{Record, What};

/// Where a scheduler decided otherwise than was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The record at which that shows, counted from 0 after the header; their number when it shows at the end.
    pub record: usize,
    /// The time and the event that the decisions are the answer to; none before the first event.
    pub event: Option<Box<(Time, Event)>>,
    /// What was recorded; none when nothing more was.
    pub recorded: Option<Action>,
    /// What is decided now; none when nothing more is.
    pub decided: Option<Action>,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record {}", self.record)?;
        match &self.event {
            Some(told) => write!(f, ", after {:?} at {} µs: ", told.1, told.0.0)?,
            None => f.write_str(", before any event: ")?,
        }
        let show = |action: &Option<Action>| {
            action.as_ref().map_or_else(|| "nothing more".to_owned(), |action| format!("{action:?}"))
        };
        write!(f, "recorded is {}, decided is {}", show(&self.recorded), show(&self.decided))
    }
}

impl std::error::Error for Divergence {}

/// Feeds the recorded events, at their times, to a scheduler that was made like the one that recorded them, and
/// compares its actions, in their order, with the recorded ones. Spans and memory are passed over.
///
/// # Errors
/// The first difference.
pub fn replay<S: Strategy>(
    records: impl IntoIterator<Item = Record>,
    scheduler: &mut Scheduler<S>,
) -> Result<(), Divergence> {
    let mut decided: Vec<Action> = Vec::new();
    let mut next = 0;
    let mut event = None;
    let mut count = 0;
    for Record { t, what } in records {
        let (recorded, current) = match what {
            What::Event(told) => (None, Some(told)),
            What::Action(action) => (Some(action), None),
            What::Span(_) | What::Memory(_) => {
                count += 1;
                continue;
            }
        };
        // An action must be the next one, and an event must find none left.
        if decided.get(next) != recorded.as_ref() {
            return Err(Divergence { record: count, event, recorded, decided: decided.get(next).cloned() });
        }
        next += 1;
        if let Some(told) = current {
            decided.clear();
            next = 0;
            scheduler.on(&told, t, &mut decided);
            event = Some(Box::new((t, told)));
        }
        count += 1;
    }
    match decided.get(next) {
        Some(action) => {
            Err(Divergence { record: count, event, recorded: None, decided: Some(action.clone()) })
        }
        None => Ok(()),
    }
}
