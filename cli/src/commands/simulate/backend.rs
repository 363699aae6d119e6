//! A backend's strategies, for the simulator; no device is needed.

use std::sync::{Arc, Mutex, PoisonError};

use interlock_core::backend::{BackendStrategy, Plugin};
use interlock_core::loader::Trust;
use interlock_simulator::{Factory, Stock};
use interlock_strategies::{Account, Decision, Limits, MemoryPolicy, Misuse, Phase, Strategy, Ticket};

use super::Context;
use crate::args::{BackendList, SimulateArgs};
use crate::backends::{discover, embedded};
use crate::errors::Usage;

/// Why a strategy decides nothing any more, once one does not.
type Failure = Arc<Mutex<Option<String>>>;

/// A backend's strategies, or the stock ones for one that leaves them to the host.
pub(super) struct Offered {
    plugin: Arc<Plugin>,
    own: Vec<(String, MemoryPolicy)>,
    failure: Failure,
}

/// The strategies of the backend that `--backend` names.
///
/// # Errors
/// There is no such backend, it cannot be loaded, or it cannot say what it offers.
pub(super) fn strategies(
    args: &SimulateArgs,
    list: &BackendList,
    context: &Context,
) -> anyhow::Result<Offered> {
    let search = context.config.search(&args.search);
    let mut registry = discover(context.config.loader(), &search, &embedded()?);
    let trust = if args.allow_unsigned { Trust::Unsigned } else { Trust::Manifest };
    let mut files = list.files();
    let mut names = list.names();
    let plugin = match (files.next(), names.next(), files.next().is_some() || names.next().is_some()) {
        (Some(file), None, false) => registry.load_file(file, trust)?,
        (None, Some(name), false) => match registry.load_named(name) {
            Some(found) => found.map_err(|problem| Usage(format!("--backend {name}: {problem}")))?,
            None => return Err(Usage(format!("--backend {name}: no backend of this name was found")).into()),
        },
        _ => {
            return Err(
                Usage("--backend: name one backend whose strategies are to be simulated".into()).into()
            );
        }
    };
    let own = plugin.strategies()?.into_iter().map(|strategy| (strategy.name, strategy.memory)).collect();
    Ok(Offered { plugin, own, failure: Failure::default() })
}

impl Factory for Offered {
    fn strategies(&self) -> Vec<(String, MemoryPolicy)> {
        if self.own.is_empty() { Stock.strategies() } else { self.own.clone() }
    }

    fn create(&self, name: &str, limits: Limits) -> Result<Box<dyn Strategy>, String> {
        if self.own.is_empty() {
            return Stock.create(name, limits);
        }
        let names: Vec<&str> = self.own.iter().map(|(name, _)| name.as_str()).collect();
        if !names.contains(&name) {
            return Err(format!("backend {} offers {}", self.plugin.name(), names.join(", ")));
        }
        let inner = BackendStrategy::create(&self.plugin, name, limits).map_err(|error| error.to_string())?;
        Ok(Box::new(Watched { inner, failure: Arc::clone(&self.failure) }))
    }

    fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A backend's strategy whose failure is told.
struct Watched {
    inner: BackendStrategy,
    failure: Failure,
}

impl Strategy for Watched {
    fn request(&mut self, ticket: Ticket, phase: Phase, bytes: u64, peak: u64) -> Result<(), Misuse> {
        self.inner.request(ticket, phase, bytes, peak)
    }

    fn shrink(&mut self, id: u64, peak: u64) -> Result<(), Misuse> {
        self.inner.shrink(id, peak)
    }

    fn release(&mut self, id: u64, phase: Phase) -> Result<(), Misuse> {
        self.inner.release(id, phase)
    }

    fn cancel(&mut self, id: u64) {
        self.inner.cancel(id);
    }

    fn decide(&mut self, out: &mut Vec<Decision>) {
        self.inner.decide(out);
        if let Some(failure) = self.inner.failure() {
            self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure.to_string());
        }
    }

    fn account(&self) -> Account {
        self.inner.account()
    }
}
