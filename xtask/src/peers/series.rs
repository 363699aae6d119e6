//! The lines of the picture: a prover on a curve, over sizes.

use anyhow::{Context, Result};

use super::plan::{Kind, Peer};
use super::results::Results;
use super::stats::Spread;
use crate::fixtures::Curve;

const MIB: f64 = 1_048_576.0;

/// A prover on a curve.
pub(super) struct Series {
    pub(super) name: &'static str,
    pub(super) colour: &'static str,
    pub(super) width: f64,
    pub(super) curve: Curve,
    pub(super) points: Vec<Point>,
}

pub(super) struct Point {
    /// Rows of the domain.
    pub(super) size: f64,
    /// Seconds.
    pub(super) time: Spread,
    /// MiB.
    pub(super) memory: f64,
}

/// The series that have points, ours first.
pub(super) fn all(results: &Results) -> Result<Vec<Series>> {
    let mut all = Vec::new();
    for curve in Curve::ALL {
        all.push(one(results, None, curve)?);
        for peer in Peer::PROVERS {
            all.push(one(results, Some(peer), curve)?);
        }
    }
    all.retain(|series| !series.points.is_empty());
    Ok(all)
}

/// A peer's series, or ours, to which the samples beside all peers belong.
fn one(results: &Results, peer: Option<Peer>, curve: Curve) -> Result<Series> {
    let (name, colour, width) = match peer {
        None => ("Interlock", "#0072b2", 3.0),
        Some(Peer::Snarkjs) => ("snarkjs", "#d55e00", 1.8),
        Some(Peer::Arkworks) => ("arkworks", "#009e73", 1.8),
        Some(Peer::Bellperson) => ("bellperson", "#aa4499", 1.8),
        Some(Peer::Blst) => ("blst", "#666666", 1.8),
    };
    let chosen: Vec<_> = results
        .measured
        .iter()
        .filter(|measured| {
            let comparison = &measured.comparison;
            let is_of = comparison.kind == Kind::Sizes && comparison.curve == curve;
            is_of && peer.is_none_or(|peer| peer == comparison.peer)
        })
        .collect();
    let mut sizes: Vec<u32> = chosen.iter().map(|measured| measured.comparison.log_size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut points = Vec::new();
    for log_size in sizes {
        let here = chosen.iter().filter(|measured| measured.comparison.log_size == log_size);
        let samples: Vec<_> = here
            .flat_map(|measured| &measured.samples)
            .map(|pair| if peer.is_some() { &pair.peer } else { &pair.ours })
            .collect();
        let peak = samples.iter().map(|sample| sample.peak_rss_bytes).max().context("no samples")?;
        points.push(Point {
            size: f64::from(log_size).exp2(),
            time: Spread::of(samples.iter().map(|sample| sample.seconds))?,
            memory: peak as f64 / MIB,
        });
    }
    Ok(Series { name, colour, width, curve, points })
}
