//! What the MSM needs of a group, and which groups a curve has.

use interlock_curves::{Bls12_381, Bn254, ProvingCurve};
use interlock_sdk::{BackendError, CancelToken};

use crate::msm::{blst_kernels, bn254};

/// A group with the kernels that an MSM is made of.
///
/// `points` are packed affine points in the wire encoding, aligned to 8 bytes.
pub trait MsmGroup: 'static {
    /// Bytes of an affine point.
    const POINT_BYTES: usize;
    /// A sum, in projective coordinates.
    type Sum: Copy + Send + Sync + 'static;

    /// The neutral element.
    fn zero() -> Self::Sum;
    /// `a + b`, complete.
    fn add(a: Self::Sum, b: Self::Sum) -> Self::Sum;
    /// The sum of the chosen points; one thread.
    fn sum(points: &[u8], chosen: &[u32]) -> Self::Sum;
    /// `Σ scalars[i] · points[chosen[i]]` for packed little-endian scalars of `scalar_bytes` each (8 or 32, the latter
    /// below r), on the current rayon pool.
    ///
    /// # Errors
    /// Cancelled, or out of memory.
    fn multiply(
        points: &[u8],
        chosen: &[u32],
        scalars: &[u8],
        scalar_bytes: usize,
        cancel: &CancelToken,
    ) -> Result<Self::Sum, BackendError>;
    /// Jacobian coordinates in the wire encoding.
    fn encode(sum: &Self::Sum) -> Vec<u8>;
}

/// A curve with the kernels of its two groups.
pub trait CpuCurve: ProvingCurve {
    /// G1.
    type CpuG1: MsmGroup;
    /// G2.
    type CpuG2: MsmGroup;
}

impl CpuCurve for Bn254 {
    type CpuG1 = bn254::Bn254G1;
    type CpuG2 = bn254::Bn254G2;
}

impl CpuCurve for Bls12_381 {
    type CpuG1 = blst_kernels::BlsG1;
    type CpuG2 = blst_kernels::BlsG2;
}
