//! A machine's file: TOML, in which an unknown key is an error.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::Error;
use crate::growth::Growth;
use crate::machine::{Amount, Cost, CpuCost, KernelCost, Machine, Variant};
use crate::quantity::{Size, count, micros, parse, ppm, rate};

/// The most steps of a phase.
const MAX_STEPS: u64 = 64;
/// The most constraints of a partition.
pub(crate) const MAX_CONSTRAINTS: u64 = 1 << 40;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    constraints: u64,
    cpu: Cpu,
    host: Host,
    device: Device,
    link: Link,
    synthesis: Vec<Step>,
    #[serde(default)]
    prepare: Vec<Step>,
    stage: Stage,
    compute: Vec<KernelStep>,
    #[serde(default)]
    finish: Vec<Step>,
    #[serde(default)]
    variants: BTreeMap<String, VariantFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cpu {
    cores: u64,
    #[serde(default)]
    contention: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Host {
    memory: Size,
    resident: Option<Bytes>,
    partition: Bytes,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Device {
    memory: Size,
    resident: Option<Bytes>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Link {
    capacity: f64,
    pinned: f64,
    unpinned: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bytes {
    bytes: Size,
    #[serde(default)]
    grows: Growth,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    name: String,
    seconds: f64,
    #[serde(default = "one")]
    threads: u64,
    #[serde(default)]
    grows: Growth,
    #[serde(default)]
    beside: bool,
    #[serde(default)]
    fitted: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stage {
    upload: Bytes,
    staged: Bytes,
    #[serde(default)]
    pinned: bool,
    #[serde(default)]
    drop_seconds: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KernelStep {
    name: String,
    seconds: f64,
    #[serde(default)]
    grows: Growth,
    memory: Bytes,
    upload: Option<Bytes>,
    #[serde(default)]
    after_prepare: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VariantFile {
    #[serde(default)]
    pinned: bool,
    compute: Vec<KernelStep>,
}

fn one() -> u64 {
    1
}

impl Machine {
    /// Reads a machine from a file's text; `file` is what errors call it.
    ///
    /// # Errors
    /// [`Error::Syntax`], [`Error::Value`].
    pub fn parse(file: &str, text: &str) -> Result<Self, Error> {
        let raw: File = parse(file, text)?;
        let cores = count(file, "cpu.cores", raw.cpu.cores, 1, 1 << 16)?;
        let none = Amount::default();
        let optional = |bytes: &Option<Bytes>, key: &str| {
            bytes.as_ref().map_or(Ok(none), |bytes| amount(file, key, bytes))
        };
        let steps = |steps: &[Step], phase: &str| cpu_steps(file, steps, phase, cores);
        let machine = Self {
            name: name(file, "name", &raw.name)?,
            constraints: count(file, "constraints", raw.constraints, 1, MAX_CONSTRAINTS)?,
            cores,
            contention: ppm(file, "cpu.contention", raw.cpu.contention)?,
            host_memory: raw.host.memory.positive(file, "host.memory")?,
            host_resident: optional(&raw.host.resident, "host.resident")?,
            host_partition: amount(file, "host.partition", &raw.host.partition)?,
            device_memory: raw.device.memory.positive(file, "device.memory")?,
            device_resident: optional(&raw.device.resident, "device.resident")?,
            link: rate(file, "link.capacity", raw.link.capacity)?,
            pinned_rate: rate(file, "link.pinned", raw.link.pinned)?,
            unpinned_rate: rate(file, "link.unpinned", raw.link.unpinned)?,
            synthesis: steps(&raw.synthesis, "synthesis")?,
            prepare: steps(&raw.prepare, "prepare")?,
            upload: amount(file, "stage.upload", &raw.stage.upload)?,
            staged: amount(file, "stage.staged", &raw.stage.staged)?,
            pinned: raw.stage.pinned,
            drop_micros: micros(file, "stage.drop_seconds", raw.stage.drop_seconds)?,
            compute: kernels(file, &raw.compute, "compute")?,
            finish: steps(&raw.finish, "finish")?,
            variants: raw
                .variants
                .iter()
                .map(|(name, raw)| variant(file, name, raw))
                .collect::<Result<_, _>>()?,
        };
        Ok(machine)
    }
}

fn variant(file: &str, key: &str, raw: &VariantFile) -> Result<(String, Variant), Error> {
    let compute = kernels(file, &raw.compute, &format!("variants.{key}.compute"))?;
    Ok((name(file, &format!("variants.{key}"), key)?, Variant { pinned: raw.pinned, compute }))
}

/// A name that fits a line of a table and a timeline.
pub(crate) fn name(file: &str, key: &str, text: &str) -> Result<String, Error> {
    if (1..=80).contains(&text.chars().count()) && !text.contains(char::is_control) {
        return Ok(text.to_owned());
    }
    Err(Error::value(file, key, "must be a name of 1 to 80 characters, on one line"))
}

fn amount(file: &str, key: &str, raw: &Bytes) -> Result<Amount, Error> {
    Ok(Amount { bytes: raw.bytes.bytes(file, &format!("{key}.bytes"))?, growth: raw.grows })
}

fn cpu_steps(file: &str, raw: &[Step], phase: &str, cores: u64) -> Result<Vec<CpuCost>, Error> {
    count(file, phase, raw.len() as u64, 0, MAX_STEPS)?;
    let step = |(index, step): (usize, &Step)| {
        let key = |field: &str| format!("{phase}[{index}].{field}");
        if step.beside && phase != "prepare" {
            return Err(Error::value(file, key("beside"), "only what prepare begins can run beside"));
        }
        if step.fitted && phase != "finish" {
            return Err(Error::value(file, key("fitted"), "only a step of finish is a free constant"));
        }
        Ok(CpuCost {
            cost: Cost {
                name: name(file, &key("name"), &step.name)?,
                micros: micros(file, &key("seconds"), step.seconds)?,
                growth: step.grows,
            },
            threads: count(file, &key("threads"), step.threads, 1, cores)?,
            beside: step.beside,
            fitted: step.fitted,
        })
    };
    raw.iter().enumerate().map(step).collect()
}

fn kernels(file: &str, raw: &[KernelStep], phase: &str) -> Result<Vec<KernelCost>, Error> {
    count(file, phase, raw.len() as u64, 1, MAX_STEPS)?;
    let kernel = |(index, kernel): (usize, &KernelStep)| {
        let key = |field: &str| format!("{phase}[{index}].{field}");
        Ok(KernelCost {
            cost: Cost {
                name: name(file, &key("name"), &kernel.name)?,
                micros: micros(file, &key("seconds"), kernel.seconds)?,
                growth: kernel.grows,
            },
            memory: amount(file, &key("memory"), &kernel.memory)?,
            upload: kernel
                .upload
                .as_ref()
                .map_or(Ok(Amount::default()), |upload| amount(file, &key("upload"), upload))?,
            after_prepare: kernel.after_prepare,
        })
    };
    raw.iter().enumerate().map(kernel).collect()
}
