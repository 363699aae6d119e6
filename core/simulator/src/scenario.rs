//! A scenario: which machine, how many proofs, how many at once, and under which interlock.

use serde::Deserialize;

use crate::error::Error;
use crate::machine::Machine;
use crate::machine_file::{MAX_CONSTRAINTS, name};
use crate::quantity::{Size, count, parse};
use crate::sweep::{Axes, SweepFile};

/// The most partitions of one simulation.
pub(crate) const MAX_PARTITIONS: u64 = 20_000;
/// The most workers of a device, and the most syntheses at once.
pub(crate) const MAX_WORKERS: u64 = 4096;
/// Workers times partitions.
const MAX_WORK: u64 = 1 << 21;
/// The most devices.
pub(crate) const MAX_DEVICES: u64 = 64;

/// In which order partitions of equal priority go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// The oldest proof first: a proof is one job.
    #[default]
    Age,
    /// First come, first served: each partition is a job of its own, and proofs whose partitions are synthesised at the
    /// same time take turns, as their partitions come to the device together.
    Arrival,
}

/// What is simulated, but for the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    /// What kind of proof it is, for the report.
    pub proof: String,
    /// Constraints of a partition.
    pub constraints: u64,
    /// Partitions of a proof.
    pub partitions: u64,
    /// Proofs.
    pub count: u64,
    /// Proofs in flight at once: when one ends, the next one is submitted.
    pub concurrency: u64,
    /// Devices.
    pub devices: u64,
    /// Partitions in the four phases at once, of each device.
    pub workers_per_device: u64,
    /// Syntheses at once.
    pub partition_workers: u64,
    /// Whether the witnesses are there already: nothing is synthesised.
    pub synthesised: bool,
    /// Partitions that are synthesised, or being so, and wait for a worker; the default suits the workers.
    pub max_synthesised: Option<u64>,
    /// Partitions staged ahead; the default is that of the engine, 1.
    pub max_staged: Option<u64>,
    /// The interlock strategy.
    pub interlock: String,
    /// The machine's variant.
    pub variant: Option<String>,
    /// Whether inputs come from page-locked memory; the default is the machine's.
    pub pinned: Option<bool>,
    /// In which order partitions go.
    pub order: Order,
    /// Bytes of a device that partitions may have, if less than there are.
    pub memory_limit: Option<u64>,
    /// Bytes of the host, if not the machine's.
    pub host_memory: Option<u64>,
}

/// A scenario's file.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Its name, for people.
    pub name: String,
    /// A shipped machine's name, or the path of a file beside the scenario's. None: whoever simulates says which.
    pub machine: Option<String>,
    /// What is simulated.
    pub load: Load,
    /// What a sweep goes through; without it there are defaults.
    pub sweep: Option<Axes>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    machine: Option<String>,
    #[serde(default = "proof")]
    proof: String,
    constraints: u64,
    #[serde(default = "one")]
    partitions: u64,
    count: u64,
    #[serde(default = "one")]
    concurrency: u64,
    #[serde(default = "one")]
    devices: u64,
    #[serde(default = "two")]
    workers_per_device: u64,
    #[serde(default = "one")]
    partition_workers: u64,
    #[serde(default)]
    synthesised: bool,
    max_synthesised: Option<u64>,
    max_staged: Option<u64>,
    #[serde(default = "ledger")]
    interlock: String,
    variant: Option<String>,
    pinned: Option<bool>,
    #[serde(default)]
    order: Order,
    memory_limit: Option<Size>,
    host_memory: Option<Size>,
    sweep: Option<SweepFile>,
}

fn proof() -> String {
    "synthetic".to_owned()
}

fn one() -> u64 {
    1
}

fn two() -> u64 {
    2
}

fn ledger() -> String {
    interlock_strategies::stock::LEDGER.to_owned()
}

impl Scenario {
    /// Reads a scenario from a file's text; `file` is what errors call it.
    ///
    /// # Errors
    /// [`Error::Syntax`], [`Error::Value`].
    pub fn parse(file: &str, text: &str) -> Result<Self, Error> {
        let raw: File = parse(file, text)?;
        let size =
            |size: &Option<Size>, key: &str| size.as_ref().map(|size| size.positive(file, key)).transpose();
        let load = Load {
            proof: name(file, "proof", &raw.proof)?,
            constraints: raw.constraints,
            partitions: raw.partitions,
            count: raw.count,
            concurrency: raw.concurrency,
            devices: raw.devices,
            workers_per_device: raw.workers_per_device,
            partition_workers: raw.partition_workers,
            synthesised: raw.synthesised,
            max_synthesised: raw.max_synthesised,
            max_staged: raw.max_staged,
            interlock: name(file, "interlock", &raw.interlock)?,
            variant: raw.variant,
            pinned: raw.pinned,
            order: raw.order,
            memory_limit: size(&raw.memory_limit, "memory_limit")?,
            host_memory: size(&raw.host_memory, "host_memory")?,
        };
        load.check(file)?;
        let sweep = raw.sweep.map(|sweep| Axes::from_file(file, &sweep)).transpose()?;
        Ok(Self { name: name(file, "name", &raw.name)?, machine: raw.machine, load, sweep })
    }
}

impl Load {
    /// Whether each number is one that somebody has; `file` is what errors call their source.
    ///
    /// # Errors
    /// [`Error::Value`], which names the key.
    pub fn check(&self, file: &str) -> Result<(), Error> {
        count(file, "constraints", self.constraints, 1, MAX_CONSTRAINTS)?;
        count(file, "partitions", self.partitions, 1, MAX_PARTITIONS)?;
        count(file, "count", self.count, 1, MAX_PARTITIONS)?;
        let all = self.partitions * self.count;
        if all > MAX_PARTITIONS {
            let problem =
                format!("times partitions makes {all} partitions; at most {MAX_PARTITIONS} are simulated");
            return Err(Error::value(file, "count", problem));
        }
        count(file, "concurrency", self.concurrency, 1, MAX_PARTITIONS)?;
        count(file, "devices", self.devices, 1, MAX_DEVICES)?;
        count(file, "workers_per_device", self.workers_per_device, 1, MAX_WORKERS / self.devices)?;
        count(file, "partition_workers", self.partition_workers, 1, MAX_WORKERS)?;
        // Each decision looks at each worker, and each of them is on the timeline while it waits.
        let workers = self.devices * self.workers_per_device + self.partition_workers;
        if workers * all > MAX_WORK {
            let problem = format!(
                "{workers} workers and {all} partitions are more than is simulated: make their product at most {MAX_WORK}"
            );
            return Err(Error::value(file, "workers_per_device", problem));
        }
        let most = u64::from(u32::MAX);
        count(file, "max_synthesised", self.max_synthesised.unwrap_or(1), 1, most)?;
        count(file, "max_staged", self.max_staged.unwrap_or(1), 1, most)?;
        Ok(())
    }
}

/// A machine and what is simulated on it: all that a simulation takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The machine.
    pub machine: Machine,
    /// What is simulated.
    pub load: Load,
}
