//! Write an Interlock backend in Rust.
//!
//! A backend brings Groth16's heavy arithmetic to a device of its own: transforms over the scalar field (NTT) and sums of
//! multiples of points (MSM), on BN254 and BLS12-381. It is one shared library. Whoever runs Interlock drops it into a
//! folder; the host finds it, checks it, proves with it, and verifies every proof before it is given away.
//!
//! # Start
//!
//! `interlock plugin new mine --language rust --sdk …/plugins/sdk` writes a whole backend to change bit by bit, which proves
//! from the first minute on. `docs/vendor-guide.md` leads from there to a file that is shipped. From nothing, it is two
//! traits and a macro:
//!
//! | you write | it says |
//! |---|---|
//! | [`Backend`] | what the plugin is, which devices there are, how one is opened |
//! | [`Device`] | memory, lanes, keys, NTT, MSM; the rest is optional ([`Features`]) |
//! | [`export_backend!`] | that this is the library's backend |
//!
//! ```
//! use std::sync::Arc;
//!
//! use interlock_sdk::account::{Account, Held, Purpose};
//! use interlock_sdk::{
//!     Backend, BackendError, BasesSource, CancelToken, CurveId, Device, DeviceInfo, DomainSource, Features, Form,
//!     HostBytes, HostBytesMut, Memory, MsmRequest, NttOp, OpenParams, PluginInfo, Probe,
//! };
//! use zeroize::Zeroize;
//!
//! pub struct Mine;
//!
//! impl Backend for Mine {
//!     type Device = MyDevice;
//!
//!     const INFO: PluginInfo = PluginInfo {
//!         name: "mine",
//!         version: "0.1.0",
//!         description: "What it runs on, in one line",
//!         license: "MIT OR Apache-2.0",
//!         curves: &[CurveId::Bn254],
//!     };
//!
//!     fn probe() -> Probe {
//!         let device = DeviceInfo { name: "Example 9000".into(), ..DeviceInfo::default() };
//!         Probe { score: 100, reason: "driver 1.2".into(), devices: vec![device] }
//!     }
//!
//!     fn open(params: &OpenParams) -> Result<MyDevice, BackendError> {
//!         Ok(MyDevice { account: Account::new(params.memory_limit) })
//!     }
//! }
//!
//! pub struct MyDevice {
//!     account: Arc<Account>,
//! }
//!
//! /// Memory of the device; here, of the host.
//! pub struct Buffer {
//!     bytes: Vec<u8>,
//!     _held: Held,
//! }
//!
//! impl Drop for Buffer {
//!     fn drop(&mut self) {
//!         self.bytes.zeroize();
//!     }
//! }
//!
//! impl Device for MyDevice {
//!     type Lane = CancelToken;
//!     type Scalars = Buffer;
//!     type Bases = ();
//!     type Matrix = ();
//!     type Domain = ();
//!
//!     const FEATURES: Features = Features { matrices: false, pointwise: false, scale: false, cancel: true };
//!
//!     fn memory(&self) -> Memory {
//!         self.account.memory()
//!     }
//!
//!     fn lane(&self, cancel: CancelToken) -> Result<CancelToken, BackendError> {
//!         Ok(cancel)
//!     }
//!
//!     fn alloc(&self, count: usize) -> Result<Buffer, BackendError> {
//!         let held = self.account.hold(Purpose::Scalars, 32 * count as u64)?;
//!         Ok(Buffer { bytes: vec![0; 32 * count], _held: held })
//!     }
//!
//!     fn upload(
//!         &self,
//!         lane: &mut CancelToken,
//!         dst: &mut Buffer,
//!         first: usize,
//!         src: HostBytes<'_>,
//!     ) -> Result<(), BackendError> {
//!         lane.check()?;
//!         let src = src.as_slice();
//!         dst.bytes[32 * first..][..src.len()].copy_from_slice(src);
//!         Ok(())
//!     }
//!
//!     fn download(
//!         &self,
//!         lane: &mut CancelToken,
//!         src: &Buffer,
//!         first: usize,
//!         mut dst: HostBytesMut<'_>,
//!     ) -> Result<(), BackendError> {
//!         lane.check()?;
//!         dst.write(&src.bytes[32 * first..][..dst.len()])
//!     }
//!
//!     // The four that are left to write; until then the host is told so.
//!
//!     fn load_bases(&self, _: BasesSource) -> Result<(), BackendError> {
//!         Err(BackendError::unsupported("bases"))
//!     }
//!
//!     fn load_domain(&self, _: &DomainSource) -> Result<(), BackendError> {
//!         Err(BackendError::unsupported("domains"))
//!     }
//!
//!     fn ntt(&self, _: &mut CancelToken, _: &(), _: &mut Buffer, _: NttOp) -> Result<(), BackendError> {
//!         Err(BackendError::unsupported("transforms"))
//!     }
//!
//!     fn msm(
//!         &self,
//!         _: &mut CancelToken,
//!         _: &Buffer,
//!         _: Form,
//!         _: Vec<MsmRequest<'_, ()>>,
//!     ) -> Result<(), BackendError> {
//!         Err(BackendError::unsupported("sums"))
//!     }
//! }
//!
//! interlock_sdk::export_backend!(Mine);
//!
//! # fn main() {
//! // What was exported: the function table, with NULL where nothing is offered.
//! let table = interlock_api();
//! assert!(table.msm.is_some() && table.lane_cancel.is_some() && table.spmv.is_none());
//! # }
//! ```
//!
//! ```toml
//! [lib]
//! crate-type = ["cdylib"]
//!
//! [profile.release]
//! panic = "unwind" # a caught panic is an error; an abort takes the host with it
//! ```
//!
//! # What it does for you, and what stays with you
//!
//! | | the SDK | the backend |
//! |---|---|---|
//! | ABI | table, sizes, versions, both doors, error objects | nothing |
//! | arguments | handles, lengths, ranges, forms, aliases, NULL, alignment | what only it knows: a generator's order |
//! | panics | caught at the boundary | `panic = "unwind"`; no `abort`, no `exit` |
//! | threads | refuses a lane on two threads | any thread calls; at most [`OpenParams::threads`] threads that compute |
//! | memory | [`account::Account`]: the limit, *never fits*, *not now* | takes bytes before it allocates |
//! | lifetimes | objects outlive calls that use them, and devices their objects | waits for *queued* work when it drops |
//! | cancellation | [`CancelToken`]: set by the host, taken back after a wait | polls it between pieces of work |
//! | strategies | five stock ones, through the table | nothing, or one of its own |
//! | secrets | zeroes nothing that it does not own | overwrites scalars, digits, buckets, staging buffers; logs none |
//!
//! # Find your way
//!
//! | module | holds |
//! |---|---|
//! | [`backend`] | the two traits: **each method's contract** |
//! | [`types`] | what their methods take and give |
//! | [`account`] | a device's memory account: its limit, and the two kinds of out-of-memory |
//! | [`error`] | [`BackendError`] and its kinds |
//! | [`either`] | one device type out of two, for backends generic over the curve |
//! | [`cancel`] | the token by which running work is told to end |
//! | [`log`] | a line to the host's log; both standard streams are the host's |
//! | [`interlock`] | strategies: who may be in which phase on a device |
//! | `handles`, `thunks` | the ABI side: handle table and `extern "C"` functions |
//!
//! # A strategy of one's own
//!
//! An interlock strategy decides which proof may stage, compute and finish on a device, and with how many bytes
//! ([`interlock::Strategy`]). A backend that says nothing has the stock ones. One that knows its device better lists another,
//! a variation of a stock one or a state machine of its own:
//!
//! ```
//! use interlock_sdk::interlock::{Limits, MemoryPolicy, Strategy, stock};
//!
//! const SHALLOW: stock::Description = stock::Description {
//!     name: "shallow",
//!     summary: "ledger with one partition staged ahead: for a link that is faster than the kernels",
//!     memory: MemoryPolicy::Reserving,
//! };
//!
//! // Backend::strategies: its own first, which makes it the default.
//! fn strategies() -> Vec<stock::Description> {
//!     [&[SHALLOW][..], &stock::ALL].concat()
//! }
//!
//! // Backend::strategy
//! fn strategy(name: &str, limits: Limits) -> Option<Box<dyn Strategy>> {
//!     let (name, limits) = match name {
//!         "shallow" => (stock::LEDGER, Limits { max_staged: 1, ..limits }),
//!         name => (name, limits),
//!     };
//!     Some(Box::new(stock::create(name, limits)?))
//! }
//!
//! let limits = Limits { budget: 1 << 30, max_staged: 4 };
//! assert!(strategies().iter().all(|listed| strategy(listed.name, limits).is_some()));
//! assert!(strategy("unknown", limits).is_none());
//! ```

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
