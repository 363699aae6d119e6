//! The child that runs the rows, and the parent that outlives it.
//!
//! A library's code runs as soon as it is opened, and may crash, exit or hang there or in any row. So each group runs in a
//! process of its own, which tells of every event on a pipe; what was running when the process ended is what is
//! reported. The caller says how such a process is started: usually the same program with a hidden flag.

mod child;
mod parent;

pub use child::Channel;
pub use parent::{Limits, ProcessError, supervise};
