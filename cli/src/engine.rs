//! The engine, as commands set it up, and its answers as theirs.

use std::fs::OpenOptions;
use std::io::BufWriter;
use std::sync::Arc;

use interlock_core::backend::{BackendError, BackendErrorKind};
use interlock_core::engine::{
    Checks, DeviceSpec, Engine, EngineConfig, EngineError, JobError, SubmitError, Timeline, strategies,
};
use interlock_core::groth16::{Observer, ProveError};

use crate::backends::Chosen;
use crate::config::{BackendSettings, Workers};
use crate::errors::{CannotWrite, EngineFailed, OverLimit, TimelineLost, Usage};
use crate::output::atomic::fresh;
use crate::output::print;
use crate::output::target::Target;
use crate::similar::closest;

/// An engine whose devices are the chosen backends, each of the next rank.
///
/// # Errors
/// It cannot be started.
pub(crate) fn start(
    chosen: &Chosen,
    settings: &BackendSettings,
    workers: Workers,
    interlock: Option<String>,
    change: impl FnOnce(EngineConfig) -> EngineConfig,
    timeline: Timeline,
) -> Result<Engine, EngineError> {
    let devices = (0..).zip(&chosen.usable).map(|(tier, selected)| {
        DeviceSpec::new(&selected.plugin, settings.device).with_workers(workers.per_device).with_tier(tier)
    });
    let config = EngineConfig {
        interlock,
        partition_workers: workers.partition,
        max_staged: workers.max_staged,
        threads: settings.device.threads,
        ..EngineConfig::new(devices.collect())
    };
    Engine::new(change(config), timeline)
}

/// How the chosen backends check proofs, and who hears of them.
pub(crate) fn checks(chosen: &Chosen, self_check: bool, observer: Arc<dyn Observer + Send + Sync>) -> Checks {
    Checks {
        self_check,
        check_against: chosen.check_against.as_ref().map(|selected| Arc::clone(&selected.plugin)),
        reference: Some(Arc::clone(&chosen.reference)),
        observer,
    }
}

/// A timeline that is written as things happen, into a file that replaces what was there at once: it can be looked at
/// while it grows.
///
/// # Errors
/// It cannot be written.
pub(crate) fn timeline(target: Option<&Target>) -> Result<Timeline, CannotWrite> {
    let Some(target) = target else { return Ok(Timeline::off()) };
    let file = match target {
        Target::File(path) => fresh(path),
        Target::Stream(path) => OpenOptions::new().write(true).open(path),
    };
    let file = file.map_err(|source| CannotWrite { path: target.path().to_owned(), source })?;
    Ok(Timeline::off().to(BufWriter::new(file)))
}

/// Waits for the engine's end, and says what else there is to be said of it.
///
/// # Errors
/// The timeline is not whole.
pub(crate) fn end(engine: Engine) -> Result<(), TimelineLost> {
    let drained = engine.drain();
    for (device, worker) in drained.hung {
        print::warning(&format!(
            "device {device}, worker {worker}: a call of its backend hangs; it is left behind"
        ));
    }
    drained.timeline_failure.map_or(Ok(()), |reason| Err(TimelineLost(reason)))
}

/// Where the name of a strategy comes from.
pub(crate) const FLAG: &str = "--interlock, INTERLOCK_INTERLOCK or the configuration file";

/// Whether all backends offer an interlock strategy.
///
/// # Errors
/// One does not; `source` says who asked for it.
pub(crate) fn expect_strategy(chosen: &Chosen, source: &str, name: &str) -> anyhow::Result<()> {
    for selected in &chosen.usable {
        let offered = strategies(&selected.plugin)?;
        let known: Vec<&str> = offered.iter().map(|strategy| strategy.name.as_str()).collect();
        if !known.contains(&name) {
            let meant = closest(name, known.iter().copied());
            let meant = meant.map(|name| format!("; did you mean {name}?")).unwrap_or_default();
            let (backend, known) = (selected.plugin.name(), known.join(", "));
            return Err(Usage(format!(
                "there is no interlock strategy {name:?} (by {source}): backend {backend} has {known}{meant}"
            ))
            .into());
        }
    }
    Ok(())
}

/// What a job that was not taken means for its command.
pub(crate) fn not_taken(error: SubmitError) -> anyhow::Error {
    match error {
        SubmitError::Partition { source, .. } => source.into(),
        error => EngineFailed(error.to_string()).into(),
    }
}

/// What a job that was not done means for its command; `limited` says that memory was limited by the user.
pub(crate) fn not_done(error: JobError, limited: bool) -> anyhow::Error {
    match error {
        JobError::Failed { source, .. } if limited && never_fits(&source) => {
            OverLimit(source.to_string()).into()
        }
        JobError::Failed { source, .. } => (*source).into(),
        JobError::Cancelled | JobError::Late => ProveError::Cancelled.into(),
        error @ JobError::NeverFits { .. } => OverLimit(error.to_string()).into(),
        error => EngineFailed(error.to_string()).into(),
    }
}

/// Whether a device would need more memory than it may ever have.
fn never_fits(error: &ProveError) -> bool {
    match error {
        ProveError::Backend(BackendError { kind, .. }) => *kind == BackendErrorKind::NeverFits,
        ProveError::Exhausted { last, .. } => never_fits(last),
        _ => false,
    }
}
