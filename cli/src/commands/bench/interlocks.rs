//! `interlock bench interlock`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use interlock_timeline::Summary;
use interlock_timeline::batch::Report;
use interlock_timeline::units::Micros;
use serde_json::json;

use super::about::{Head, kind};
use super::running::{JobHash, Ran};
use super::table::{Run, Table};
use super::{Bench, report};
use crate::args::{BenchInterlockArgs, Seed};
use crate::commands::Context;
use crate::engine;
use crate::errors::{ProofsDiffer, Unusable, Usage};
use crate::exit::Exit;
use crate::output::json::hex;

/// Compares strategies.
pub(super) fn run(args: &BenchInterlockArgs, context: &Context) -> anyhow::Result<Exit> {
    let mut bench = Bench::begin(&args.batch, context)?;
    let strategies = wanted(&bench, &args.strategies)?;
    let (repeat, concurrency) = (args.batch.repeat, args.batch.concurrency);
    let outputs: Vec<PathBuf> = match &args.timeline {
        None => Vec::new(),
        Some(path) if path.file_name().is_none() || path.exists() && !path.is_file() => {
            let text = format!(
                "--timeline {}: a file name is needed, from which each strategy's own is made",
                path.display()
            );
            return Err(Usage(text).into());
        }
        Some(path) => (0..repeat)
            .flat_map(|round| strategies.iter().map(move |name| (name, (repeat > 1).then_some(round + 1))))
            .map(|(name, round)| timeline_of(path, name, round))
            .collect(),
    };
    let targets = bench.targets(&outputs.iter().map(PathBuf::as_path).collect::<Vec<_>>(), context)?;
    let mut targets = targets.iter();
    // The same blinding for all, so that their proofs can be compared. Nobody learns it.
    if bench.seed.is_none() {
        bench.seed = Some(random_seed()?);
    }
    let (batch, about) = bench.load(context)?;

    let kind = kind(args.batch.kind);
    let mut table = Table::new(kind, args.batch.count, concurrency, &strategies);
    let mut proofs = Proofs::default();
    let mut failed = None;
    for round in 1..=repeat {
        for (place, name) in strategies.iter().enumerate() {
            let (_, ran) = bench.session(&batch, Some(name.clone()), targets.next(), 1, |_, _| {})?;
            for Ran { model, hashes, failure } in ran {
                let run =
                    Run { report: Report::of(&model, kind, concurrency), summary: Summary::new(&model) };
                context.note(&format!("{name}, run {round} of {repeat}: {}", Micros(run.report.total_us)));
                proofs.compare(name, hashes);
                table.add(place, run);
                // What it was decides the exit code.
                failed = failed.or_else(|| {
                    failure.map(|error| {
                        let said = format!("under {name}: {error}");
                        error.context(said)
                    })
                });
            }
        }
    }
    table.compared = (proofs.compared, proofs.difference.is_none());
    let first_proofs = proofs.known.get(&0).map(|(_, hash)| hex(hash));
    let differing = proofs.difference.map(|what| ProofsDiffer(what).into());
    let body = || {
        let mut body = json!(Head::new(&bench, &batch, &about));
        body["runs"] = json!(repeat);
        body["strategies"] = json!(table.rows());
        body["proofs_compared"] = json!(proofs.compared);
        body["first_job_sha256"] = json!(first_proofs);
        body["outputs"] =
            json!({ "timelines": outputs.iter().map(|path| path.display().to_string()).collect::<Vec<_>>() });
        body
    };
    // Other proofs are worse than none.
    report("bench interlock", args.batch.json, differing.or(failed), body, || table.to_string())
}

/// The strategies to compare: those that were named, or all.
fn wanted(bench: &Bench<'_>, named: &[String]) -> anyhow::Result<Vec<String>> {
    if named.is_empty() {
        return bench.strategies();
    }
    for (index, name) in named.iter().enumerate() {
        engine::expect_strategy(&bench.chosen, "--strategies", name)?;
        if named[..index].contains(name) {
            return Err(Usage(format!("--strategies: {name} is named twice")).into());
        }
    }
    Ok(named.to_vec())
}

/// `run.ndjson` → `run.ledger.ndjson`, `run.ledger.2.ndjson`. Strategies' names are such as files may have.
fn timeline_of(path: &Path, strategy: &str, round: Option<u32>) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!(".{strategy}"));
    if let Some(round) = round {
        name.push(format!(".{round}"));
    }
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

fn random_seed() -> Result<Seed, Unusable> {
    let mut seed = Seed([0; 32]);
    getrandom::fill(&mut seed.0)
        .map_err(|error| Unusable(format!("the operating system's random generator failed: {error}")))?;
    Ok(seed)
}

/// The proofs of all runs, of which those of one job must be the same.
#[derive(Debug, Default)]
struct Proofs {
    /// A job's proofs, and who made them first.
    known: BTreeMap<u32, (String, JobHash)>,
    /// Jobs whose proofs were there to be compared.
    compared: u64,
    /// The first job for which they differed.
    difference: Option<String>,
}

impl Proofs {
    fn compare(&mut self, strategy: &str, hashes: BTreeMap<u32, JobHash>) {
        for (index, hash) in hashes {
            let Some((first, known)) = self.known.get(&index) else {
                self.known.insert(index, (strategy.to_owned(), hash));
                continue;
            };
            self.compared += 1;
            if *known != hash {
                self.difference.get_or_insert_with(|| {
                    format!(
                        "the proofs of job {index} (counted from 0) under {strategy} are others than under {first}, with the \
                         same key, witness and blinding"
                    )
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_strategy_has_a_timeline() {
        let of = |path: &str, round| timeline_of(Path::new(path), "two-lock", round);
        assert_eq!(of("a/run.ndjson", None), Path::new("a/run.two-lock.ndjson"));
        assert_eq!(of("run.x.ndjson", Some(2)), Path::new("run.x.two-lock.2.ndjson"));
        assert_eq!(of("/dir/run", Some(10)), Path::new("/dir/run.two-lock.10"));
    }

    #[test]
    fn other_proofs_are_noticed() {
        let hashes = |bytes: &[(u32, u8)]| bytes.iter().map(|(index, byte)| (*index, [*byte; 32])).collect();
        let mut proofs = Proofs::default();
        proofs.compare("a", hashes(&[(0, 1), (1, 2)]));
        proofs.compare("b", hashes(&[(0, 1), (2, 9)]));
        assert_eq!((proofs.compared, &proofs.difference), (1, &None));
        proofs.compare("c", hashes(&[(0, 1), (1, 3), (2, 8)]));
        assert_eq!(proofs.compared, 4);
        let said = proofs.difference.unwrap();
        assert!(
            said.starts_with("the proofs of job 1 (counted from 0) under c are others than under a"),
            "{said}"
        );
    }
}
