//! Interlock's CPU backend: linked into the command line as the embedded default, built as a plugin too, and the
//! reference that other backends are compared with.
//!
//! - Threads: one private rayon pool per opened device, of at most [`OpenParams::threads`] threads. Nothing here starts
//!   another thread: blst is built without its own pool and only its single-threaded routines are called.
//! - Memory: proving keys are borrowed from the host (usually a mapped file) and never copied when they are aligned to
//!   8 bytes. Scalar buffers are zeroised when they are freed.
//! - MSM: zeros are skipped, ones are summed, values below 2^64 take a short multiplication, the rest goes to a
//!   Pippenger. Its sums are vector code of our own on processors with AVX-512 IFMA; elsewhere blst's window kernel on
//!   BLS12-381, and our own over arkworks' fields on BN254.
//!
//! | module | holds |
//! |---|---|
//! | [`device`] | the device, generic over the curve |
//! | [`memory`] | scalar buffers |
//! | [`ntt`] | domains and transforms |
//! | [`sparse`] | matrix × witness |
//! | [`msm`] | bases, classification of scalars, kernels |
//! | `simd` | vector kernels for the sums of an MSM |
//! | [`threads`] | how many threads, and the pool |

pub mod device;
pub mod memory;
pub mod msm;
pub mod ntt;
#[cfg(target_arch = "x86_64")]
mod simd;
pub mod sparse;
pub mod threads;

use interlock_curves::{Bls12_381, Bn254};
use interlock_sdk::{Backend, BackendError, CurveId, DeviceInfo, Either, OpenParams, PluginInfo, Probe};

use crate::device::CpuDevice;

/// The backend.
#[derive(Debug)]
pub struct Cpu;

impl Backend for Cpu {
    type Device = Either<CpuDevice<Bn254>, CpuDevice<Bls12_381>>;

    const INFO: PluginInfo = PluginInfo {
        name: "cpu",
        version: env!("CARGO_PKG_VERSION"),
        description: "Multi-threaded CPU (blst for BLS12-381, arkworks' fields for BN254); the reference backend",
        license: env!("CARGO_PKG_LICENSE"),
        curves: &[CurveId::Bn254, CurveId::Bls12_381],
    };

    fn probe() -> Probe {
        let cores = threads::default_threads();
        Probe {
            score: 10,
            reason: format!("{cores} core{}, {}", if cores == 1 { "" } else { "s" }, msm::instructions()),
            devices: vec![DeviceInfo {
                name: format!("CPU ({})", std::env::consts::ARCH),
                uuid: String::new(),
                memory_bytes: threads::host_memory_bytes(),
                compute_units: cores as u32,
            }],
        }
    }

    fn open(params: &OpenParams) -> Result<Self::Device, BackendError> {
        Ok(match params.curve {
            CurveId::Bn254 => Either::Left(CpuDevice::open(params)?),
            CurveId::Bls12_381 => Either::Right(CpuDevice::open(params)?),
        })
    }
}

interlock_sdk::export_backend!(Cpu);
