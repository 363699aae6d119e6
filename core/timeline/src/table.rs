//! A summary as text.

use std::fmt;

use crate::summary::{DeviceSummary, Jobs, Summary, WorkerSummary};
use crate::units::{Bytes, Micros};

/// A share as a percentage.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// The reasons and times of waits, the longest first.
pub(crate) fn waits(device: &DeviceSummary) -> String {
    let mut waits: Vec<_> = device.waits.iter().collect();
    waits.sort_by_key(|(name, us)| (std::cmp::Reverse(**us), name.as_str()));
    let waits: Vec<_> = waits.iter().map(|(name, us)| format!("{name} {}", Micros(**us))).collect();
    if waits.is_empty() { "none".to_owned() } else { waits.join(", ") }
}

pub(crate) const WORKER_HEADS: [&str; 8] =
    ["prepare", "stage", "compute", "slow path", "finish", "waiting", "dropping", "idle"];

/// A worker's shares of the wall time, in the order of the heads.
pub(crate) fn worker_shares(worker: &WorkerSummary, wall: u64) -> [String; 8] {
    let us = [
        worker.prepare,
        worker.stage,
        worker.compute,
        worker.slow,
        worker.finish,
        worker.waiting,
        worker.dropping,
        worker.idle,
    ];
    us.map(|us| percent(if wall == 0 { 0.0 } else { us as f64 / wall as f64 }))
}

/// The peak bytes beside the budget.
pub(crate) fn peak(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "not recorded".to_owned(), |bytes| Bytes(bytes).to_string())
}

/// A name that comes from a file: it gets no line of its own, and no control over the terminal.
pub(crate) fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A text table, for terminals.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Jobs { done, failed, cancelled, rejected, open } = self.jobs;
        writeln!(f, "interlock:    {} ({})", plain(&self.interlock), self.source.name())?;
        writeln!(f, "wall time:    {}", Micros(self.wall))?;
        write!(f, "jobs:         {done} done, {failed} failed, {cancelled} cancelled")?;
        for (count, name) in [(rejected, "rejected"), (open, "unfinished")] {
            if count > 0 {
                write!(f, ", {count} {name}")?;
            }
        }
        writeln!(f)?;
        writeln!(f, "partitions:   {} proved", self.partitions)?;
        if let Some(rate) = self.jobs_per_minute() {
            writeln!(f, "throughput:   {rate:.3} jobs/min")?;
        }
        write!(f, "synthesis:    {}", Micros(self.synthesis))?;
        match self.synthesis_retries {
            0 => writeln!(f)?,
            retries => writeln!(f, ", retries {retries}")?,
        }
        for (index, device) in self.devices.iter().enumerate() {
            write_device(f, index, device, self.wall)?;
        }
        Ok(())
    }
}

fn write_device(f: &mut fmt::Formatter<'_>, index: usize, device: &DeviceSummary, wall: u64) -> fmt::Result {
    writeln!(f, "\ndevice {index}: {}", plain(&device.name))?;
    writeln!(
        f,
        "  idle {}, lock held {}, compute {}",
        percent(device.idle_share),
        percent(device.lock_held_share),
        percent(device.compute_share)
    )?;
    writeln!(
        f,
        "  peak {}, reserved {}, of {}",
        peak(device.peak_bytes),
        peak(device.peak_reserved),
        Bytes(device.budget)
    )?;
    writeln!(f, "  waits: {}", waits(device))?;
    write!(
        f,
        "  fallbacks {}, revocations {}, retries {}",
        device.fallbacks, device.revocations, device.retries
    )?;
    match device.quarantined {
        0 => writeln!(f)?,
        bytes => writeln!(f, ", quarantined {}", Bytes(bytes))?,
    }
    write!(f, "  {:<8}", "worker")?;
    for head in WORKER_HEADS {
        write!(f, "{head:>10}")?;
    }
    writeln!(f)?;
    for (index, worker) in device.workers.iter().enumerate() {
        write!(f, "  {index:<8}")?;
        for share in worker_shares(worker, wall) {
            write!(f, "{share:>10}")?;
        }
        writeln!(f)?;
    }
    Ok(())
}
