//! `interlock prove`.

mod report;

use std::sync::Arc;
use std::time::{Duration, Instant};

use interlock_core::backend::{BackendError, BackendErrorKind};
use interlock_core::format::snarkjs_json::{proof_to_json, public_to_json};
use interlock_core::format::{Witness, Zkey};
use interlock_core::groth16::{
    Attempt, Blinding, Comparison, ProveError, ProveOptions, Proved, Timing, prove,
};
use interlock_core::key::ProvingKey;
use interlock_curves::{ProvingCurve, with_curve};

use super::Context;
use super::files::{PROVE, Role, explain};
use crate::args::{ProgressMode, ProveArgs, Seed, SeedText};
use crate::backends::{self, Chosen};
use crate::config::BackendSettings;
use crate::errors::OverLimit;
use crate::exit::Exit;
use crate::interrupt;
use crate::output::atomic::{Draft, commit};
use crate::output::{json, print, target};
use crate::progress::{self, Progress};
use crate::threads;
use report::Report;

/// A proof as text, and how it came about; the same type for all curves.
struct Finished {
    proof: String,
    public: String,
    attempts: Vec<Attempt>,
    timings: Vec<Timing>,
    composed: Vec<&'static str>,
    self_checked: bool,
    comparison: Option<Comparison>,
}

/// Steps of this command around the prover's phases, with their times.
#[derive(Debug, Default)]
struct Steps {
    key: Duration,
    witness: Duration,
    sort: Duration,
    write: Duration,
}

/// What `--progress` comes to for this command.
fn mode(args: &ProveArgs, context: &Context) -> ProgressMode {
    progress::settled(context.config.progress(args.progress), context.quiet, print::stderr_is_terminal())
}

/// Makes warnings events when progress is, and warns when there is no terminal for the bar.
pub(super) fn prepare_stderr(args: &ProveArgs, context: &Context) {
    match mode(args, context) {
        ProgressMode::Ndjson => print::warn_by_events(),
        ProgressMode::Bar if !print::stderr_is_terminal() => {
            print::warning("progress as a bar needs a terminal on stderr: none will be shown");
        }
        _ => {}
    }
}

/// Proves.
pub(crate) fn run(args: &ProveArgs, context: &Context) -> anyhow::Result<Exit> {
    let start = Instant::now();
    let seed = args.seed.as_ref().map(SeedText::seed).transpose()?;
    let settings = context.config.backend(&args.backend, &args.threads);
    let self_check = context.config.self_check(args.no_self_check);
    if let Some(limit) = args.timeout {
        interrupt::after(limit)?;
    }
    // The backend's pool is what computes; when the number is limited, there is no room for a second pool beside it.
    threads::bound(settings.device.threads.map(|_| 1))?;
    let targets = target::check(&[&args.proof, &args.public], &[&args.key, &args.witness])?;

    if args.seed.is_some() {
        print::warning(
            "--seed makes the proof reproducible and therefore INSECURE: it is not zero-knowledge",
        );
    }
    if !self_check {
        print::warning("THE SELF-CHECK IS OFF: a wrong proof by a faulty device will not be noticed");
    }
    let chosen = backends::choose(&settings, args.check_against.as_deref())?;
    for reason in &chosen.skipped {
        print::warning(&format!("skipped: {reason}"));
    }
    let order = chosen.order();
    if order.len() > 1 {
        context.note(&format!("backends in fallback order: {}", order.join(", ")));
    }

    let progress = Progress::begin(mode(args, context));
    let mut steps = Steps::default();
    let (witness, key) = read(args, &progress, &mut steps)?;
    if let Some(text) = &key.warning {
        progress.warning(&format!("{}: {text}", args.key.display()));
    }
    let job = Job { key: &key, witness: &witness, chosen: &chosen, settings: &settings, self_check };
    let finished = with_curve!(key.curve, E => job.prove::<E>(seed.as_ref(), &progress)?);
    drop(witness);
    interrupt::check()?;

    let write = Instant::now();
    let drafts = [(&targets[0], &finished.proof), (&targets[1], &finished.public)]
        .into_iter()
        .map(|(target, text)| Draft::with_text(target, text))
        .collect::<Result<_, _>>()?;
    commit(drafts)?;
    steps.write = write.elapsed();
    progress.end();

    let report = Report::new(args, &key, &chosen, &settings, &finished, &steps, start.elapsed());
    for warning in report.troubles() {
        print::warning(&warning);
    }
    if args.json {
        let done = "proof and public signals were written, only their report cannot be printed";
        print::report(&json::done("prove", &report), done)?;
    } else {
        context.note(report.summary().trim_end());
    }
    Ok(Exit::Ok)
}

/// Reads both files. What is cheap to find out comes first: a key may take minutes to sort.
fn read(
    args: &ProveArgs,
    progress: &Progress,
    steps: &mut Steps,
) -> anyhow::Result<(Witness, Arc<ProvingKey>)> {
    progress.step("read_key", None);
    let start = Instant::now();
    let zkey = Zkey::open(&args.key).map_err(|error| explain(error, &args.key, Role::Key, PROVE))?;
    steps.key = start.elapsed();

    progress.step("read_witness", None);
    let start = Instant::now();
    let witness =
        Witness::open(&args.witness).map_err(|error| explain(error, &args.witness, Role::Witness, PROVE))?;
    steps.witness = start.elapsed();
    if witness.curve() != zkey.curve() {
        return Err(ProveError::WrongCurve { witness: witness.curve(), key: zkey.curve() }.into());
    }
    let (found, wanted) = (witness.len(), zkey.n_vars() as usize);
    if found != wanted {
        return Err(ProveError::WitnessLength { witness: found, key: wanted }.into());
    }

    progress.step("sort_key", None);
    let start = Instant::now();
    let key = Arc::new(ProvingKey::from_zkey(&zkey)?);
    steps.sort = start.elapsed();
    Ok((witness, key))
}

struct Job<'a> {
    key: &'a Arc<ProvingKey>,
    witness: &'a Witness,
    chosen: &'a Chosen,
    settings: &'a BackendSettings,
    self_check: bool,
}

impl Job<'_> {
    fn prove<E: ProvingCurve>(&self, seed: Option<&Seed>, progress: &Progress) -> anyhow::Result<Finished> {
        let blinding = match seed {
            Some(seed) => Blinding::<E>::from_seed(&seed.0),
            None => Blinding::random().map_err(ProveError::from)?,
        };
        let plugins: Vec<_> =
            self.chosen.usable.iter().map(|selected| Arc::clone(&selected.plugin)).collect();
        let outcome = interrupt::cooperating(|cancel| {
            let options = ProveOptions {
                backends: &plugins,
                device: self.settings.device,
                self_check: self.self_check,
                check_against: self.chosen.check_against.as_ref().map(|selected| &selected.plugin),
                reference: Some(&self.chosen.reference),
                observer: progress,
                cancel,
            };
            prove::<E>(self.key, self.witness, &blinding, &options)
        });
        // Who asked for the end, and how, is the better answer than what became of the proof.
        interrupt::check()?;
        let limited = self.settings.device.memory_limit.is_some();
        let outcome = outcome.map_err(|error| match error {
            error if limited && never_fits(&error) => OverLimit(error).into(),
            error => anyhow::Error::new(error),
        });
        let Proved { proof, signals, attempts, timings, composed, self_checked, comparison } = outcome?;
        Ok(Finished {
            proof: proof_to_json(&proof),
            public: public_to_json(&signals),
            attempts,
            timings,
            composed,
            self_checked,
            comparison,
        })
    }
}

/// Whether a device would need more memory than it may ever have.
fn never_fits(error: &ProveError) -> bool {
    match error {
        ProveError::Backend(BackendError { kind, .. }) => *kind == BackendErrorKind::NeverFits,
        ProveError::Exhausted { last, .. } => never_fits(last),
        _ => false,
    }
}
