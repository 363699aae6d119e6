//! The five strategies, by name.

use crate::desk::Desk;
use crate::locks::OneLock;
use crate::{Account, Decision, Limits, MemoryPolicy, Misuse, Phase, Strategy, Ticket};
use crate::{ledger, locks, prestage};

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

/// One of the five: books that all keep alike, and a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stock {
    desk: Desk,
    rule: Rule,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Rule {
    OneLock(OneLock),
    TwoLock,
    Prestage,
    Ledger,
}

/// Makes a strategy; none when there is none of that name.
pub fn create(name: &str, limits: Limits) -> Option<Stock> {
    let rule = match name {
        WHOLE => Rule::OneLock(OneLock::new(true)),
        NARROW => Rule::OneLock(OneLock::new(false)),
        PRESTAGE => Rule::Prestage,
        TWO_LOCK => Rule::TwoLock,
        LEDGER => Rule::Ledger,
        _ => return None,
    };
    Some(Stock { desk: Desk::new(limits), rule })
}

impl Strategy for Stock {
    fn request(&mut self, ticket: Ticket, phase: Phase, bytes: u64, peak: u64) -> Result<(), Misuse> {
        self.desk.request(ticket, phase, bytes, peak)
    }

    fn shrink(&mut self, id: u64, peak: u64) -> Result<(), Misuse> {
        self.desk.shrink(id, peak)
    }

    fn release(&mut self, id: u64, phase: Phase) -> Result<(), Misuse> {
        self.desk.release(id, phase)?;
        if let Rule::OneLock(lock) = &mut self.rule {
            lock.released(id, phase);
        }
        Ok(())
    }

    fn cancel(&mut self, id: u64) {
        self.desk.cancel(id);
        if let Rule::OneLock(lock) = &mut self.rule {
            lock.forgotten(id);
        }
    }

    fn decide(&mut self, out: &mut Vec<Decision>) {
        self.desk.refuse_what_never_fits(out);
        match &mut self.rule {
            Rule::OneLock(lock) => lock.decide(&mut self.desk, out),
            Rule::TwoLock => locks::decide_two(&mut self.desk, out),
            Rule::Prestage => prestage::decide(&mut self.desk, out),
            Rule::Ledger => ledger::decide(&mut self.desk, out),
        }
    }

    fn account(&self) -> Account {
        self.desk.account()
    }
}
