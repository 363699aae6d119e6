//! The process in which a backend's code runs.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use interlock_conformance::process::Channel;
use interlock_conformance::{Event, Options, run as run_rows};
use interlock_core::backend::Plugin;
use interlock_core::loader::Trust;

use super::Target;
use crate::args::{BackendList, CheckArgs};
use crate::backends::{discover, embedded, select};
use crate::commands::Context;
use crate::exit::Exit;
use crate::output::json;
use crate::threads;

/// Loads the backend, runs the rows, and tells the parent of each.
pub(super) fn run(
    args: &CheckArgs,
    target: &Target<'_>,
    options: &Options,
    context: &Context,
) -> anyhow::Result<Exit> {
    let mut channel = Channel::open().context("the pipe to the parent process")?;
    // The backend's pool takes all that are allowed; the suite's own arithmetic is little.
    if options.device.threads.is_some() {
        threads::one_aside()?;
    }
    let trust = context.config.trust(args.allow_unsigned);
    let plugin = match target {
        Target::File(path) => file(path, trust, context, &mut channel)?,
        Target::Name(list) => named(list, args, context, &mut channel)?,
    };
    match plugin {
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

type Opened = anyhow::Result<Result<Arc<Plugin>, String>>;

fn file(path: &Path, trust: Trust, context: &Context, channel: &mut Channel) -> Opened {
    opening(path, channel)?;
    let loaded = context.config.loader_in_child().load(path, trust);
    Ok(loaded.map(|loaded| loaded.plugin).map_err(|error| error.to_string()))
}

fn named(list: &BackendList, args: &CheckArgs, context: &Context, channel: &mut Channel) -> Opened {
    let mut registry =
        discover(context.config.loader_in_child(), &context.config.search(&args.search), &embedded()?);
    let name = list.names().next().unwrap_or_default();
    let found = registry.candidates().iter().find(|candidate| candidate.name.as_deref() == Some(name));
    if let Some(path) = found.and_then(|candidate| candidate.path.clone()) {
        opening(&path, channel)?;
    }
    Ok(match select(&mut registry, list, Trust::Manifest) {
        Ok((mut usable, _)) => {
            usable.pop().map(|selected| selected.plugin).ok_or_else(|| "no such backend".to_owned())
        }
        Err(error) => Err(error.to_string()),
    })
}

/// Tells which bytes are about to run. A file that cannot be read is refused by the loader, which says why.
fn opening(path: &Path, channel: &mut Channel) -> anyhow::Result<()> {
    if path.is_file()
        && let Ok(bytes) = std::fs::read(path)
    {
        let path = path.display().to_string();
        channel.send(&Event::Opening { path, sha256: json::sha256(&bytes) })?;
    }
    Ok(())
}
