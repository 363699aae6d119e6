//! What came out of a simulation.

use std::io::Write;

use interlock_scheduler::Counters;
use interlock_timeline::model::{Fate, JobStory};
use interlock_timeline::{Header, Model, Record, Summary, WriteError, Writer};

use crate::scenario::{Load, Order};

/// What came out of a simulation; the same records as a run's.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was simulated.
    pub load: Load,
    /// The timeline's first line.
    pub header: Header,
    /// Its other lines.
    pub records: Vec<Record>,
    /// What they come to. In [`Order::Arrival`] its jobs are partitions.
    pub model: Model,
    /// Shares, peaks, counts.
    pub summary: Summary,
    /// What the scheduler counted.
    pub counters: Counters,
    /// The most bytes that the host had at once, resident ones included.
    pub peak_host_bytes: u64,
    /// Bytes that it has.
    pub host_memory: u64,
    /// The most bytes that partitions had on a device at once.
    pub peak_device_bytes: u64,
    /// The most bytes that a device's strategy had granted at once.
    pub peak_reserved: u64,
    /// Bytes that partitions may have on a device.
    pub budget: u64,
}

impl Outcome {
    /// Seconds from the first submission to the last end.
    pub fn wall_seconds(&self) -> f64 {
        self.model.wall() as f64 / 1e6
    }

    /// Seconds of wall time for each proof.
    pub fn seconds_per_proof(&self) -> f64 {
        self.wall_seconds() / self.load.count as f64
    }

    /// Proofs in a minute.
    pub fn proofs_per_minute(&self) -> f64 {
        60.0 / self.seconds_per_proof().max(1e-6)
    }

    /// The share of the wall time in which no partition computes, of the devices on average.
    pub fn idle_share(&self) -> f64 {
        let devices = &self.summary.devices;
        devices.iter().map(|device| device.idle_share).sum::<f64>() / devices.len().max(1) as f64
    }

    /// Whether the host would have run out of memory.
    pub fn exceeds_host(&self) -> bool {
        self.peak_host_bytes > self.host_memory
    }

    /// The model with proofs for jobs, whatever the order, for reports about proofs.
    pub fn proofs(&self) -> Model {
        let mut model = self.model.clone();
        if self.load.order == Order::Age {
            return model;
        }
        let jobs = std::mem::take(&mut model.jobs);
        for (job, story) in jobs {
            let proof = self.load.proof_of(job) + 1;
            match model.jobs.get_mut(&proof) {
                None => {
                    model.jobs.insert(proof, story);
                }
                Some(whole) => merge(whole, story),
            }
        }
        model
    }

    /// Writes the timeline.
    ///
    /// # Errors
    /// The writer's.
    pub fn write(&self, out: impl Write) -> Result<(), WriteError> {
        let mut writer = Writer::new(out, &self.header)?;
        for record in &self.records {
            writer.record(record)?;
        }
        writer.flush()
    }
}

fn merge(whole: &mut JobStory, part: JobStory) {
    whole.submitted = whole.submitted.min(part.submitted);
    whole.parts += part.parts;
    whole.began = whole.began.into_iter().chain(part.began).min();
    whole.proving += part.proving;
    let ended = |fate: &Fate| match fate {
        Fate::Ended { at, .. } => Some(*at),
        _ => None,
    };
    // What has not ended, or came to a bad end, counts for the whole; else the last end.
    let bad = |fate: &Fate| !matches!(fate, Fate::Ended { end: interlock_scheduler::JobEnd::Done, .. });
    if !bad(&whole.fate) && (bad(&part.fate) || ended(&part.fate) > ended(&whole.fate)) {
        whole.fate = part.fate;
    }
}
