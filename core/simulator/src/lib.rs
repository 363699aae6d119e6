//! The scheduler and the interlock strategies, the real ones, on a virtual clock, against a machine that a file describes.
//!
//! ```text
//! machine.toml ─► Machine ─┐
//!                          ├─► Setting ─┬─► run ─► Outcome: the records of a timeline, its model and summary, peaks
//! scenario.toml ─► Load  ──┘            ├─► bounds: the least time that it can take, by formulas
//!                                       └─► sweep: all settings of some axes, and the best
//! ```
//!
//! What is simulated writes the same records as an engine (`interlock-timeline`), so whatever reads those serves both; fed
//! to a fresh scheduler they give the identical decisions. Equal settings give equal bytes: times are whole microseconds, and
//! nothing depends on the order in which a hash table is walked. The laws of the strategies are looked at after each event;
//! one that does not hold is an error.
//!
//! | module | holds |
//! |---|---|
//! | [`scenario`], [`machine`], `machine_file` | what files say, checked |
//! | [`growth`], [`quantity`] | how costs grow; sizes and numbers of files |
//! | [`plan`] | what one partition of a given size takes |
//! | [`setting`] | what a machine and a load come to |
//! | [`factory`] | where strategies come from: the stock ones, or a vendor's |
//! | `run`, `simulation` | the driver: a virtual clock |
//! | `work`, `resource`, `laws` | what partitions do, what they share, what must hold |
//! | [`outcome`] | what came out |
//! | [`bound`] | the least time that a setting can take |
//! | [`mod@sweep`] | many settings, and the best |
//! | [`published`], [`fit`], [`compared`] | the published rows, the two free constants, `ledger` beside them |
//! | [`shipped`] | machines and scenarios that come with the library |

#![forbid(unsafe_code)]

pub mod bound;
pub mod compared;
mod error;
pub mod factory;
pub mod fit;
pub mod growth;
mod laws;
pub mod machine;
mod machine_file;
pub mod outcome;
pub mod plan;
pub mod published;
pub mod quantity;
mod resource;
mod run;
pub mod scenario;
pub mod setting;
pub mod shipped;
mod simulation;
pub mod sweep;
mod work;

pub use bound::Bounds;
pub use error::Error;
pub use factory::{Factory, Stock};
pub use machine::Machine;
pub use outcome::Outcome;
pub use scenario::{Load, Order, Scenario, Setting};
pub use sweep::{Axes, sweep};
