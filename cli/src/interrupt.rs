//! Ctrl-C, SIGTERM, SIGHUP and `--timeout`: all end with exit code 8 and leave nothing behind.
//!
//! While a proof runs, the request goes to its [`CancelFlag`] and the prover ends by itself, device work included. When
//! that takes too long, at a second signal, and in every other command, the process ends at once: unfinished
//! files are removed first, and a file is either there as a whole or not at all.
//!
//! A command that has its outputs in their places, or its result on the way to stdout, is not ended any more, whatever
//! signal comes: what it did is what it reports. Only when it cannot get rid of its report, because nobody reads it, does
//! the process end without.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, OnceLock};
use std::thread::{self, ThreadId};
use std::time::Duration;

use interlock_core::groth16::CancelFlag;

use crate::errors::{self, Interrupted};
use crate::exit::Exit;
use crate::output::{atomic, json, print};

/// How long a running proof gets to end by itself.
const GRACE: Duration = Duration::from_secs(5);

static FLAG: LazyLock<CancelFlag> = LazyLock::new(CancelFlag::default);
static COOPERATIVE: AtomicBool = AtomicBool::new(false);
static REASON: OnceLock<Interrupted> = OnceLock::new();
static REPORT: OnceLock<(&'static str, bool)> = OnceLock::new();
/// The thread that reports.
static SETTLED: OnceLock<ThreadId> = OnceLock::new();

/// Listens to signals from now on; `command` and `as_json` are for the report when the process ends from here.
pub(crate) fn install(command: &'static str, as_json: bool) {
    let _ = REPORT.set((command, as_json));
    if let Err(error) = ctrlc::set_handler(|| request(Interrupted::Signal)) {
        print::warning(&format!("signals cannot be listened to, so Ctrl-C may leave files behind: {error}"));
    }
}

/// Ends the command after this time.
///
/// # Errors
/// No thread for the clock.
pub(crate) fn after(limit: Duration) -> Result<(), errors::Unusable> {
    thread::Builder::new()
        .name("interlock-timeout".into())
        .spawn(move || {
            thread::sleep(limit);
            request(Interrupted::Timeout(limit));
        })
        .map(drop)
        .map_err(|error| errors::Unusable(format!("cannot start the clock of --timeout: {error}")))
}

/// Runs work that obeys the flag by itself.
pub(crate) fn cooperating<T>(work: impl FnOnce(&CancelFlag) -> T) -> T {
    COOPERATIVE.store(true, Ordering::SeqCst);
    let outcome = work(&FLAG);
    COOPERATIVE.store(false, Ordering::SeqCst);
    outcome
}

/// Whether the command was told to end.
///
/// # Errors
/// It was, and by what.
pub(crate) fn check() -> Result<(), Interrupted> {
    REASON.get().map_or(Ok(()), |reason| Err(reason.clone()))
}

/// Says that the command has its result, which is all that will be reported. Returns only on the thread that was first
/// to have one, and there as often as it is called.
pub(crate) fn settle() {
    while !claim() {
        // The other thread ends the process as soon as it has said why.
        thread::park();
    }
}

/// Whether this thread is the one that reports, now or already before.
fn claim() -> bool {
    let me = thread::current().id();
    *SETTLED.get_or_init(|| me) == me
}

/// Runs on the signal thread or the clock's.
fn request(reason: Interrupted) {
    let first = REASON.set(reason).is_ok();
    FLAG.cancel();
    if !atomic::committed() && (!first || !COOPERATIVE.load(Ordering::SeqCst)) {
        end();
    }
    // Still here: there is a result on its way, or the proof ends by itself. On another thread, so that a second signal is
    // heard meanwhile.
    let watch = thread::Builder::new().spawn(|| {
        thread::sleep(GRACE);
        end();
        // Nobody reads the report, so nobody would read why the command ends without it.
        let exit = if atomic::committed() { Exit::Input } else { Exit::Cancelled };
        std::process::exit(i32::from(exit.code()));
    });
    if watch.is_err() {
        end();
    }
}

/// Ends the process from a thread that is not the main one, unless there is a result already.
fn end() {
    let reason = REASON.get().cloned().unwrap_or(Interrupted::Signal);
    atomic::abandon(claim, || {
        let failure = errors::failure(&anyhow::Error::new(reason));
        if let Some((command, true)) = REPORT.get() {
            let _ = print::data(&json::failed(command, &failure));
        }
        print::failure(&failure);
        std::process::exit(i32::from(Exit::Cancelled.code()))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_reports_as_often_as_it_likes() {
        settle();
        settle();
        assert!(claim());
        assert!(!thread::spawn(claim).join().unwrap());
    }
}
