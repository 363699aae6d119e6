//! What happens to which call.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use interlock_sdk::{BackendError, ErrorKind};

use crate::operation::Operation;
use crate::script::Script;

/// How a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Its kind.
    pub kind: ErrorKind,
    /// The same call may succeed when repeated.
    pub retryable: bool,
    /// The device has to be opened anew. Of a device that is lost for other calls as well, see [`Plan::lose`].
    pub context_lost: bool,
}

impl From<ErrorKind> for Failure {
    /// [`ErrorKind::NotNow`] is retryable, as backends have it; nothing else is.
    fn from(kind: ErrorKind) -> Self {
        Self { kind, retryable: kind == ErrorKind::NotNow, context_lost: false }
    }
}

impl Failure {
    pub(crate) fn error(self, operation: Operation) -> BackendError {
        let mut error = BackendError::new(self.kind, format!("scripted failure of {operation}"));
        (error.retryable, error.context_lost) = (self.retryable, self.context_lost);
        error
    }
}

/// How long a device stays lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Until it is opened anew: every call of the present openings answers that the context is lost, a new opening works.
    UntilReopened,
    /// Until [`Script::restore`]: every call, opening included.
    UntilRestored,
}

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Fail(Failure),
    Panic,
    Delay(Duration),
    Hang,
    HangUntilCancelled,
    Corrupt(Spoil),
    Lose(Loss),
}

/// How a result is made wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spoil {
    /// Scalars three times what they should be; another point of the group.
    Plausible,
    /// One limb of it, chosen by this number, is another one.
    Limb(u64),
}

impl Action {
    /// Whether it can happen to calls of this kind.
    pub(crate) fn can_befall(self, operation: Operation) -> bool {
        match self {
            Self::HangUntilCancelled => operation.on_lane(),
            Self::Corrupt(_) => operation.can_be_wrong(),
            _ => true,
        }
    }
}

/// Which calls, in the making: see [`Script::on`]. Without further words it is the next call, once.
#[must_use = "say what is to happen"]
#[derive(Debug)]
pub struct Plan<'a> {
    script: &'a Script,
    rule: Rule,
}

impl<'a> Plan<'a> {
    pub(crate) fn new(script: &'a Script, operation: Option<Operation>) -> Self {
        let rule = Rule {
            operation,
            action: Action::Panic,
            first: 1,
            absolute: false,
            left: Some(1),
            chance: None,
            seen: 0,
            hits: Arc::default(),
        };
        Self { script, rule }
    }

    /// From the `n`-th such call from now on; the next one is the first.
    pub fn nth(mut self, n: u64) -> Self {
        (self.rule.first, self.rule.absolute) = (n, false);
        self
    }

    /// From the `n`-th such call since the bench was made, as [`Script::calls`] counts them.
    pub fn call(mut self, n: u64) -> Self {
        (self.rule.first, self.rule.absolute) = (n, true);
        self
    }

    /// So many times instead of once.
    pub fn times(mut self, times: u64) -> Self {
        self.rule.left = Some(times);
        self
    }

    /// Every time, until [disarmed](Armed::disarm).
    pub fn always(mut self) -> Self {
        self.rule.left = None;
        self
    }

    /// One call in `n` on average instead of each one; which, follows from the seed.
    pub fn one_in(mut self, n: u64, seed: u64) -> Self {
        self.rule.chance = Some((n.max(1), seed));
        self
    }

    /// The call does nothing and fails.
    pub fn fail(self, failure: impl Into<Failure>) -> Armed {
        self.arm(Action::Fail(failure.into()))
    }

    /// The call panics; an allocation after its bytes were booked.
    pub fn panic(self) -> Armed {
        self.arm(Action::Panic)
    }

    /// The call takes so much longer, [scaled](Script::set_time_scale); a lane that is cancelled meanwhile waits no longer.
    pub fn delay(self, time: Duration) -> Armed {
        self.arm(Action::Delay(time))
    }

    /// The call hangs, cancelled or not, until [`Script::release_hangs`]; then it does its work.
    pub fn hang(self) -> Armed {
        self.arm(Action::Hang)
    }

    /// The call hangs until its lane is cancelled, which it then answers, or until it is released.
    ///
    /// # Panics
    /// Calls of this kind have no lane.
    pub fn hang_until_cancelled(self) -> Armed {
        self.arm(Action::HangUntilCancelled)
    }

    /// The call reports success with a wrong result: another point of the group for its first sum, or scalars that are
    /// three times what they should be (zeros stay zeros).
    ///
    /// # Panics
    /// Calls of this kind have no result that could be wrong.
    pub fn corrupt(self) -> Armed {
        self.arm(Action::Corrupt(Spoil::Plausible))
    }

    /// The call reports success with one limb of its result changed: limb and change follow from `seed`. The result of a
    /// sum is its Jacobian coordinates, so a change may leave the point what it is: of infinity's X and Y nothing depends.
    ///
    /// # Panics
    /// Calls of this kind have no result that could be wrong.
    pub fn mutate(self, seed: u64) -> Armed {
        self.arm(Action::Corrupt(Spoil::Limb(seed)))
    }

    /// The device is lost with this call.
    pub fn lose(self, loss: Loss) -> Armed {
        self.arm(Action::Lose(loss))
    }

    fn arm(mut self, action: Action) -> Armed {
        if let Some(operation) = self.rule.operation {
            assert!(action.can_befall(operation), "{action:?} cannot happen to {operation}");
        }
        self.rule.action = action;
        let hits = Arc::clone(&self.rule.hits);
        self.script.arm(self.rule);
        Armed { script: self.script.clone(), hits }
    }
}

/// A fault that waits for its calls. Dropping this changes nothing.
#[derive(Clone, Debug)]
pub struct Armed {
    script: Script,
    hits: Arc<AtomicU64>,
}

impl Armed {
    /// How many calls it has befallen.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::SeqCst)
    }

    /// It befalls no further call.
    pub fn disarm(&self) {
        self.script.disarm(&self.hits);
    }
}

/// A fault and where it stands.
#[derive(Debug)]
pub(crate) struct Rule {
    /// None for all of them.
    pub(crate) operation: Option<Operation>,
    pub(crate) action: Action,
    /// The first call that it befalls, counting from 1.
    pub(crate) first: u64,
    /// Whether that is counted from the script's begin.
    pub(crate) absolute: bool,
    /// Times that are left; none for all times.
    left: Option<u64>,
    chance: Option<(u64, u64)>,
    /// Calls that it could have befallen.
    seen: u64,
    /// Also what it is known by.
    pub(crate) hits: Arc<AtomicU64>,
}

impl Rule {
    /// Whether it befalls this call, which is the `count`-th of its kind since the script's begin.
    pub(crate) fn befalls(&mut self, operation: Operation, count: u64) -> bool {
        let meant = self.operation.is_none_or(|meant| meant == operation);
        if !meant || !self.action.can_befall(operation) {
            return false;
        }
        self.seen += 1;
        let position = if self.absolute { count } else { self.seen };
        position >= self.first && self.left != Some(0) && self.is_chosen()
    }

    /// It has befallen a call.
    pub(crate) fn spend(&mut self) {
        self.left = self.left.map(|left| left - 1);
        self.hits.fetch_add(1, Ordering::SeqCst);
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.left == Some(0)
    }

    fn is_chosen(&self) -> bool {
        self.chance.is_none_or(|(n, seed)| mixed(seed.wrapping_add(self.seen)).is_multiple_of(n))
    }
}

/// SplitMix64's output function (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
fn mixed(state: u64) -> u64 {
    let z = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
