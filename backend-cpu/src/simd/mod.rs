//! Sums of points by vector instructions, on processors with AVX-512 IFMA (Intel since Ice Lake, AMD since Zen 4).
//!
//! | file | holds |
//! |---|---|
//! | `lanes.rs` | eight 64-bit lanes: the only intrinsics |
//! | `modulus.rs` | the base fields' constants |
//! | `fp.rs`, `fp2.rs` | eight field elements |
//! | `adder.rs` | batches of affine additions |
//! | `sums.rs` | sums of buckets |
//!
//! A field multiplication in eight lanes takes some 130 instructions on BN254 and 320 on BLS12-381; scalar code takes
//! about as many for one.

#![allow(
    clippy::needless_range_loop,
    clippy::manual_memcpy,
    reason = "plain loops over limbs are unrolled into registers; iterators and copies of slices keep them in memory"
)]

mod adder;
mod fp;
mod fp2;
mod lanes;
mod modulus;
mod sums;

pub(crate) use fp::{Field, Fp};
pub(crate) use fp2::Fp2;
pub(crate) use lanes::Ifma;
pub(crate) use modulus::{Bls12Base, Bn254Base};
pub(crate) use sums::{OPPOSITE, Points, Scratch, Segments};
