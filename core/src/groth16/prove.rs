//! A proof, checked: retry, fallback, comparison with a second backend, and a diagnosis when it fails.

use std::sync::Arc;

use interlock_curves::{Curve, ProvingCurve};

use crate::backend::{BackendError, BackendErrorKind, Device, DeviceOptions, Plugin};
use crate::format::Witness;
use crate::groth16::assemble::{PartialSums, assemble};
use crate::groth16::blinding::Blinding;
use crate::groth16::error::ProveError;
use crate::groth16::progress::{CancelFlag, Observer, Phase, Recorder, Timing};
use crate::groth16::resident::{ResidentKey, check_witness};
use crate::groth16::trace::Trace;
use crate::groth16::verify::verify;
use crate::key::{BadBase, BaseProblem, ProvingKey};
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
    let mut job = Job { key, witness, blinding, options, resident, signals, attempts: Vec::new() };
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
    key: &'a Arc<ProvingKey>,
    witness: &'a Witness,
    blinding: &'a Blinding<E>,
    options: &'a ProveOptions<'a>,
    resident: Option<&'a Arc<ResidentKey>>,
    signals: PublicSignals<E>,
    attempts: Vec<Attempt>,
}

/// A proof that verifies (or whose check was declined), and the sums that it was made of.
struct Checked<E: ProvingCurve> {
    proof: Proof<E>,
    sums: PartialSums<E>,
    composed: Vec<&'static str>,
}

/// What a verifier would say of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Accepted,
    /// The equation does not hold.
    Refused,
    /// A point is outside its subgroup.
    OutsideSubgroup,
}

impl<'a, E: ProvingCurve> Job<'a, E> {
    /// Proves on one backend.
    fn on(&mut self, plugin: &Arc<Plugin>) -> Result<Proved<E>, ProveError> {
        let mut attempt = Attempt { backend: plugin.name().to_owned(), failure: None, failed_self_checks: 0 };
        let mut recorder = self.recorder(plugin);
        let outcome = self.checked(plugin, &mut recorder, &mut attempt);
        attempt.failure = outcome.as_ref().err().map(ToString::to_string);
        self.attempts.push(attempt);
        let Checked { proof, sums, composed } = outcome?;
        let comparison =
            self.options.check_against.map(|other| self.compare(plugin, &sums, other)).transpose()?;
        Ok(Proved {
            proof,
            signals: self.signals.clone(),
            attempts: self.attempts.clone(),
            timings: recorder.timings,
            composed,
            self_checked: self.options.self_check,
            comparison,
        })
    }

    /// A proof that verifies, at the second try at the latest.
    fn checked(
        &self,
        plugin: &Arc<Plugin>,
        recorder: &mut Recorder<'_>,
        attempt: &mut Attempt,
    ) -> Result<Checked<E>, ProveError> {
        let resident = recorder.run(Phase::Load, || self.load(plugin))?;
        let composed = resident.device().composed();
        let mut earlier: Option<PartialSums<E>> = None;
        loop {
            let sums = match resident.sums::<E>(self.witness, recorder, &mut Trace::off()) {
                Err(error @ ProveError::Nonsense { .. }) => {
                    return Err(self.damaged_key(false).unwrap_or(error));
                }
                sums => sums?,
            };
            let proof = recorder.run(Phase::Assemble, || {
                assemble(self.key, &sums, self.blinding).map_err(ProveError::from)
            })?;
            let verdict = match self.options.self_check {
                true => recorder.run(Phase::SelfCheck, || self.verdict(&proof))?,
                false => Verdict::Accepted,
            };
            if verdict == Verdict::Accepted {
                return Ok(Checked { proof, sums, composed });
            }
            attempt.failed_self_checks += 1;
            self.options.observer.self_check_failed(plugin.name(), attempt.failed_self_checks);
            match earlier.replace(sums) {
                None => {}
                Some(earlier) => return Err(self.diagnose(plugin, verdict, &earlier, &sums)),
            }
        }
    }

    fn load(&self, plugin: &Arc<Plugin>) -> Result<Arc<ResidentKey>, ProveError> {
        if let Some(resident) = self.resident.filter(|known| Arc::ptr_eq(known.device().plugin(), plugin)) {
            return Ok(Arc::clone(resident));
        }
        let device = Device::open(plugin, self.key.curve, self.options.device)?;
        Ok(Arc::new(ResidentKey::load_for_one(&device, self.key)?))
    }

    /// What a verifier checks: the points' subgroups, then the pairing equation. A base outside its subgroup (a damaged or
    /// hostile key) can leave the equation intact and still make a proof that every reader refuses.
    fn verdict(&self, proof: &Proof<E>) -> Result<Verdict, ProveError> {
        let in_subgroup =
            E::g1_in_subgroup(&proof.a) && E::g2_in_subgroup(&proof.b) && E::g1_in_subgroup(&proof.c);
        if !in_subgroup {
            return Ok(Verdict::OutsideSubgroup);
        }
        let key = self.key.verifying_key::<E>()?;
        // A key whose IC has the wrong length is refused when it is opened.
        let accepted = verify(&key, &self.signals, proof).unwrap_or(false);
        Ok(if accepted { Verdict::Accepted } else { Verdict::Refused })
    }

    /// Two tries failed their self-check: whose fault is it?
    fn diagnose(
        &self,
        plugin: &Arc<Plugin>,
        verdict: Verdict,
        first: &PartialSums<E>,
        second: &PartialSums<E>,
    ) -> ProveError {
        if let Some(error) = self.damaged_key(verdict == Verdict::OutsideSubgroup) {
            return error;
        }
        let failed = ProveError::SelfCheck { backend: plugin.name().to_owned(), times: 2 };
        let Some(reference) = self.options.reference.filter(|_| first == second) else { return failed };
        if Arc::ptr_eq(reference, plugin) {
            let evidence = format!(
                "the {} backend, the reference, computed the same sums twice, and the proof they make does not verify",
                plugin.name()
            );
            return ProveError::Unsatisfied { evidence };
        }
        let mut recorder = self.recorder(reference);
        let sums = self
            .load(reference)
            .and_then(|resident| resident.sums::<E>(self.witness, &mut recorder, &mut Trace::off()));
        match sums {
            Ok(sums) if sums == *first => ProveError::Unsatisfied {
                evidence: format!(
                    "the backends {} ({}) and {} ({}) computed the same sums, and the proof they make does not verify",
                    plugin.name(),
                    plugin.origin(),
                    reference.name(),
                    reference.origin()
                ),
            },
            Err(ProveError::Cancelled) => ProveError::Cancelled,
            _ => failed,
        }
    }

    /// The key's fault, if it is. Reads all of it; subgroups, which take longer, are checked when there is a reason to.
    fn damaged_key(&self, subgroups: bool) -> Option<ProveError> {
        let checked =
            if subgroups { self.key.check_bases::<E>() } else { self.key.check_bases_on_curve::<E>() };
        let BadBase { query, index, problem } = checked.err()?;
        Some(match problem {
            BaseProblem::Point(_) => ProveError::DamagedKey { query, index },
            BaseProblem::Subgroup => ProveError::OutsideSubgroup { query, index },
        })
    }

    /// Computes the sums again on another backend. When they differ, both run once more and record every operation's
    /// result, so that the first one that differs is named.
    fn compare(
        &self,
        plugin: &Arc<Plugin>,
        sums: &PartialSums<E>,
        other: &Arc<Plugin>,
    ) -> Result<Comparison, ProveError> {
        let run = |plugin: &Arc<Plugin>, trace: &mut Trace| {
            let mut recorder = self.recorder(plugin);
            let resident = recorder.run(Phase::Load, || self.load(plugin))?;
            let sums = resident.sums::<E>(self.witness, &mut recorder, trace)?;
            Ok::<_, ProveError>((sums, recorder.timings))
        };
        let reference = other.name().to_owned();
        let (theirs, timings) = run(other, &mut Trace::off())?;
        if theirs == *sums {
            return Ok(Comparison { reference, timings });
        }
        let (mut our_trace, mut their_trace) = (Trace::on(), Trace::on());
        run(plugin, &mut our_trace)?;
        run(other, &mut their_trace)?;
        let operation = our_trace
            .first_difference(&their_trace)
            .unwrap_or("none of them when repeated: a result is not reproducible");
        Err(ProveError::Disagreement { backend: plugin.name().to_owned(), reference, operation })
    }

    fn recorder(&self, plugin: &Arc<Plugin>) -> Recorder<'a> {
        Recorder {
            observer: self.options.observer,
            cancel: self.options.cancel,
            backend: plugin.name().to_owned(),
            timings: Vec::new(),
        }
    }
}

fn check_curve<E: ProvingCurve>(curve: Curve) -> Result<(), ProveError> {
    if curve == E::CURVE { Ok(()) } else { Err(ProveError::WrongCurve { witness: E::CURVE, key: curve }) }
}

/// Signals 1..=n_public; the witness has been checked.
fn signals<E: ProvingCurve>(key: &ProvingKey, witness: &Witness) -> PublicSignals<E> {
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
