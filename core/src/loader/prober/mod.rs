//! Opening an unknown library in a process of its own first.
//!
//! A library's constructors run when it is opened, and its functions run with all rights of the program. One that is broken
//! (it exits, crashes, throws, hangs, or returns nothing) would take the program with it. So a [`Prober`] opens a library
//! that it has not seen before in a child process, which is given the sealed bytes themselves, and lets the program open it
//! only when all went well there. That is remembered, so that later loads cost a look at a small file.
//!
//! This is for accidents. A library that means harm is no less harmful in a child of the same user.
//!
//! This crate does not know which program can do it. A host passes one that calls [`probe_from_stdin`], usually itself:
//!
//! ```no_run
//! use interlock_core::loader::{Loader, Prober, probe_from_stdin};
//!
//! fn main() -> std::process::ExitCode {
//!     if std::env::args_os().nth(1).is_some_and(|word| word == "probe-a-backend") {
//!         return probe_from_stdin();
//!     }
//!     let prober = Prober::new("/proc/self/exe", ["probe-a-backend"]);
//!     let loader = Loader::default().with_prober(prober);
//!     // …
//! #   std::process::ExitCode::SUCCESS
//! }
//! ```
//!
//! A [`Loader`](super::Loader) without a prober opens libraries at once.

// Elsewhere nothing can be loaded, and so nothing probed.
#![cfg_attr(not(target_os = "linux"), allow(dead_code))]

#[cfg(target_os = "linux")]
mod inside;
mod known;
#[cfg(target_os = "linux")]
mod message;
mod step;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

#[cfg(target_os = "linux")]
pub use inside::probe_from_stdin;
pub use step::Step;

use super::error::LoadError;
use super::sealed::Image;
use known::Known;

/// Other systems load no plugin files.
#[cfg(not(target_os = "linux"))]
pub fn probe_from_stdin() -> std::process::ExitCode {
    std::process::ExitCode::FAILURE
}

/// How long each step may take unless it is said otherwise.
pub const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// How an unknown library is opened in a child process first.
#[derive(Clone, Debug)]
pub struct Prober {
    program: PathBuf,
    arguments: Vec<OsString>,
    time: Duration,
    known: Option<Known>,
}

impl Prober {
    /// With a program that calls [`probe_from_stdin`] when it gets these arguments. It is started with this process's
    /// environment, which drivers take their settings from.
    pub fn new(
        program: impl Into<PathBuf>,
        arguments: impl IntoIterator<Item = impl Into<OsString>>,
    ) -> Self {
        let arguments = arguments.into_iter().map(Into::into).collect();
        Self { program: program.into(), arguments, time: DEFAULT_TIME, known: None }
    }

    /// How long each step may take; [`DEFAULT_TIME`] otherwise. A driver that wakes many devices needs seconds.
    #[must_use]
    pub fn within(self, time: Duration) -> Self {
        Self { time, ..self }
    }

    /// Remembers in this folder which libraries went well, by their hash and the version of this crate. The folder is made
    /// when the first one is remembered, for the user alone; what lies in a folder that others may write is not believed.
    #[must_use]
    pub fn remembering_in(self, folder: impl Into<PathBuf>) -> Self {
        Self { known: Some(Known::at(folder.into())), ..self }
    }

    /// Opens the library in a child process unless it is known to go well.
    ///
    /// # Errors
    /// [`LoadError::Misbehaved`] says what its code did and where, [`LoadError::Unacceptable`] why it is no plugin for this
    /// program, [`LoadError::Prober`] why it could not be tried.
    #[cfg(target_os = "linux")]
    pub fn probe(&self, image: &Image) -> Result<(), LoadError> {
        if self.known.as_ref().is_some_and(|known| known.has(image.sha256())) {
            return Ok(());
        }
        let well = self.watch(image)?;
        if let Some(known) = self.known.as_ref().filter(|_| well) {
            // Without it the next one takes longer.
            let _ = known.add(image.sha256());
        }
        Ok(())
    }

    /// Other systems cannot make an [`Image`].
    #[cfg(not(target_os = "linux"))]
    pub fn probe(&self, _image: &Image) -> Result<(), LoadError> {
        Err(LoadError::NotHere)
    }

    /// Whether the child took all steps and found nothing odd.
    #[cfg(target_os = "linux")]
    fn watch(&self, image: &Image) -> Result<bool, LoadError> {
        use std::time::Instant;

        use super::child::{Ended, Supervised, Told};
        use message::Message;

        let unable = |problem: String| LoadError::Prober { program: self.program.clone(), problem };
        let io = |error: std::io::Error| unable(error.to_string());
        let mut command = std::process::Command::new(&self.program);
        command.args(&self.arguments);
        let mut child = Supervised::start(command, image.to_stdin().map_err(io)?).map_err(io)?;

        let (mut at, mut verdict) = (None, None);
        let mut late = None;
        // More messages than there are steps are nobody's.
        for _ in 0..32 {
            let line = match child.next(Instant::now() + self.time).map_err(io)? {
                Told::Line(line) => line,
                Told::Closed => break,
                Told::Nothing => {
                    late = Some(Ended::Running(self.time));
                    break;
                }
            };
            match Message::parse(&line) {
                Some(Message::Step(step)) => at = Some(step),
                Some(said) => verdict = Some(said),
                None => return Err(unable("it does not speak as a prober does".into())),
            }
        }
        let grace = if late.is_some() { Duration::ZERO } else { self.time };
        let ended = child.end(grace).map_err(io)?;
        let ended = late.unwrap_or(ended);
        let printed = child.printed().last(3, 300);
        match (verdict, at) {
            (Some(Message::Refused(reason)), _) => Err(LoadError::Unacceptable(reason)),
            (Some(verdict), Some(Step::Exit)) if ended.is_success() => Ok(verdict == Message::Well),
            (_, Some(step)) => Err(LoadError::Misbehaved { ended, step, printed }),
            (_, None) => {
                let printed = printed.map(|text| format!(": {text}")).unwrap_or_default();
                Err(unable(format!("{ended} before it began{printed}")))
            }
        }
    }
}
