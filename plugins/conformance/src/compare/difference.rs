//! A difference as it is written down.

use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::case::{Case, Operation};

/// The version of the file.
pub const FORMAT: u32 = 1;

/// Who answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// The backend's name and version, or the file's path.
    pub backend: String,
    /// SHA-256 of its library; none for one inside the program.
    pub sha256: Option<String>,
    /// What it answered.
    pub answer: Answer,
}

/// A case in which two backends differ. Its inputs are random or edge cases, or follow from a seed: nothing of a user's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Difference {
    /// [`FORMAT`].
    pub interlock_difference: u32,
    /// The input.
    pub case: Case,
    /// The backend that is validated.
    pub backend: Side,
    /// The one that it is validated against.
    pub against: Side,
}

impl Difference {
    /// Reads a file's text.
    ///
    /// # Errors
    /// It is none, of another version, or its case is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        let difference: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if difference.interlock_difference != FORMAT {
            let found = difference.interlock_difference;
            return Err(format!("version {found} of a difference, this program reads {FORMAT}"));
        }
        if matches!(difference.case.operation, Operation::Files { .. }) {
            return Err("its input is in files of another machine".into());
        }
        difference.case.check()?;
        Ok(difference)
    }
}
