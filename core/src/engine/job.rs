//! What is submitted, and what is given back for it.

use std::fmt;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use interlock_curves::ProvingCurve;
use interlock_scheduler::{JobEnd, PriorityName};

use super::error::JobError;
use super::progress::{self, Progress, Reporter};
use super::proof::{OutputCell, open};
use super::shared::Shared;
use crate::backend::Plugin;
use crate::format::Witness;
use crate::groth16::{Blinding, CancelFlag, Observer, ProveError, Proved};
use crate::key::ProvingKey;

/// Makes a witness, on one of the engine's threads; called again when a partition is tried again without one.
pub type MakeWitness = Box<dyn FnMut(&CancelFlag) -> Result<Witness, ProveError> + Send>;

/// Where a partition's witness comes from.
pub enum WitnessSource {
    /// It is there.
    Ready(Arc<Witness>),
    /// It is made when there is a place for it.
    Made(MakeWitness),
}

impl fmt::Debug for WitnessSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ready(_) => "Ready(..)",
            Self::Made(_) => "Made(..)",
        })
    }
}

/// One Groth16 proof of a job.
pub struct PartitionSpec<E: ProvingCurve> {
    /// The key.
    pub key: Arc<ProvingKey>,
    /// The witness.
    pub witness: WitnessSource,
    /// r and s; none: from the operating system.
    pub blinding: Option<Blinding<E>>,
}

impl<E: ProvingCurve> PartitionSpec<E> {
    /// A proof of this witness under this key.
    pub fn new(key: &Arc<ProvingKey>, witness: impl Into<Arc<Witness>>) -> Self {
        Self { key: Arc::clone(key), witness: WitnessSource::Ready(witness.into()), blinding: None }
    }

    /// A proof of a witness that is made when there is a place for it.
    pub fn made(
        key: &Arc<ProvingKey>,
        make: impl FnMut(&CancelFlag) -> Result<Witness, ProveError> + Send + 'static,
    ) -> Self {
        Self { key: Arc::clone(key), witness: WitnessSource::Made(Box::new(make)), blinding: None }
    }

    /// With blinding that the caller chose: a proof is zero-knowledge only when it is random and used once.
    #[must_use]
    pub fn with_blinding(self, blinding: Blinding<E>) -> Self {
        Self { blinding: Some(blinding), ..self }
    }
}

/// How a job's proofs are checked, and who hears of them.
#[derive(Clone)]
pub struct Checks {
    /// Verify each proof before it is given. Off only on the user's word.
    pub self_check: bool,
    /// Prove again on this backend, with the same blinding, and compare. Its work is not on the timeline, nor in the
    /// account of its device.
    pub check_against: Option<Arc<Plugin>>,
    /// The backend whose arithmetic settles whether a failed self-check is the witness's fault.
    pub reference: Option<Arc<Plugin>>,
    /// Hears of the phases of the job's partitions, on the engine's threads.
    pub observer: Arc<dyn Observer + Send + Sync>,
}

impl Default for Checks {
    fn default() -> Self {
        Self { self_check: true, check_against: None, reference: None, observer: Arc::new(()) }
    }
}

impl fmt::Debug for Checks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checks")
            .field("self_check", &self.self_check)
            .field("check_against", &self.check_against.as_ref().map(|plugin| plugin.name().to_owned()))
            .field("reference", &self.reference.as_ref().map(|plugin| plugin.name().to_owned()))
            .finish_non_exhaustive()
    }
}

/// What a user submits: 1..n proofs of one curve.
pub struct Job<E: ProvingCurve> {
    /// The proofs.
    pub partitions: Vec<PartitionSpec<E>>,
    /// How urgent it is.
    pub priority: PriorityName,
    /// How long it may take from now on; later it is ended.
    pub deadline: Option<Duration>,
    /// How its proofs are checked.
    pub checks: Checks,
    pub(super) reporter: Option<Reporter>,
}

impl<E: ProvingCurve> Job<E> {
    /// A job of these proofs, with normal priority, no deadline, and the self-check.
    pub fn new(partitions: Vec<PartitionSpec<E>>) -> Self {
        Self {
            partitions,
            priority: PriorityName::Normal,
            deadline: None,
            checks: Checks::default(),
            reporter: None,
        }
    }

    /// A job of one proof.
    pub fn proof(key: &Arc<ProvingKey>, witness: impl Into<Arc<Witness>>) -> Self {
        Self::new(vec![PartitionSpec::new(key, witness)])
    }

    /// With this priority.
    #[must_use]
    pub fn with_priority(self, priority: PriorityName) -> Self {
        Self { priority, ..self }
    }

    /// With this much time.
    #[must_use]
    pub fn with_deadline(self, deadline: Duration) -> Self {
        Self { deadline: Some(deadline), ..self }
    }

    /// With a stream of what happens to its partitions. It ends when the job does; whoever drops it misses nothing else.
    #[must_use]
    pub fn with_progress(self) -> (Self, Receiver<Progress>) {
        let (reporter, stream) = progress::stream();
        (Self { reporter: Some(reporter), ..self }, stream)
    }

    /// With these checks.
    #[must_use]
    pub fn with_checks(self, checks: Checks) -> Self {
        Self { checks, ..self }
    }
}

/// Where a job's end is put, once.
#[derive(Debug, Default)]
pub(super) struct Ending {
    end: Mutex<Option<JobEnd>>,
    put: Condvar,
}

impl Ending {
    pub(super) fn put(&self, end: JobEnd) {
        let mut place = self.place();
        debug_assert!(place.is_none(), "a job ends once");
        place.get_or_insert(end);
        self.put.notify_all();
    }

    fn place(&self) -> MutexGuard<'_, Option<JobEnd>> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self) -> JobEnd {
        let mut place = self.place();
        loop {
            if let Some(end) = &*place {
                return end.clone();
            }
            place = self.put.wait(place).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn is_put(&self) -> bool {
        self.place().is_some()
    }
}

/// Tells a job to end, from any thread.
#[derive(Clone, Debug)]
pub struct JobCanceller {
    pub(super) shared: Weak<Shared>,
    pub(super) job: u64,
}

impl JobCanceller {
    /// Asks the job to end. Does nothing when it has ended.
    pub fn cancel(&self) {
        if let Some(shared) = self.shared.upgrade() {
            shared.cancel(self.job);
        }
    }
}

/// A job that was submitted. Dropping it does not end the job.
#[derive(Debug)]
pub struct JobHandle<E: ProvingCurve> {
    pub(super) canceller: JobCanceller,
    pub(super) ending: Arc<Ending>,
    pub(super) outputs: Vec<OutputCell<E>>,
}

impl<E: ProvingCurve> JobHandle<E> {
    /// The job's number, as the timeline has it.
    pub fn number(&self) -> u64 {
        self.canceller.job
    }

    /// What ends it, for other threads.
    pub fn canceller(&self) -> JobCanceller {
        self.canceller.clone()
    }

    /// Asks the job to end; [`wait`](Self::wait) says how it did.
    pub fn cancel(&self) {
        self.canceller.cancel();
    }

    /// Whether it has ended.
    pub fn is_done(&self) -> bool {
        self.ending.is_put()
    }

    /// As [`wait`](Self::wait); the job is cancelled when the flag is.
    ///
    /// # Errors
    /// As for `wait`.
    pub fn wait_unless(self, flag: &CancelFlag) -> Result<Vec<Proved<E>>, JobError> {
        let canceller = self.canceller();
        let watch = flag.on_cancel(move || canceller.cancel());
        let outcome = self.wait();
        drop(watch);
        outcome
    }

    /// Waits for its proofs, in the order of its partitions.
    ///
    /// # Errors
    /// It ended otherwise: see [`JobError`].
    pub fn wait(self) -> Result<Vec<Proved<E>>, JobError> {
        match self.ending.wait() {
            JobEnd::Done => {
                let taken = (0..).zip(&self.outputs).map(|(part, output)| {
                    let reason = "it was proved, and its proof is not there".to_owned();
                    open(output).proved.take().ok_or(JobError::Ended { part, reason })
                });
                taken.collect()
            }
            JobEnd::Failed { part, reason } => {
                let error = self.outputs.get(part as usize).and_then(|output| open(output).error.take());
                Err(match error {
                    Some(source) => JobError::Failed { part, source: Box::new(source) },
                    None => JobError::Ended { part, reason },
                })
            }
            JobEnd::Cancelled => Err(JobError::Cancelled),
            JobEnd::Late => Err(JobError::Late),
            JobEnd::NeverFits { part, needed, budget } => Err(JobError::NeverFits { part, needed, budget }),
        }
    }
}
