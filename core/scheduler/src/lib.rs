//! Which proof's which part runs next, where, and with how much memory.
//!
//! A *job* is what a user submits: 1..n *partitions*, each a Groth16 proof. A partition is synthesised on the CPU, waits
//! for a worker of a device, and passes four phases there, as far as the device's
//! [`Strategy`](interlock_strategies::Strategy) lets it.
//!
//! [`Scheduler::on`] takes an event and the time, and gives actions. It has no clock, no thread, no lock and no I/O
//! (`clippy.toml` says so), so real threads and a simulator's virtual clock drive the same object, and a recorded run,
//! fed in again, gives the same decisions.
//!
//! ```text
//! Submit ─► queued ─► synthesising ─► ready ─► a worker ─► prepare ─► stage ─► compute ─► finish ─► done
//!                                       ▲                               │  not now: the slow path
//!                                       └──── failed, tried again ◄─────┘
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`event`] | what happens: the driver's part |
//! | [`action`] | what is to be done: the scheduler's answer |
//! | [`config`] | devices, pools, limits |
//! | [`scheduler`] | the state machine |
//! | `job`, `device`, `index` | its parts' states |
//! | `phases`, `failure` | how a partition goes on; what happens when it does not |

#![forbid(unsafe_code)]

pub mod action;
pub mod config;
mod device;
pub mod event;
mod failure;
mod index;
mod job;
mod phases;
pub mod scheduler;

pub use action::{Action, JobEnd, Note, Path};
pub use config::{Config, DeviceConfig};
pub use event::{Again, Event, JobSpec, Outcome, PartId, PartSpec, PhaseName, PriorityName, Time};
pub use scheduler::{Counters, Scheduler};
