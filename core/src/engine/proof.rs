//! A partition that is a Groth16 proof.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use interlock_curves::ProvingCurve;
use interlock_scheduler::{Again, PartSpec, Path};

use super::context::{Context, LaneSlot};
use super::job::{Checks, PartitionSpec, WitnessSource};
use super::shared::let_go;
use super::work::{Stop, Work};
use crate::backend::Scalars;
use crate::format::Witness;
use crate::groth16::progress::Recorder;
use crate::groth16::prove::signals;
use crate::groth16::resident::check_witness;
use crate::groth16::run::Run;
use crate::groth16::trace::Trace;
use crate::groth16::{
    Attempt, Blinding, Footprint, PartialSums, Phase, ProveError, ProveOptions, Proved, ResidentKey, Timing,
};
use crate::key::ProvingKey;
use crate::types::PublicSignals;

/// What became of a partition, for whoever waits for its job.
#[derive(Debug)]
pub(super) struct Output<E: ProvingCurve> {
    pub(super) proved: Option<Proved<E>>,
    /// Why the last try failed.
    pub(super) error: Option<ProveError>,
}

impl<E: ProvingCurve> Default for Output<E> {
    fn default() -> Self {
        Self { proved: None, error: None }
    }
}

/// A partition's place for that.
pub(super) type OutputCell<E> = Arc<Mutex<Output<E>>>;

pub(super) fn open<E: ProvingCurve>(cell: &OutputCell<E>) -> MutexGuard<'_, Output<E>> {
    cell.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A witness and its public signals.
struct Given<E: ProvingCurve> {
    witness: Arc<Witness>,
    signals: PublicSignals<E>,
}

/// A Groth16 proof on its way.
pub(super) struct ProofPart<E: ProvingCurve> {
    key: Arc<ProvingKey>,
    /// None once it is proved.
    source: Option<WitnessSource>,
    blinding: Arc<Blinding<E>>,
    checks: Arc<Checks>,
    out: OutputCell<E>,
    /// The witness, when it is there and fits the key.
    given: Option<Arc<Given<E>>>,
    attempts: Vec<Attempt>,
    /// The device of the last attempt.
    device: Option<usize>,
    timings: Vec<Timing>,
    /// Sums of that device that made a proof which does not verify.
    earlier: Option<PartialSums<E>>,
    resident: Option<Arc<ResidentKey>>,
    staged: Option<Scalars>,
    sums: Option<PartialSums<E>>,
}

impl<E: ProvingCurve> ProofPart<E> {
    /// # Errors
    /// Key and witness do not go together, whoever proves; no randomness.
    pub(super) fn new(
        spec: PartitionSpec<E>,
        checks: &Arc<Checks>,
        out: &OutputCell<E>,
    ) -> Result<Self, ProveError> {
        let PartitionSpec { key, witness: source, blinding } = spec;
        if key.curve != E::CURVE {
            return Err(ProveError::KeyCurve { expected: E::CURVE, found: key.curve });
        }
        let blinding = Arc::new(blinding.map_or_else(Blinding::random, Ok)?);
        let mut part = Self {
            key,
            source: Some(source),
            blinding,
            checks: Arc::clone(checks),
            out: Arc::clone(out),
            given: None,
            attempts: Vec::new(),
            device: None,
            timings: Vec::new(),
            earlier: None,
            resident: None,
            staged: None,
            sums: None,
        };
        if let Some(WitnessSource::Ready(witness)) = &part.source {
            let witness = Arc::clone(witness);
            part.take(witness)?;
        }
        Ok(part)
    }

    /// What the scheduler knows of it; `key` is what it calls the key.
    pub(super) fn spec(&self, key: u64) -> PartSpec {
        let Footprint { staged, peak, .. } = Footprint::of(&self.key);
        PartSpec { synthesis: self.given.is_none(), staged, peak, key }
    }

    fn take(&mut self, witness: Arc<Witness>) -> Result<(), ProveError> {
        check_witness(&self.key, &witness)?;
        let signals = signals::<E>(&self.key, &witness);
        self.given = Some(Arc::new(Given { witness, signals }));
        Ok(())
    }

    /// The last attempt, which is on this device.
    fn begin_on(&mut self, device: usize, backend: &str) {
        if self.device != Some(device) {
            self.device = Some(device);
            self.earlier = None;
            self.timings.clear();
            let backend = backend.to_owned();
            self.attempts.push(Attempt { backend, failure: None, failed_self_checks: 0 });
        }
    }

    /// Does a phase that a [`Run`] and a recorder are needed for; what was timed shows on the timeline.
    fn with_run<T>(
        &mut self,
        context: &Context<'_>,
        work: impl FnOnce(&Run<'_, E>, &mut Recorder<'_>, &mut Self) -> Result<T, ProveError>,
    ) -> Result<T, ProveError> {
        let Some((_, device)) = context.device else { return Err(ProveError::Cancelled) };
        let Some(given) = self.given.clone() else { return Err(ProveError::Cancelled) };
        let (key, checks) = (Arc::clone(&self.key), Arc::clone(&self.checks));
        let blinding = Arc::clone(&self.blinding);
        let options = ProveOptions {
            backends: std::slice::from_ref(device.plugin()),
            device: device.spec().options,
            self_check: checks.self_check,
            check_against: checks.check_against.as_ref(),
            reference: checks.reference.as_ref(),
            observer: &*checks.observer,
            cancel: context.cancel,
        };
        let resident = self.resident.clone();
        let run = Run {
            key: &key,
            witness: &given.witness,
            signals: &given.signals,
            blinding: &blinding,
            options: &options,
            resident: resident.as_ref(),
        };
        let witness_bytes = 32 * key.n_vars as u64;
        let ended = |phase, time| match phase {
            Phase::Stage => context.moved(span_name(phase), time, witness_bytes),
            _ => context.measured(span_name(phase), time),
        };
        let mut recorder = Recorder { ended: &ended, ..run.recorder(device.plugin()) };
        let outcome = work(&run, &mut recorder, self);
        for timing in recorder.timings {
            match self.timings.iter_mut().find(|known| known.phase == timing.phase) {
                Some(known) => known.time += timing.time,
                None => self.timings.push(timing),
            }
        }
        outcome
    }

    /// Makes the key known to the device.
    fn load(&mut self, context: &Context<'_>) -> Result<(), ProveError> {
        let Some((index, device)) = context.device else { return Err(ProveError::Cancelled) };
        self.begin_on(index, device.plugin().name());
        // What an earlier try failed with is not why this one does.
        open(&self.out).error = None;
        self.drop_staged();
        self.resident = None;
        let key = Arc::clone(&self.key);
        let shared = Arc::clone(context.shared);
        let watch = context.cancel.on_cancel(move || shared.devices[index].nudge());
        let resident = self.with_run(context, |_, recorder, _| {
            recorder.run(Phase::Load, || device.resident(&key, context.cancel))
        });
        drop(watch);
        let resident = resident?;
        self.resident = Some(resident);
        Ok(())
    }

    /// The witness goes to the device.
    fn upload(&mut self, on: &mut OnLane<'_, '_, '_, E>) -> Result<(), ProveError> {
        self.staged = None;
        self.staged = Some(on.resident.stage(on.lane, on.run.witness, on.recorder, &mut Trace::off())?);
        Ok(())
    }

    /// The five sums.
    fn sum_up(&mut self, on: &mut OnLane<'_, '_, '_, E>) -> Result<(), ProveError> {
        let Some(staged) = &self.staged else { return Err(ProveError::Cancelled) };
        let mut shrunk = |peak| on.context.shrunk(peak);
        let sums = on.resident.compute::<E>(on.lane, staged, on.recorder, &mut Trace::off(), &mut shrunk);
        self.sums = Some(sums.map_err(|error| on.run.blame(error))?);
        self.staged = None;
        Ok(())
    }

    fn on_device(
        &mut self,
        context: &Context<'_>,
        lane: &mut LaneSlot,
        work: impl FnOnce(&mut Self, &mut OnLane<'_, '_, '_, E>) -> Result<(), ProveError>,
    ) -> Result<(), ProveError> {
        let Some(resident) = self.resident.clone() else { return Err(ProveError::Cancelled) };
        self.with_run(context, |run, recorder, part| {
            lane.with(context, resident.device(), |lane| {
                let mut on = OnLane { resident: &resident, lane, run, recorder, context };
                let outcome = work(part, &mut on);
                if outcome.is_err() {
                    part.staged = None;
                }
                outcome
            })
        })
    }

    /// Blinding, assembly, self-check.
    fn assemble(&mut self, context: &Context<'_>) -> Result<(), ProveError> {
        let Some((_, device)) = context.device else { return Err(ProveError::Cancelled) };
        let Some(sums) = self.sums.take() else { return Err(ProveError::Cancelled) };
        let plugin = device.plugin();
        let proved = self.with_run(context, |run, recorder, part| {
            let Some(attempt) = part.attempts.last_mut() else { return Err(ProveError::Cancelled) };
            let checked = run.check(plugin, sums, &mut part.earlier, attempt, recorder)?;
            let Some(checked) = checked else { return Ok(None) };
            let comparison = match run.options.check_against {
                Some(other) => Some(context.span("compare", || run.compare(plugin, &checked.sums, other))?),
                None => None,
            };
            Ok(Some((checked.proof, run.signals.clone(), comparison)))
        })?;
        let Some((proof, signals, comparison)) = proved else {
            return Err(ProveError::SelfCheck { backend: plugin.name().to_owned(), times: 1, differs: None });
        };
        if let Some(attempt) = self.attempts.last_mut() {
            attempt.failure = None;
        }
        let proved = Proved {
            proof,
            signals,
            attempts: self.attempts.clone(),
            timings: std::mem::take(&mut self.timings),
            composed: self.resident.take().map_or_else(Vec::new, |resident| resident.device().composed()),
            self_checked: self.checks.self_check,
            comparison,
        };
        open(&self.out).proved = Some(proved);
        // Zeroised with the last of its owners; other partitions of the job may take hours yet.
        self.given = None;
        let_go(self.source.take());
        Ok(())
    }

    /// Writes a failure down, and says what it means.
    fn failed(&mut self, error: ProveError, context: &Context<'_>) -> Stop {
        self.drop_staged();
        let stop = match &error {
            // The first of two: computed once more on the same device.
            ProveError::SelfCheck { times: 1, .. } => {
                Stop::Failed { again: Again::Here, reason: "the proof failed its own verification".into() }
            }
            error => Stop::of(error),
        };
        if matches!(stop, Stop::Cancelled) {
            return stop;
        }
        if matches!(stop, Stop::NotNow) {
            // It may go on, on the slow path or when others are gone; if it does not, this is why.
            open(&self.out).error = Some(error);
            return stop;
        }
        if let (Some(_), Some(attempt)) = (context.device, self.attempts.last_mut()) {
            attempt.failure = Some(error.to_string());
        }
        let error = if error.is_backends_fault() && self.attempts.len() > 1 {
            ProveError::Exhausted { attempts: self.attempts.clone(), last: Box::new(error) }
        } else {
            error
        };
        open(&self.out).error = Some(error);
        stop
    }
}

/// What a phase on the device works with.
struct OnLane<'a, 'r, 'c, E: ProvingCurve> {
    resident: &'a ResidentKey,
    lane: &'a crate::backend::Lane,
    run: &'a Run<'r, E>,
    recorder: &'a mut Recorder<'c>,
    context: &'a Context<'a>,
}

impl<E: ProvingCurve> Work for ProofPart<E> {
    fn synthesise(&mut self, context: &Context<'_>) -> Result<(), Stop> {
        let start = Instant::now();
        let made = match &mut self.source {
            Some(WitnessSource::Ready(witness)) => Ok(Arc::clone(witness)),
            Some(WitnessSource::Made(make)) => make(context.cancel).map(Arc::new),
            None => Err(ProveError::Cancelled),
        };
        context.measured("witness", start.elapsed());
        let outcome = made.and_then(|witness| self.take(witness));
        outcome.map_err(|error| self.failed(error, context))
    }

    fn prepare(&mut self, context: &Context<'_>) -> Result<(), Stop> {
        self.load(context).map_err(|error| self.failed(error, context))
    }

    fn stage(&mut self, context: &Context<'_>, lane: &mut LaneSlot) -> Result<(), Stop> {
        self.on_device(context, lane, Self::upload).map_err(|error| self.failed(error, context))
    }

    fn compute(&mut self, path: Path, context: &Context<'_>, lane: &mut LaneSlot) -> Result<(), Stop> {
        let outcome = self.on_device(context, lane, |part, on| {
            if path == Path::Slow || part.staged.is_none() {
                part.upload(on)?;
            }
            part.sum_up(on)
        });
        outcome.map_err(|error| self.failed(error, context))
    }

    fn finish(&mut self, context: &Context<'_>) -> Result<(), Stop> {
        self.assemble(context).map_err(|error| self.failed(error, context))
    }

    fn drop_staged(&mut self) {
        self.staged = None;
        self.sums = None;
    }

    fn release(&mut self) -> Option<Arc<ResidentKey>> {
        self.resident.take()
    }

    fn panicked(&mut self) {
        self.drop_staged();
        // What failed before is not why.
        open(&self.out).error = None;
    }
}

/// What the timeline calls a part of a phase.
fn span_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Load => "load key",
        Phase::Stage => "upload",
        Phase::Quotient => "quotient",
        Phase::Msm => "msm",
        Phase::Assemble => "assemble",
        Phase::SelfCheck => "self-check",
    }
}
