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
#[cfg(target_arch = "x86_64")]
mod vector;
mod windowed;

pub use bases::LoadedBases;
pub use group::{CpuCurve, MsmGroup};

/// The instructions that MSMs use on this machine, for people.
pub fn instructions() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    return vector::description();
    #[cfg(not(target_arch = "x86_64"))]
    "portable"
}
