//! The table's part about the library's errors.

use std::error::Error;
use std::io::ErrorKind;

use interlock_core::backend::{BackendError, BackendErrorKind, PluginError};
use interlock_core::engine::EngineError;
use interlock_core::export::ExportError as ContractError;
use interlock_core::files::{KeyFileError, MissingCircuit, WriteVerifyingKeyError};
use interlock_core::format::{FormatError, FormatErrorKind};
use interlock_core::groth16::verify::WrongSignalCount;
use interlock_core::groth16::{BatchError, ProveError};
use interlock_core::key::{ConventionError, ExportError};
use interlock_core::loader::child::Ended;
use interlock_core::loader::{LoadError, SelectError};
use interlock_core::setup::SetupError;
use interlock_simulator::Error as SimulatorError;
use interlock_timeline::Error as TimelineError;

use super::{DOCTOR, ONE_CIRCUIT};
use crate::exit::Exit;

/// What the table says of an error of the library's.
pub(super) fn verdict(error: &(dyn Error + 'static)) -> Option<(Exit, Option<&'static str>)> {
    if let Some(error) = error.downcast_ref::<ProveError>() {
        return Some(prove(error));
    }
    if let Some(error) = error.downcast_ref::<FormatError>() {
        return Some(format(error.kind()));
    }
    if let Some(KeyFileError::Format(error)) = error.downcast_ref::<KeyFileError>() {
        return Some(format(error.kind()));
    }
    if error.is::<MissingCircuit>() || error.is::<KeyFileError>() {
        return Some((Exit::Usage, Some("name the circuit that the key was made for: --r1cs CIRCUIT.r1cs")));
    }
    if let Some(error) = error.downcast_ref::<ExportError>() {
        return Some((Exit::Input, export(error)));
    }
    if error.is::<ConventionError>() {
        return Some((Exit::Input, Some("`interlock inspect FILE` tells what a file holds")));
    }
    if let Some(error) = error.downcast_ref::<WriteVerifyingKeyError>() {
        let hint = matches!(error, WriteVerifyingKeyError::NeedsProvingKey)
            .then_some("interlock export vk KEY OUT --to bellman");
        return Some((Exit::Input, hint));
    }
    if let Some(error) = error.downcast_ref::<ContractError>() {
        let exit = if matches!(error, ContractError::Name(_)) { Exit::Usage } else { Exit::Input };
        return Some((exit, None));
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
    if error.is::<PluginError>() {
        return Some((Exit::Backend, Some(DOCTOR)));
    }
    if let Some(error) = error.downcast_ref::<SetupError>() {
        return Some(match error {
            SetupError::Randomness(_) => (Exit::Backend, None),
            _ => (Exit::Input, None),
        });
    }
    if let Some(error) = error.downcast_ref::<BatchError>() {
        return Some(match error {
            BatchError::Signals { .. } => (Exit::Input, Some(ONE_CIRCUIT)),
            _ => (Exit::Backend, Some(DOCTOR)),
        });
    }
    if let Some(error) = error.downcast_ref::<EngineError>() {
        return Some(match error {
            EngineError::UnknownStrategy { .. } | EngineError::Config(_) | EngineError::NoDevice => {
                (Exit::Usage, Some("`interlock backends` lists each backend's interlock strategies"))
            }
            EngineError::Backend(error) => backend(error.kind),
            _ => (Exit::Backend, Some(DOCTOR)),
        });
    }
    if error.is::<WrongSignalCount>() {
        return Some((Exit::Input, Some(ONE_CIRCUIT)));
    }
    if let Some(error) = error.downcast_ref::<SimulatorError>() {
        return Some(simulator(error));
    }
    if error.is::<SelectError>() {
        return Some((
            Exit::Backend,
            Some("`interlock backends` lists what is there; --backend auto takes the best that works"),
        ));
    }
    None
}

fn simulator(error: &SimulatorError) -> (Exit, Option<&'static str>) {
    match error {
        SimulatorError::Read { .. } | SimulatorError::Syntax { .. } | SimulatorError::Value { .. } => (
            Exit::Input,
            Some(
                "docs/simulator.md says what a scenario and a machine file hold; --show NAME prints a shipped one",
            ),
        ),
        SimulatorError::Strategy { .. } => {
            (Exit::Usage, Some("`interlock help simulate` lists what it takes"))
        }
        SimulatorError::NeverFits { .. } => {
            (Exit::Memory, Some("give the device more memory, or the partition fewer constraints"))
        }
        _ => (Exit::Backend, None),
    }
}

fn export(error: &ExportError) -> Option<&'static str> {
    match error {
        ExportError::Rows => Some(
            "keep the .zkey for proving: `interlock prove --proof-format` writes proofs of other formats",
        ),
        ExportError::Curve(_) => Some("--to arkworks or --to snarkjs hold both curves"),
        ExportError::Point { .. } => {
            Some("compare the key's SHA-256 (`interlock inspect KEY`) with its publisher's")
        }
        ExportError::Infinity { .. } => Some("--to arkworks and --to snarkjs have a place for it"),
        _ => None,
    }
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
        ProveError::NotOne | ProveError::Unsatisfied { .. } => (
            Exit::Witness,
            Some(
                "`interlock prove --r1cs CIRCUIT.r1cs` names the first constraint that does not hold; make the witness anew, with the circuit that the key was made for",
            ),
        ),
        ProveError::Backend(error) => backend(error.kind),
        ProveError::Exhausted { last, .. } => prove(last),
        ProveError::SelfCheck { differs: Some(_), .. } => {
            (Exit::SelfCheck, Some("the device or its driver computes wrong results: try --backend embedded"))
        }
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

/// What to do about a timeline.
pub(super) fn timeline(error: &TimelineError) -> Option<&'static str> {
    match error {
        TimelineError::Io(_) => Some("check the path, and that you may read the file"),
        TimelineError::Version { .. } => Some("take the version of Interlock that wrote it, or record anew"),
        TimelineError::Line { .. } | TimelineError::Fault { .. } | TimelineError::LongLine { .. } => {
            Some("the lines before it can be looked at: `head -n LINES TIMELINE | interlock timeline -`")
        }
        _ => None,
    }
}

fn load(error: &LoadError) -> Option<&'static str> {
    match error {
        // These say themselves what to do.
        LoadError::Io { .. }
        | LoadError::SignatureRequired { .. }
        | LoadError::NotAllowed { .. }
        | LoadError::Unsigned { .. }
        | LoadError::Permissions { .. }
        | LoadError::NotHere => None,
        LoadError::Hash { .. } | LoadError::Manifest { .. } => {
            Some("install it again from a source that you trust: `interlock plugin install FILE`")
        }
        LoadError::Signature { .. } => Some("get library and signature again from their vendor"),
        LoadError::Misbehaved { ended: Ended::Running(_), .. } => Some(
            "a driver that wakes many devices may need more time: --probe-timeout SECONDS, INTERLOCK_PROBE_TIMEOUT",
        ),
        LoadError::Misbehaved { .. } => {
            Some("it was a process of its own that was hit; tell the backend's vendor")
        }
        LoadError::Prober { .. } => Some(DOCTOR),
        _ => Some("`interlock inspect FILE` tells what a file holds"),
    }
}
