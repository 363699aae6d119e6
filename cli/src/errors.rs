//! From an error to what the user gets: an exit code, a message and a hint. The table is [`verdict`].

use std::error::Error;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Duration;

use interlock_core::backend::{BackendError, BackendErrorKind, PluginError};
use interlock_core::format::{FormatError, FormatErrorKind};
use interlock_core::groth16::ProveError;
use interlock_core::groth16::verify::WrongSignalCount;
use interlock_core::loader::{LoadError, SelectError};
use interlock_core::setup::SetupError;

use crate::exit::Exit;
use crate::output::text::plural;

/// The command line is wrong in a way that only shows beyond parsing it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(pub(crate) String);

/// The configuration is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("configuration {}: {problem}", path.display())]
pub(crate) struct BadConfig {
    /// Which file.
    pub(crate) path: PathBuf,
    /// What is wrong, the key first.
    pub(crate) problem: String,
}

/// A file cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot write: {source}", path.display())]
pub(crate) struct CannotWrite {
    /// Which file.
    pub(crate) path: PathBuf,
    /// Why not.
    pub(crate) source: std::io::Error,
}

/// What a command has to say cannot be printed.
#[derive(Debug, thiserror::Error)]
#[error("standard output: cannot write: {source}{}", .done.map(|done| format!("; {done}")).unwrap_or_default())]
pub(crate) struct CannotPrint {
    /// Why not.
    pub(crate) source: std::io::Error,
    /// What was done nevertheless.
    pub(crate) done: Option<&'static str>,
}

/// A file of no known kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {kind}", path.display())]
pub(crate) struct UnknownFile {
    /// Which file.
    pub(crate) path: PathBuf,
    /// What it seems to be.
    pub(crate) kind: String,
}

/// A file of another kind than the one that is needed in its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Misplaced(pub(crate) String);

/// More or fewer public signals than the verification key is for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} holds {}, {} is for {}: they belong to different circuits",
    public.display(), plural(*given, "public signal"), key.display(), plural(*wanted, "public signal")
)]
pub(crate) struct SignalCount {
    /// The public signals.
    pub(crate) public: PathBuf,
    /// How many there are.
    pub(crate) given: u64,
    /// The verification key.
    pub(crate) key: PathBuf,
    /// How many it is for.
    pub(crate) wanted: u64,
}

/// A device would need more memory than `--memory-limit` allows.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(crate) struct OverLimit(pub(crate) ProveError);

/// This machine cannot do the work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Unusable(pub(crate) String);

/// The command was told to end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Interrupted {
    /// By a signal.
    #[error("cancelled; nothing was written")]
    Signal,
    /// By the clock.
    #[error("not done within {} s; nothing was written", .0.as_secs_f64())]
    Timeout(Duration),
}

/// What the user gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// How the program ends.
    pub(crate) exit: Exit,
    /// What happened.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) hint: Option<&'static str>,
}

/// The failure of an error: the first entry of its chain that the table knows decides.
pub(crate) fn failure(error: &anyhow::Error) -> Failure {
    // `{:#}` would repeat sources that our errors already show in their own line.
    let message = error.to_string();
    let (exit, hint) = error.chain().find_map(verdict).unwrap_or((Exit::Backend, None));
    Failure { exit, message, hint }
}

/// The table.
fn verdict(error: &(dyn Error + 'static)) -> Option<(Exit, Option<&'static str>)> {
    if error.is::<OverLimit>() {
        return Some((
            Exit::Memory,
            Some(
                "raise --memory-limit or leave it out (also INTERLOCK_MEMORY_LIMIT, or memory_limit in the configuration)",
            ),
        ));
    }
    if let Some(error) = error.downcast_ref::<ProveError>() {
        return Some(prove(error));
    }
    if let Some(error) = error.downcast_ref::<FormatError>() {
        return Some(format(error.kind()));
    }
    if let Some(error) = error.downcast_ref::<BackendError>() {
        return Some(backend(error.kind));
    }
    if let Some(error) = error.downcast_ref::<LoadError>() {
        return Some((Exit::Backend, load(error)));
    }
    if let Some(PluginError::Call(error)) = error.downcast_ref::<PluginError>() {
        return Some(backend(error.kind));
    }
    if let Some(error) = error.downcast_ref::<SetupError>() {
        return Some(match error {
            SetupError::Randomness(_) => (Exit::Backend, None),
            _ => (Exit::Input, None),
        });
    }
    let plain = |exit, hint| Some((exit, hint));
    if error.is::<Usage>() {
        return plain(Exit::Usage, Some("`interlock help COMMAND` lists what a command takes"));
    }
    if error.is::<BadConfig>() {
        return plain(
            Exit::Usage,
            Some("correct the file, or name another one with --config or INTERLOCK_CONFIG"),
        );
    }
    if error.is::<CannotWrite>() {
        return plain(
            Exit::Input,
            Some("outputs need an existing folder in which you may write, with room on its disk"),
        );
    }
    if let Some(error) = error.downcast_ref::<CannotPrint>() {
        return plain(
            Exit::Input,
            error.done.map(|_| "only the report is missing: there is no need to do it again"),
        );
    }
    if error.is::<UnknownFile>() {
        return plain(
            Exit::Input,
            Some(
                "known are .zkey, .wtns, .r1cs, snarkjs's JSON files and backends; files of parameters have no mark",
            ),
        );
    }
    if error.is::<Interrupted>() {
        return plain(Exit::Cancelled, None);
    }
    if error.is::<Misplaced>() {
        return plain(Exit::Input, None);
    }
    if error.is::<WrongSignalCount>() || error.is::<SignalCount>() {
        return plain(Exit::Input, Some("take the three files of one circuit"));
    }
    if error.is::<SelectError>() {
        return plain(
            Exit::Backend,
            Some("`interlock backends` lists what is there; --backend auto takes the best that works"),
        );
    }
    if error.is::<Unusable>() || error.is::<PluginError>() {
        return plain(Exit::Backend, Some("`interlock doctor` checks this machine"));
    }
    None
}

fn prove(error: &ProveError) -> (Exit, Option<&'static str>) {
    if error.is_cancelled() {
        return (Exit::Cancelled, None);
    }
    match error {
        ProveError::WrongCurve { .. } | ProveError::WitnessLength { .. } => {
            (Exit::Input, Some("`interlock inspect FILE` shows what a key and a witness are for"))
        }
        ProveError::DamagedKey { .. } | ProveError::OutsideSubgroup { .. } | ProveError::DamagedHead(_) => {
            (Exit::Input, Some("compare the key's SHA-256 (`interlock inspect KEY`) with its publisher's"))
        }
        ProveError::NotOne | ProveError::Unsatisfied { .. } => {
            (Exit::Witness, Some("make the witness anew, with the circuit that the key was made for"))
        }
        ProveError::Backend(error) => backend(error.kind),
        ProveError::Exhausted { last, .. } => prove(last),
        ProveError::SelfCheck { .. } => (
            Exit::SelfCheck,
            Some(
                "the device or its driver computes wrong results: try --backend embedded, or --check-against embedded",
            ),
        ),
        ProveError::Nonsense { .. } | ProveError::Disagreement { .. } => {
            (Exit::Backend, Some("the device or its driver computes wrong results: try --backend embedded"))
        }
        _ => (Exit::Backend, None),
    }
}

fn format(kind: &FormatErrorKind) -> (Exit, Option<&'static str>) {
    match kind {
        FormatErrorKind::OutOfMemory { .. } => (Exit::Memory, Some("free memory, or use a larger machine")),
        // An address space that is too small for the map of a key.
        FormatErrorKind::Io { source, .. } if source.kind() == ErrorKind::OutOfMemory => {
            (Exit::Memory, Some("raise the limit on the address space (`ulimit -v`)"))
        }
        FormatErrorKind::Io { .. } | FormatErrorKind::NotAFile => {
            (Exit::Input, Some("check the path, and that you may read the file"))
        }
        FormatErrorKind::Magic { .. } => {
            (Exit::Input, Some("check the order of the files: `interlock help COMMAND` shows it"))
        }
        FormatErrorKind::CurveMismatch { .. } | FormatErrorKind::WitnessLength { .. } => {
            (Exit::Input, Some("take the files of one circuit"))
        }
        _ => (Exit::Input, Some("`interlock inspect FILE` tells what a file holds")),
    }
}

fn backend(kind: BackendErrorKind) -> (Exit, Option<&'static str>) {
    match kind {
        BackendErrorKind::NeverFits => (
            Exit::Memory,
            Some("take a device with more memory, or another backend: `interlock backends` lists them"),
        ),
        BackendErrorKind::NotNow => {
            (Exit::Memory, Some("end other programs that use the device, or try again later"))
        }
        BackendErrorKind::Cancelled => (Exit::Cancelled, None),
        BackendErrorKind::InvalidArgument | BackendErrorKind::Unsupported => {
            (Exit::Backend, Some("`interlock backends` lists devices and curves"))
        }
        _ => (
            Exit::Backend,
            Some("`interlock doctor` checks every backend; --backend embedded works everywhere"),
        ),
    }
}

fn load(error: &LoadError) -> Option<&'static str> {
    match error {
        // These say themselves what to do.
        LoadError::Io { .. }
        | LoadError::Unsigned { .. }
        | LoadError::Permissions { .. }
        | LoadError::NotHere => None,
        LoadError::Hash { .. } | LoadError::Manifest { .. } => {
            Some("install it again from a source that you trust: `interlock plugin install FILE`")
        }
        _ => Some("`interlock inspect FILE` tells what a file holds"),
    }
}

#[cfg(test)]
mod tests;
