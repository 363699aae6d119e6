//! The host's side of the ABI: safe, owning wrappers over a backend's function table.
//!
//! Here is the only code in this crate that calls a table. Above it, a [`Plugin`] is opened as a [`Device`]; a device
//! makes [`Lane`]s, [`Scalars`], [`Bases`], [`Matrix`] and [`Domain`]; each frees its handle when dropped and keeps alive
//! whatever the backend borrows (a key's mapped file, say).
//!
//! Optional operations that a backend lacks are composed on the host ([`compose`](self)), and the device tells which
//! ([`Device::composed`]), so that nobody is slow without knowing why.

mod api;
mod compose;
mod device;
mod error;
mod host;
mod lane;
mod objects;
mod plugin;
mod strategy;

pub use device::{Device, DeviceOptions, MemoryInfo};
pub use error::{BackendError, BackendErrorKind};
pub use host::{LogLevel, set_log_sink};
pub use lane::{Canceller, Lane, MsmTerm, NttOp};
pub use objects::{Bases, Domain, DomainSpec, Form, Group, Matrix, Scalars};
pub use plugin::{DeviceDescription, Origin, Plugin, PluginError, PluginInfo, Probe, valid_plugin_name};

pub use strategy::{BackendStrategy, StrategyDescription};

pub(crate) use host::host_table;
