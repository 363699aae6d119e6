//! `interlock validate`: the parent, which opens no library.

#[cfg(unix)]
mod child;
#[cfg(unix)]
mod comparing;

use super::Context;
use crate::args::ValidateArgs;
use crate::exit::Exit;

/// Compares two backends.
#[cfg(unix)]
pub(crate) fn run(args: &ValidateArgs, context: &Context) -> anyhow::Result<Exit> {
    match &args.in_child {
        Some(word) => child::run(word, args, context),
        None => comparing::run(args, context),
    }
}

/// Other systems load no libraries, and have nothing to compare.
#[cfg(not(unix))]
pub(crate) fn run(_: &ValidateArgs, _: &Context) -> anyhow::Result<Exit> {
    Err(crate::errors::Unusable("processes of backends are made on Unix only".into()).into())
}
