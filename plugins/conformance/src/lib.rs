//! One suite that every backend must pass.
//!
//! [`run`] takes an opened [`Plugin`](interlock_core::backend::Plugin) through rows in eight [groups](Group), on every curve that it
//! has, and tells a listener of each [event](Event); a [`Report`] is what the events add up to. [`process`] does the same in
//! child processes, so that a backend that crashes, exits or hangs is reported instead of taking its host along.
//!
//! What a backend should have answered comes from arkworks or from the definition, never from another backend: sums over
//! points whose discrete logarithms are known, transforms by the recursion of their definition, proofs from the
//! trapdoor of their set-up.
//!
//! | module | holds |
//! |---|---|
//! | [`group`](Group) | the eight groups |
//! | `options` | level, seed, which groups, which device |
//! | `outcome` | what a row finds |
//! | `row` | a named case, and what it is given |
//! | `groups` | the rows, a file per group or half of one |
//! | `reference` | points, scalars, transforms, circuits: inputs and what should come of them |
//! | `raw` | calls of the table itself, where the safe wrappers would hide what is tested |
//! | `runner` | the rows in order, or at random until the time is over |
//! | [`expected`](ExpectedFailure) | failures that are known, with their reasons |
//! | [`report`] | what came of it, for programs and for people |
//! | [`compare`] | two backends, operation by operation and proof by proof |
//! | [`process`] | the child, and the parent that outlives it |

pub mod compare;
mod event;
mod expected;
mod group;
mod groups;
mod options;
mod outcome;
pub mod process;
mod raw;
mod reference;
pub mod report;
mod row;
mod runner;

pub use event::{Event, RowId, Subject};
pub use expected::{ExpectedFailure, ExpectedFailures};
pub use group::{Group, UnknownGroup};
pub use options::{Level, Options};
pub use outcome::Failure;
pub use report::{Collector, Counts, Ended, FailedRow, Report};
pub use runner::{check, run};
