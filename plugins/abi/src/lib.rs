//! The wire ABI between Interlock and a backend.
//!
//! This crate holds data layouts only: `#[repr(C)]` structs, `u32` constants, opaque handles and one function table,
//! [`InterlockApi`]. The C header `include/interlock_backend.h` is generated from it (`cargo xtask header`).
//! Rust backends do not use this crate directly: `interlock-sdk` offers a safe trait and fills the table.
//!
//! # How to read it
//!
//! | module | holds |
//! |---|---|
//! | [`version`] | the ABI version and what may change within it |
//! | [`handles`] | the opaque objects: device, lane, scalars, bases, matrix, domain, strategy, error |
//! | [`error`] | error codes and flags |
//! | [`plugin`] | what a plugin says of itself and of its devices |
//! | [`host`] | what the host offers to a plugin: its log |
//! | [`compute`] | descriptions of bases, matrices, domains and MSM requests |
//! | [`strategy`] | tickets, phases and decisions of interlock strategies |
//! | [`api`] | the function table |
//! | [`sizes`] | the frozen minimum size of each struct |
//! | [`transfer`] | reading and writing structs of an older or newer other side |
//! | [`door`] | the typed door for Rust plugins (feature `abi-stable`) |
//!
//! # Rules that hold everywhere
//!
//! - Every struct begins with `struct_size` (filled by the side that made the struct) and `ext`, a chain of optional
//!   extensions. Structs only ever grow at the end within a major version. A reader looks at a field only when
//!   `struct_size` covers it, and accepts any size that is at least the struct's minimum in [`sizes`].
//! - A `NULL` slot of the table means "not supported".
//! - Functions return `NULL` for success or an [`InterlockError`] that the caller destroys.
//!   Nothing unwinds across the boundary in either direction.
//! - Any thread may call any function; a lane is used by one thread at a time. There is no current device.
//! - A scalar is four 64-bit little-endian limbs (32 bytes) and a scalar buffer carries its form: canonical or
//!   Montgomery (R = 2^256). A G1 point is affine `x, y` in little-endian Montgomery limbs (BLS12-381: 48 bytes each,
//!   R = 2^384; BN254: 32 bytes each, R = 2^256); G2 has `c0, c1` per coordinate; infinity is all zero; alignment 1.
//!   MSM results are Jacobian `X, Y, Z` in the same limbs, `Z = 0` being infinity.

pub mod api;
pub mod compute;
#[cfg(feature = "abi-stable")]
pub mod door;
pub mod error;
pub mod handles;
pub mod host;
pub mod plugin;
pub mod sizes;
pub mod strategy;
pub mod transfer;
pub mod version;

pub use api::*;
pub use compute::*;
pub use error::*;
pub use handles::*;
pub use host::*;
pub use plugin::*;
pub use strategy::*;
pub use version::*;
