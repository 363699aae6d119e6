//! The five strategies, by name.

use crate::ledger::Ledger;
use crate::locks::{OneLock, TwoLock};
use crate::prestage::Prestage;
use crate::{Limits, MemoryPolicy, Strategy};

/// What is known of a strategy without making one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Description {
    /// Its name on the command line.
    pub name: &'static str,
    /// A line about it.
    pub summary: &'static str,
    /// What it promises of bytes.
    pub memory: MemoryPolicy,
}

/// The lock's name.
pub const WHOLE: &str = "whole";
/// The lock's name.
pub const NARROW: &str = "narrow";
/// The strategy's name.
pub const PRESTAGE: &str = "prestage";
/// The locks' name.
pub const TWO_LOCK: &str = "two-lock";
/// The default's name.
pub const LEDGER: &str = "ledger";

/// All five, the default first.
pub const ALL: [Description; 5] = [
    Description {
        name: LEDGER,
        summary: "one order for staging and computing; every remaining peak is reserved, what is staged can be revoked",
        memory: MemoryPolicy::Reserving,
    },
    Description {
        name: PRESTAGE,
        summary: "a lock for computing; one partition ahead may stage when its bytes fit beside the running peak",
        memory: MemoryPolicy::Reserving,
    },
    Description {
        name: NARROW,
        summary: "a lock for staging and computing; prepare and finish run outside",
        memory: MemoryPolicy::Exclusive,
    },
    Description {
        name: WHOLE,
        summary: "a lock for a whole partition, its work on the CPU included",
        memory: MemoryPolicy::Exclusive,
    },
    Description {
        name: TWO_LOCK,
        summary: "a lock for staging and one for computing, never both: overcommits the device's memory; for comparison",
        memory: MemoryPolicy::Overcommitting,
    },
];

/// Makes a strategy; none when there is none of that name.
pub fn create(name: &str, limits: Limits) -> Option<Box<dyn Strategy>> {
    Some(match name {
        WHOLE => Box::new(OneLock::new(limits, true)),
        NARROW => Box::new(OneLock::new(limits, false)),
        PRESTAGE => Box::new(Prestage::new(limits)),
        TWO_LOCK => Box::new(TwoLock::new(limits)),
        LEDGER => Box::new(Ledger::new(limits)),
        _ => return None,
    })
}
