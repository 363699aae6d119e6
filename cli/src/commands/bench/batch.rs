//! `interlock bench batch`.

use interlock_timeline::Summary;
use interlock_timeline::batch::{Repeats, Report};
use interlock_timeline::units::Micros;
use serde_json::json;

use super::about::{Head, kind};
use super::running::Ran;
use super::table::Run;
use super::{Bench, report};
use crate::args::BenchBatchArgs;
use crate::commands::Context;
use crate::engine;
use crate::errors::ProofsDiffer;
use crate::exit::Exit;
use crate::output::json::hex;

/// Measures a batch.
pub(super) fn run(args: &BenchBatchArgs, context: &Context) -> anyhow::Result<Exit> {
    let bench = Bench::begin(&args.batch, context)?;
    let interlock = context.config.interlock(&args.engine);
    if let Some(name) = &interlock {
        engine::expect_strategy(&bench.chosen, engine::FLAG, name)?;
    }
    let outputs: Vec<_> = args.engine.timeline.as_deref().into_iter().collect();
    let targets = bench.targets(&outputs, context)?;
    let (batch, about) = bench.load(context)?;
    let (name, repeat) = (kind(args.batch.kind), args.batch.repeat);
    let told = |ran: &Ran| Report::of(&ran.model, name, args.batch.concurrency);
    let heard = |number: u32, ran: &Ran| {
        if repeat > 1 {
            context.note(&format!("run {number} of {repeat}: {}", Micros(told(ran).total_us)));
        }
    };
    let (strategy, ran) = bench.session(&batch, interlock, targets.first(), repeat, heard)?;

    let runs: Vec<Run> =
        ran.iter().map(|ran| Run { report: told(ran), summary: Summary::new(&ran.model) }).collect();
    let reports: Vec<Report> = runs.iter().map(|run| run.report.clone()).collect();
    let repeats = (repeat > 1).then(|| Repeats::of(&reports));
    let first_proofs = ran.first().and_then(|ran| ran.hashes.get(&0)).map(|hash| hex(hash));
    // Fixed blinding gives the same bytes each time.
    let differing = (bench.seed.is_some())
        .then(|| ran.windows(2).position(|pair| differ(&pair[0], &pair[1])))
        .flatten()
        .map(|at| {
            ProofsDiffer(format!("proofs of run {} differ from those of run {}", at + 2, at + 1)).into()
        });
    let failed = ran.into_iter().find_map(|ran| ran.failure);
    let text = || {
        let mut text = reports.last().map(ToString::to_string).unwrap_or_default();
        if let Some(repeats) = &repeats {
            text.push_str(&format!("\n{repeats}"));
        }
        text
    };
    let body = || {
        let head = Head::new(&bench, &batch, &about);
        let timeline = args.engine.timeline.as_ref().map(|path| path.display().to_string());
        let mut body = json!(head);
        body["strategy"] = json!(strategy);
        body["runs"] = json!(runs);
        body["repeats"] = json!(repeats);
        body["first_job_sha256"] = json!(first_proofs);
        body["outputs"] = json!({ "timeline": timeline });
        body
    };
    report("bench batch", args.batch.json, failed.or(differing), body, text)
}

/// Whether a job has other proofs in one run than in the other.
fn differ(a: &Ran, b: &Ran) -> bool {
    a.hashes.iter().any(|(index, hash)| b.hashes.get(index).is_some_and(|other| other != hash))
}
