//! Devices, pools, limits.

use std::sync::Arc;
use std::time::Duration;

use super::error::EngineError;
use crate::backend::{DeviceOptions, Plugin};

/// More workers than anybody has on a device.
const MAX_WORKERS: u32 = 256;
/// More syntheses at once than any host has room for.
const MAX_PARTITION_WORKERS: u32 = 4096;

/// A device that an engine works with.
#[derive(Clone, Debug)]
pub struct DeviceSpec {
    /// Its backend.
    pub plugin: Arc<Plugin>,
    /// How it is opened.
    pub options: DeviceOptions,
    /// Bytes that partitions may have there; none: the memory limit of the options, or else what the device has. What a
    /// backend takes for keys and for itself is not among them.
    pub budget: Option<u64>,
    /// Partitions in one of the four phases at once. (`gpu_workers_per_device`.)
    pub workers: u32,
    /// Its rank: 0 is the first choice; devices of a higher rank are for partitions that those before could not prove.
    pub tier: u32,
}

impl DeviceSpec {
    /// A backend's device with one worker.
    pub fn new(plugin: &Arc<Plugin>, options: DeviceOptions) -> Self {
        Self { plugin: Arc::clone(plugin), options, budget: None, workers: 1, tier: 0 }
    }

    /// With so many workers.
    #[must_use]
    pub fn with_workers(self, workers: u32) -> Self {
        Self { workers, ..self }
    }

    /// Of this rank.
    #[must_use]
    pub fn with_tier(self, tier: u32) -> Self {
        Self { tier, ..self }
    }

    /// With a budget of so many bytes.
    #[must_use]
    pub fn with_budget(self, bytes: u64) -> Self {
        Self { budget: Some(bytes), ..self }
    }
}

/// What an engine is made with.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    /// The devices; at least one.
    pub devices: Vec<DeviceSpec>,
    /// The interlock strategy by its name; none: each backend's default.
    pub interlock: Option<String>,
    /// Partitions that are staged, or being staged, ahead of the one that computes. (`max_staged`.)
    pub max_staged: u32,
    /// Partitions that are synthesised at once. (`partition_workers`.)
    pub partition_workers: u32,
    /// Partitions that are synthesised, or being synthesised, and have no worker yet: a bound on the host's memory.
    pub max_synthesised: u32,
    /// Jobs that may wait or run.
    pub max_jobs: u32,
    /// Times that a partition is tried again after a failure; none: twice for each device, less the first time.
    pub retries: Option<u32>,
    /// How long a phase may go on after it was told to end, before it counts as hung.
    pub grace: Duration,
    /// Threads of the private pool in which CPU work of the phases is done; none: one for each core that this process
    /// may use.
    pub threads: Option<u32>,
    /// Keys that stay on each device, the last used ones, besides those in use.
    pub resident_keys: usize,
    /// Whether each key is used once: memory of a mapped key is let go of as soon as it was used.
    pub single_use: bool,
}

impl EngineConfig {
    /// These devices, and limits that suit a program that proves what it is given.
    pub fn new(devices: Vec<DeviceSpec>) -> Self {
        Self {
            devices,
            interlock: None,
            max_staged: 1,
            partition_workers: 1,
            max_synthesised: 4,
            max_jobs: 1024,
            retries: None,
            grace: Duration::from_secs(30),
            threads: None,
            resident_keys: 4,
            single_use: false,
        }
    }

    pub(super) fn check(&self) -> Result<(), EngineError> {
        if self.devices.is_empty() {
            return Err(EngineError::NoDevice);
        }
        let numbers = [
            ("workers of a device", self.devices.iter().map(|device| device.workers).min(), 1, u32::MAX),
            ("workers of a device", self.devices.iter().map(|device| device.workers).max(), 1, MAX_WORKERS),
            ("partition_workers", Some(self.partition_workers), 1, MAX_PARTITION_WORKERS),
            ("max_synthesised", Some(self.max_synthesised), 1, u32::MAX),
            ("max_staged", Some(self.max_staged), 1, u32::MAX),
            ("max_jobs", Some(self.max_jobs), 1, u32::MAX),
        ];
        for (name, number, least, most) in numbers {
            if let Some(number) = number.filter(|number| !(least..=most).contains(number)) {
                return Err(EngineError::Config(format!("{name}: {number} is not from {least} to {most}")));
            }
        }
        Ok(())
    }
}
