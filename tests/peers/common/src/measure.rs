//! Measuring and telling.

use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use crate::Args;

/// Prints measurements.
#[derive(Debug)]
pub struct Meter {
    threads: u32,
    once: bool,
}

impl Meter {
    /// From `--threads` and `--once`.
    ///
    /// # Errors
    /// No number of threads.
    pub fn new(args: &Args) -> Result<Self> {
        Ok(Self { threads: args.number("threads")?, once: args.optional("once") == Some("yes") })
    }

    /// How many threads the program may use.
    pub fn threads(&self) -> u32 {
        self.threads
    }

    /// Does something, and prints what it took.
    ///
    /// # Errors
    /// The work's, or the line cannot be printed.
    pub fn measure<T>(&self, what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let start = Instant::now();
        let value = work()?;
        self.tell(what, start.elapsed(), json!({}))?;
        Ok(value)
    }

    /// Prints a line; `more` is an object whose fields are added.
    ///
    /// # Errors
    /// The line cannot be printed.
    pub fn tell(&self, what: &str, time: Duration, more: Value) -> Result<()> {
        let mut line = Map::new();
        line.insert("what".into(), what.into());
        line.insert("seconds".into(), time.as_secs_f64().into());
        line.insert("threads".into(), self.threads.into());
        line.insert("peak_rss_bytes".into(), peak_rss_bytes()?.into());
        if let Value::Object(more) = more {
            line.extend(more);
        }
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", Value::Object(line))?;
        out.flush().context("cannot tell a measurement")
    }

    /// Works once, or once for every line on standard input.
    ///
    /// # Errors
    /// The work's.
    pub fn work(&self, mut work: impl FnMut() -> Result<()>) -> Result<()> {
        if self.once {
            return work();
        }
        for line in std::io::stdin().lock().lines() {
            line?;
            work()?;
        }
        Ok(())
    }
}

/// The most physical memory this process ever had, mapped files included.
fn peak_rss_bytes() -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status").context("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("no VmHWM")?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().context("VmHWM")?;
    Ok(kib * 1024)
}

/// Lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
