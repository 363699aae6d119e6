//! The same batch several times.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::text::{Time, or_dash};
use super::{Report, Spread};

/// The least, the median and the most of several values. The median of an even number of them is the mean of the two in the
/// middle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Typical<T> {
    /// The least.
    pub min: T,
    /// The one in the middle.
    pub median: T,
    /// The most.
    pub max: T,
}

impl Typical<f64> {
    /// None of nothing. Values are finite.
    fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        let (min, max, middle) = (*values.first()?, *values.last()?, values.len() / 2);
        let median = match values.len() % 2 {
            0 => f64::midpoint(values[middle - 1], values[middle]),
            _ => values[middle],
        };
        Some(Self { min, median, max })
    }
}

impl Typical<u64> {
    /// None of nothing. The median is rounded down.
    fn of(values: impl Iterator<Item = u64>) -> Option<Self> {
        let mut values: Vec<u64> = values.collect();
        values.sort_unstable();
        let (min, max, middle) = (*values.first()?, *values.last()?, values.len() / 2);
        let median = match values.len() % 2 {
            0 => u64::midpoint(values[middle - 1], values[middle]),
            _ => values[middle],
        };
        Some(Self { min, median, max })
    }
}

/// What several runs of one batch come to. Fields that end in `_us` are microseconds.
/// [`Display`](fmt::Display) gives lines to put below the last run's report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repeats {
    /// How many runs there were.
    pub runs: u64,
    /// Jobs of all runs.
    pub count: u64,
    /// Those of them that were completed.
    pub completed: u64,
    /// Of the runs' totals.
    pub total_us: Option<Typical<u64>>,
    /// Of the runs' mean wall times; runs in which nothing was completed have none.
    pub wall_us: Option<Typical<u64>>,
    /// Of the runs' mean prove times.
    pub prove_us: Option<Typical<u64>>,
    /// Of the runs' throughputs.
    pub proofs_per_minute: Option<Typical<f64>>,
}

impl Repeats {
    /// Of the runs' reports.
    pub fn of(runs: &[Report]) -> Self {
        let average = |spread: fn(&Report) -> Option<Spread>| {
            Typical::<u64>::of(runs.iter().filter_map(spread).map(|spread| spread.avg))
        };
        Self {
            runs: runs.len() as u64,
            count: runs.iter().map(|run| run.count).sum(),
            completed: runs.iter().map(|run| run.outcomes.done).sum(),
            total_us: Typical::<u64>::of(runs.iter().map(|run| run.total_us)),
            wall_us: average(|run| run.wall_us),
            prove_us: average(|run| run.prove_us),
            proofs_per_minute: Typical::<f64>::of(runs.iter().filter_map(|run| run.proofs_per_minute)),
        }
    }
}

impl fmt::Display for Repeats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "=== {} Runs ===", self.runs)?;
        writeln!(f, "{:<15}{} of {}", "completed:", self.completed, self.count)?;
        let times =
            [("total time:", self.total_us), ("wall time:", self.wall_us), ("prove time:", self.prove_us)];
        for (label, times) in times {
            let shown = |of: fn(Typical<u64>) -> u64| or_dash(times.map(|times| Time(of(times))));
            let (min, median, max) = (shown(|of| of.min), shown(|of| of.median), shown(|of| of.max));
            writeln!(f, "{label:<15}min={min} median={median} max={max}")?;
        }
        let shown = |of: fn(Typical<f64>) -> f64| {
            or_dash(self.proofs_per_minute.map(|rates| format!("{:.3}", of(rates))))
        };
        let (min, median, max) = (shown(|of| of.min), shown(|of| of.median), shown(|of| of.max));
        writeln!(f, "{:<15}min={min} median={median} max={max} proofs/min", "throughput:")
    }
}
