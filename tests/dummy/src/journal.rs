//! What was called, in order.

use interlock_sdk::ErrorKind;

use crate::operation::Operation;

/// The begin or the end of a call. Calls of several lanes interleave; a lane's own never do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What was called.
    pub operation: Operation,
    /// On which lane, numbered from 1 in the order in which the device's lanes were made; none when it needs none.
    pub lane: Option<u64>,
    /// Scalars that the call is about: those that are allocated, moved, transformed or summed over.
    pub scalars: u64,
    /// How it ended; none at its begin.
    pub outcome: Option<Outcome>,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It did what it was asked.
    Done,
    /// It answered an error.
    Failed(ErrorKind),
    /// It unwound.
    Panicked,
}
