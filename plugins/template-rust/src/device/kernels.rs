// SPDX-License-Identifier: MIT OR Apache-2.0
//! What runs on the device: plain loops here. Each has a test against the definition, which your kernel keeps.

pub mod elementwise;
pub mod msm;
pub mod ntt;
pub mod sparse;

/// Elements between two looks at the cancellation: microseconds to milliseconds of work.
const PIECE: usize = 4096;
