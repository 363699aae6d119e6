//! What a command is doing at the moment, on stderr: a bar, NDJSON lines, or nothing.

mod bar;
mod ndjson;

use std::cell::RefCell;

use interlock_core::groth16::{Observer, Phase};

use crate::args::ProgressMode;
use crate::output::print;

/// Steps of a proof: reading key and witness, sorting the key, then the prover's phases.
pub(crate) const STEPS: u64 = 3 + Phase::ALL.len() as u64;

/// Shows progress. Used from the main thread.
#[derive(Debug)]
pub(crate) struct Progress(RefCell<Shown>);

#[derive(Debug)]
enum Shown {
    Bar(bar::Bar),
    Ndjson(ndjson::Lines),
    Nothing,
}

impl Progress {
    /// Begins; the times of NDJSON lines count from here.
    pub(crate) fn begin(mode: ProgressMode, quiet: bool) -> Self {
        let mode = match mode {
            _ if quiet => ProgressMode::None,
            ProgressMode::Auto if print::stderr_is_terminal() => ProgressMode::Bar,
            ProgressMode::Auto => ProgressMode::Ndjson,
            mode => mode,
        };
        Self(RefCell::new(match mode {
            ProgressMode::Bar => Shown::Bar(bar::Bar::begin(STEPS)),
            ProgressMode::Ndjson => Shown::Ndjson(ndjson::Lines::begin()),
            ProgressMode::Auto | ProgressMode::None => Shown::Nothing,
        }))
    }

    /// A step begins, on a backend if it is one of a backend's.
    pub(crate) fn step(&self, name: &str, backend: Option<&str>) {
        match &mut *self.0.borrow_mut() {
            Shown::Bar(bar) => bar.step(name, backend),
            Shown::Ndjson(lines) => lines.step(name, backend),
            Shown::Nothing => {}
        }
    }

    /// A line between the bar's updates.
    pub(crate) fn warning(&self, text: &str) {
        match &*self.0.borrow() {
            Shown::Bar(bar) => bar.suspended(|| print::warning(text)),
            Shown::Ndjson(_) | Shown::Nothing => print::warning(text),
        }
    }

    /// Clears the bar.
    pub(crate) fn end(&self) {
        if let Shown::Bar(bar) = &*self.0.borrow() {
            bar.end();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

impl Observer for Progress {
    fn begins(&self, phase: Phase, backend: &str) {
        self.step(&key(phase), Some(backend));
    }
}

/// A phase's name as a JSON key: `load_key`, `self_check`.
pub(crate) fn key(phase: Phase) -> String {
    phase.name().replace([' ', '-'], "_")
}
