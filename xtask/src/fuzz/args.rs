//! What is to be run.

use anyhow::{Context, Result, bail};

/// Runs of a target when nothing else is said.
const RUNS: u64 = 10_000_000;

/// The command line of `cargo xtask fuzz`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Args {
    pub(super) targets: Vec<String>,
    pub(super) runs: u64,
    /// Targets that run at once.
    pub(super) jobs: usize,
    /// As `cargo fuzz --sanitizer` has it.
    pub(super) sanitizer: String,
    /// Whether the fuzzer sees the values that are compared: finds marks and lengths, and costs field arithmetic a third.
    pub(super) trace_compares: bool,
}

impl Args {
    /// `known` are the names of all targets; they are meant when none is given.
    pub(super) fn parse(words: &[&str], known: &[String]) -> Result<Self> {
        let mut args = Self {
            targets: Vec::new(),
            runs: RUNS,
            jobs: 1,
            sanitizer: "address".to_owned(),
            trace_compares: true,
        };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let mut value = || words.next().with_context(|| format!("{word} takes a value"));
            match word {
                "--runs" => args.runs = number(word, value()?)?,
                "--jobs" => args.jobs = number(word, value()?)? as usize,
                "--sanitizer" => match *value()? {
                    sanitizer @ ("address" | "none") => args.sanitizer = sanitizer.to_owned(),
                    other => bail!("--sanitizer {other:?}: it is \"address\" or \"none\""),
                },
                "--no-trace-compares" => args.trace_compares = false,
                name if known.iter().any(|target| target == name) => args.targets.push(name.to_owned()),
                other => bail!("{other:?} is no target; the targets are {}", known.join(", ")),
            }
        }
        if args.targets.is_empty() {
            args.targets = known.to_vec();
        }
        Ok(args)
    }
}

fn number(option: &str, text: &str) -> Result<u64> {
    match text.replace('_', "").parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => bail!("{option} {text:?}: it takes a number above 0"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        let known = ["elf", "zkey"].map(str::to_owned);
        let parse = |words: &[&str]| Args::parse(words, &known);
        let all = parse(&[]).unwrap();
        assert_eq!(
            (all.targets, all.runs, all.jobs, all.sanitizer.as_str()),
            (known.to_vec(), RUNS, 1, "address")
        );
        assert!(all.trace_compares && !parse(&["--no-trace-compares"]).unwrap().trace_compares);
        let some = parse(&["zkey", "--runs", "1_000", "--jobs", "2", "--sanitizer", "none"]).unwrap();
        assert_eq!((some.targets, some.runs, some.jobs), (vec!["zkey".to_owned()], 1000, 2));
        for bad in [&["key"][..], &["--runs"], &["--runs", "0"], &["--jobs", "x"], &["--sanitizer", "leak"]] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
    }
}
