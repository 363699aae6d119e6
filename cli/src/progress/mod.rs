//! What a command is doing at the moment, on stderr: a bar, NDJSON lines, or nothing.

mod bar;
mod ndjson;

use std::sync::{Mutex, MutexGuard, PoisonError};

use interlock_core::groth16::{Observer, Phase};

use crate::args::ProgressMode;
use crate::output::print;

/// Steps of the prover.
const STEPS: u64 = Phase::ALL.len() as u64;

/// What `--progress` comes to: never `Auto`.
pub(crate) fn settled(mode: ProgressMode, quiet: bool, terminal: bool) -> ProgressMode {
    match mode {
        _ if quiet => ProgressMode::None,
        ProgressMode::Auto if terminal => ProgressMode::Bar,
        ProgressMode::Auto => ProgressMode::Ndjson,
        mode => mode,
    }
}

/// Shows progress: of the command, and of its prover, which is on other threads.
#[derive(Debug)]
pub(crate) struct Progress(Mutex<Shown>);

#[derive(Debug)]
enum Shown {
    Bar(bar::Bar),
    Ndjson(ndjson::Lines),
    Nothing,
}

impl Progress {
    /// Begins, with this many steps before the prover's; the times of NDJSON lines count from here.
    pub(crate) fn begin(mode: ProgressMode, before: u64) -> Self {
        Self(Mutex::new(match mode {
            ProgressMode::Bar => Shown::Bar(bar::Bar::begin(before + STEPS)),
            ProgressMode::Ndjson => Shown::Ndjson(ndjson::Lines::begin()),
            ProgressMode::Auto | ProgressMode::None => Shown::Nothing,
        }))
    }

    fn shown(&self) -> MutexGuard<'_, Shown> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A step begins, on a backend if it is one of a backend's.
    pub(crate) fn step(&self, name: &str, backend: Option<&str>) {
        match &mut *self.shown() {
            Shown::Bar(bar) => bar.step(name, backend),
            Shown::Ndjson(lines) => lines.step(name, backend),
            Shown::Nothing => {}
        }
    }

    /// A line between the bar's updates.
    pub(crate) fn note(&self, text: &str) {
        match &*self.shown() {
            Shown::Bar(bar) => bar.suspended(|| print::note(text)),
            Shown::Ndjson(_) | Shown::Nothing => print::note(text),
        }
    }

    /// The same for a warning.
    pub(crate) fn warning(&self, text: &str) {
        match &*self.shown() {
            Shown::Bar(bar) => bar.suspended(|| print::warning(text)),
            Shown::Ndjson(_) | Shown::Nothing => print::warning(text),
        }
    }

    /// Clears the bar.
    pub(crate) fn end(&self) {
        if let Shown::Bar(bar) = &*self.shown() {
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

    fn self_check_failed(&self, backend: &str, attempt: u32) {
        if let Shown::Ndjson(lines) = &*self.shown() {
            return lines.self_check_failed(backend, attempt);
        }
        // What follows the second one is an error, or the next backend with a warning that says why.
        if attempt == 1 {
            self.warning(
                "the proof did not verify; computing it again to tell a faulty device from a wrong witness",
            );
        }
    }
}

/// A phase's name as a JSON key: `load_key`, `self_check`.
pub(crate) fn key(phase: Phase) -> String {
    phase.name().replace([' ', '-'], "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_wins_and_auto_depends_on_the_terminal() {
        use ProgressMode::{Auto, Bar, Ndjson, None};
        for mode in [Auto, Bar, Ndjson, None] {
            assert_eq!(settled(mode, true, true), None);
        }
        assert_eq!((settled(Auto, false, true), settled(Auto, false, false)), (Bar, Ndjson));
        assert_eq!((settled(Bar, false, false), settled(Ndjson, false, true)), (Bar, Ndjson));
    }
}
