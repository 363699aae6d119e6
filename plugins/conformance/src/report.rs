//! What came of a run.

mod collect;
mod text;

use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use collect::Collector;

use crate::event::{RowId, Subject};
use crate::options::Level;
use crate::outcome::Failure;

/// How many rows ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// They hold.
    pub passed: u64,
    /// They do not, and nobody expected it.
    pub failed: u64,
    /// They do not, as expected.
    pub failed_as_expected: u64,
    /// They hold, although an entry of the table says that they do not.
    pub passed_unexpectedly: u64,
    /// They are about something that the backend need not have, and has not.
    pub not_offered: u64,
}

/// A row that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedRow {
    /// Which row.
    #[serde(flatten)]
    pub id: RowId,
    /// In what.
    #[serde(flatten)]
    pub failure: Failure,
    /// Why it was expected to fail, if it was.
    pub expected_because: Option<String>,
}

/// A child process that did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// The row that was running; `None` while the library was being loaded.
    pub row: Option<RowId>,
    /// How it ended: `signal 11 (SIGSEGV)`, `exit code 0`, `no row ended within 60 s`.
    pub how: String,
    /// The last lines that it wrote to standard error.
    pub stderr: String,
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Whether every row holds, or fails as expected, and none passed unexpectedly.
    pub conforms: bool,
    /// What was checked; `None` when it could not be loaded.
    pub subject: Option<Subject>,
    /// The file and its SHA-256, known before anything of it ran.
    pub file: Option<(String, String)>,
    /// Why the library was refused, if it was.
    pub refused: Option<String>,
    /// How much was run.
    pub level: Level,
    /// The seed of the whole run.
    pub seed: u64,
    /// How many rows ended how.
    pub counts: Counts,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// The rows that do not hold, in the order in which they ran, expected ones included.
    pub failed: Vec<FailedRow>,
    /// The rows that hold unexpectedly.
    pub passed_unexpectedly: Vec<RowId>,
    /// Child processes that did not come to their end.
    pub ended: Vec<Ended>,
}

impl Report {
    /// The groups in which a row failed unexpectedly, each once.
    pub fn failed_groups(&self) -> Vec<crate::Group> {
        let unexpected = |group: &crate::Group| {
            self.failed.iter().any(|row| row.id.group == *group && row.expected_because.is_none())
        };
        crate::Group::ALL.into_iter().filter(unexpected).collect()
    }

    /// For a person.
    pub fn text(&self) -> String {
        text::report(self)
    }
}

pub(crate) fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}
