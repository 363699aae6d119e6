//! The only code that prints.
//!
//! A reader that has gone away (`interlock backends | head -1`) is no error: what is left is not printed, and the exit
//! code is what the command found. What is printed goes through [`clean`], because it may contain texts of files and
//! plugins, and a terminal obeys some characters.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the one module whose job it is")]

use std::io::{ErrorKind, IsTerminal, Write, stderr, stdout};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use crate::errors::{CannotPrint, Failure};
use crate::interrupt;
use crate::output::clean;

static EVENTS: AtomicBool = AtomicBool::new(false);

/// Prints to stdout: the command's data. A missing newline at the end is added. From here on the command has its result,
/// and a signal does not replace it.
///
/// # Errors
/// stdout cannot be written, other than because its reader has gone.
pub(crate) fn data(text: &str) -> Result<(), CannotPrint> {
    script(&clean::lines(text))
}

/// [`data`] that tells of something that was done: the error says so.
///
/// # Errors
/// As [`data`].
pub(crate) fn report(text: &str, done: &'static str) -> Result<(), CannotPrint> {
    data(text).map_err(|error| CannotPrint { done: Some(done), ..error })
}

/// [`data`] in which no text is anybody else's.
///
/// # Errors
/// As [`data`].
pub(crate) fn script(text: &str) -> Result<(), CannotPrint> {
    interrupt::settle();
    let mut out = stdout().lock();
    let newline = if text.ends_with('\n') { "" } else { "\n" };
    let outcome = write!(out, "{text}{newline}").and_then(|()| out.flush());
    match outcome {
        Err(source) if source.kind() != ErrorKind::BrokenPipe => Err(CannotPrint { source, done: None }),
        _ => Ok(()),
    }
}

/// Writes an output that goes to stdout.
///
/// # Errors
/// stdout cannot be written; here that counts when its reader has gone, too, because a file would be incomplete.
pub(crate) fn output(bytes: &[u8]) -> std::io::Result<()> {
    let mut out = stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush())
}

/// From now on warnings are NDJSON events, as progress is.
pub(crate) fn warn_by_events() {
    EVENTS.store(true, Ordering::Relaxed);
}

/// Prints a message to stderr.
pub(crate) fn note(text: &str) {
    line(&clean::message(text));
}

/// Prints a warning to stderr; `--quiet` does not silence it.
pub(crate) fn warning(text: &str) {
    if EVENTS.load(Ordering::Relaxed) {
        event(&json!({ "event": "warning", "message": text }).to_string());
    } else {
        labelled("warning:", "33", text);
    }
}

/// Prints a failure and its hint to stderr.
pub(crate) fn failure(failure: &Failure) {
    labelled("error:", "31", &failure.message);
    if let Some(hint) = failure.hint {
        labelled("hint:", "36", hint);
    }
}

/// Prints a JSON object to stderr, on one line.
pub(crate) fn event(object: &str) {
    line(&clean::json(object));
}

fn labelled(word: &str, code: &str, text: &str) {
    line(&format!("{} {}", coloured(word, code), clean::message(text)));
}

/// Nobody is left to hear that this failed.
fn line(text: &str) {
    let _ = writeln!(stderr().lock(), "{text}");
}

/// Whether stderr is a terminal.
pub(crate) fn stderr_is_terminal() -> bool {
    stderr().is_terminal()
}

/// In colour on a terminal, unless `NO_COLOR` is set.
fn coloured(word: &str, code: &str) -> String {
    static COLOUR: OnceLock<bool> = OnceLock::new();
    let colour = COLOUR.get_or_init(|| {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        stderr_is_terminal() && !unwanted && !dumb
    });
    if *colour { format!("\x1b[1;{code}m{word}\x1b[0m") } else { word.to_owned() }
}
