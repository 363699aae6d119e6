//! Multi-scalar multiplication.
//!
//! Witnesses are mostly zeros, ones and small values, so scalars are classified first: zeros cost a comparison, ones an
//! addition, values below 2^64 a quarter of a multiplication. What is left goes to a windowed (Pippenger) kernel.

mod bases;
mod batch_affine;
mod blst_kernels;
mod bn254;
mod classify;
mod group;
mod windowed;

pub use bases::LoadedBases;
pub use group::{CpuCurve, MsmGroup};
