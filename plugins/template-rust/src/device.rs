// SPDX-License-Identifier: MIT OR Apache-2.0
//! What you replace: a device, and here one core of the CPU that stands for it.
//!
//! | module | your calls |
//! |---|---|
//! | [`found`] | which devices there are, and how much memory they have |
//! | [`region`] | memory: allocate, copy up and down, overwrite, free |
//! | [`queue`] | an in-order queue: launch, wait |
//! | [`kernels`] | what runs on the device |
//!
//! Everything here is done when a call returns. README.md says what changes for a device that works on by itself.

pub mod found;
pub mod kernels;
pub mod queue;
pub mod region;
