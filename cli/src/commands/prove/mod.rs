//! `interlock prove`.

mod report;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use interlock_core::engine::{EngineConfig, Job as EngineJob, PartitionSpec, Timeline};
use interlock_core::files::{Family, write_proof};
use interlock_core::format::Witness;
use interlock_core::format::snarkjs_json::public_to_json;
use interlock_core::groth16::{Attempt, Blinding, Comparison, ProveError, Proved, Timing};
use interlock_core::key::ProvingKey;
use interlock_curves::{ProvingCurve, with_curve};

use super::Context;
use super::inputs::{self, Files, Inputs, Steps};
use crate::args::{CheckKey, ProgressMode, ProveArgs, Seed, SeedText};
use crate::backends::{self, Chosen};
use crate::config::{BackendSettings, Workers};
use crate::engine;
use crate::errors::{EngineFailed, KeyAtFault, TimelineLost, failure};
use crate::exit::Exit;
use crate::interrupt;
use crate::output::atomic::{Draft, commit};
use crate::output::{json, print};
use crate::progress::{self, Progress};
use crate::threads;
use report::Report;

/// A proof as it will be written, and how it came about; the same type for all curves.
struct Finished {
    proof: Vec<u8>,
    public: String,
    attempts: Vec<Attempt>,
    timings: Vec<Timing>,
    composed: Vec<&'static str>,
    self_checked: bool,
    comparison: Option<Comparison>,
    timeline: Result<(), TimelineLost>,
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
    let seed = args.proving.seed.as_ref().map(SeedText::seed).transpose()?;
    let settings = context.config.backend(&args.backend, &args.threads);
    let self_check = context.config.self_check(args.proving.no_self_check);
    if let Some(limit) = args.proving.timeout {
        interrupt::after(limit)?;
    }
    // The backend's pool is what computes; when the number is limited, there is no room for a second pool beside it.
    threads::bound(settings.device.threads.map(|_| 1))?;
    let mut read = vec![args.key.as_path(), &args.witness];
    read.extend(args.r1cs.as_deref());
    read.extend(settings.list.files());
    read.extend(args.check_against.as_deref().map(Path::new));
    let mut outputs = vec![args.proof.as_path(), &args.public];
    outputs.extend(args.engine.timeline.as_deref());
    let targets = context.targets(&outputs, &read)?;
    let check_key = context.config.check_key(&args.check);

    if args.proving.seed.is_some() {
        print::warning(
            "--seed makes the proof reproducible and therefore INSECURE: it is not zero-knowledge",
        );
    }
    if !self_check {
        print::warning(
            "THE SELF-CHECK IS OFF: a wrong proof, by a faulty device or from a wrong witness, will not be noticed",
        );
    }
    let chosen = backends::choose(&settings, args.check_against.as_deref())?;
    for reason in &chosen.skipped {
        print::warning(&format!("skipped: {reason}"));
    }
    let order = chosen.order();
    if order.len() > 1 {
        context.note(&format!("backends in fallback order: {}", order.join(", ")));
    }

    // Reading key and witness and sorting the key, the key's check, the circuit and the witness' check.
    let before = 3 + u64::from(check_key != CheckKey::Never) + if args.r1cs.is_some() { 2 } else { 0 };
    let progress = Arc::new(Progress::begin(mode(args, context), before));
    let mut steps = Steps::default();
    let files = Files {
        key: &args.key,
        witness: &args.witness,
        r1cs: args.r1cs.as_deref(),
        proof_format: args.proof_format,
    };
    let Inputs { key, witness, about } =
        inputs::read(files, context, check_key, settings.device.threads, &progress, &mut steps)?;
    if let Some(text) = &key.warning {
        progress.warning(&format!("{}: {text}", args.key.display()));
    }
    let interlock = context.config.interlock(&args.engine);
    if let Some(name) = &interlock {
        engine::expect_strategy(&chosen, engine::FLAG, name)?;
    }
    let job = Job {
        key: &key,
        witness,
        chosen: &chosen,
        settings: &settings,
        self_check,
        format: args.proof_format,
        interlock,
        timeline: engine::timeline(targets.get(2))?,
    };
    let finished = with_curve!(key.curve, E => job.prove::<E>(seed.as_ref(), &progress));
    let finished = finished.map_err(|error| match (&args.r1cs, error.downcast_ref::<ProveError>()) {
        // The witness was found to satisfy the circuit before.
        (Some(circuit), Some(error)) if error.is_unsatisfied() => {
            let (witness, circuit, key) = (args.witness.clone(), circuit.clone(), args.key.clone());
            KeyAtFault { witness, circuit, key }.into()
        }
        _ => error,
    })?;
    interrupt::check()?;

    let write = Instant::now();
    let drafts = [(&targets[0], finished.proof.as_slice()), (&targets[1], finished.public.as_bytes())]
        .into_iter()
        .map(|(target, bytes)| Draft::with_bytes(target, bytes))
        .collect::<Result<_, _>>()?;
    commit(drafts)?;
    steps.write = write.elapsed();
    steps.total = start.elapsed();
    progress.end();

    let report = Report::new(args, &key, &about, &chosen, &settings, &finished, &steps);
    for warning in report.troubles() {
        print::warning(&warning);
    }
    // The proof is there; the exit code tells that another output is not.
    let lost = finished.timeline.as_ref().err().map(|lost| failure(&lost.clone().into()));
    if args.json {
        let done = "proof and public signals were written, only their report cannot be printed";
        let text = match &lost {
            None => json::done("prove", &report),
            Some(lost) => json::failed_with("prove", lost, &report),
        };
        print::report(&text, done)?;
    } else {
        context.note(report.summary().trim_end());
    }
    Ok(lost.map_or(Exit::Ok, |lost| {
        print::failure(&lost);
        lost.exit
    }))
}

struct Job<'a> {
    key: &'a Arc<ProvingKey>,
    witness: Witness,
    chosen: &'a Chosen,
    settings: &'a BackendSettings,
    self_check: bool,
    format: Family,
    interlock: Option<String>,
    timeline: Timeline,
}

impl Job<'_> {
    fn prove<E: ProvingCurve>(
        self,
        seed: Option<&Seed>,
        progress: &Arc<Progress>,
    ) -> anyhow::Result<Finished> {
        let mut partition = PartitionSpec::<E>::new(self.key, self.witness);
        if let Some(seed) = seed {
            partition = partition.with_blinding(Blinding::from_seed(&seed.0));
        }
        let observer: Arc<Progress> = Arc::clone(progress);
        let checks = engine::checks(self.chosen, self.self_check, observer);
        let job = EngineJob::new(vec![partition]).with_checks(checks);
        let single = Workers { per_device: 1, ..Workers::default() };
        // A key that is used once need not stay in memory. What the engine itself computes is never beside what the
        // backend does, but when threads are limited, a second pool of as many would not be.
        let threads = self.settings.device.threads.map(|_| 1);
        let once = |config| EngineConfig { single_use: true, threads, ..config };
        let running = engine::start(self.chosen, self.settings, single, self.interlock, once, self.timeline)?;
        let outcome = interrupt::cooperating(|cancel| {
            let handle = running.submit(job).map_err(engine::not_taken)?;
            let limited = self.settings.device.memory_limit.is_some();
            handle.wait_unless(cancel).map_err(|error| engine::not_done(error, limited))
        });
        let timeline = engine::end(running);
        // Who asked for the end, and how, is the better answer than what became of the proof.
        interrupt::check()?;
        let mut proved = outcome?;
        let Some(Proved { proof, signals, attempts, timings, composed, self_checked, comparison }) =
            proved.pop()
        else {
            return Err(EngineFailed("the engine gave no proof".to_owned()).into());
        };
        let mut bytes = Vec::new();
        write_proof(&proof, self.format, &mut bytes)?;
        Ok(Finished {
            proof: bytes,
            public: public_to_json(&signals),
            attempts,
            timings,
            composed,
            self_checked,
            comparison,
            timeline,
        })
    }
}
