//! A backend that is looked at before it is trusted, in a process of its own.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use interlock_core::backend::Plugin;
use interlock_core::loader::{Trust, sealed::Image};

use super::Context;
use crate::args::{BackendList, OpeningArgs, ThreadArgs};
use crate::backends::{discover, embedded, select};
use crate::errors::Usage;

/// Which one: a word of the command line.
pub(super) enum Candidate<'a> {
    /// A library.
    File(&'a Path),
    /// One that is found by its name.
    Name(BackendList),
}

/// Hears which file is about to be opened, and the SHA-256 of its bytes.
pub(super) type Opening<'a> = &'a mut dyn FnMut(&Path, &[u8; 32]) -> anyhow::Result<()>;

impl Candidate<'_> {
    /// A word with a `/` or a `.`, neither of which a name has, is a file.
    pub(super) fn of(word: &str) -> Result<Candidate<'_>, Usage> {
        if word.contains(['/', '.']) {
            return Ok(Candidate::File(Path::new(word)));
        }
        let list: BackendList = word.parse().map_err(|problem| Usage(format!("{word}: {problem}")))?;
        if list.names().count() != 1 {
            return Err(Usage(format!("{word}: name one backend, such as embedded, or one file")));
        }
        Ok(Candidate::Name(list))
    }

    /// Opens it, in the process that is made for it. Without a backend there is a reason.
    ///
    /// # Errors
    /// Nobody hears of it any more.
    pub(super) fn open(
        &self,
        args: &OpeningArgs,
        context: &Context,
        opening: Opening<'_>,
    ) -> anyhow::Result<Result<Arc<Plugin>, String>> {
        match self {
            Self::File(path) => {
                tell(path, opening)?;
                let trust = context.config.trust(args.allow_unsigned);
                let loaded = context.config.loader_in_child().load(path, trust);
                Ok(loaded.map(|loaded| loaded.plugin).map_err(|error| error.to_string()))
            }
            Self::Name(list) => named(list, args, context, opening),
        }
    }
}

fn named(
    list: &BackendList,
    args: &OpeningArgs,
    context: &Context,
    opening: Opening<'_>,
) -> anyhow::Result<Result<Arc<Plugin>, String>> {
    let loader = context.config.loader_in_child();
    let mut registry = discover(loader, &context.config.search(&args.search), &embedded()?);
    let name = list.names().next().unwrap_or_default();
    let found = registry.candidates().iter().find(|candidate| candidate.name.as_deref() == Some(name));
    if let Some(path) = found.and_then(|candidate| candidate.path.clone()) {
        tell(&path, opening)?;
    }
    Ok(match select(&mut registry, list, Trust::Manifest) {
        Ok((mut usable, _)) => {
            usable.pop().map(|selected| selected.plugin).ok_or_else(|| "no such backend".to_owned())
        }
        Err(error) => Err(error.to_string()),
    })
}

/// A file that cannot be read is refused by the loader, which says why.
fn tell(path: &Path, opening: Opening<'_>) -> anyhow::Result<()> {
    match path.is_file().then(|| Image::copy(path)) {
        Some(Ok(image)) => opening(path, image.sha256()),
        _ => Ok(()),
    }
}

/// Writes the flags out for the process in which it is opened; variables are inherited.
pub(super) fn pass_on(command: &mut Command, args: &OpeningArgs, threads: &ThreadArgs, context: &Context) {
    for folder in &args.search.backend_dir {
        command.arg("--backend-dir").arg(folder);
    }
    if let Some(unsigned) = args.allow_unsigned {
        command.arg(format!("--allow-unsigned={unsigned}"));
    }
    if let Some(device) = args.device {
        command.args(["--device", &device.to_string()]);
    }
    if let Some(threads) = threads.threads {
        command.args(["--threads", &threads.to_string()]);
    }
    if let Some(config) = context.config.path() {
        command.arg("--config").arg(config);
    }
}
