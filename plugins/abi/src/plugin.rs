//! What a plugin says of itself and of its devices.

use crate::version::{InterlockExtension, InterlockStr};

/// The curve BN254 (alt_bn128, snarkjs' `bn128`).
pub const INTERLOCK_CURVE_BN254: u32 = 1;
/// The curve BLS12-381.
pub const INTERLOCK_CURVE_BLS12_381: u32 = 2;

/// The plugin. Strings are static.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InterlockPluginInfo {
    /// Size of this struct as the caller knows it.
    pub struct_size: usize,
    /// Extensions, or NULL.
    pub ext: *const InterlockExtension,
    /// The name that `--backend` selects: lower case, digits and `-`, 1 to 32 bytes.
    pub name: InterlockStr,
    /// Version of the plugin, as `1.2.3`.
    pub version: InterlockStr,
    /// One line on what it runs on.
    pub description: InterlockStr,
    /// SPDX licence expression.
    pub license: InterlockStr,
    /// Bit n set: curve number n is supported.
    pub curves: u64,
}

/// Whether the plugin can work on this machine, found without allocating device memory. Strings are static or live
/// until the next call of `plugin_probe`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InterlockProbe {
    /// Size of this struct as the caller knows it.
    pub struct_size: usize,
    /// Extensions, or NULL.
    pub ext: *const InterlockExtension,
    /// 0: cannot work here (then `reason` says why). A CPU is 10, a portable GPU 50, a native GPU 100.
    pub score: u32,
    /// How many devices `device_info` will describe.
    pub device_count: u32,
    /// Why the score is what it is.
    pub reason: InterlockStr,
}

/// One device. Strings live until the next call of `device_info` with the same index.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InterlockDeviceInfo {
    /// Size of this struct as the caller knows it.
    pub struct_size: usize,
    /// Extensions, or NULL.
    pub ext: *const InterlockExtension,
    /// Model, for a person.
    pub name: InterlockStr,
    /// Stable identity (a GPU's UUID), or empty.
    pub uuid: InterlockStr,
    /// Bytes of memory in all; 0 when unknown.
    pub memory_bytes: u64,
    /// Compute units: cores of a CPU, multiprocessors of a GPU.
    pub compute_units: u32,
    /// Zero.
    pub reserved: u32,
}

/// How to open a device.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InterlockDeviceParams {
    /// Size of this struct as the caller knows it.
    pub struct_size: usize,
    /// Extensions, or NULL.
    pub ext: *const InterlockExtension,
    /// Index of the device, below the probe's `device_count`.
    pub index: u32,
    /// One of `INTERLOCK_CURVE_*`.
    pub curve: u32,
    /// Most bytes of device memory to use; 0 for no limit of the caller's.
    pub memory_limit: u64,
    /// Most host threads that the device may use, its own pools included; 0 for the plugin's choice.
    pub threads: u32,
    /// Zero.
    pub reserved: u32,
}

/// A device's memory as the plugin accounts for it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InterlockMemoryInfo {
    /// Size of this struct as the caller knows it.
    pub struct_size: usize,
    /// Extensions, or NULL.
    pub ext: *const InterlockExtension,
    /// Bytes that the device may use (the smaller of the device's and the limit given), 0 when unknown.
    pub budget_bytes: u64,
    /// Bytes now held by scalar buffers.
    pub scalars_bytes: u64,
    /// Bytes now held by bases and matrices; memory of the caller's that is only borrowed does not count.
    pub keys_bytes: u64,
}
