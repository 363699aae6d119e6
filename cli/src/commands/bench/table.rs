//! Interlock strategies side by side.

use std::collections::BTreeMap;
use std::fmt;

use interlock_timeline::Summary;
use interlock_timeline::batch::{Repeats, Report, Typical};
use interlock_timeline::units::{Bytes, Micros};
use serde::Serialize;

use crate::output::text;

/// A run of the batch.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Run {
    #[serde(flatten)]
    pub(super) report: Report,
    pub(super) summary: Summary,
}

/// All runs of all strategies.
#[derive(Debug)]
pub(super) struct Table {
    kind: &'static str,
    count: u32,
    concurrency: u32,
    strategies: Vec<(String, Vec<Run>)>,
    /// Jobs whose proofs were compared, and whether they were the same.
    pub(super) compared: (u64, bool),
}

/// A strategy's row. Without a word about it, a figure is that of the run with the median total time; of an even number of
/// runs it is the faster one in the middle.
#[derive(Debug, Serialize)]
pub(super) struct Row<'a> {
    strategy: &'a str,
    /// Jobs of all runs, and those that were completed.
    count: u64,
    completed: u64,
    /// Of the runs' total times.
    total_us: Option<Typical<u64>>,
    proofs_per_minute: Option<Typical<f64>>,
    /// Of the first device.
    idle_share: f64,
    /// The most that partitions had on a device at once, and that were granted; of all runs.
    peak_bytes: Option<u64>,
    peak_reserved: Option<u64>,
    /// Microseconds of waiting, those of all workers, by reason.
    waits_us: BTreeMap<String, u64>,
    fallbacks: u64,
    revocations: u64,
    retries: u64,
    /// Of the worker of which the timeline knows least, in all runs.
    accounted_share: f64,
    /// The median total time, to the least of all strategies'; none when a job was not completed.
    ratio: Option<f64>,
    runs: &'a [Run],
}

impl Table {
    pub(super) fn new(kind: &'static str, count: u32, concurrency: u32, strategies: &[String]) -> Self {
        let strategies = strategies.iter().map(|name| (name.clone(), Vec::new())).collect();
        Self { kind, count, concurrency, strategies, compared: (0, true) }
    }

    /// Adds a run of the strategy at this place.
    pub(super) fn add(&mut self, place: usize, run: Run) {
        if let Some((_, runs)) = self.strategies.get_mut(place) {
            runs.push(run);
        }
    }

    /// A row for each strategy.
    pub(super) fn rows(&self) -> Vec<Row<'_>> {
        let mut rows: Vec<Row<'_>> =
            self.strategies.iter().filter_map(|(name, runs)| row(name, runs)).collect();
        let whole =
            |row: &Row<'_>| row.total_us.filter(|_| row.completed == row.count).map(|total| total.median);
        let best = rows.iter().filter_map(whole).min();
        for row in &mut rows {
            let median = whole(row);
            row.ratio = median.zip(best).map(|(median, best)| median as f64 / best.max(1) as f64);
        }
        rows
    }
}

fn row<'a>(strategy: &'a str, runs: &'a [Run]) -> Option<Row<'a>> {
    let mut sorted: Vec<&Run> = runs.iter().collect();
    sorted.sort_by_key(|run| run.report.total_us);
    let median = sorted.get(sorted.len().saturating_sub(1) / 2)?;
    let reports: Vec<Report> = runs.iter().map(|run| run.report.clone()).collect();
    let repeats = Repeats::of(&reports);
    let devices = || runs.iter().flat_map(|run| &run.summary.devices);
    let mut waits_us = BTreeMap::new();
    for (reason, us) in median.summary.devices.iter().flat_map(|device| &device.waits) {
        *waits_us.entry(reason.clone()).or_default() += us;
    }
    let of_median = |count: fn(&interlock_timeline::summary::DeviceSummary) -> u64| {
        median.summary.devices.iter().map(count).sum()
    };
    Some(Row {
        strategy,
        count: repeats.count,
        completed: repeats.completed,
        total_us: repeats.total_us,
        proofs_per_minute: repeats.proofs_per_minute,
        idle_share: median.summary.devices.first().map_or(1.0, |device| device.idle_share),
        peak_bytes: devices().filter_map(|device| device.peak_bytes).max(),
        peak_reserved: devices().filter_map(|device| device.peak_reserved).max(),
        waits_us,
        fallbacks: of_median(|device| device.fallbacks),
        revocations: of_median(|device| device.revocations),
        retries: of_median(|device| device.retries),
        accounted_share: devices()
            .flat_map(|device| &device.workers)
            .map(|worker| worker.accounted_share)
            .fold(1.0, f64::min),
        ratio: None,
        runs,
    })
}

const HEADS: [&str; 10] =
    ["strategy", "done", "wall", "proofs/min", "idle", "peak", "waits", "fallbacks", "accounted", "ratio"];

impl Row<'_> {
    fn cells(&self) -> [String; 10] {
        let dash = || "-".to_owned();
        [
            self.strategy.to_owned(),
            format!("{}/{}", self.completed, self.count),
            self.total_us.map_or_else(dash, |total| Micros(total.median).to_string()),
            self.proofs_per_minute.map_or_else(dash, |rate| format!("{:.3}", rate.median)),
            format!("{:.1} %", 100.0 * self.idle_share),
            self.peak_bytes.map_or_else(dash, |bytes| Bytes(bytes).to_string()),
            Micros(self.waits_us.values().sum()).to_string(),
            self.fallbacks.to_string(),
            // Rounded down: what is less than all is not shown as all.
            format!("{:.1} %", (1000.0 * self.accounted_share).floor() / 10.0),
            self.ratio.map_or_else(dash, |ratio| format!("{ratio:.3}")),
        ]
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = self.strategies.iter().map(|(_, runs)| runs.len()).max().unwrap_or(0);
        writeln!(f, "=== Interlock Benchmark ===")?;
        writeln!(f, "proof type:  {}", self.kind)?;
        writeln!(f, "count:       {}", self.count)?;
        writeln!(f, "concurrency: {}", self.concurrency)?;
        writeln!(f, "runs:        {runs}")?;
        writeln!(f)?;
        let mut lines = vec![HEADS.map(str::to_owned)];
        lines.extend(self.rows().iter().map(Row::cells));
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..HEADS.len()).map(width).collect();
        for line in &lines {
            write!(f, "  {:<1$}", line[0], widths[0])?;
            for (cell, width) in line.iter().zip(&widths).skip(1) {
                write!(f, "  {cell:>width$}")?;
            }
            writeln!(f)?;
        }
        writeln!(f)?;
        match self.compared {
            (0, _) => writeln!(f, "proofs: none to compare"),
            (jobs, true) => {
                writeln!(f, "proofs: those of {} compared, all the same", text::plural(jobs, "job"))
            }
            (jobs, false) => {
                writeln!(f, "proofs: those of {} compared, they DIFFER", text::plural(jobs, "job"))
            }
        }
    }
}
