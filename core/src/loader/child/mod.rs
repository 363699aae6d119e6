//! Running somebody else's code in a process of its own, so that this one outlives whatever that code does.
//!
//! | part | does |
//! |---|---|
//! | [`Supervised`] | the parent's side: starts a process group, takes its lines until a deadline, ends all of it |
//! | [`Channel`] | the child's side: where it tells lines, out of reach of what the code prints |
//! | [`Ended`] | how a process ended, in words |
//! | [`Tail`] | the last lines of what it printed, fit to be shown |
//!
//! The child tells lines over what was its standard output. What the code itself prints to standard output goes to standard
//! error, of which the parent keeps the end: the parent's own standard output is data, and nobody else writes there.

mod ended;
#[cfg(unix)]
mod inside;
#[cfg(target_os = "linux")]
mod supervised;
mod tail;

pub use ended::Ended;
#[cfg(unix)]
pub use inside::{Channel, take_stdin};
#[cfg(target_os = "linux")]
pub use supervised::{Supervised, Told};
pub use tail::Tail;
