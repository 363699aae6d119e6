//! Pairs in turn.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::child;
use super::invoke::{Invocation, Side, cross_verify};
use super::machine;
use super::plan::{Comparison, Kind, Peer};
use super::prepare::Shop;
use super::resident::Resident;
use super::results::{Measured, Pair, Sample};
use crate::paths;

/// A side that can be measured again and again.
enum Runner {
    /// A process each time.
    Process(Invocation),
    /// One process for all times.
    Resident(Box<Resident>),
}

/// What a run gave.
struct Run {
    sample: Sample,
    /// The sum, of those that print one.
    result: Option<String>,
}

/// Measures a comparison.
pub(super) fn compare(shop: &Shop, comparison: &Comparison, threads: usize) -> Result<Measured> {
    let invocation = |side| Invocation::of(shop, comparison, side, threads);
    let mut ours = Runner::start(invocation(Side::Ours)?, comparison.kind)?;
    let mut peer = Runner::start(invocation(Side::Peer)?, comparison.kind)?;
    // Not counted: files come into the page cache, and results are looked at.
    let (first, second) = (ours.run()?, peer.run()?);
    ensure!(first.result == second.result, "the two sums differ: {:?} and {:?}", first.result, second.result);
    for (side, runner) in [(Side::Ours, &ours), (Side::Peer, &peer)] {
        if let Some(files) = runner.writes() {
            cross_verify(shop, comparison, side, files)?;
        }
    }
    let mut pairs = Vec::new();
    for turn in 0..comparison.pairs {
        let (ours, peer) = if turn % 2 == 0 {
            let ours = ours.run()?;
            (ours, peer.run()?)
        } else {
            let peer = peer.run()?;
            (ours.run()?, peer)
        };
        ensure!(
            ours.result == peer.result && ours.result == first.result,
            "a sum differs from the first one"
        );
        pairs.push(Pair { ours: ours.sample, peer: peer.sample });
    }
    ours.end()?;
    peer.end()?;
    let size = |path: PathBuf| -> Result<u64> {
        Ok(fs::metadata(&path).with_context(|| paths::shown(&path))?.len())
    };
    let circuit = Shop::circuit(comparison);
    let (our_key_bytes, peer_key_bytes) = match comparison.kind {
        Kind::Sum => (0, 0),
        _ => (size(circuit.key(Peer::Snarkjs))?, size(circuit.key(comparison.peer))?),
    };
    Ok(Measured {
        comparison: comparison.clone(),
        date: machine::date()?,
        commit: machine::commit()?,
        our_key_bytes,
        peer_key_bytes,
        samples: pairs,
    })
}

impl Runner {
    fn start(invocation: Invocation, kind: Kind) -> Result<Self> {
        Ok(match kind {
            Kind::Files | Kind::Sizes => Self::Process(invocation),
            Kind::Memory | Kind::Sum => Self::Resident(Box::new(Resident::start(invocation.command())?.0)),
        })
    }

    fn run(&mut self) -> Result<Run> {
        match self {
            Self::Process(invocation) => {
                // So that what is found afterwards is of this run.
                for file in invocation.writes.iter().flatten().filter(|file| file.exists()) {
                    fs::remove_file(file)?;
                }
                let ended = child::run(invocation.command())?;
                for file in invocation.writes.iter().flatten() {
                    ensure!(file.is_file(), "{} was not written", paths::shown(file));
                }
                let mut parts = BTreeMap::new();
                for line in ended.stdout.lines().filter(|line| line.starts_with('{')) {
                    let told: Value = serde_json::from_str(line).with_context(|| line.to_owned())?;
                    parts.extend(parts_of(&told));
                }
                let sample =
                    Sample { seconds: ended.wall.as_secs_f64(), peak_rss_bytes: ended.peak_rss, parts };
                Ok(Run { sample, result: None })
            }
            Self::Resident(resident) => {
                let told = resident.work()?;
                let number = |name: &str| told[name].as_f64().with_context(|| format!("no {name} in {told}"));
                let sample = Sample {
                    seconds: number("seconds")?,
                    peak_rss_bytes: number("peak_rss_bytes")? as u64,
                    parts: parts_of(&told).collect(),
                };
                Ok(Run { sample, result: told["result"].as_str().map(str::to_owned) })
            }
        }
    }

    fn writes(&self) -> Option<&[PathBuf; 2]> {
        match self {
            Self::Process(invocation) => invocation.writes.as_ref(),
            Self::Resident(_) => None,
        }
    }

    fn end(self) -> Result<()> {
        match self {
            Self::Process(_) => Ok(()),
            Self::Resident(resident) => resident.end(),
        }
    }
}

/// The times inside a line of a program of `tests/peers`, by name.
fn parts_of(told: &Value) -> impl Iterator<Item = (String, f64)> {
    let own = told["what"].as_str().map(str::to_owned).zip(told["seconds"].as_f64());
    let verify = told["verify_seconds"].as_f64().map(|seconds| ("verify".to_owned(), seconds));
    let phases = told["phases"].as_object().into_iter().flatten();
    let phases: Vec<_> = phases.filter_map(|(name, time)| Some((name.clone(), time.as_f64()?))).collect();
    own.into_iter().chain(verify).chain(phases)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn times_inside_a_line() {
        let told =
            json!({ "what": "prove", "seconds": 2.5, "verify_seconds": 0.25, "phases": { "msm": 1.5 } });
        let parts: BTreeMap<_, _> = parts_of(&told).collect();
        let wanted = [("msm", 1.5), ("prove", 2.5), ("verify", 0.25)];
        assert_eq!(parts, wanted.map(|(name, time)| (name.to_owned(), time)).into());
    }
}
