//! The five strategies, by name.

use crate::ledger::Ledger;
use crate::locks::{OneLock, TwoLock};
use crate::prestage::Prestage;
use crate::{Account, Decision, Limits, MemoryPolicy, Misuse, Phase, Strategy, Ticket};

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

/// One of the five.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stock(Kind);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kind {
    OneLock(OneLock),
    TwoLock(TwoLock),
    Prestage(Prestage),
    Ledger(Ledger),
}

/// Makes a strategy; none when there is none of that name.
pub fn create(name: &str, limits: Limits) -> Option<Stock> {
    Some(Stock(match name {
        WHOLE => Kind::OneLock(OneLock::new(limits, true)),
        NARROW => Kind::OneLock(OneLock::new(limits, false)),
        PRESTAGE => Kind::Prestage(Prestage::new(limits)),
        TWO_LOCK => Kind::TwoLock(TwoLock::new(limits)),
        LEDGER => Kind::Ledger(Ledger::new(limits)),
        _ => return None,
    }))
}

impl Stock {
    fn strategy(&self) -> &dyn Strategy {
        match &self.0 {
            Kind::OneLock(strategy) => strategy,
            Kind::TwoLock(strategy) => strategy,
            Kind::Prestage(strategy) => strategy,
            Kind::Ledger(strategy) => strategy,
        }
    }

    fn strategy_mut(&mut self) -> &mut dyn Strategy {
        match &mut self.0 {
            Kind::OneLock(strategy) => strategy,
            Kind::TwoLock(strategy) => strategy,
            Kind::Prestage(strategy) => strategy,
            Kind::Ledger(strategy) => strategy,
        }
    }
}

impl Strategy for Stock {
    fn request(&mut self, ticket: Ticket, phase: Phase, bytes: u64, peak: u64) -> Result<(), Misuse> {
        self.strategy_mut().request(ticket, phase, bytes, peak)
    }

    fn shrink(&mut self, id: u64, peak: u64) -> Result<(), Misuse> {
        self.strategy_mut().shrink(id, peak)
    }

    fn release(&mut self, id: u64, phase: Phase) -> Result<(), Misuse> {
        self.strategy_mut().release(id, phase)
    }

    fn cancel(&mut self, id: u64) {
        self.strategy_mut().cancel(id);
    }

    fn decide(&mut self, out: &mut Vec<Decision>) {
        self.strategy_mut().decide(out);
    }

    fn account(&self) -> Account {
        self.strategy().account()
    }
}
