//! Why somebody waited.

use std::fmt;

use interlock_scheduler::PartId;
use interlock_scheduler::action::Why;

use crate::units::Bytes;

/// Another one, who is waited for: its ticket, and its partition, if that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Other {
    /// What its strategy calls it.
    pub ticket: u64,
    /// Who that is.
    pub part: Option<PartId>,
}

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part {
            Some(part) => write!(f, "{}", Name(part)),
            None => write!(f, "ticket {}", self.ticket),
        }
    }
}

/// A partition's name, for people: `job.index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name(pub PartId);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0.job, self.0.index)
    }
}

/// Why somebody waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Another one had the lock.
    Lock(Other),
    /// Another one that waited was before it.
    Order(Other),
    /// Its bytes did not fit beside what was reserved.
    Room {
        /// Bytes that it needed.
        needed: u64,
        /// Bytes that it could have had.
        free: u64,
    },
    /// As many were staged ahead as might be.
    Ahead {
        /// How many.
        staged: u32,
    },
    /// The device had refused it memory; it waited until bytes came free.
    Memory,
    /// Nothing was recorded about it.
    Unsaid,
}

impl Cause {
    /// Their names, in the order of [`index`](Self::index).
    pub const NAMES: [&'static str; 6] = ["lock", "order", "room", "ahead", "memory", "unsaid"];

    /// Its position among the kinds.
    pub const fn index(self) -> usize {
        match self {
            Self::Lock(_) => 0,
            Self::Order(_) => 1,
            Self::Room { .. } => 2,
            Self::Ahead { .. } => 3,
            Self::Memory => 4,
            Self::Unsaid => 5,
        }
    }

    /// Its kind's name.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self.index()]
    }

    /// What a note said, with the partition of the ticket that it named.
    pub(crate) fn of(why: Why, part: impl Fn(u64) -> Option<PartId>) -> Self {
        let other = |ticket| Other { ticket, part: part(ticket) };
        match why {
            Why::Lock { holder } => Self::Lock(other(holder)),
            Why::Order { before } => Self::Order(other(before)),
            Why::Room { needed, free } => Self::Room { needed, free },
            Why::Ahead { staged } => Self::Ahead { staged },
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lock(other) => write!(f, "{other} has the lock"),
            Self::Order(other) => write!(f, "{other} is before it"),
            Self::Room { needed, free } => {
                write!(f, "it needs {}, and {} are free", Bytes(*needed), Bytes(*free))
            }
            Self::Ahead { staged } => write!(f, "as many as may be are staged ahead: {staged}"),
            Self::Memory => f.write_str("the device had no memory for it; it waits until some comes free"),
            Self::Unsaid => f.write_str("nothing was recorded about why"),
        }
    }
}
