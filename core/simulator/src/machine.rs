//! A machine: cores, a link, devices' memory, and what the parts of a proof take there.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::growth::Growth;
use crate::plan::{CpuStep, Kernel, Plan};

/// A time of one step, at the machine's reference size.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// What it is, for timelines.
    pub name: String,
    /// Microseconds, alone on the machine.
    pub micros: u64,
    /// How it grows.
    pub growth: Growth,
}

impl Cost {
    fn at(&self, size: u64, reference: u64) -> u64 {
        (self.micros as f64 * self.growth.factor(size, reference)).round() as u64
    }
}

/// Bytes, at the machine's reference size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    /// How many.
    pub bytes: u64,
    /// How they grow.
    pub growth: Growth,
}

impl Amount {
    fn at(&self, size: u64, reference: u64) -> u64 {
        (self.bytes as f64 * self.growth.factor(size, reference)).round() as u64
    }
}

/// Work on the CPU.
#[derive(Clone, Debug, PartialEq)]
pub struct CpuCost {
    /// Its time.
    pub cost: Cost,
    /// Cores that it keeps busy.
    pub threads: u64,
    /// Whether it runs beside what comes next, until a kernel waits for it. (Of prepare only.)
    pub beside: bool,
    /// Whether its time is a free constant, which [`crate::fit`] finds.
    pub fitted: bool,
}

/// Work on the device.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelCost {
    /// Its time.
    pub cost: Cost,
    /// What the partition has on the device meanwhile.
    pub memory: Amount,
    /// What moves over the link meanwhile, as fast as the kernels ask for it.
    pub upload: Amount,
    /// Whether it waits for what prepare left running beside.
    pub after_prepare: bool,
}

/// What a variant of a machine has of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Whether inputs come from page-locked memory.
    pub pinned: bool,
    /// The kernels.
    pub compute: Vec<KernelCost>,
}

/// A machine, checked. Rates are in bytes per millisecond.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// Its name, for people.
    pub name: String,
    /// Constraints of the partition that the costs are of.
    pub constraints: u64,
    /// Cores.
    pub cores: u64,
    /// How much slower a task of the CPU gets by each other one, in parts per million: they share memory and caches.
    pub contention: u64,
    /// Bytes of the host.
    pub host_memory: u64,
    /// Of these, what is there for all partitions: keys, a prepared circuit.
    pub host_resident: Amount,
    /// What a partition has there from its synthesis until its kernels end.
    pub host_partition: Amount,
    /// Bytes of a device.
    pub device_memory: u64,
    /// Of these, what is there for all partitions.
    pub device_resident: Amount,
    /// What the link to a device moves.
    pub link: u64,
    /// What one copy from page-locked memory moves.
    pub pinned_rate: u64,
    /// What one copy from other memory moves.
    pub unpinned_rate: u64,
    /// Synthesis, step by step.
    pub synthesis: Vec<CpuCost>,
    /// Prepare.
    pub prepare: Vec<CpuCost>,
    /// What stage moves.
    pub upload: Amount,
    /// What it leaves on the device.
    pub staged: Amount,
    /// Whether inputs come from page-locked memory.
    pub pinned: bool,
    /// How long it takes to drop what was staged, in microseconds.
    pub drop_micros: u64,
    /// Compute.
    pub compute: Vec<KernelCost>,
    /// Finish.
    pub finish: Vec<CpuCost>,
    /// Other kernels for the same machine.
    pub variants: BTreeMap<String, Variant>,
}

impl Machine {
    /// What a partition of `size` constraints takes. `pinned` replaces what the machine, or the variant, says.
    ///
    /// # Errors
    /// There is no such variant.
    pub fn plan(&self, size: u64, variant: Option<&str>, pinned: Option<bool>) -> Result<Plan, Error> {
        let found = variant.map(|name| {
            let known = || self.variants.keys().cloned().collect::<Vec<_>>().join(", ");
            self.variants.get(name).ok_or_else(|| {
                Error::value(
                    &self.name,
                    "variant",
                    format!("{name:?} is none of this machine's: {}", known()),
                )
            })
        });
        let variant = found.transpose()?;
        let compute = variant.map_or(&self.compute, |variant| &variant.compute);
        let pinned = pinned.unwrap_or(variant.map_or(self.pinned, |variant| variant.pinned));
        let steps = |costs: &[CpuCost], beside: bool| -> Vec<CpuStep> {
            let chosen = costs.iter().filter(|cost| cost.beside == beside);
            chosen
                .map(|step| CpuStep {
                    name: step.cost.name.clone(),
                    micros: step.cost.at(size, self.constraints),
                    threads: step.threads,
                })
                .collect()
        };
        let kernels = compute.iter().map(|kernel| {
            let upload = kernel.upload.at(size, self.constraints);
            // Not faster than the link.
            let moving = (upload as f64 * 1e3 / self.link as f64).round() as u64;
            let micros = kernel.cost.at(size, self.constraints).max(moving);
            Kernel {
                name: kernel.cost.name.clone(),
                micros,
                bytes: kernel.memory.at(size, self.constraints),
                upload,
                // What the kernels ask of the link in that time.
                rate: ((upload as f64 * 1e3 / micros.max(1) as f64).round() as u64).min(self.link),
                after_prepare: kernel.after_prepare,
            }
        });
        let rate = if pinned { self.pinned_rate } else { self.unpinned_rate }.min(self.link);
        let upload = self.upload.at(size, self.constraints);
        Ok(Plan {
            synthesis: steps(&self.synthesis, false),
            prepare: steps(&self.prepare, false),
            beside: steps(&self.prepare, true),
            upload,
            upload_rate: rate,
            upload_micros: (upload as f64 * 1e3 / rate as f64).round() as u64,
            staged: self.staged.at(size, self.constraints),
            drop_micros: self.drop_micros,
            compute: kernels.collect(),
            finish: steps(&self.finish, false),
            host_bytes: self.host_partition.at(size, self.constraints),
        })
    }

    /// Bytes of the host that no partition has.
    pub fn host_resident_at(&self, size: u64) -> u64 {
        self.host_resident.at(size, self.constraints)
    }

    /// Bytes of a device that partitions may have.
    pub fn budget_at(&self, size: u64) -> u64 {
        self.device_memory.saturating_sub(self.device_resident.at(size, self.constraints))
    }

    /// Sets the free constants: the contention in parts per million, and the fitted step's time in microseconds.
    pub fn set_free(&mut self, contention: u64, micros: u64) {
        self.contention = contention;
        for step in self.finish.iter_mut().filter(|step| step.fitted) {
            step.cost.micros = micros;
        }
    }

    /// The free constants.
    pub fn free(&self) -> (u64, u64) {
        let fitted = self.finish.iter().filter(|step| step.fitted);
        (self.contention, fitted.map(|step| step.cost.micros).sum())
    }
}
