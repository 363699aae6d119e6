//! The parent's side.

use std::io::{self, BufRead as _, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use interlock_core::loader::child::Ended;

use crate::event::Event;
use crate::group::Group;
use crate::options::{Level, Options};
use crate::report::Collector;

/// How long a process gets to end by itself once its rows have run, and its pipes to run dry once it has ended.
const GRACE: Duration = Duration::from_secs(5);

/// Bytes of standard error that are kept: the last ones.
const KEPT: usize = 4096;

/// The longest line of a process that is looked at.
const LINE: u64 = 1 << 20;

/// How long it may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Each group's process; with [`Level::Soak`], which has one process, each row.
    pub group: Duration,
    /// All of it.
    pub whole: Duration,
}

/// A process cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// The system does not start it.
    #[error("cannot start the process in which the backend is checked: {0}")]
    Spawn(#[source] io::Error),
    /// Nor waits for it.
    #[error("cannot wait for the process in which the backend is checked: {0}")]
    Wait(#[source] io::Error),
}

/// Runs each group in a process of its own and adds up what they tell. `command` says how the process of these groups is
/// started; its standard streams are set here.
///
/// A group's process that ends before its time costs that row and the rest of that group. When it was the loading of the
/// library that ended it, no other group is tried.
///
/// # Errors
/// A process cannot be started. That one ends badly is no error but what the report tells.
pub fn supervise(
    options: &Options,
    limits: Limits,
    command: &dyn Fn(&[Group]) -> Command,
    listener: &mut dyn FnMut(&Event),
) -> Result<Collector, ProcessError> {
    let mut collector = Collector::new(options.level, options.seed);
    let wanted: Vec<Group> = Group::ALL.into_iter().filter(|group| options.groups.contains(group)).collect();
    let runs: Vec<&[Group]> = match options.level {
        Level::Soak => vec![&wanted],
        Level::Quick | Level::Full => wanted.chunks(1).collect(),
    };
    let end = Instant::now() + limits.whole;
    for groups in runs {
        let mut process = Process::start(command(groups))?;
        let goes_on = process.follow(options.level, limits, end, &mut collector, listener)?;
        if !goes_on {
            break;
        }
    }
    Ok(collector)
}

struct Process {
    child: Child,
    events: Receiver<Event>,
    stderr: Receiver<String>,
}

impl Process {
    fn start(mut command: Command) -> Result<Self, ProcessError> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(ProcessError::Spawn)?;
        let (told, events) = channel();
        if let Some(stdout) = child.stdout.take() {
            // The threads end with their pipes. Nobody waits for them: a process that the plugin left behind may hold a
            // pipe open.
            thread::spawn(move || {
                let mut lines = BufReader::new(stdout);
                let mut line = Vec::new();
                loop {
                    line.clear();
                    match (&mut lines).take(LINE).read_until(b'\n', &mut line) {
                        Ok(1..) => {}
                        _ => break,
                    }
                    // Half a line is the last one of a process that was ended.
                    if let Ok(event) = serde_json::from_slice(&line)
                        && told.send(event).is_err()
                    {
                        break;
                    }
                }
            });
        }
        let (told, stderr) = channel();
        if let Some(pipe) = child.stderr.take() {
            thread::spawn(move || told.send(last_bytes(pipe)));
        }
        Ok(Self { child, events, stderr })
    }

    /// Takes events until the process ends; whether another one is worth starting.
    fn follow(
        &mut self,
        level: Level,
        limits: Limits,
        end: Instant,
        collector: &mut Collector,
        listener: &mut dyn FnMut(&Event),
    ) -> Result<bool, ProcessError> {
        let begin = Instant::now();
        let mut last = begin;
        let (mut loaded, mut done) = (false, false);
        loop {
            let own = if level == Level::Soak { last } else { begin } + limits.group;
            let left = own.min(end).saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(event) => {
                    last = Instant::now();
                    loaded |= matches!(event, Event::Loaded(_));
                    done |= matches!(event, Event::Done | Event::Refused { .. });
                    listener(&event);
                    collector.take(event);
                    if done {
                        break;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    let whole = own >= end;
                    let how = if whole {
                        format!(
                            "still running when the time for the whole check, {} s, was over",
                            limits.whole.as_secs_f64()
                        )
                    } else {
                        format!("still running after {} s", limits.group.as_secs_f64())
                    };
                    self.kill()?;
                    collector.ended(how, self.last_words());
                    return Ok(loaded && !whole);
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        match self.wait()? {
            Some(status) if status.success() && done => Ok(!collector.is_refused()),
            Some(status) => {
                let when = if done { ", after its last row" } else { "" };
                collector.ended(format!("{}{when}", Ended::of(status)), self.last_words());
                Ok(loaded)
            }
            None => {
                self.kill()?;
                let when = if done { "after its last row" } else { "after it closed its pipe" };
                let how = format!("still running {} s {when}", GRACE.as_secs());
                collector.ended(how, self.last_words());
                Ok(loaded)
            }
        }
    }

    /// Waits a while for the end.
    fn wait(&mut self) -> Result<Option<std::process::ExitStatus>, ProcessError> {
        let begin = Instant::now();
        loop {
            let status = self.child.try_wait().map_err(ProcessError::Wait)?;
            if status.is_some() || begin.elapsed() > GRACE {
                return Ok(status);
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    fn kill(&mut self) -> Result<(), ProcessError> {
        // It may have ended just now.
        let _ = self.child.kill();
        self.child.wait().map(drop).map_err(ProcessError::Wait)
    }

    fn last_words(&self) -> String {
        self.stderr.recv_timeout(GRACE).unwrap_or_default()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

/// Reads to the end and gives the last bytes, from the begin of a line on.
fn last_bytes(mut pipe: impl Read) -> String {
    let mut kept: Vec<u8> = Vec::new();
    let mut piece = [0; 1024];
    let mut cut = false;
    while let Ok(n @ 1..) = pipe.read(&mut piece) {
        kept.extend_from_slice(&piece[..n]);
        if kept.len() > 2 * KEPT {
            kept.drain(..kept.len() - KEPT);
            cut = true;
        }
    }
    let from = kept.len().saturating_sub(KEPT);
    cut |= from > 0;
    let text = String::from_utf8_lossy(&kept[from..]).into_owned();
    match text.split_once('\n') {
        Some((_, rest)) if cut => rest.to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept() {
        assert_eq!(last_bytes(&b"one\ntwo\n"[..]), "one\ntwo\n");
        let long = format!("{}\nlast\n", "x".repeat(10_000));
        assert_eq!(last_bytes(long.as_bytes()), "last\n");
    }
}
