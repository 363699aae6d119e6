//! The child: opens the library that it has as its standard input and says how far it came.

use std::process::ExitCode;

use super::super::child::{Channel, take_stdin};
use super::super::error::LoadError;
use super::super::{doors, sealed};
use super::message::Message;
use super::step::Step;
use crate::backend::{Origin, Plugin};

/// Exit code of a child that could not begin.
const NOT_BEGUN: u8 = 70;

/// What the program of a [`Prober`](super::Prober) does and nothing else: it opens the library that it was given, and ends.
/// `main` returns what this returns, so that the library's destructors run as they would in the host.
pub fn probe_from_stdin() -> ExitCode {
    let begun = || -> Result<_, LoadError> {
        let io = |action| move |error| LoadError::io("standard input".as_ref(), action, error);
        let channel = Channel::open().map_err(io("put something else in the place of"))?;
        let image = sealed::Image::sealed(take_stdin().map_err(io("take over"))?)?;
        Ok((channel, image))
    };
    let (mut channel, image) = match begun() {
        Ok(begun) => begun,
        Err(error) => {
            // Standard error is the parent's to show; there is nobody else to tell.
            let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{error}\n").as_bytes());
            return ExitCode::from(NOT_BEGUN);
        }
    };
    let mut tell = |message: Message| {
        if channel.tell(&message.line()).is_err() {
            // The parent is gone, so nobody wants to know any more.
            std::process::exit(NOT_BEGUN.into());
        }
    };
    let verdict = match open(image, &mut |step| tell(Message::Step(step))) {
        Ok(true) => Message::Well,
        Ok(false) => Message::Unwell,
        Err(error) => Message::Refused(error.to_string()),
    };
    tell(verdict);
    tell(Message::Step(Step::Exit));
    ExitCode::SUCCESS
}

/// Opens it and asks it everything that a program asks before it opens a device; whether nothing failed.
fn open(image: sealed::Image, tell: &mut dyn FnMut(Step)) -> Result<bool, LoadError> {
    let origin = Origin::File { path: image.path(), sha256: *image.sha256() };
    let table = doors::open(image.keep(), tell)?;
    tell(Step::Info);
    // SAFETY: as in `Loader::load`; and whatever it does, it does it to this process, which is for nothing else.
    let plugin = unsafe { Plugin::new(table, origin) }?;
    tell(Step::Probe);
    let probed = plugin.probe_telling(&mut || tell(Step::Devices)).is_ok();
    tell(Step::Strategies);
    Ok(plugin.strategies().is_ok() && probed)
}
