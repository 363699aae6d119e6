//! Write an Interlock backend in safe Rust.
//!
//! A backend implements two traits, [`Backend`] (what it is, what devices there are) and [`Device`] (memory, keys,
//! NTT, MSM), and exports itself with [`export_backend!`]. The SDK does the rest of the ABI: it fills sizes and
//! versions, catches panics, checks every handle, length, form and alias before a trait method sees it, and zeroes
//! nothing that it does not own: **a backend zeroises its own scalar memory when a buffer is dropped**.
//!
//! ```
//! use interlock_sdk::{Backend, BackendError, CurveId, Device, Probe};
//! # use interlock_sdk::*;
//!
//! struct Nothing;
//!
//! impl Backend for Nothing {
//!     type Device = NoDevice;
//!     const INFO: PluginInfo = PluginInfo {
//!         name: "nothing",
//!         version: "0.1.0",
//!         description: "A backend without devices",
//!         license: "MIT OR Apache-2.0",
//!         curves: &[CurveId::Bn254],
//!     };
//!     fn probe() -> Probe {
//!         Probe { score: 0, reason: "it never has a device".into(), devices: Vec::new() }
//!     }
//!     fn open(_: &OpenParams) -> Result<NoDevice, BackendError> {
//!         Err(BackendError::device("there is no device"))
//!     }
//! }
//!
//! enum NoDevice {}
//! # impl Device for NoDevice {
//! #     type Lane = (); type Scalars = (); type Bases = (); type Matrix = (); type Domain = ();
//! #     fn memory(&self) -> Memory { match *self {} }
//! #     fn lane(&self, _: CancelToken) -> Result<(), BackendError> { match *self {} }
//! #     fn alloc(&self, _: usize) -> Result<(), BackendError> { match *self {} }
//! #     fn upload(&self, _: &mut (), _: &mut (), _: usize, _: HostBytes<'_>) -> Result<(), BackendError> { match *self {} }
//! #     fn download(&self, _: &mut (), _: &(), _: usize, _: HostBytesMut<'_>) -> Result<(), BackendError> { match *self {} }
//! #     fn load_bases(&self, _: BasesSource) -> Result<(), BackendError> { match *self {} }
//! #     fn load_domain(&self, _: &DomainSource) -> Result<(), BackendError> { match *self {} }
//! #     fn ntt(&self, _: &mut (), _: &(), _: &mut (), _: NttOp) -> Result<(), BackendError> { match *self {} }
//! #     fn msm(&self, _: &mut (), _: &(), _: Form, _: Vec<MsmRequest<'_, ()>>) -> Result<(), BackendError> { match *self {} }
//! # }
//! interlock_sdk::export_backend!(Nothing);
//! # fn main() { assert!(interlock_get_api as *const () as usize != 0); }
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`backend`] | the two traits |
//! | [`types`] | what their methods take and give |
//! | [`either`] | one device type out of two, for backends generic over the curve |
//! | [`error`] | [`BackendError`] |
//! | [`interlock`] | strategies: who may be in which phase on a device |
//! | [`account`] | a device's memory account: its limit, and the two kinds of out-of-memory |
//! | [`cancel`] | the token by which running work is told to end |
//! | [`log`] | a line to the host's log |
//! | `handles`, `thunks` | the ABI side: handle table and `extern "C"` functions |

pub mod account;
pub mod backend;
pub mod cancel;
pub mod either;
pub mod error;
mod export;
mod handles;
pub mod log;
mod thunks;
pub mod types;

pub use backend::{Backend, Device, Features};
pub use cancel::CancelToken;
pub use either::Either;
pub use error::{BackendError, ErrorKind};
pub use export::table;
/// Interlock strategies: the trait, and the stock ones.
pub use interlock_strategies as interlock;
pub use types::{
    BasesSource, CurveId, DeviceInfo, DomainSource, Form, Group, HostBytes, HostBytesMut, KeySlice,
    MatrixSource, Memory, MsmRequest, NttOp, OpenParams, PluginInfo, PointwiseOp, Probe,
};

/// For [`export_backend!`] only.
#[doc(hidden)]
pub mod __private {
    pub use crate::export::{install_host, table};
    pub use abi_stable;
    pub use interlock_abi as abi;
}
