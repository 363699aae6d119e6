//! `interlock bench …`.
//!
//! | module | holds |
//! |---|---|
//! | [`batch`] | `bench batch` |
//! | [`interlocks`], [`table`] | `bench interlock`, and what it prints |
//! | [`running`] | a batch of jobs through an engine |
//! | [`subject`] | what is proved, from flags |
//! | [`synthetic`] | the circuit of `--type synthetic` |
//! | [`about`] | what a report says of the batch and of this machine |

mod about;
mod batch;
mod interlocks;
mod running;
mod subject;
mod synthetic;
mod table;

use std::path::Path;
use std::sync::Arc;

use interlock_core::engine::{EngineConfig, Kept, strategies};

use super::Context;
use super::inputs::{self, About, Files, Inputs, Steps};
use crate::args::{BatchArgs, BenchCommand, ProgressMode, Seed, SeedText};
use crate::backends::{self, Chosen};
use crate::config::{BackendSettings, Workers};
use crate::errors::{Usage, failure};
use crate::exit::Exit;
use crate::output::target::Target;
use crate::output::{json, print};
use crate::progress::Progress;
use crate::{engine, interrupt, threads};
use running::{Batch, Ran, Source};
use subject::Subject;

/// Proofs of a run: their records are kept in memory.
const MOST_PROOFS: u64 = 100_000;

/// Measures.
pub(crate) fn run(command: &BenchCommand, context: &Context) -> anyhow::Result<Exit> {
    match command {
        BenchCommand::Batch(args) => batch::run(args, context),
        BenchCommand::Interlock(args) => interlocks::run(args, context),
    }
}

/// What flags and configuration come to.
struct Bench<'a> {
    args: &'a BatchArgs,
    /// Key and witness, or the shape.
    subject: Subject<'a>,
    chosen: Chosen,
    settings: BackendSettings,
    workers: Workers,
    self_check: bool,
    seed: Option<Seed>,
}

impl<'a> Bench<'a> {
    /// All that is cheap to find out.
    fn begin(args: &'a BatchArgs, context: &Context) -> anyhow::Result<Self> {
        let subject = Subject::of(args)?;
        let proofs = u64::from(args.count.max(args.warm_up)) * u64::from(args.partitions);
        if proofs > MOST_PROOFS {
            return Err(Usage(format!(
                "--count and --partitions make {proofs} proofs a run, and there can be {MOST_PROOFS}: --repeat makes more runs"
            ))
            .into());
        }
        let seed = args.proving.seed.as_ref().map(SeedText::seed).transpose()?;
        let settings = context.config.backend(&args.backend, &args.threads);
        let self_check = context.config.self_check(args.proving.no_self_check);
        if let Some(limit) = args.proving.timeout {
            interrupt::after(limit)?;
        }
        // As for `prove`.
        threads::bound(settings.device.threads.map(|_| 1))?;
        if seed.is_some() {
            print::warning(
                "--seed makes the proofs reproducible and therefore INSECURE: they are not zero-knowledge",
            );
        }
        if !self_check {
            print::warning(
                "THE SELF-CHECK IS OFF: its time is not measured, and a wrong proof will not be noticed",
            );
        }
        let chosen = backends::choose(&settings, None)?;
        for reason in &chosen.skipped {
            print::warning(&format!("skipped: {reason}"));
        }
        if chosen.usable.len() > 1 {
            context.note(&format!("backends in fallback order: {}", chosen.order().join(", ")));
        }
        let workers = context.config.workers(&args.workers);
        Ok(Self { args, subject, chosen, settings, workers, self_check, seed })
    }

    /// Checks the places of timelines.
    fn targets(&self, outputs: &[&Path], context: &Context) -> anyhow::Result<Vec<Target>> {
        let mut read = Vec::new();
        if let Subject::Files(Files { key, witness, r1cs, .. }) = self.subject {
            read.extend([key, witness]);
            read.extend(r1cs);
        }
        read.extend(self.settings.list.files());
        context.targets(outputs, &read)
    }

    /// The interlock strategies that the first backend offers, its default first.
    fn strategies(&self) -> anyhow::Result<Vec<String>> {
        let Some(first) = self.chosen.usable.first() else { return Ok(Vec::new()) };
        Ok(strategies(&first.plugin)?.into_iter().map(|strategy| strategy.name).collect())
    }

    /// Reads or makes key and witness.
    fn load(&self, context: &Context) -> anyhow::Result<(Batch, About)> {
        let threads = self.settings.device.threads;
        let (key, source, about) = match self.subject {
            Subject::Files(files) => {
                let when = context.config.check_key(&self.args.check);
                // Its steps are not what is measured.
                let silent = Progress::begin(ProgressMode::None, 0);
                let Inputs { key, witness, about } =
                    inputs::read(files, context, when, threads, &silent, &mut Steps::default())?;
                (key, Source::Ready(Arc::new(witness)), about)
            }
            Subject::Shape(shape) => {
                let (key, about) = shape.key(self.seed.as_ref(), threads, context)?;
                (key, Source::Made(shape), about)
            }
        };
        if let (Some(text), Subject::Files(files)) = (&key.warning, self.subject) {
            print::warning(&format!("{}: {text}", files.key.display()));
        }
        let batch = Batch {
            key,
            source,
            count: self.args.count,
            concurrency: self.args.concurrency,
            partitions: self.args.partitions,
            seed: self.seed.clone(),
            checks: engine::checks(&self.chosen, self.self_check, Arc::new(())),
            limited: self.settings.device.memory_limit.is_some(),
        };
        Ok((batch, about))
    }

    /// Runs a batch so often on an engine of its own, which proves some jobs before. Gives the strategy's name as well.
    fn session(
        &self,
        batch: &Batch,
        interlock: Option<String>,
        timeline: Option<&Target>,
        runs: u32,
        mut heard: impl FnMut(u32, &Ran),
    ) -> anyhow::Result<(String, Vec<Ran>)> {
        let kept = Kept::default();
        // The jobs in flight have places. When threads are limited, the engine's own pool has one for each synthesis: what it
        // computes beside the backend.
        let most = self.settings.device.threads.map(|threads| threads.min(self.workers.partition));
        let change = |config: EngineConfig| EngineConfig {
            max_jobs: batch.concurrency.max(config.max_jobs),
            threads: most,
            ..config
        };
        let timeline = engine::timeline(timeline)?.keeping(&kept);
        let running = engine::start(&self.chosen, &self.settings, self.workers, interlock, change, timeline)?;
        let name = running.interlock().to_owned();
        let outcome = interrupt::cooperating(|cancel| {
            batch.warm_up(self.args.warm_up, &running, &kept, cancel)?;
            let mut all = Vec::new();
            for number in 1..=runs {
                let ran = batch.run(&running, &kept, cancel)?;
                heard(number, &ran);
                all.push(ran);
            }
            anyhow::Ok(all)
        });
        let timeline = engine::end(running);
        interrupt::check()?;
        let mut ran = outcome?;
        // What a job failed for is the better answer.
        if let (Some(last), Err(lost)) = (ran.last_mut(), timeline) {
            last.failure.get_or_insert(lost.into());
        }
        Ok((name, ran))
    }
}

/// Prints a report, and the failure of a job or a comparison if there is one, whose exit code it gives.
fn report(
    command: &str,
    as_json: bool,
    error: Option<anyhow::Error>,
    body: impl FnOnce() -> serde_json::Value,
    text: impl FnOnce() -> String,
) -> anyhow::Result<Exit> {
    let failed = error.as_ref().map(failure);
    let shown = match (as_json, &failed) {
        (true, None) => json::done(command, body()),
        (true, Some(failure)) => json::failed_with(command, failure, body()),
        (false, _) => text(),
    };
    print::data(&shown)?;
    Ok(failed.map_or(Exit::Ok, |failure| {
        print::failure(&failure);
        failure.exit
    }))
}
