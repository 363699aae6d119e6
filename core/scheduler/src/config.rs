//! Devices, pools, limits.

use serde::{Deserialize, Serialize};

/// A device, as the scheduler sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DeviceConfig {
    /// Bytes that partitions may have there; resident keys are not among them.
    pub budget: u64,
    /// Workers: partitions that are in one of the four phases at once. (`gpu_workers_per_device`.)
    pub workers: u32,
    /// Its rank: 0 is the first choice. Others are for partitions that no device of a lower rank is left for.
    #[serde(default)]
    pub tier: u32,
}

/// What a scheduler is made with.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Config {
    /// The devices.
    pub devices: Vec<DeviceConfig>,
    /// Partitions that are synthesised at once. (`partition_workers`.)
    pub partition_workers: u32,
    /// Partitions that may be synthesised, or in synthesis, and wait for a worker: a bound on the host's memory.
    pub max_synthesised: u32,
    /// Jobs that may wait or run; more are rejected.
    pub max_jobs: u32,
    /// Times that a partition is tried again after a failure.
    pub retries: u32,
    /// Microseconds after which a phase that was told to end counts as hung.
    pub grace: u64,
}

impl Config {
    /// One device, and limits that suit a command that proves once.
    pub fn single(device: DeviceConfig) -> Self {
        Self {
            devices: vec![device],
            partition_workers: 1,
            max_synthesised: device.workers + 1,
            max_jobs: 1024,
            retries: 1,
            grace: 10_000_000,
        }
    }
}
