//! Every sample, as JSON: `target/peers/results.json`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::machine::Machine;
use super::plan::Comparison;
use super::prepare::kept;
use super::stats::Spread;
use crate::paths;

/// One run of one program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Sample {
    pub(super) seconds: f64,
    pub(super) peak_rss_bytes: u64,
    /// Seconds of its parts, of programs that tell them.
    pub(super) parts: BTreeMap<String, f64>,
}

/// Two runs in turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Pair {
    pub(super) ours: Sample,
    pub(super) peer: Sample,
}

/// A comparison with its samples.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Measured {
    pub(super) comparison: Comparison,
    pub(super) date: String,
    pub(super) commit: String,
    /// Sizes of the key files; 0 where there are none.
    pub(super) our_key_bytes: u64,
    pub(super) peer_key_bytes: u64,
    pub(super) samples: Vec<Pair>,
}

/// Everything that was measured.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Results {
    pub(super) machine: Machine,
    pub(super) measured: Vec<Measured>,
}

impl Measured {
    /// Our seconds.
    pub(super) fn ours(&self) -> Result<Spread> {
        Spread::of(self.samples.iter().map(|pair| pair.ours.seconds))
    }

    /// The peer's seconds.
    pub(super) fn peer(&self) -> Result<Spread> {
        Spread::of(self.samples.iter().map(|pair| pair.peer.seconds))
    }

    /// Our time over the peer's, pair by pair.
    pub(super) fn ratio(&self) -> Result<Spread> {
        Spread::of_ratios(self.samples.iter().map(|pair| (pair.ours.seconds, pair.peer.seconds)))
    }

    /// Our highest peak of memory, in bytes.
    pub(super) fn our_peak(&self) -> u64 {
        self.samples.iter().map(|pair| pair.ours.peak_rss_bytes).max().unwrap_or_default()
    }

    /// The peer's.
    pub(super) fn peer_peak(&self) -> u64 {
        self.samples.iter().map(|pair| pair.peer.peak_rss_bytes).max().unwrap_or_default()
    }

    /// The memory that our process may take at most: one and a half times the key and six vectors over the domain.
    pub(super) fn memory_bound(&self) -> u64 {
        let vectors = 6 * 32 * (1_u64 << self.comparison.log_size);
        (self.our_key_bytes + vectors) * 3 / 2
    }

    /// The median of a part of our time.
    pub(super) fn our_part(&self, name: &str) -> Option<f64> {
        part(self.samples.iter().map(|pair| &pair.ours), name)
    }

    /// The median of a part of the peer's time.
    pub(super) fn peer_part(&self, name: &str) -> Option<f64> {
        part(self.samples.iter().map(|pair| &pair.peer), name)
    }

    /// A line for the terminal.
    pub(super) fn summary(&self) -> Result<String> {
        let (ours, peer, ratio) = (self.ours()?, self.peer()?, self.ratio()?);
        Ok(format!(
            "{:.4} s, {} {:.4} s: ratio {:.3} ({:.3} to {:.3}); peaks {} and {} MiB",
            ours.median,
            self.comparison.peer.name(),
            peer.median,
            ratio.median,
            ratio.min,
            ratio.max,
            self.our_peak() >> 20,
            self.peer_peak() >> 20,
        ))
    }
}

impl Results {
    /// Begins anew, or goes on with what is there.
    pub(super) fn begin(machine: Machine, add: bool) -> Result<Self> {
        if !(add && file().exists()) {
            return Ok(Self { machine, measured: Vec::new() });
        }
        let earlier = Self::read()?;
        ensure!(
            earlier.machine == machine,
            "--add: {} is of another machine, or of another number of threads:\n{:?}\n{machine:?}",
            paths::shown(&file()),
            earlier.machine,
        );
        Ok(earlier)
    }

    /// Reads what was measured.
    pub(super) fn read() -> Result<Self> {
        let text = fs::read_to_string(file())
            .with_context(|| format!("{}: measure first", paths::shown(&file())))?;
        serde_json::from_str(&text).with_context(|| paths::shown(&file()))
    }

    /// Takes a comparison in, instead of an earlier one of that name, and writes the file: a long run may be stopped.
    pub(super) fn put(&mut self, measured: Measured) -> Result<()> {
        let name = measured.comparison.name();
        match self.measured.iter_mut().find(|earlier| earlier.comparison.name() == name) {
            Some(earlier) => *earlier = measured,
            None => self.measured.push(measured),
        }
        let partial = file().with_extension("partial");
        fs::write(&partial, serde_json::to_string_pretty(self)?).with_context(|| paths::shown(&partial))?;
        fs::rename(partial, file()).with_context(|| paths::shown(&file()))
    }
}

fn part<'a>(samples: impl Iterator<Item = &'a Sample>, name: &str) -> Option<f64> {
    Some(Spread::of(samples.filter_map(|sample| sample.parts.get(name).copied())).ok()?.median)
}

fn file() -> PathBuf {
    kept().join("results.json")
}
