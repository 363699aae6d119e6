//! A backend in a process of its own, which is given cases and answers.

use std::io::{self, BufRead, Read as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use interlock_core::loader::child::{Channel, Supervised, Told};
use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::case::Case;
use crate::event::Subject;

/// The longest line of either side.
const LINE: usize = 1 << 30;

/// How long a process gets to end by itself.
const GRACE: Duration = Duration::from_secs(2);

/// What the child tells first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Greeting {
    /// The backend is there.
    Ready(Box<Subject>),
    /// It is not.
    Refused(String),
}

/// Why a backend does not answer at all.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The process cannot be started or watched.
    #[error("the process in which the backend runs: {0}")]
    Process(#[from] io::Error),
    /// The backend was refused.
    #[error("{0}")]
    Refused(String),
    /// Its process ended, or was silent, before the backend was there.
    #[error("its process {0} while the backend was being loaded")]
    Ended(String),
}

/// A process that answers cases. One that ends, or does not answer in time, is started anew for the next case.
#[derive(Debug)]
pub struct Worker {
    start: StartCommand,
    patience: Duration,
    running: Option<Running>,
    subject: Subject,
}

/// How it is started.
struct StartCommand(Box<dyn Fn() -> Command>);

impl std::fmt::Debug for StartCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StartCommand")
    }
}

#[derive(Debug)]
struct Running {
    process: Supervised,
    cases: Sender<String>,
}

impl Worker {
    /// Starts one; an answer may take as long as `patience`.
    ///
    /// # Errors
    /// The process cannot be started, or the backend is refused there.
    pub fn start(start: impl Fn() -> Command + 'static, patience: Duration) -> Result<Self, WorkerError> {
        let start = StartCommand(Box::new(start));
        let (running, subject) = begin(&start, patience)?;
        Ok(Self { start, patience, running: Some(running), subject })
    }

    /// The backend.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// What the backend answers.
    ///
    /// # Errors
    /// A process that was needed anew cannot be started.
    pub fn answer(&mut self, case: &Case) -> Result<Answer, WorkerError> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => begin(&self.start, self.patience)?.0,
        };
        let line = serde_json::to_string(case).map_err(io::Error::from)?;
        // It hears nothing when the process is gone, which shows below.
        let _ = running.cases.send(line);
        match running.process.next(Instant::now() + self.patience)? {
            Told::Line(line) => {
                self.running = Some(running);
                Ok(serde_json::from_slice(&line).unwrap_or_else(|error| Answer::Ended {
                    how: format!("told what is no answer: {error}"),
                }))
            }
            Told::Nothing => {
                Ok(Answer::Ended { how: format!("did not answer within {} s", self.patience.as_secs_f64()) })
            }
            Told::Closed => {
                let ended = running.process.end(GRACE)?;
                let printed = running.process.printed().last(3, 300);
                let printed = printed.map_or_else(String::new, |text| format!("; it printed: {text}"));
                Ok(Answer::Ended { how: format!("ended its process ({ended}){printed}") })
            }
        }
    }
}

fn begin(start: &StartCommand, patience: Duration) -> Result<(Running, Subject), WorkerError> {
    let mut process = Supervised::start((start.0)(), Stdio::piped())?.with_longest_line(LINE);
    let (cases, waiting) = channel::<String>();
    if let Some(mut stdin) = process.take_stdin() {
        // A process that does not read would hold up its writer: it ends with the pipe, at the latest when the process does.
        thread::Builder::new().name("interlock-cases".into()).spawn(move || {
            for mut line in waiting {
                line.push('\n');
                if stdin.write_all(line.as_bytes()).is_err() {
                    break;
                }
            }
        })?;
    }
    match process.next(Instant::now() + patience)? {
        Told::Line(line) => match serde_json::from_slice(&line) {
            Ok(Greeting::Ready(subject)) => Ok((Running { process, cases }, *subject)),
            Ok(Greeting::Refused(reason)) => Err(WorkerError::Refused(reason)),
            Err(error) => Err(WorkerError::Ended(format!("does not speak as a worker ({error})"))),
        },
        Told::Nothing => Err(WorkerError::Ended(format!("was silent for {} s", patience.as_secs_f64()))),
        Told::Closed => {
            let ended = process.end(GRACE)?;
            let printed = process.printed().last(3, 300).unwrap_or_default();
            Err(WorkerError::Ended(format!("ended ({ended}) {printed}")))
        }
    }
}

/// The child's side: reads cases and tells answers, until there are no more.
///
/// # Errors
/// The parent is gone, or tells what is no case.
pub fn serve(
    channel: &mut Channel,
    input: impl io::Read,
    mut answer: impl FnMut(&Case) -> Answer,
) -> io::Result<()> {
    let mut input = io::BufReader::new(input);
    loop {
        let mut line = Vec::new();
        if (&mut input).take(LINE as u64).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let case: Case = serde_json::from_slice(&line)?;
        channel.tell(&serde_json::to_string(&answer(&case))?)?;
    }
}
