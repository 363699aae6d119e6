//! Two backends, operation by operation and proof by proof.
//!
//! [`Case`] is one operation with all of its input, or one proof; [`Case::run`] gives what a backend [answers](Answer). Where
//! two answers differ, [`shrink`] looks for a smaller case in which they still do, and a [`Difference`] is what can be written
//! down, sent to somebody, and run again.
//!
//! | module | holds |
//! |---|---|
//! | `hex` | bytes as they are written down |
//! | `case` | what is run |
//! | `answer` | what comes of it, in a normal form |
//! | `check` | that a case which somebody sent is one |
//! | `operations` | running an operation |
//! | `proofs` | running a proof |
//! | `generate` | edge cases and random ones |
//! | `shrink` | smaller cases |
//! | `difference` | the file |
//! | `worker` | a backend in a process of its own, which may crash or hang |

mod answer;
mod case;
mod check;
mod difference;
mod generate;
mod hex;
mod operations;
mod proofs;
mod shrink;
#[cfg(unix)]
mod worker;

pub use answer::{Answer, Mismatch};
pub use case::{Case, GroupName, Operation, ScalarForm, Transform};
pub use difference::{Difference, FORMAT, Side};
pub use generate::{Plan, cases};
pub use hex::Hex;
pub use shrink::shrink;
#[cfg(unix)]
pub use worker::{Greeting, Worker, WorkerError, serve};
