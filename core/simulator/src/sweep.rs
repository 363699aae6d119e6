//! All settings of a few axes, and the best of them: what one asks before buying a card.

use serde::Deserialize;

use crate::error::Error;
use crate::factory::Factory;
use crate::quantity::{Size, count};
use crate::scenario::{MAX_PARTITIONS, MAX_WORKERS, Setting};

/// The most settings of a sweep.
const MAX_SETTINGS: u64 = 4096;
/// The most partitions of all of its settings together.
const MAX_WORK: u64 = 2_000_000;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SweepFile {
    #[serde(default)]
    workers_per_device: Vec<u64>,
    #[serde(default)]
    partition_workers: Vec<u64>,
    #[serde(default)]
    concurrency: Vec<u64>,
    #[serde(default)]
    memory: Vec<Size>,
    #[serde(default)]
    interlock: Vec<String>,
}

/// What a sweep goes through; an empty axis keeps the scenario's value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Axes {
    /// Workers of a device.
    pub workers_per_device: Vec<u64>,
    /// Syntheses at once.
    pub partition_workers: Vec<u64>,
    /// Proofs in flight.
    pub concurrency: Vec<u64>,
    /// Bytes of a device.
    pub memory: Vec<u64>,
    /// Strategies.
    pub interlock: Vec<String>,
}

impl Axes {
    pub(crate) fn from_file(file: &str, raw: &SweepFile) -> Result<Self, Error> {
        let bytes = |(index, size): (usize, &Size)| size.positive(file, &format!("sweep.memory[{index}]"));
        let axes = Self {
            workers_per_device: raw.workers_per_device.clone(),
            partition_workers: raw.partition_workers.clone(),
            concurrency: raw.concurrency.clone(),
            memory: raw.memory.iter().enumerate().map(bytes).collect::<Result<_, _>>()?,
            interlock: raw.interlock.clone(),
        };
        for (key, values, most) in [
            ("sweep.workers_per_device", &axes.workers_per_device, MAX_WORKERS),
            ("sweep.partition_workers", &axes.partition_workers, MAX_WORKERS),
            ("sweep.concurrency", &axes.concurrency, MAX_PARTITIONS),
        ] {
            for (index, value) in values.iter().enumerate() {
                count(file, &format!("{key}[{index}]"), *value, 1, most)?;
            }
        }
        Ok(axes)
    }

    /// The axes of a setting whose scenario gives none: all strategies, one to four workers, few and many proofs.
    pub fn usual(setting: &Setting, factory: &dyn Factory) -> Self {
        let count = setting.load.count;
        let mut concurrency: Vec<u64> = [1, 2, 3, 5, 8, 15].into_iter().filter(|j| *j <= count).collect();
        concurrency.extend((count < 15 && !concurrency.contains(&count)).then_some(count));
        Self {
            workers_per_device: vec![1, 2, 3, 4],
            partition_workers: Vec::new(),
            concurrency,
            memory: Vec::new(),
            interlock: factory.strategies().into_iter().map(|(name, _)| name).collect(),
        }
    }
}

/// A setting's row.
#[derive(Clone, Debug)]
pub struct Row {
    /// The setting.
    pub setting: Setting,
    /// Bytes of a device that partitions may have.
    pub budget: u64,
    /// What came out; none when a partition never fits there.
    pub result: Option<RowResult>,
}

/// What came out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowResult {
    /// Proofs in a minute.
    pub proofs_per_minute: f64,
    /// Seconds for all proofs.
    pub wall: f64,
    /// The most bytes that partitions had on a device.
    pub peak_device: u64,
    /// The most bytes of the host.
    pub peak_host: u64,
    /// Whether the host has fewer.
    pub exceeds_host: bool,
    /// The share of the time in which no partition computes.
    pub idle: f64,
    /// Partitions that took the slow path.
    pub fallbacks: u64,
}

/// Simulates every setting of the axes, in their order.
///
/// # Errors
/// There are too many settings, or one of them cannot be simulated. One whose partitions never fit is a row.
pub fn sweep(base: &Setting, axes: &Axes, factory: &dyn Factory) -> Result<Vec<Row>, Error> {
    let settings = settings(base, axes)?;
    let mut rows = Vec::with_capacity(settings.len());
    for setting in settings {
        let available = setting.machine.budget_at(setting.load.constraints);
        let budget = setting.load.memory_limit.unwrap_or(available).min(available);
        let result = match setting.run(factory) {
            Ok(outcome) => Some(RowResult {
                proofs_per_minute: outcome.proofs_per_minute(),
                wall: outcome.wall_seconds(),
                peak_device: outcome.peak_device_bytes,
                peak_host: outcome.peak_host_bytes,
                exceeds_host: outcome.exceeds_host(),
                idle: outcome.idle_share(),
                fallbacks: outcome.counters.fallbacks,
            }),
            Err(Error::NeverFits { .. }) => None,
            Err(error) => return Err(error),
        };
        rows.push(Row { setting, budget, result });
    }
    Ok(rows)
}

/// The best row: the most proofs in a minute of those that the host has memory for; of equals (to a thousandth) the one
/// that takes least: host memory, then workers, then proofs in flight.
pub fn best(rows: &[Row]) -> Option<usize> {
    let fits = |row: &Row| row.result.filter(|result| !result.exceeds_host);
    let rate = |result: &RowResult| (result.proofs_per_minute * 1e3).round() as u64;
    let key = |(index, row): (usize, &Row)| {
        let result = fits(row)?;
        let load = &row.setting.load;
        let spare = std::cmp::Reverse((
            result.peak_host,
            load.workers_per_device,
            load.concurrency,
            row.budget,
            index,
        ));
        Some((rate(&result), spare, index))
    };
    rows.iter().enumerate().filter_map(key).max().map(|(_, _, index)| index)
}

fn settings(base: &Setting, axes: &Axes) -> Result<Vec<Setting>, Error> {
    let number = |values: &Vec<u64>| values.len().max(1) as u64;
    let all = number(&axes.workers_per_device)
        * number(&axes.partition_workers)
        * number(&axes.concurrency)
        * number(&axes.memory)
        * axes.interlock.len().max(1) as u64;
    let work = all.saturating_mul(base.load.count * base.load.partitions);
    if all > MAX_SETTINGS || work > MAX_WORK {
        let problem = format!(
            "{all} settings with {work} partitions; at most {MAX_SETTINGS} and {MAX_WORK} are simulated at once"
        );
        return Err(Error::value("the scenario", "sweep", problem));
    }
    let mut settings = vec![base.clone()];
    let mut vary = |values: &[u64], set: fn(&mut Setting, u64)| {
        if values.is_empty() {
            return;
        }
        settings = settings
            .iter()
            .flat_map(|setting| {
                values.iter().map(move |value| {
                    let mut setting = setting.clone();
                    set(&mut setting, *value);
                    setting
                })
            })
            .collect();
    };
    vary(&axes.memory, |setting, value| setting.load.memory_limit = Some(value));
    vary(&axes.partition_workers, |setting, value| setting.load.partition_workers = value);
    vary(&axes.concurrency, |setting, value| setting.load.concurrency = value);
    vary(&axes.workers_per_device, |setting, value| setting.load.workers_per_device = value);
    if axes.interlock.is_empty() {
        return Ok(settings);
    }
    let with = |setting: &Setting, name: &String| {
        let mut setting = setting.clone();
        setting.load.interlock.clone_from(name);
        setting
    };
    Ok(settings.iter().flat_map(|setting| axes.interlock.iter().map(|name| with(setting, name))).collect())
}
