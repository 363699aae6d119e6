//! Interlock's command line.
//!
//! | module | holds |
//! |---|---|
//! | [`args`] | the flags, one file per command |
//! | [`config`] | the configuration file, and what flag, environment, file and default add up to |
//! | [`cache`] | where what is remembered lies |
//! | [`commands`] | what each command does |
//! | [`backends`] | the embedded backend, the search, `--backend` |
//! | [`progress`] | bar, NDJSON lines, or nothing |
//! | [`output`] | printing, the JSON envelope, files that appear whole or not at all |
//! | [`errors`] | from an error to an exit code and a hint: one table |
//! | [`exit`] | the exit codes |
//! | [`interrupt`] | Ctrl-C, SIGTERM and `--timeout` |
//! | [`similar`] | did you mean …? |
//! | [`trust`] | what loads backends, and who signed them |
//! | [`threads`] | the one thread pool of this process's own |
//!
//! Data goes to stdout, everything else to stderr. Only [`output::print`] prints.

mod args;
mod backends;
mod cache;
mod commands;
mod config;
mod engine;
mod errors;
mod exit;
mod interrupt;
mod output;
mod progress;
mod similar;
mod threads;
mod trust;

use std::process::ExitCode;

use crate::args::Cli;
use crate::output::{json, print};

fn main() -> ExitCode {
    // A process of ours that opens a backend to see what comes of it; nothing of the rest concerns it.
    if std::env::args_os().nth(1).is_some_and(|word| word == trust::PROBE) {
        return interlock_core::loader::probe_from_stdin();
    }
    let cli = match Cli::from_process() {
        Ok(cli) => cli,
        Err(error) => return args::refused(&error).into(),
    };
    let (command, as_json) = (cli.command.name(), cli.command.wants_json());
    interrupt::install(command, as_json);
    let outcome = commands::run(cli);
    interrupt::settle();
    match outcome {
        Ok(exit) => exit.into(),
        Err(error) => {
            let failure = errors::failure(&error);
            // A second object behind half of a first one would be no JSON.
            if as_json && !error.is::<errors::CannotPrint>() {
                let _ = print::data(&json::failed(command, &failure));
            }
            print::failure(&failure);
            failure.exit.into()
        }
    }
}
