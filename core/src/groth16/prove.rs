//! A proof, checked: retry, fallback, comparison with a second backend, and a diagnosis when it fails.

use std::sync::Arc;

use interlock_curves::{Curve, ProvingCurve};

use crate::backend::{BackendError, BackendErrorKind, DeviceOptions, Plugin};
use crate::format::Witness;
use crate::groth16::blinding::Blinding;
use crate::groth16::error::ProveError;
use crate::groth16::progress::{CancelFlag, Observer, Phase, Recorder, Timing};
use crate::groth16::resident::{ResidentKey, check_witness};
use crate::groth16::run::{Checked, Run};
use crate::groth16::trace::Trace;
use crate::key::ProvingKey;
use crate::types::{Proof, PublicSignals};

/// How to prove.
pub struct ProveOptions<'a> {
    /// Backends in fallback order; at least one.
    pub backends: &'a [Arc<Plugin>],
    /// How their devices are opened.
    pub device: DeviceOptions,
    /// Verify the proof before it is returned. Off only on the user's word.
    pub self_check: bool,
    /// Prove again on this backend, with the same blinding, and compare.
    pub check_against: Option<&'a Arc<Plugin>>,
    /// The backend whose arithmetic settles whether a failed self-check is the witness's fault.
    pub reference: Option<&'a Arc<Plugin>>,
    /// Hears of phases.
    pub observer: &'a dyn Observer,
    /// Ends the work early.
    pub cancel: &'a CancelFlag,
}

/// One backend's part in a proof.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Which backend.
    pub backend: String,
    /// `None` for the attempt that gave the proof.
    pub failure: Option<String>,
    /// Self-checks that failed.
    pub failed_self_checks: u32,
}

/// How the comparison with a second backend went.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The second backend.
    pub reference: String,
    /// What it took.
    pub timings: Vec<Timing>,
}

/// A proof and how it came about.
#[derive(Debug)]
pub struct Proved<E: ProvingCurve> {
    /// The proof.
    pub proof: Proof<E>,
    /// Signals 1..=n_public of the witness.
    pub signals: PublicSignals<E>,
    /// Every backend that was tried, the successful one last.
    pub attempts: Vec<Attempt>,
    /// The phases of the successful attempt.
    pub timings: Vec<Timing>,
    /// Operations that the host computed in the backend's stead.
    pub composed: Vec<&'static str>,
    /// Whether the self-check was done.
    pub self_checked: bool,
    /// The comparison, when one was asked for.
    pub comparison: Option<Comparison>,
}

/// Proves: the first backend that gives a proof which verifies. A failed self-check is repeated once on the same
/// backend, then the next in order is tried; so is one whose calls fail. A proof that fails is never returned.
///
/// # Errors
/// See [`ProveError`].
///
/// # Panics
/// `options.backends` is empty.
pub fn prove<E: ProvingCurve>(
    key: &Arc<ProvingKey>,
    witness: &Witness,
    blinding: &Blinding<E>,
    options: &ProveOptions<'_>,
) -> Result<Proved<E>, ProveError> {
    prove_with(key, witness, blinding, options, None)
}

/// As [`prove`], with a key that is known to a device of one of the backends already.
pub(super) fn prove_with<E: ProvingCurve>(
    key: &Arc<ProvingKey>,
    witness: &Witness,
    blinding: &Blinding<E>,
    options: &ProveOptions<'_>,
    resident: Option<&Arc<ResidentKey>>,
) -> Result<Proved<E>, ProveError> {
    check_curve::<E>(key.curve)?;
    check_witness(key, witness)?;
    let signals = signals::<E>(key, witness);
    let run = Run { key, witness, signals: &signals, blinding, options, resident };
    let mut job = Job { run, attempts: Vec::new() };
    let mut last = None;
    for plugin in options.backends {
        match job.on(plugin) {
            Ok(proved) => return Ok(proved),
            Err(error) if error.is_backends_fault() => last = Some(error),
            Err(error) => return Err(error),
        }
    }
    #[allow(clippy::expect_used, reason = "documented panic: the caller gives at least one backend")]
    let last = last.expect("at least one backend");
    let attempts = job.attempts;
    if attempts.len() > 1 { Err(ProveError::Exhausted { attempts, last: Box::new(last) }) } else { Err(last) }
}

struct Job<'a, E: ProvingCurve> {
    run: Run<'a, E>,
    attempts: Vec<Attempt>,
}

impl<E: ProvingCurve> Job<'_, E> {
    /// Proves on one backend.
    fn on(&mut self, plugin: &Arc<Plugin>) -> Result<Proved<E>, ProveError> {
        let mut attempt = Attempt { backend: plugin.name().to_owned(), failure: None, failed_self_checks: 0 };
        let mut recorder = self.run.recorder(plugin);
        let outcome = self.checked(plugin, &mut recorder, &mut attempt);
        attempt.failure = outcome.as_ref().err().map(ToString::to_string);
        self.attempts.push(attempt);
        let (Checked { proof, sums }, composed) = outcome?;
        let options = self.run.options;
        let comparison =
            options.check_against.map(|other| self.run.compare(plugin, &sums, other)).transpose()?;
        Ok(Proved {
            proof,
            signals: self.run.signals.clone(),
            attempts: self.attempts.clone(),
            timings: recorder.timings,
            composed,
            self_checked: options.self_check,
            comparison,
        })
    }

    /// A proof that verifies, at the second try at the latest.
    fn checked(
        &self,
        plugin: &Arc<Plugin>,
        recorder: &mut Recorder<'_>,
        attempt: &mut Attempt,
    ) -> Result<(Checked<E>, Vec<&'static str>), ProveError> {
        let resident = recorder.run(Phase::Load, || self.run.load(plugin))?;
        let mut earlier = None;
        loop {
            let sums = resident.sums::<E>(self.run.witness, recorder, &mut Trace::off());
            let sums = sums.map_err(|error| self.run.blame(error))?;
            if let Some(checked) = self.run.check(plugin, sums, &mut earlier, attempt, recorder)? {
                return Ok((checked, resident.device().composed()));
            }
        }
    }
}

pub(crate) fn check_curve<E: ProvingCurve>(curve: Curve) -> Result<(), ProveError> {
    if curve == E::CURVE { Ok(()) } else { Err(ProveError::WrongCurve { witness: E::CURVE, key: curve }) }
}

/// Signals 1..=n_public; the witness has been checked.
pub(crate) fn signals<E: ProvingCurve>(key: &ProvingKey, witness: &Witness) -> PublicSignals<E> {
    let signal = |i| witness.value(i).and_then(E::scalar_from_canonical);
    PublicSignals((1..=key.n_public).filter_map(signal).collect())
}

/// An out-of-memory answer of either kind.
impl ProveError {
    /// Whether the device ran out of memory.
    pub fn is_out_of_memory(&self) -> bool {
        match self {
            Self::Backend(BackendError { kind, .. }) => kind.is_out_of_memory(),
            Self::Exhausted { last, .. } => last.is_out_of_memory(),
            _ => false,
        }
    }

    /// Whether the work was told to end.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Self::Cancelled)
            || matches!(self, Self::Backend(BackendError { kind: BackendErrorKind::Cancelled, .. }))
    }
}
