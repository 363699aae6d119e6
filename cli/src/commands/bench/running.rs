//! A batch of jobs through an engine, so many at once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use interlock_core::engine::{Checks, Engine, Job, Kept, PartitionSpec};
use interlock_core::files::{Family, write_proof};
use interlock_core::format::Witness;
use interlock_core::groth16::{Blinding, CancelFlag};
use interlock_core::key::ProvingKey;
use interlock_curves::{ProvingCurve, with_curve};
use interlock_timeline::Model;
use sha2::{Digest as _, Sha256};

use super::synthetic::Shape;
use crate::args::Seed;
use crate::engine;
use crate::errors::{EngineFailed, Unusable};
use crate::interrupt;

/// Where witnesses come from.
#[derive(Debug)]
pub(super) enum Source {
    /// All proofs have the same one.
    Ready(Arc<Witness>),
    /// Each is computed when there is a place for it.
    Made(Shape),
}

/// What is proved, how often, and how many jobs are in flight at once.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) key: Arc<ProvingKey>,
    pub(super) source: Source,
    pub(super) count: u32,
    pub(super) concurrency: u32,
    pub(super) partitions: u32,
    /// Of the proofs' blinding; none: the operating system's.
    pub(super) seed: Option<Seed>,
    pub(super) checks: Checks,
    /// Whether the user limited memory.
    pub(super) limited: bool,
}

/// SHA-256 of a job's proofs, as snarkjs writes them, one behind the other.
pub(super) type JobHash = [u8; 32];

/// What came of a batch.
#[derive(Debug)]
pub(super) struct Ran {
    /// Of this batch alone.
    pub(super) model: Model,
    /// Of the jobs that were completed, by their index in the batch.
    pub(super) hashes: BTreeMap<u32, JobHash>,
    /// The first job that was not.
    pub(super) failure: Option<anyhow::Error>,
}

impl Batch {
    /// Proves so many jobs that nobody measures.
    ///
    /// # Errors
    /// One is not completed.
    pub(super) fn warm_up(
        &self,
        jobs: u32,
        engine: &Engine,
        kept: &Kept,
        cancel: &CancelFlag,
    ) -> anyhow::Result<()> {
        self.run_jobs(jobs, engine, kept, cancel)?.failure.map_or(Ok(()), Err)
    }

    /// Proves the batch. `kept` is the engine's.
    ///
    /// # Errors
    /// The command was told to end, or there are no threads. What fails in a job is in the result.
    pub(super) fn run(&self, engine: &Engine, kept: &Kept, cancel: &CancelFlag) -> anyhow::Result<Ran> {
        self.run_jobs(self.count, engine, kept, cancel)
    }

    fn run_jobs(&self, jobs: u32, engine: &Engine, kept: &Kept, cancel: &CancelFlag) -> anyhow::Result<Ran> {
        let ended = with_curve!(self.key.curve, E => self.in_flight::<E>(jobs, engine, cancel));
        // Who asked for the end, and how, is the better answer than what became of the jobs.
        interrupt::check()?;
        let (mut hashes, mut failure) = (BTreeMap::new(), None);
        for (index, outcome) in ended? {
            match outcome {
                Ok(hash) => drop(hashes.insert(index, hash)),
                Err(error) => drop(failure.get_or_insert(error)),
            }
        }
        let model = kept.take().map_err(|fault| EngineFailed(format!("its timeline: {fault}")))?;
        let model = model.ok_or_else(|| EngineFailed("the engine has no timeline".to_owned()))?;
        Ok(Ran { model, hashes, failure })
    }

    /// A thread for each job in flight: it submits one, waits for it, and goes on to the next.
    fn in_flight<E: ProvingCurve>(
        &self,
        jobs: u32,
        engine: &Engine,
        cancel: &CancelFlag,
    ) -> Result<BTreeMap<u32, anyhow::Result<JobHash>>, Unusable> {
        let next = AtomicU32::new(0);
        let ended = Mutex::new(BTreeMap::new());
        let submit = || {
            while !cancel.is_cancelled() {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= jobs {
                    break;
                }
                let outcome = self.job::<E>(index, engine, cancel);
                ended.lock().unwrap_or_else(PoisonError::into_inner).insert(index, outcome);
            }
        };
        let threads = self.concurrency.min(jobs);
        thread::scope(|scope| {
            for _ in 1..threads {
                let thread = thread::Builder::new().name("interlock-user".into());
                if let Err(error) = thread.spawn_scoped(scope, submit) {
                    next.store(jobs, Ordering::Relaxed);
                    let problem =
                        format!("cannot start {threads} threads, one for each job in flight: {error}");
                    return Err(Unusable(format!("{problem}; ask for a lower --concurrency")));
                }
            }
            submit();
            Ok(())
        })?;
        Ok(ended.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn job<E: ProvingCurve>(
        &self,
        index: u32,
        engine: &Engine,
        cancel: &CancelFlag,
    ) -> anyhow::Result<JobHash> {
        let first = u64::from(index) * u64::from(self.partitions);
        let partitions =
            (first..first + u64::from(self.partitions)).map(|number| self.partition::<E>(number));
        let job = Job::new(partitions.collect()).with_checks(self.checks.clone());
        let handle = engine.submit(job).map_err(engine::not_taken)?;
        let proofs = handle.wait_unless(cancel).map_err(|error| engine::not_done(error, self.limited))?;
        let mut text = Vec::new();
        for proved in proofs {
            write_proof(&proved.proof, Family::Snarkjs, &mut text)?;
        }
        Ok(Sha256::digest(&text).into())
    }

    /// The proof of this number in the batch.
    fn partition<E: ProvingCurve>(&self, number: u64) -> PartitionSpec<E> {
        let spec = match &self.source {
            Source::Ready(witness) => PartitionSpec::new(&self.key, Arc::clone(witness)),
            Source::Made(shape) => {
                let shape = *shape;
                PartitionSpec::made(&self.key, move |cancel| shape.witness(number, cancel))
            }
        };
        match &self.seed {
            Some(seed) => spec.with_blinding(Blinding::from_seed(&derived(seed, number).0)),
            None => spec,
        }
    }
}

/// The seed of the proof of this number: the first one's is the seed itself.
fn derived(seed: &Seed, number: u64) -> Seed {
    match number {
        0 => seed.clone(),
        _ => Seed(Sha256::new().chain_update(seed.0).chain_update(number.to_le_bytes()).finalize().into()),
    }
}
