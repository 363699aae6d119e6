//! Multi-scalar multiplication.
//!
//! Witnesses are mostly zeros, ones and small values, so scalars are classified first: zeros cost a comparison, ones an
//! addition, values below 2^64 a quarter of a multiplication. What is left goes to a windowed (Pippenger) kernel.

mod arkworks;
mod bases;
mod blst_kernels;
mod classify;
mod group;

pub use bases::LoadedBases;
pub use group::{CpuCurve, MsmGroup};
