//! A backend's interlock strategies.

use std::collections::HashMap;
use std::sync::Arc;

use interlock_abi::{
    INTERLOCK_DECISION_GRANT, INTERLOCK_DECISION_HOLD, INTERLOCK_DECISION_NEVER_FITS,
    INTERLOCK_DECISION_REVOKE, INTERLOCK_MEMORY_EXCLUSIVE, INTERLOCK_MEMORY_RESERVING,
    INTERLOCK_REASON_AHEAD, INTERLOCK_REASON_LOCK, INTERLOCK_REASON_ORDER, INTERLOCK_REASON_ROOM,
    InterlockDecision, InterlockStr, InterlockStrategy, InterlockStrategyAccount, InterlockStrategyInfo,
    InterlockStrategyLimits, InterlockTicket, transfer,
};
use interlock_strategies::{
    Account, Decision, Limits, MemoryPolicy, Misuse, Phase, Reason, Strategy, Ticket,
};

use super::api::call;
use super::device::Handle;
use super::error::{BackendError, BackendErrorKind};
use super::plugin::{Plugin, PluginError, text, valid_plugin_name};

/// More strategies than any backend has; a plugin that claims more is broken.
const MAX_STRATEGIES: u32 = 64;

/// Decisions that are asked for at once.
const BATCH: usize = 64;

/// A strategy that a backend offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyDescription {
    /// The name that `--interlock` selects.
    pub name: String,
    /// A line about it.
    pub summary: String,
    /// What it promises of bytes.
    pub memory: MemoryPolicy,
}

impl Plugin {
    /// The interlock strategies that the backend offers, the default first; none when it leaves that to the host.
    ///
    /// # Errors
    /// A call failed or answered nonsense.
    pub fn strategies(&self) -> Result<Vec<StrategyDescription>, PluginError> {
        if !self.has_strategies() {
            return Ok(Vec::new());
        }
        let mut count = 0;
        call!(self, strategy_count(&raw mut count))?;
        if count > MAX_STRATEGIES {
            let message = format!("it claims {count} strategies");
            return Err(self.nonsense("strategy_count", message).into());
        }
        (0..count).map(|index| self.strategy_description(index)).collect()
    }

    /// Whether the backend has interlock strategies of its own, rather than leaving them to the host.
    pub fn has_strategies(&self) -> bool {
        self.api().0.strategy_count.is_some()
    }

    fn strategy_description(&self, index: u32) -> Result<StrategyDescription, PluginError> {
        let mut info: InterlockStrategyInfo = transfer::empty();
        call!(self, strategy_info(index, &raw mut info))?;
        let name = text(info.name, "strategy's name")?;
        if !valid_plugin_name(&name) {
            return Err(PluginError::Name(name));
        }
        let memory = match info.memory {
            INTERLOCK_MEMORY_EXCLUSIVE => MemoryPolicy::Exclusive,
            INTERLOCK_MEMORY_RESERVING => MemoryPolicy::Reserving,
            // Whatever it is, it promises nothing that is known here.
            _ => MemoryPolicy::Overcommitting,
        };
        Ok(StrategyDescription { name, summary: text(info.summary, "strategy's summary")?, memory })
    }

    fn nonsense(&self, operation: &'static str, message: String) -> BackendError {
        BackendError::host(BackendErrorKind::Internal, self.name(), operation, message)
    }
}

/// A backend's strategy. It needs no device, so a simulator runs it as well.
///
/// A backend whose strategy fails, or answers what cannot be a decision, decides nothing from then on:
/// [`failure`](Self::failure) says why, and whoever waits for its decisions must look there.
#[derive(Debug)]
pub struct BackendStrategy {
    plugin: Arc<Plugin>,
    handle: Handle<InterlockStrategy>,
    account: Account,
    failure: Option<BackendError>,
    /// What each ticket waits for or holds, so that misuse is told without the backend.
    known: HashMap<u64, Known>,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    ticket: Ticket,
    waits: Option<Phase>,
    holds: Option<Phase>,
}

impl BackendStrategy {
    /// Makes a strategy by its name.
    ///
    /// # Errors
    /// The backend has none of that name, or its call failed.
    pub fn create(plugin: &Arc<Plugin>, name: &str, limits: Limits) -> Result<Self, BackendError> {
        let mut wire: InterlockStrategyLimits = transfer::empty();
        wire.budget_bytes = limits.budget;
        wire.max_staged = limits.max_staged;
        let handle = Handle::make(plugin, "strategy_create", |out| {
            call!(plugin, strategy_create(InterlockStr::new(name), &raw const wire, out))
        })?;
        let account = Account { budget: limits.budget, ..Account::default() };
        Ok(Self { plugin: Arc::clone(plugin), handle, account, failure: None, known: HashMap::new() })
    }

    /// Why it decides nothing any more.
    pub fn failure(&self) -> Option<&BackendError> {
        self.failure.as_ref()
    }

    fn note(&mut self, outcome: Result<(), BackendError>) {
        if let Err(error) = outcome {
            self.failure.get_or_insert(error);
        }
    }

    fn ask(&mut self, out: &mut Vec<Decision>) -> Result<bool, BackendError> {
        let mut batch: [InterlockDecision; BATCH] = std::array::from_fn(|_| transfer::empty());
        let mut account: InterlockStrategyAccount = transfer::empty();
        let mut count = 0;
        let stride = size_of::<InterlockDecision>();
        let plugin = &*self.plugin;
        call!(
            plugin,
            strategy_decide(
                self.handle.0,
                batch.as_mut_ptr(),
                BATCH as u64,
                stride,
                &raw mut count,
                &raw mut account
            )
        )?;
        let nonsense = |message: String| plugin.nonsense("strategy_decide", message);
        let given = usize::try_from(count).ok().and_then(|count| batch.get(..count));
        let given =
            given.ok_or_else(|| nonsense(format!("{count} decisions, where {BATCH} have a place")))?;
        for wire in given {
            let decision =
                decision(wire).ok_or_else(|| nonsense(format!("what is no decision: {wire:?}")))?;
            let fits = apply(&mut self.known, &decision);
            if !fits {
                return Err(nonsense(format!("a decision about what was not asked: {decision:?}")));
            }
            out.push(decision);
        }
        self.account = Account {
            budget: account.budget_bytes,
            reserved: account.reserved_bytes,
            waiting: account.waiting,
            holding: account.holding,
        };
        Ok(given.len() == BATCH)
    }
}

/// Keeps what is known of tickets; whether the decision fits it.
fn apply(known: &mut HashMap<u64, Known>, decision: &Decision) -> bool {
    match *decision {
        Decision::Grant { id, phase } => match known.get_mut(&id) {
            Some(entry) if entry.waits == Some(phase) => {
                (entry.waits, entry.holds) = (None, Some(phase));
                true
            }
            _ => false,
        },
        Decision::Revoke { id, .. } => {
            known.get(&id).is_some_and(|entry| entry.waits == Some(Phase::Compute))
        }
        Decision::NeverFits { id, .. } => known.remove(&id).is_some_and(|entry| entry.waits.is_some()),
        Decision::Hold { id, phase, .. } => known.get(&id).is_some_and(|entry| entry.waits == Some(phase)),
    }
}

fn decision(wire: &InterlockDecision) -> Option<Decision> {
    let (id, phase) = (wire.ticket, Phase::of(wire.phase)?);
    Some(match wire.kind {
        INTERLOCK_DECISION_GRANT => Decision::Grant { id, phase },
        INTERLOCK_DECISION_REVOKE => Decision::Revoke { id, by: wire.other },
        INTERLOCK_DECISION_NEVER_FITS => Decision::NeverFits { id, needed: wire.needed, budget: wire.free },
        INTERLOCK_DECISION_HOLD => Decision::Hold {
            id,
            phase,
            reason: match wire.reason {
                INTERLOCK_REASON_LOCK => Reason::Lock { holder: wire.other },
                INTERLOCK_REASON_ORDER => Reason::Order { before: wire.other },
                INTERLOCK_REASON_ROOM => Reason::Room { needed: wire.needed, free: wire.free },
                INTERLOCK_REASON_AHEAD => Reason::Ahead { staged: u32::try_from(wire.needed).ok()? },
                _ => return None,
            },
        },
        _ => return None,
    })
}

impl Strategy for BackendStrategy {
    fn request(&mut self, ticket: Ticket, phase: Phase, bytes: u64, peak: u64) -> Result<(), Misuse> {
        let id = ticket.id;
        let known = self.known.entry(id).or_insert(Known { ticket, waits: None, holds: None });
        if known.ticket != ticket {
            return Err(Misuse::Changed { id });
        }
        if known.waits.is_some() || known.holds.is_some() {
            return Err(Misuse::Busy { id, phase });
        }
        known.waits = Some(phase);
        let mut wire: InterlockTicket = transfer::empty();
        (wire.id, wire.age) = (id, ticket.age);
        (wire.priority, wire.phase) = (ticket.priority as u32, phase as u32);
        (wire.bytes, wire.peak) = (bytes, peak);
        let plugin = &*self.plugin;
        let outcome = call!(plugin, strategy_request(self.handle.0, &raw const wire));
        self.note(outcome);
        Ok(())
    }

    fn shrink(&mut self, id: u64, peak: u64) -> Result<(), Misuse> {
        if !self.known.contains_key(&id) {
            return Err(Misuse::Unknown { id });
        }
        let plugin = &*self.plugin;
        let outcome = call!(plugin, strategy_shrink(self.handle.0, id, peak));
        self.note(outcome);
        Ok(())
    }

    fn release(&mut self, id: u64, phase: Phase) -> Result<(), Misuse> {
        let known = self.known.get_mut(&id).ok_or(Misuse::Unknown { id })?;
        if known.holds != Some(phase) {
            return Err(Misuse::NotHeld { id, phase });
        }
        known.holds = None;
        if phase == Phase::Finish {
            self.known.remove(&id);
        }
        let plugin = &*self.plugin;
        let outcome = call!(plugin, strategy_release(self.handle.0, id, phase as u32));
        self.note(outcome);
        Ok(())
    }

    fn cancel(&mut self, id: u64) {
        if self.known.remove(&id).is_some() {
            let plugin = &*self.plugin;
            let outcome = call!(plugin, strategy_cancel(self.handle.0, id));
            self.note(outcome);
        }
    }

    fn decide(&mut self, out: &mut Vec<Decision>) {
        // What can be said of a ticket at once is a few decisions; who says more repeats himself, and would do so for ever.
        let most = out.len() + 4 * self.known.len() + BATCH;
        while self.failure.is_none() {
            match self.ask(out) {
                Ok(true) if out.len() > most => {
                    let message = format!("more than {most} decisions about {} tickets", self.known.len());
                    self.note(Err(self.plugin.nonsense("strategy_decide", message)));
                }
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => self.note(Err(error)),
            }
        }
    }

    fn account(&self) -> Account {
        self.account
    }
}

impl Drop for BackendStrategy {
    fn drop(&mut self) {
        let plugin = &*self.plugin;
        // A strategy that cannot be destroyed is lost memory, nothing else.
        let _ = call!(plugin, strategy_destroy(self.handle.0));
    }
}
