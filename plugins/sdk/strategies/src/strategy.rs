//! The trait, and what its methods take and give.

use std::fmt;

/// A phase of a partition, in the order in which they come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Phase {
    /// Work on the CPU that needs no device.
    Prepare = 0,
    /// Its inputs go to the device.
    Stage = 1,
    /// Its kernels run.
    Compute = 2,
    /// What is left to the CPU: blinding, assembly, the self-check.
    Finish = 3,
}

impl Phase {
    /// All of them, in order.
    pub const ALL: [Self; 4] = [Self::Prepare, Self::Stage, Self::Compute, Self::Finish];

    /// Its name in messages and timelines.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Prepare => "prepare",
            Self::Stage => "stage",
            Self::Compute => "compute",
            Self::Finish => "finish",
        }
    }

    /// The phase of this number.
    pub fn of(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| *phase as u32 == number)
    }

    /// Whether the partition is on the device in it.
    pub const fn on_device(self) -> bool {
        matches!(self, Self::Stage | Self::Compute)
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How urgent a job is; the greater goes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Priority {
    /// When nothing else is to be done.
    Low = 0,
    /// As most are.
    #[default]
    Normal = 1,
    /// Before those.
    High = 2,
    /// Before everything, at the next phase boundary.
    Critical = 3,
}

impl Priority {
    /// All of them, ascending.
    pub const ALL: [Self; 4] = [Self::Low, Self::Normal, Self::High, Self::Critical];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Normal => "normal",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }

    /// The priority of this number.
    pub fn of(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|priority| *priority as u32 == number)
    }
}

/// A partition's place in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket {
    /// Unique among the tickets that a strategy knows.
    pub id: u64,
    /// The job's.
    pub priority: Priority,
    /// Smaller is older. Partitions of one job follow each other.
    pub age: u64,
}

impl Ticket {
    /// What tickets are sorted by: the first is to go first.
    pub(crate) fn rank(&self) -> (std::cmp::Reverse<Priority>, u64, u64) {
        (std::cmp::Reverse(self.priority), self.age, self.id)
    }
}

/// What a strategy may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Bytes of the device that partitions may have; resident keys are not among them.
    pub budget: u64,
    /// Partitions that may be staged or staging ahead of the one that computes. At least 1.
    pub max_staged: u32,
}

/// What a strategy promises of the bytes that it grants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MemoryPolicy {
    /// One partition at a time is on the device.
    Exclusive = 0,
    /// Granted bytes, later peaks included, never exceed the budget.
    Reserving = 1,
    /// Bytes are not looked at: allocations can fail, and their partitions then take the slow path.
    Overcommitting = 2,
}

impl MemoryPolicy {
    /// Its name in descriptions.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exclusive => "exclusive",
            Self::Reserving => "reserving",
            Self::Overcommitting => "overcommitting",
        }
    }
}

/// Why a ticket waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Another one has the lock that it needs.
    Lock {
        /// Who.
        holder: u64,
    },
    /// Another one that waits is before it.
    Order {
        /// Who.
        before: u64,
    },
    /// Its bytes do not fit beside what is reserved.
    Room {
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that it could have.
        free: u64,
    },
    /// As many are staged ahead as may be.
    Ahead {
        /// How many.
        staged: u32,
    },
}

/// What a strategy has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// The ticket may be in the phase that it asked for.
    Grant {
        /// Whose.
        id: u64,
        /// Which.
        phase: Phase,
    },
    /// The ticket, which is staged and waits for compute, is to drop its bytes, to be cancelled, and to ask for stage again.
    Revoke {
        /// Whose.
        id: u64,
        /// The ticket that takes its place.
        by: u64,
    },
    /// The ticket needs more than the whole budget. It is forgotten.
    NeverFits {
        /// Whose.
        id: u64,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that there are.
        budget: u64,
    },
    /// The ticket goes on waiting, and why; told again only when the kind of reason or the other ticket changes.
    Hold {
        /// Whose.
        id: u64,
        /// What it waits for.
        phase: Phase,
        /// Why.
        reason: Reason,
    },
}

/// A strategy's books.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Account {
    /// Bytes that there are.
    pub budget: u64,
    /// Bytes that are granted, later peaks included.
    pub reserved: u64,
    /// Tickets that wait.
    pub waiting: u32,
    /// Tickets that are in a phase, or staged.
    pub holding: u32,
}

/// A call that does not fit what the strategy knows. It has changed nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misuse {
    /// It waits or is in a phase already.
    #[error("ticket {id} asks for {phase} while it waits or is in a phase")]
    Busy {
        /// Whose.
        id: u64,
        /// What it asks for.
        phase: Phase,
    },
    /// The phase was not granted, or was released before.
    #[error("ticket {id} releases {phase}, which it does not hold")]
    NotHeld {
        /// Whose.
        id: u64,
        /// What it releases.
        phase: Phase,
    },
    /// No such ticket.
    #[error("ticket {id} is not known")]
    Unknown {
        /// Whose.
        id: u64,
    },
    /// A ticket is the same all its life.
    #[error("ticket {id} has another priority or age than before")]
    Changed {
        /// Whose.
        id: u64,
    },
}

/// A device's interlock: decides who may be in which phase, and with how many bytes.
///
/// None of the methods blocks. Whoever calls them does so from one thread at a time, calls [`decide`](Self::decide)
/// after a change, and carries out what it says. Bytes are those of the device, without resident keys.
pub trait Strategy: Send {
    /// A ticket wants to be in a phase.
    ///
    /// For stage, `bytes` is what staging takes and leaves on the device, `peak` the most that the partition will have
    /// on the device at once until its compute ends, the slow path included. For compute, `bytes` is what it has there
    /// already, `peak` as before. Both are 0 in other phases.
    ///
    /// # Errors
    /// The ticket waits or is in a phase, or has changed.
    fn request(&mut self, ticket: Ticket, phase: Phase, bytes: u64, peak: u64) -> Result<(), Misuse>;

    /// From now on the ticket will have at most `peak` bytes on the device at once. More than before changes nothing.
    ///
    /// # Errors
    /// The ticket is not known.
    fn shrink(&mut self, id: u64, peak: u64) -> Result<(), Misuse>;

    /// A phase has ended; what it used on the device is drained. Compute's end leaves nothing there.
    ///
    /// # Errors
    /// The ticket is not in that phase.
    fn release(&mut self, id: u64, phase: Phase) -> Result<(), Misuse>;

    /// Forgets a ticket: what it waits for, what it holds, and its bytes. Its lane has drained. Unknown ones are allowed.
    fn cancel(&mut self, id: u64);

    /// Appends what is decided now. Called again without a change in between, it appends nothing.
    fn decide(&mut self, out: &mut Vec<Decision>);

    /// The books.
    fn account(&self) -> Account;
}

/// A strategy of any kind.
impl Strategy for Box<dyn Strategy> {
    fn request(&mut self, ticket: Ticket, phase: Phase, bytes: u64, peak: u64) -> Result<(), Misuse> {
        self.as_mut().request(ticket, phase, bytes, peak)
    }

    fn shrink(&mut self, id: u64, peak: u64) -> Result<(), Misuse> {
        self.as_mut().shrink(id, peak)
    }

    fn release(&mut self, id: u64, phase: Phase) -> Result<(), Misuse> {
        self.as_mut().release(id, phase)
    }

    fn cancel(&mut self, id: u64) {
        self.as_mut().cancel(id);
    }

    fn decide(&mut self, out: &mut Vec<Decision>) {
        self.as_mut().decide(out);
    }

    fn account(&self) -> Account {
        self.as_ref().account()
    }
}
