//! One JSON object per line.

use std::time::Instant;

use serde::Serialize;

use crate::output::{print, text};

/// A step begins.
#[derive(Debug, Serialize)]
struct Line<'a> {
    event: &'static str,
    phase: &'a str,
    backend: Option<&'a str>,
    /// Since the command began to read its inputs.
    t_ms: f64,
}

/// A proof did not verify.
#[derive(Debug, Serialize)]
struct SelfCheckFailed<'a> {
    event: &'static str,
    backend: &'a str,
    /// From 1.
    attempt: u32,
}

/// The lines of a command.
#[derive(Debug)]
pub(super) struct Lines {
    start: Instant,
}

impl Lines {
    pub(super) fn begin() -> Self {
        Self { start: Instant::now() }
    }

    pub(super) fn step(&self, name: &str, backend: Option<&str>) {
        let t_ms = text::ms(self.start.elapsed());
        say(&Line { event: "phase", phase: name, backend, t_ms });
    }

    /// A proof did not verify; attempts count from 1.
    pub(super) fn self_check_failed(&self, backend: &str, attempt: u32) {
        say(&SelfCheckFailed { event: "self_check_failed", backend, attempt });
    }
}

fn say(event: &impl Serialize) {
    // Strings and numbers: nothing that JSON cannot say.
    if let Ok(line) = serde_json::to_string(event) {
        print::event(&line);
    }
}
