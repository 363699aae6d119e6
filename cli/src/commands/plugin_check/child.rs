//! The process in which a backend's code runs.

use std::path::Path;

use anyhow::Context as _;
use interlock_conformance::process::Channel;
use interlock_conformance::{Event, Options, run as run_rows};

use crate::args::CheckArgs;
use crate::commands::Context;
use crate::commands::candidate::Candidate;
use crate::exit::Exit;
use crate::output::json;
use crate::threads;

/// Loads the backend, runs the rows, and tells the parent of each.
pub(super) fn run(
    args: &CheckArgs,
    candidate: &Candidate<'_>,
    options: &Options,
    context: &Context,
) -> anyhow::Result<Exit> {
    let mut channel = Channel::open().context("the pipe to the parent process")?;
    // The backend's pool takes all that are allowed; the suite's own arithmetic is little.
    if options.device.threads.is_some() {
        threads::one_aside()?;
    }
    let mut opening = |path: &Path, sha256: &[u8; 32]| {
        let (path, sha256) = (path.display().to_string(), json::hex(sha256));
        Ok(channel.send(&Event::Opening { path, sha256 })?)
    };
    match candidate.open(&args.opening, context, &mut opening)? {
        Ok(plugin) => {
            let mut gone = Ok(());
            run_rows(&plugin, options, &mut |event| {
                if gone.is_ok() {
                    gone = channel.send(&event);
                }
            });
            gone?;
        }
        Err(message) => channel.send(&Event::Refused { message })?,
    }
    Ok(Exit::Ok)
}
