//! Shares, peaks, counts.

use std::collections::BTreeMap;

use interlock_scheduler::{JobEnd, Path, PhaseName};
use serde::{Deserialize, Serialize};

use crate::format::Source;
use crate::model::{Fate, JobStory, Model};
use crate::row::{Doing, Interval, Row};

/// How many jobs ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Jobs {
    /// All of their partitions are proved.
    pub done: u64,
    /// A partition could not be proved, fits nowhere, or came too late.
    pub failed: u64,
    /// Their users cancelled them.
    pub cancelled: u64,
    /// They were not accepted.
    pub rejected: u64,
    /// They had not ended when the timeline did.
    pub open: u64,
}

impl Jobs {
    /// Counts them.
    pub(crate) fn of<'a>(stories: impl Iterator<Item = &'a JobStory>) -> Self {
        let mut jobs = Self::default();
        for story in stories {
            match &story.fate {
                Fate::Open => jobs.open += 1,
                Fate::Rejected => jobs.rejected += 1,
                Fate::Ended { end: JobEnd::Done, .. } => jobs.done += 1,
                Fate::Ended { end: JobEnd::Cancelled, .. } => jobs.cancelled += 1,
                Fate::Ended { .. } => jobs.failed += 1,
            }
        }
        jobs
    }
}

/// What a worker did, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkerSummary {
    /// In prepare.
    pub prepare: u64,
    /// In stage.
    pub stage: u64,
    /// In compute.
    pub compute: u64,
    /// Of that, with inputs that came within compute.
    pub slow: u64,
    /// In finish.
    pub finish: u64,
    /// With a partition that waited.
    pub waiting: u64,
    /// Dropping what a partition had on the device.
    pub dropping: u64,
    /// Without a partition.
    pub idle: u64,
    /// The share of the wall time of which is known what became of it: idle, waiting, dropping, and of the phases of a real
    /// run what the work itself has measured (spans). What is missing went into handing work over, or nobody knows where.
    pub accounted_share: f64,
}

/// A device. Shares are of the wall time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceSummary {
    /// Its name.
    pub name: String,
    /// No worker is in compute.
    pub idle_share: f64,
    /// A worker is in stage or compute.
    pub lock_held_share: f64,
    /// A worker is in compute.
    pub compute_share: f64,
    /// Bytes that partitions may have there.
    pub budget: u64,
    /// The most that they had at once; none when it was not recorded.
    pub peak_bytes: Option<u64>,
    /// The most that was granted at once; none when it was not recorded.
    pub peak_reserved: Option<u64>,
    /// Microseconds of waiting, those of all workers, by the reason's name.
    pub waits: BTreeMap<String, u64>,
    /// Partitions that took the slow path.
    pub fallbacks: u64,
    /// Revocations of what was staged.
    pub revocations: u64,
    /// Tries after a failure.
    pub retries: u64,
    /// Bytes that cannot be known to be free.
    pub quarantined: u64,
    /// Its workers.
    pub workers: Vec<WorkerSummary>,
}

/// What a timeline comes to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The interlock strategy.
    pub interlock: String,
    /// Who made the times.
    pub source: Source,
    /// Microseconds from the first record to the last.
    pub wall: u64,
    /// The jobs.
    pub jobs: Jobs,
    /// Partitions that were proved.
    pub partitions: u64,
    /// Microseconds of synthesis, those of all partitions.
    pub synthesis: u64,
    /// Syntheses that were tried again.
    pub synthesis_retries: u64,
    /// The devices.
    pub devices: Vec<DeviceSummary>,
}

impl Summary {
    /// Of a model.
    pub fn new(model: &Model) -> Self {
        let sum = |rows: &[Row], of: fn(&Interval) -> u64| -> u64 {
            rows.iter().flat_map(|row| &row.intervals).map(of).sum()
        };
        Self {
            interlock: model.header.interlock.clone(),
            source: model.header.source,
            wall: model.wall(),
            jobs: Jobs::of(model.jobs.values()),
            partitions: model.jobs.values().filter(|job| is_done(job)).map(|job| job.parts as u64).sum(),
            synthesis: sum(&model.slots, |interval| match interval.doing {
                Doing::Synthesis => interval.length(),
                _ => 0,
            }),
            synthesis_retries: model.host.retries,
            devices: (0..model.header.devices.len()).map(|device| summarise(model, device)).collect(),
        }
    }

    /// Jobs that were done, for each minute; none without time.
    pub fn jobs_per_minute(&self) -> Option<f64> {
        (self.wall > 0).then(|| self.jobs.done as f64 * 60e6 / self.wall as f64)
    }
}

fn is_done(job: &JobStory) -> bool {
    matches!(job.fate, Fate::Ended { end: JobEnd::Done, .. })
}

fn summarise(model: &Model, device: usize) -> DeviceSummary {
    let (info, counts, points) =
        (&model.header.devices[device], &model.counts[device], &model.memory[device]);
    let rows = model.workers_of(device);
    let share = |part: u64| share(part, model.wall());
    let covered = |wanted: fn(&Interval) -> bool| {
        let wanted = rows.clone().flat_map(|row| &row.intervals).filter(|interval| wanted(interval));
        covered(wanted.map(|interval| (interval.from, interval.to)))
    };
    let compute = covered(Interval::computes);
    let mut waits = BTreeMap::new();
    for interval in rows.clone().flat_map(|row| &row.intervals) {
        if let Doing::Wait { cause, .. } = interval.doing {
            *waits.entry(cause.name().to_owned()).or_default() += interval.length();
        }
    }
    DeviceSummary {
        name: info.name.clone(),
        idle_share: share(model.wall() - compute),
        lock_held_share: share(covered(Interval::on_device)),
        compute_share: share(compute),
        budget: info.budget,
        peak_bytes: points.iter().map(|point| point.bytes).max(),
        peak_reserved: points.iter().map(|point| point.reserved).max(),
        waits,
        fallbacks: counts.fallbacks,
        revocations: counts.revocations,
        retries: counts.retries,
        quarantined: counts.quarantined,
        workers: rows.map(|row| worker(row, model)).collect(),
    }
}

fn worker(row: &Row, model: &Model) -> WorkerSummary {
    let mut sum = WorkerSummary::default();
    for interval in &row.intervals {
        let length = interval.length();
        match interval.doing {
            Doing::Idle | Doing::Synthesis => sum.idle += length,
            Doing::Wait { .. } => sum.waiting += length,
            Doing::Drop => sum.dropping += length,
            Doing::Phase { phase, path } => {
                *match phase {
                    PhaseName::Prepare => &mut sum.prepare,
                    PhaseName::Stage => &mut sum.stage,
                    PhaseName::Compute => &mut sum.compute,
                    PhaseName::Finish => &mut sum.finish,
                } += length;
                if path == Path::Slow {
                    sum.slow += length;
                }
            }
        }
    }
    let phases = sum.prepare + sum.stage + sum.compute + sum.finish;
    let measured = match model.header.source {
        Source::Run => covered(row.spans.iter().map(|span| (span.from, span.to))).min(phases),
        Source::Simulation => phases,
    };
    let all = measured + sum.waiting + sum.dropping + sum.idle;
    sum.accounted_share = if model.wall() == 0 { 1.0 } else { share(all, model.wall()) };
    sum
}

fn share(part: u64, wall: u64) -> f64 {
    if wall == 0 { 0.0 } else { part as f64 / wall as f64 }
}

/// Microseconds that at least one of the times covers.
fn covered(times: impl Iterator<Item = (u64, u64)>) -> u64 {
    let mut sorted: Vec<(u64, u64)> = times.collect();
    sorted.sort_unstable();
    let (mut sum, mut end) = (0, 0);
    for (from, to) in sorted {
        sum += to.saturating_sub(from.max(end));
        end = end.max(to);
    }
    sum
}
