// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which devices there are.

use interlock_sdk::{DeviceInfo, Probe};

/// Looks for devices: allocates nothing on them, uses no network. Asked once per process.
pub fn probe() -> Probe {
    // Your device: ask the driver. Without one, say score 0, why, and no devices. A native GPU says 100. The score of 1
    // keeps this template behind everything else when `--backend auto` chooses.
    Probe {
        score: 1,
        reason: "Rust on one CPU core, to start a backend from".into(),
        devices: vec![DeviceInfo {
            name: format!("CPU, one core ({})", std::env::consts::ARCH),
            uuid: String::new(),
            memory_bytes: 0,
            compute_units: 1,
        }],
    }
}

/// Bytes that a device has for buffers and keys, as far as they are known.
pub fn memory_bytes() -> Option<u64> {
    // Your device: what it has, less what your kernels need as scratch. Here it is whatever the machine gives.
    None
}
