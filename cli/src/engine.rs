//! The engine, as commands set it up, and its answers as theirs.

use std::fs::File;
use std::io::BufWriter;
use std::sync::Arc;

use interlock_core::backend::{BackendError, BackendErrorKind};
use interlock_core::engine::{
    Checks, DeviceSpec, Engine, EngineConfig, EngineError, JobError, SubmitError, Timeline,
};
use interlock_core::groth16::{Observer, ProveError};

use crate::backends::Chosen;
use crate::config::{BackendSettings, Workers};
use crate::errors::{CannotWrite, EngineFailed, OverLimit};
use crate::output::print;
use crate::output::target::Target;

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

/// A timeline that is written into a file as things happen.
///
/// # Errors
/// It cannot be written.
pub(crate) fn timeline(target: Option<&Target>) -> Result<Timeline, CannotWrite> {
    let Some(target) = target else { return Ok(Timeline::off()) };
    let path = target.path();
    let file = File::create(path).map_err(|source| CannotWrite { path: path.to_owned(), source })?;
    Ok(Timeline::off().to(BufWriter::new(file)))
}

/// Waits for the engine's end, and says what could not be recorded.
pub(crate) fn end(engine: Engine) {
    let drained = engine.drain();
    if let Some(reason) = drained.timeline_failure {
        print::warning(&format!("the timeline is not whole: {reason}"));
    }
    for (device, worker) in drained.hung {
        print::warning(&format!(
            "device {device}, worker {worker}: a call of its backend hangs; it is left behind"
        ));
    }
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
