//! What a proof is made from: key, circuit and witness, checked against each other.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use interlock_core::files::{Family, KeyFile};
use interlock_core::format::Witness;
use interlock_core::groth16::ProveError;
use interlock_core::key::ProvingKey;
use interlock_curves::Curve;
use serde::Serialize;

use super::files::{PROVE, Role, explain};
use super::key_check::{KeyCheck, Told, Voice, check};
use super::rows::constraints;
use super::{Context, circuits};
use crate::args::CheckKey;
use crate::errors::Unfit;
use crate::progress::Progress;
use crate::threads;

/// The files of a proof.
#[derive(Clone, Copy, Debug)]
pub(super) struct Files<'a> {
    pub(super) key: &'a Path,
    pub(super) witness: &'a Path,
    pub(super) r1cs: Option<&'a Path>,
    /// In which format the proof will be written.
    pub(super) proof_format: Family,
}

/// Steps of a command around the prover's phases, with their times.
#[derive(Debug, Default)]
pub(super) struct Steps {
    /// Before the prover begins, in order.
    pub(super) before: Vec<(&'static str, Duration)>,
    pub(super) write: Duration,
    /// From the start to the outputs being in place.
    pub(super) total: Duration,
}

impl Steps {
    /// Does a step, times it, and says so.
    fn run<T>(&mut self, name: &'static str, progress: &Progress, work: impl FnOnce() -> T) -> T {
        progress.step(name, None);
        let start = Instant::now();
        let outcome = work();
        self.before.push((name, start.elapsed()));
        outcome
    }
}

/// Key and witness, ready to prove with.
pub(super) struct Inputs {
    pub(super) key: Arc<ProvingKey>,
    pub(super) witness: Witness,
    pub(super) about: About,
}

/// What is told of the key beside its numbers.
pub(super) struct About {
    pub(super) family: Family,
    pub(super) check: KeyCheck,
    /// From the circuit, or from the key if it tells.
    pub(super) constraints: Option<u64>,
}

/// What is told of a key, in JSON.
#[derive(Debug, Serialize)]
pub(super) struct KeyReport {
    /// None of a key that was made in memory.
    path: Option<String>,
    format: &'static str,
    pub(super) check: KeyCheck,
    /// `null` for keys whose rows do not end as snarkjs's do.
    pub(super) constraints: Option<u64>,
    pub(super) domain: u64,
    pub(super) signals: u64,
    pub(super) public: u64,
    warning: Option<String>,
}

impl KeyReport {
    pub(super) fn new(path: Option<&Path>, key: &ProvingKey, about: &About) -> Self {
        Self {
            path: path.map(|path| path.display().to_string()),
            format: about.family.name(),
            check: about.check,
            constraints: about.constraints,
            domain: key.domain_size() as u64,
            signals: key.n_vars as u64,
            public: key.n_public as u64,
            warning: key.warning.clone(),
        }
    }
}

/// Reads all files. What is cheap to find out comes first: a key may take minutes to sort or to check.
pub(super) fn read(
    files: Files<'_>,
    context: &Context,
    when: CheckKey,
    threads: Option<u32>,
    progress: &Progress,
    steps: &mut Steps,
) -> anyhow::Result<Inputs> {
    let file = steps
        .run("read_key", progress, || KeyFile::open(files.key))
        .map_err(|error| explain(error, files.key, Role::Key, PROVE))?;
    circuits::expect(&file, files.r1cs)?;
    if files.proof_format == Family::Bellman && file.curve() != Curve::Bls12_381 {
        let what = format!("--proof-format bellman: {} is for {}", files.key.display(), file.curve());
        let hint = Some("bellman's proofs are for bls12-381 only: take arkworks or snarkjs");
        return Err(Unfit { what, hint }.into());
    }
    let circuit = files.r1cs.map(|path| {
        steps
            .run("read_circuit", progress, || circuits::open(path, &file, PROVE))
            .map(|circuit| (circuit, path))
    });
    let circuit = circuit.transpose()?;

    let witness = steps
        .run("read_witness", progress, || Witness::open(files.witness))
        .map_err(|error| explain(error, files.witness, Role::Witness, PROVE))?;
    if witness.curve() != file.curve() {
        return Err(ProveError::WrongCurve { witness: witness.curve(), key: file.curve() }.into());
    }
    let (found, wanted) = (witness.len(), file.n_vars());
    if found != wanted {
        return Err(ProveError::WitnessLength { witness: found, key: wanted }.into());
    }
    if let Some((circuit, path)) = &circuit {
        steps.run("check_witness", progress, || {
            threads::within(threads, || circuits::satisfy(circuit, path, &witness, files.witness))
        })??;
    }

    let key = steps.run("sort_key", progress, || match &file {
        KeyFile::Zkey(_) => anyhow::Ok(file.proving_key(None)?),
        // Its points are converted.
        _ => {
            Ok(threads::within(threads, || file.proving_key(circuit.as_ref().map(|(circuit, _)| circuit)))??)
        }
    })?;
    let of_key = || constraints(&key.a_matrix, &key.b_matrix, key.n_public);
    let constraints = match &circuit {
        Some((circuit, path)) => {
            if !file.needs_circuit() {
                circuits::expect_constraints(circuit, path, files.key, of_key())?;
            }
            Some(circuit.n_constraints() as u64)
        }
        None => of_key(),
    };
    drop(circuit);

    let check = match when {
        CheckKey::Never => KeyCheck::Skipped,
        when => {
            let note = |text: &str| {
                if !context.quiet {
                    progress.note(text);
                }
            };
            let voice = Voice { note: &note, warn: &|text| progress.warning(text) };
            steps.run("check_key", progress, || {
                check(file.file(), &key, when, threads, Told::ByIdentity, &voice)
            })?
        }
    };
    Ok(Inputs { key: Arc::new(key), witness, about: About { family: file.family(), check, constraints } })
}
