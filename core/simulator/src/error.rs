//! What can be wrong.

use std::io;
use std::path::PathBuf;

/// Why something cannot be simulated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be had.
    #[error("{}: {source}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is not TOML, has a key that is not known, or lacks one.
    #[error("{file}, line {line}: {problem}")]
    Syntax {
        /// The file, or the name of a shipped one.
        file: String,
        /// From 1.
        line: usize,
        /// What is wrong; it names the key.
        problem: String,
    },
    /// A value cannot be.
    #[error("{file}: {key}: {problem}")]
    Value {
        /// The file, or the name of a shipped one.
        file: String,
        /// Which key.
        key: String,
        /// What is wrong with it, and what would be right.
        problem: String,
    },
    /// A strategy cannot be made.
    #[error("there is no interlock strategy {name:?}: {problem}")]
    Strategy {
        /// What was asked for.
        name: String,
        /// Why not, and which there are.
        problem: String,
    },
    /// A partition needs more of a device than there is.
    #[error("a partition needs {needed} bytes of a device, and there are {budget}: it never fits")]
    NeverFits {
        /// The most that it has there at once.
        needed: u64,
        /// What partitions may have there.
        budget: u64,
    },
    /// A law does not hold: the scheduler or the strategy is broken.
    #[error("at {at} µs a law is broken: {law}")]
    Law {
        /// When.
        at: u64,
        /// Which, and how.
        law: String,
    },
    /// Nothing goes on any more, and jobs are left.
    #[error(
        "at {at} µs nothing goes on any more, and {open} proofs are not done: the strategy lets nobody in"
    )]
    Stalled {
        /// When.
        at: u64,
        /// How many are left.
        open: u64,
    },
    /// What was simulated makes no timeline.
    #[error("what was simulated makes no timeline: {0}")]
    Timeline(#[from] interlock_timeline::Fault),
    /// The free constants of a machine cannot be fitted to the figures.
    #[error(
        "no value of {constant} gives the published {published} s of row {row:?}: between {least:.1} and {most:.1} s can be had"
    )]
    Fit {
        /// Which constant.
        constant: &'static str,
        /// The row that it is fitted on.
        row: String,
        /// The row's figure.
        published: f64,
        /// With the constant's least value.
        least: f64,
        /// With its greatest.
        most: f64,
    },
}

impl Error {
    pub(crate) fn value(file: &str, key: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Value { file: file.to_owned(), key: key.into(), problem: problem.into() }
    }
}
