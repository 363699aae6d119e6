//! A device's interlock strategy: a stock one, or its backend's own.

use std::sync::Arc;

use interlock_strategies::{Account, Decision, Limits, Misuse, Phase, Strategy, Ticket, stock};

use super::error::EngineError;
use crate::backend::{BackendStrategy, Plugin, StrategyDescription};

/// A strategy of either origin.
#[derive(Debug)]
pub enum AnyStrategy {
    /// One of the stock ones, run by the host for a backend that offers none.
    Stock(stock::Stock),
    /// The backend's.
    Backend(BackendStrategy),
}

impl AnyStrategy {
    /// Why it decides nothing any more, if it does not.
    pub fn failure(&self) -> Option<String> {
        match self {
            Self::Stock(_) => None,
            Self::Backend(strategy) => strategy.failure().map(ToString::to_string),
        }
    }

    fn inner(&mut self) -> &mut dyn Strategy {
        match self {
            Self::Stock(strategy) => strategy,
            Self::Backend(strategy) => strategy,
        }
    }
}

impl Strategy for AnyStrategy {
    fn request(&mut self, ticket: Ticket, phase: Phase, bytes: u64, peak: u64) -> Result<(), Misuse> {
        self.inner().request(ticket, phase, bytes, peak)
    }

    fn shrink(&mut self, id: u64, peak: u64) -> Result<(), Misuse> {
        self.inner().shrink(id, peak)
    }

    fn release(&mut self, id: u64, phase: Phase) -> Result<(), Misuse> {
        self.inner().release(id, phase)
    }

    fn cancel(&mut self, id: u64) {
        self.inner().cancel(id);
    }

    fn decide(&mut self, out: &mut Vec<Decision>) {
        self.inner().decide(out);
    }

    fn account(&self) -> Account {
        match self {
            Self::Stock(strategy) => strategy.account(),
            Self::Backend(strategy) => strategy.account(),
        }
    }
}

/// The strategies that a backend can be run with, the default first: its own, or the stock ones when it leaves that to
/// the host.
///
/// # Errors
/// The backend cannot say.
pub fn strategies(plugin: &Plugin) -> Result<Vec<StrategyDescription>, EngineError> {
    let own = plugin.strategies().map_err(|source| EngineError::Strategies {
        backend: plugin.name().to_owned(),
        reason: source.to_string(),
    })?;
    if !own.is_empty() {
        return Ok(own);
    }
    let stock = stock::ALL.iter().map(|description| StrategyDescription {
        name: description.name.to_owned(),
        summary: description.summary.to_owned(),
        memory: description.memory,
    });
    Ok(stock.collect())
}

/// Makes a backend's strategy: the one of this name, or its default. Gives its description as well.
pub(super) fn create(
    plugin: &Arc<Plugin>,
    name: Option<&str>,
    limits: Limits,
) -> Result<(AnyStrategy, StrategyDescription), EngineError> {
    let offered = strategies(plugin)?;
    let found = match name {
        None => offered.first(),
        Some(name) => offered.iter().find(|description| description.name == name),
    };
    let Some(description) = found else {
        return Err(EngineError::UnknownStrategy {
            backend: plugin.name().to_owned(),
            name: name.unwrap_or_default().to_owned(),
            known: offered.into_iter().map(|description| description.name).collect(),
        });
    };
    let strategy = match plugin.has_strategies() {
        true => AnyStrategy::Backend(
            BackendStrategy::create(plugin, &description.name, limits).map_err(EngineError::Backend)?,
        ),
        false => AnyStrategy::Stock(stock::create(&description.name, limits).ok_or_else(|| {
            EngineError::Strategies {
                backend: plugin.name().to_owned(),
                reason: format!("the stock strategy {} cannot be made", description.name),
            }
        })?),
    };
    Ok((strategy, description.clone()))
}
