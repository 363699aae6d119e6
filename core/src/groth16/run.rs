//! One proof's steps, whoever drives them: a caller's thread ([`prove`](super::prove())), or an engine's workers.

use std::sync::Arc;

use interlock_curves::ProvingCurve;

use crate::backend::{Device, Plugin};
use crate::format::Witness;
use crate::groth16::assemble::{PartialSums, assemble};
use crate::groth16::blinding::Blinding;
use crate::groth16::error::{FirstDifference, ProveError};
use crate::groth16::progress::{Phase, Recorder};
use crate::groth16::prove::{Attempt, Comparison, ProveOptions};
use crate::groth16::resident::ResidentKey;
use crate::groth16::trace::Trace;
use crate::groth16::verify::verify;
use crate::key::{BadBase, BaseProblem, ProvingKey};
use crate::types::{Proof, PublicSignals};

/// A proof to be made.
pub(crate) struct Run<'a, E: ProvingCurve> {
    pub(crate) key: &'a Arc<ProvingKey>,
    pub(crate) witness: &'a Witness,
    pub(crate) signals: &'a PublicSignals<E>,
    pub(crate) blinding: &'a Blinding<E>,
    pub(crate) options: &'a ProveOptions<'a>,
    /// The key on a device, when it is there already.
    pub(crate) resident: Option<&'a Arc<ResidentKey>>,
}

/// A proof that verifies (or whose check was declined), and the sums that it was made of.
pub(crate) struct Checked<E: ProvingCurve> {
    pub(crate) proof: Proof<E>,
    pub(crate) sums: PartialSums<E>,
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

impl<'a, E: ProvingCurve> Run<'a, E> {
    /// The key on a device of a backend.
    pub(crate) fn load(&self, plugin: &Arc<Plugin>) -> Result<Arc<ResidentKey>, ProveError> {
        if let Some(resident) = self.resident.filter(|known| Arc::ptr_eq(known.device().plugin(), plugin)) {
            return Ok(Arc::clone(resident));
        }
        let device = Device::open(plugin, self.key.curve, self.options.device)?;
        Ok(Arc::new(ResidentKey::load_for_one(&device, self.key)?))
    }

    /// A backend's answer that cannot be a result may be the key's fault.
    pub(crate) fn blame(&self, error: ProveError) -> ProveError {
        match error {
            ProveError::Nonsense { .. } => self.damaged_key(false).unwrap_or(error),
            error => error,
        }
    }

    /// Makes a proof of sums, and checks it. None: it does not verify, and the sums are to be computed once more on the
    /// same backend; `earlier` holds them then.
    pub(crate) fn check(
        &self,
        plugin: &Arc<Plugin>,
        sums: PartialSums<E>,
        earlier: &mut Option<PartialSums<E>>,
        attempt: &mut Attempt,
        recorder: &mut Recorder<'_>,
    ) -> Result<Option<Checked<E>>, ProveError> {
        let proof = recorder
            .run(Phase::Assemble, || assemble(self.key, &sums, self.blinding).map_err(ProveError::from))?;
        let verdict = match self.options.self_check {
            true => recorder.run(Phase::SelfCheck, || self.verdict(&proof))?,
            false => Verdict::Accepted,
        };
        if verdict == Verdict::Accepted {
            return Ok(Some(Checked { proof, sums }));
        }
        attempt.failed_self_checks += 1;
        self.options.observer.self_check_failed(plugin.name(), attempt.failed_self_checks);
        match earlier.replace(sums) {
            None => Ok(None),
            Some(earlier) => Err(self.diagnose(plugin, verdict, &earlier, &sums)),
        }
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
        let accepted = verify(&key, self.signals, proof).unwrap_or(false);
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
        let failed = || match self.first_difference(plugin, second) {
            Err(error) => error,
            Ok(differs) => ProveError::SelfCheck { backend: plugin.name().to_owned(), times: 2, differs },
        };
        let Some(reference) = self.options.reference.filter(|_| first == second) else { return failed() };
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
            _ => failed(),
        }
    }

    /// Where sums that make no proof begin to differ from another backend's, if a comparison with one was asked for.
    fn first_difference(
        &self,
        plugin: &Arc<Plugin>,
        sums: &PartialSums<E>,
    ) -> Result<Option<FirstDifference>, ProveError> {
        let Some(other) = self.options.check_against else { return Ok(None) };
        match self.compare(plugin, sums, other) {
            Err(ProveError::Disagreement { reference, operation, .. }) => {
                Ok(Some(FirstDifference { reference, operation }))
            }
            Err(ProveError::Cancelled) => Err(ProveError::Cancelled),
            // They agree, or the other one fails: then the proof's failure is what there is to tell.
            _ => Ok(None),
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
    pub(crate) fn compare(
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

    pub(crate) fn recorder(&self, plugin: &Arc<Plugin>) -> Recorder<'a> {
        Recorder {
            observer: self.options.observer,
            cancel: self.options.cancel,
            backend: plugin.name().to_owned(),
            timings: Vec::new(),
            ended: &|_, _| {},
        }
    }
}
