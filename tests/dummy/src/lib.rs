//! A backend for tests: real arithmetic, and a script that says how it misbehaves.
//!
//! It wraps the CPU backend's device, so proofs that come out are proofs. A [`Bench`] is a plugin of its own with one or
//! more devices, linked into the test; each device has a [`Script`], through which the test limits its memory, slows
//! its operations, lets calls fail, panic, hang, compute wrongly or lose the device, and sees what was called and what is
//! still alive. Benches share nothing, so tests run beside each other.
//!
//! ```
//! use interlock_core::backend::{BackendErrorKind, Device, DeviceOptions, Plugin, Scalars};
//! use interlock_curves::Curve;
//! use interlock_dummy::{Bench, ErrorKind, Operation};
//!
//! let bench = Bench::new();
//! let plugin = Plugin::linked(bench.api())?;
//! let device = Device::open(&plugin, Curve::Bn254, DeviceOptions::default())?;
//!
//! bench.script().on(Operation::Alloc).nth(2).fail(ErrorKind::NotNow);
//! let first = Scalars::alloc(&device, 100)?;
//! let second = Scalars::alloc(&device, 100).unwrap_err();
//! assert_eq!(second.kind, BackendErrorKind::NotNow);
//! assert_eq!(bench.script().live_bytes(), 3200);
//! drop(first);
//! assert_eq!(bench.script().live_bytes(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`mod@bench`] | a plugin with its devices; which one a table belongs to |
//! | [`script`] | the handle by which a test rules a device |
//! | [`fault`] | what happens to which call |
//! | [`operation`] | the calls that can be named |
//! | [`account`] | bytes and objects that are alive |
//! | [`journal`] | what was called, in order |
//! | [`solo`] | a strategy that only this backend has |
//! | `device`, `call`, `stall`, `corrupt` | the device itself: what a call goes through, waiting, wrong results |
//! | `door` | the tables |

pub mod account;
pub mod bench;
mod call;
mod corrupt;
mod device;
mod door;
pub mod fault;
pub mod journal;
pub mod operation;
pub mod script;
pub mod solo;
mod stall;

pub use account::Objects;
pub use bench::{BENCHES, Bench, MOST_DEVICES};
pub use fault::{Armed, Failure, Loss, Plan};
/// The kinds of failures that a script can order.
pub use interlock_sdk::ErrorKind;
pub use journal::{Entry, Outcome};
pub use operation::Operation;
pub use script::{DEFAULT_MEMORY, Delay, Script};

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A lock that a panicking test or a scripted panic left behind guards counters and lists that are whole all the same.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
