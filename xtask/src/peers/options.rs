//! The arguments.

use std::ops::RangeInclusive;
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};

use crate::fixtures::Curve;

/// What to measure, and how.
#[derive(Debug)]
pub(super) struct Options {
    /// Pairs per comparison, fewer for the largest sizes.
    pub(super) pairs: usize,
    /// Parts of names: a comparison whose name contains one of them is measured. Empty: all.
    pub(super) only: Vec<String>,
    /// Sizes of the series, as exponents of two.
    pub(super) sizes: RangeInclusive<u32>,
    /// Every size, not every other.
    pub(super) all_sizes: bool,
    /// One curve, or both.
    pub(super) curve: Option<Curve>,
    /// Threads, or as many as there are CPUs.
    pub(super) threads: Option<usize>,
    /// Keep the results that are there.
    pub(super) add: bool,
    /// Only say what would be measured.
    pub(super) list: bool,
    /// Take the programs that were built before.
    pub(super) no_build: bool,
    /// Measure nothing; render the results that are there.
    pub(super) render: bool,
}

impl Options {
    pub(super) fn parse(args: &[&str]) -> Result<Self> {
        let mut options = Self {
            pairs: 11,
            only: Vec::new(),
            sizes: 10..=20,
            all_sizes: false,
            curve: None,
            threads: None,
            add: false,
            list: false,
            no_build: false,
            render: false,
        };
        let mut words = args.iter();
        while let Some(&word) = words.next() {
            let mut value = || words.next().copied().with_context(|| format!("{word} takes a value"));
            match word {
                "--pairs" => options.pairs = number(word, value()?)?,
                "--only" => options.only.push(value()?.to_owned()),
                "--sizes" => options.sizes = range(value()?)?,
                "--all-sizes" => options.all_sizes = true,
                "--curve" => options.curve = Some(curve(value()?)?),
                "--threads" => options.threads = Some(number(word, value()?)?),
                "--add" => options.add = true,
                "--list" => options.list = true,
                "--no-build" => options.no_build = true,
                "--render" => options.render = true,
                _ => bail!("bench-peers: unknown argument {word:?}; `cargo xtask --help`"),
            }
        }
        ensure!(options.pairs > 0, "--pairs: at least one");
        ensure!(options.threads != Some(0), "--threads: at least one");
        Ok(options)
    }
}

fn number<T: FromStr<Err: std::error::Error + Send + Sync + 'static>>(name: &str, text: &str) -> Result<T> {
    text.parse().with_context(|| format!("{name} {text}: no number"))
}

/// `A..B`, both included.
fn range(text: &str) -> Result<RangeInclusive<u32>> {
    let (from, to) =
        text.split_once("..").with_context(|| format!("--sizes {text}: A..B, such as 10..20"))?;
    let (from, to) = (number("--sizes", from)?, number("--sizes", to)?);
    // 32 public signals and the constant one take a row each.
    ensure!((7..=24).contains(&from) && (from..=24).contains(&to), "--sizes {text}: from 7 to 24");
    Ok(from..=to)
}

fn curve(text: &str) -> Result<Curve> {
    let known = Curve::ALL.into_iter().find(|curve| curve.name() == text);
    known.with_context(|| format!("--curve {text}: bn254 or bls12-381"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments() {
        let options =
            Options::parse(&["--pairs", "3", "--sizes", "10..12", "--only", "cli", "--add"]).unwrap();
        assert_eq!((options.pairs, options.sizes, options.add), (3, 10..=12, true));
        assert_eq!(options.only, ["cli"]);
        for wrong in
            [&["--pairs"][..], &["--pairs", "0"], &["--sizes", "12..10"], &["--curve", "p256"], &["-x"]]
        {
            assert!(Options::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
