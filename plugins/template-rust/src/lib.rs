// SPDX-License-Identifier: MIT OR Apache-2.0
//! An Interlock backend, to be copied and made one's own: both curves, every operation, correct and slow.
//!
//! `device/` stands for the hardware and is what you replace. The rest turns Interlock's operations into allocations,
//! copies and launches, and stays much as it is.
//!
//! | module | holds |
//! |---|---|
//! | this one | what the plugin is, and how a device is opened |
//! | `operations` | `interlock_sdk::Device`: one method for each operation |
//! | `bases`, `matrix`, `domain` | keys: brought to the device once, used by many proofs |
//! | `curve`, `element` | the two curves, and how numbers are written in bytes |
//! | `device` | **what you replace**: devices, memory, queues, kernels |

mod bases;
mod curve;
mod device;
mod domain;
mod element;
mod matrix;
mod operations;

use interlock_sdk::{Backend, BackendError, CurveId, Either, OpenParams, PluginInfo, Probe};

use crate::curve::{Bls12_381, Bn254};
use crate::operations::MyDevice;

/// The plugin.
#[derive(Debug)]
pub struct MyBackend;

impl Backend for MyBackend {
    // One type, written once for any curve, and opened for one of the two.
    type Device = Either<MyDevice<Bn254>, MyDevice<Bls12_381>>;

    const INFO: PluginInfo = PluginInfo {
        name: "template-rust",
        version: env!("CARGO_PKG_VERSION"),
        description: env!("CARGO_PKG_DESCRIPTION"),
        license: env!("CARGO_PKG_LICENSE"),
        curves: &[CurveId::Bn254, CurveId::Bls12_381],
    };

    fn probe() -> Probe {
        device::found::probe()
    }

    fn open(params: &OpenParams) -> Result<Self::Device, BackendError> {
        Ok(match params.curve {
            CurveId::Bn254 => Either::Left(MyDevice::open(params)),
            CurveId::Bls12_381 => Either::Right(MyDevice::open(params)),
        })
    }
}

interlock_sdk::export_backend!(MyBackend);
