//! The engine: many proofs, the devices that they share, and the order in which they do.
//!
//! ```text
//! Job ─► submit ─► Shared: one lock, the scheduler in it ─► workers of devices: prepare, stage, compute, finish
//!                     ▲            │                    └─► synthesisers: witnesses
//!                     └── events ──┘ actions            └─► JobHandle: proofs, once
//! ```
//!
//! The scheduler (`interlock-scheduler`) decides, with the strategy that the device's backend offers; this module gives it
//! events with their times, and does what it answers on threads of its own. What it was told and what it answered is the
//! timeline.
//!
//! ```
//! use std::sync::Arc;
//! use interlock_core::backend::{DeviceOptions, Plugin};
//! use interlock_core::engine::{DeviceSpec, Engine, EngineConfig, Job, Timeline};
//! use interlock_core::format::{Witness, Zkey};
//! use interlock_core::key::ProvingKey;
//! use interlock_curves::Bn254;
//!
//! # let folder = "../tests/fixtures/bn254/multiplier";
//! let key = Arc::new(ProvingKey::from_zkey(&Zkey::open(format!("{folder}/circuit.zkey"))?)?);
//! let cpu = Plugin::linked(interlock_cpu::interlock_api())?;
//! let device = DeviceSpec::new(&cpu, DeviceOptions::default()).with_workers(2);
//! let engine = Engine::new(EngineConfig::new(vec![device]), Timeline::off())?;
//!
//! let witness = Arc::new(Witness::open(format!("{folder}/witness.wtns"))?);
//! let jobs = (0..3).map(|_| engine.submit(Job::<Bn254>::proof(&key, Arc::clone(&witness))));
//! for job in jobs.collect::<Result<Vec<_>, _>>()? {
//!     let proofs = job.wait()?;
//!     assert!(proofs[0].self_checked);
//! }
//! assert_eq!(engine.drain().counters.done, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`config`] | devices, pools, limits |
//! | [`job`] | what is submitted, and what is given back for it |
//! | [`progress`] | a job's stream of what happens to it |
//! | [`service`] | the engine: submit, drain |
//! | [`strategy`] | which strategies a backend can be run with |
//! | [`record`] | where a timeline goes |
//! | [`error`] | no engine, no place, no proof |
//! | `shared` | the lock, and what is under it |
//! | `threads`, `pool` | workers, synthesisers, the clock; where the host computes |
//! | `work`, `proof`, `context` | a partition's phases, as Groth16 fills them |
//! | `device` | a device's handles and its resident keys |

pub mod config;
mod context;
mod device;
pub mod error;
pub mod job;
mod pool;
pub mod progress;
mod proof;
pub mod record;
pub mod service;
mod shared;
pub mod strategy;
mod threads;
mod work;

pub use config::{DeviceSpec, EngineConfig};
pub use error::{EngineError, JobError, SubmitError};
pub use interlock_scheduler::{Counters, PriorityName as Priority};
pub use job::{Checks, Job, JobCanceller, JobHandle, MakeWitness, PartitionSpec, WitnessSource};
pub use progress::{Progress, Step};
pub use record::{Kept, Timeline};
pub use service::{Drained, Engine};
pub use strategy::strategies;
