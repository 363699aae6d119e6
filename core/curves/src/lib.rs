//! The curves that Interlock proves on: BN254 and BLS12-381.
//!
//! Where to look:
//!
//! * [`Curve`]: a run-time name of a curve, with its sizes and moduli;
//! * [`ProvingCurve`]: the compile-time side, a [`Pairing`](ark_ec::pairing::Pairing) that also knows the wire
//!   encodings of its scalars and points;
//! * [`with_curve!`]: from the first to the second;
//! * [`roots`]: the two families of roots of unity that key formats use;
//! * [`WireField`]: limb copies between bytes and field elements, for code that works below points.
//!
//! # Wire encodings
//!
//! A scalar is 32 bytes, little-endian, either *canonical* (the integer itself) or *Montgomery* (the integer
//! times `R = 2^256`, mod `r`). A base field element is always in Montgomery form, with `R = 2^256` on BN254 (32
//! bytes) and `R = 2^384` on BLS12-381 (48 bytes). An affine point is `x, y`, a Jacobian one `X, Y, Z`; in G2 each
//! coordinate is `c0, c1`. Affine infinity is all zero. No alignment is required. These are a `.zkey`'s encodings
//! and, in memory, arkworks' own limbs, so conversions are copies.

#![forbid(unsafe_code)]

mod curve;
mod dispatch;
#[cfg(fuzzing)]
mod memo;
mod point_error;
mod points;
mod proving_curve;
pub mod roots;
mod wire_field;

pub use curve::{Curve, UnknownCurve};
pub use point_error::PointError;
pub use points::ordinates;
pub use proving_curve::ProvingCurve;
pub use wire_field::WireField;

/// BLS12-381, as arkworks implements it.
pub use ark_bls12_381::Bls12_381;
/// BN254 (snarkjs calls it bn128), as arkworks implements it.
pub use ark_bn254::Bn254;
