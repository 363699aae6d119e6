//! What a row finds.

use std::fmt::{Debug, Display};

use interlock_core::backend::{BackendError, BackendErrorKind, PluginError};
use interlock_core::loader::LoadError;
use serde::{Deserialize, Serialize};

/// A row that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What was given to the backend, in words and short values; with the seed it can be made again.
    pub input: String,
    /// What it should have answered.
    pub expected: String,
    /// What it answered.
    pub got: String,
}

/// Why a row ended before its end.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// It does not hold.
    Failed(Failure),
    /// It is about something that the backend need not have, and has not.
    NotOffered(&'static str),
}

/// A row's result.
pub(crate) type Outcome = Result<(), Stop>;

impl From<BackendError> for Stop {
    fn from(error: BackendError) -> Self {
        failed(error.operation, "success", error)
    }
}

impl From<PluginError> for Stop {
    fn from(error: PluginError) -> Self {
        failed("the plugin's first calls", "success", error)
    }
}

impl From<LoadError> for Stop {
    fn from(error: LoadError) -> Self {
        failed("the library's file", "what was loaded", error)
    }
}

/// A failure.
pub(crate) fn failed(input: impl Display, expected: impl Display, got: impl Display) -> Stop {
    Stop::Failed(Failure { input: input.to_string(), expected: expected.to_string(), got: got.to_string() })
}

/// That two values are equal.
pub(crate) fn equal<T: PartialEq + Debug>(input: impl Display, expected: T, got: T) -> Outcome {
    if expected == got {
        Ok(())
    } else {
        Err(failed(input, format_args!("{expected:?}"), format_args!("{got:?}")))
    }
}

/// That something holds.
pub(crate) fn holds(input: impl Display, expected: impl Display, truth: bool, got: impl Display) -> Outcome {
    if truth { Ok(()) } else { Err(failed(input, expected, got)) }
}

/// That a call through the wrappers is refused, with one of these kinds.
pub(crate) fn refused<T>(
    input: impl Display,
    kinds: &[BackendErrorKind],
    result: Result<T, BackendError>,
) -> Outcome {
    match result {
        Err(error) if kinds.contains(&error.kind) => Ok(()),
        Err(error) => Err(failed(input, names(kinds), format_args!("{:?}: {error}", error.kind))),
        Ok(_) => Err(failed(input, names(kinds), "success")),
    }
}

/// `InvalidArgument or NeverFits`.
pub(crate) fn names(kinds: &[impl Debug]) -> String {
    let names: Vec<String> = kinds.iter().map(|kind| format!("{kind:?}")).collect();
    format!("an error of kind {}", names.join(" or "))
}
