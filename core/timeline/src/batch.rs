//! What a batch of jobs comes to: the report of `bench batch`.
//!
//! | | |
//! |---|---|
//! | wall | from a job's submission to its result |
//! | prove | the sum of its partitions' phases, tries that failed included, synthesis excluded; more than wall when partitions ran beside each other |
//! | queue | from its submission until its first partition began, with its synthesis if it has one |
//! | total | from the first submission to the last result |
//!
//! Fields that end in `_us` are microseconds. `text` prints, [`repeats`] compares several batches.

pub mod repeats;
mod text;

use interlock_scheduler::JobEnd;
use serde::{Deserialize, Serialize};

use crate::model::{Fate, JobStory, Model};
use crate::summary::Jobs;
use crate::units::Bytes;

pub use repeats::{Repeats, Typical};

/// How a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// All of its partitions are proved.
    Completed,
    /// A partition could not be proved, or fits on no device.
    Failed,
    /// Its deadline passed.
    Late,
    /// Its user cancelled it.
    Cancelled,
    /// It was not accepted.
    Rejected,
    /// It had not ended when the timeline did; its times are those until then.
    Unfinished,
}

impl Outcome {
    /// Its word in the report.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Completed => "COMPLETED",
            Self::Failed => "FAILED",
            Self::Late => "LATE",
            Self::Cancelled => "CANCELLED",
            Self::Rejected => "REJECTED",
            Self::Unfinished => "UNFINISHED",
        }
    }
}

/// A job of the batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Its number.
    pub job: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// Why it was not completed, if that was told; it may hold anything.
    pub reason: Option<String>,
    /// How many partitions it has.
    pub partitions: u64,
    /// When it was submitted, since the timeline's first record.
    pub submitted_us: u64,
    /// From then to its result.
    pub wall_us: u64,
    /// The sum of its partitions' phases.
    pub prove_us: u64,
    /// From its submission until its first partition began; until its end when none did.
    pub queue_us: u64,
}

/// Of times in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spread {
    /// The mean, rounded.
    pub avg: u64,
    /// The shortest.
    pub min: u64,
    /// The longest.
    pub max: u64,
}

impl Spread {
    /// None of nothing.
    fn of(times: impl Iterator<Item = u64> + Clone) -> Option<Self> {
        let (min, max) = (times.clone().min()?, times.clone().max()?);
        let (sum, count) = times.fold((0u128, 0u128), |(sum, n), time| (sum + u128::from(time), n + 1));
        // A mean is not above the maximum, which fits.
        let avg = u64::try_from((sum + count / 2) / count).unwrap_or(max);
        Some(Self { avg, min, max })
    }
}

/// What a batch of jobs comes to. [`Display`](std::fmt::Display) is the report of `bench batch`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// What was proved: `porep`, `circom`, `synthetic`.
    pub proof_type: String,
    /// How many jobs there were.
    pub count: u64,
    /// How many were to be under way at once.
    pub concurrency: u32,
    /// The jobs, the first to end first; those that did not end come last.
    pub jobs: Vec<Job>,
    /// From the first submission to the last result.
    pub total_us: u64,
    /// How many ended how. `failed` counts those that were late, too.
    pub outcomes: Jobs,
    /// Of the completed jobs; none without any.
    pub wall_us: Option<Spread>,
    /// Of the completed jobs.
    pub prove_us: Option<Spread>,
    /// Of the completed jobs.
    pub queue_us: Option<Spread>,
    /// Completed jobs for each minute of the total; none when that is 0.
    pub proofs_per_minute: Option<f64>,
    /// The total for each completed job; none without any.
    pub us_per_proof: Option<u64>,
}

impl Report {
    /// Of a model: all of its jobs are the batch.
    pub fn of(model: &Model, kind: &str, concurrency: u32) -> Self {
        let mut ended: Vec<(u64, Job)> =
            model.jobs.iter().map(|(number, story)| job(model, *number, story)).collect();
        // Jobs that end at one time stay in the order of their numbers.
        ended.sort_by_key(|(end, job)| (job.outcome == Outcome::Unfinished, *end));
        let first = model.jobs.values().map(|story| story.submitted).min().unwrap_or(0);
        let last = ended.iter().map(|(end, _)| *end).max().unwrap_or(0);
        let total_us = last.saturating_sub(first);
        let jobs: Vec<Job> = ended.into_iter().map(|(_, job)| job).collect();
        let outcomes = Jobs::of(model.jobs.values());
        let completed = jobs.iter().filter(|job| job.outcome == Outcome::Completed);
        let spread = |time: fn(&Job) -> u64| Spread::of(completed.clone().map(time));
        Self {
            proof_type: kind.to_owned(),
            count: jobs.len() as u64,
            concurrency,
            total_us,
            outcomes,
            wall_us: spread(|job| job.wall_us),
            prove_us: spread(|job| job.prove_us),
            queue_us: spread(|job| job.queue_us),
            proofs_per_minute: (total_us > 0).then(|| outcomes.done as f64 * 60e6 / total_us as f64),
            us_per_proof: (total_us + outcomes.done / 2).checked_div(outcomes.done),
            jobs,
        }
    }
}

/// A job, and when it ended.
fn job(model: &Model, number: u64, story: &JobStory) -> (u64, Job) {
    let (outcome, end) = match &story.fate {
        Fate::Open => (Outcome::Unfinished, model.end),
        Fate::Rejected => (Outcome::Rejected, story.submitted),
        Fate::Ended { at, end } => (outcome(end), *at),
    };
    let reason = match &story.fate {
        Fate::Ended { end: JobEnd::Failed { part, reason }, .. } => {
            Some(format!("partition {part}: {reason}"))
        }
        Fate::Ended { end: JobEnd::NeverFits { part, needed, budget }, .. } => Some(format!(
            "partition {part} needs {}, and no device has more than {}",
            Bytes(*needed),
            Bytes(*budget)
        )),
        _ => None,
    };
    let job = Job {
        job: number,
        outcome,
        reason,
        partitions: story.parts as u64,
        submitted_us: story.submitted - model.start,
        wall_us: end.saturating_sub(story.submitted),
        prove_us: story.proving,
        queue_us: story.began.unwrap_or(end).saturating_sub(story.submitted),
    };
    (end, job)
}

fn outcome(end: &JobEnd) -> Outcome {
    match end {
        JobEnd::Done => Outcome::Completed,
        JobEnd::Failed { .. } | JobEnd::NeverFits { .. } => Outcome::Failed,
        JobEnd::Late => Outcome::Late,
        JobEnd::Cancelled => Outcome::Cancelled,
    }
}
