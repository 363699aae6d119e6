//! The parent's side.

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::{Ended, Tail};

/// The longest line that is taken, unless it is said otherwise; the rest of a longer one is dropped, and so is what was read
/// of it.
const LONGEST_LINE: usize = 1 << 20;

/// How often it is looked whether the process has ended without closing its pipes, which somebody else may hold open.
const LOOK: Duration = Duration::from_millis(5);

/// How long a process that was killed gets to be gone. One that hangs in a driver never is; it is left behind then.
const GONE: Duration = Duration::from_secs(1);

/// What a process tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A line, without its end.
    Line(Vec<u8>),
    /// Nothing more: it closed its pipe, or ended. Half a line at the end is not told.
    Closed,
    /// Nothing until the deadline.
    Nothing,
}

/// A process in a group of its own that is watched. All of the group is killed when the process has ended, and when this is
/// dropped.
///
/// What the process prints to standard output is told line by line; the end of what it prints to standard error is kept.
/// Nothing here waits longer than it is told to, whatever the process does with its pipes, and no thread is needed. One that
/// opens a [`Channel`](super::Channel) is also killed when the thread that started it ends.
#[derive(Debug)]
pub struct Supervised {
    child: Child,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    /// What was read of standard output and not told yet.
    unread: Vec<u8>,
    longest_line: usize,
    /// The line that is being read is too long.
    dropping: bool,
    printed: Tail,
    gone: bool,
}

impl Supervised {
    /// Starts a process. Its standard output and error are set here.
    ///
    /// # Errors
    /// The system does not start it.
    pub fn start(mut command: Command, stdin: Stdio) -> io::Result<Self> {
        use std::os::unix::process::CommandExt as _;

        let mut child = command
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A signal to the parent's group (Ctrl-C) is the parent's matter, and this one can be killed as a whole.
            .process_group(0)
            .spawn()?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let started = Self {
            child,
            stdout,
            stderr,
            unread: Vec::new(),
            longest_line: LONGEST_LINE,
            dropping: false,
            printed: Tail::default(),
            gone: false,
        };
        // Our ends only: the other ends are other open files.
        if let Some(pipe) = &started.stdout {
            rustix::fs::fcntl_setfl(pipe, OFlags::NONBLOCK)?;
        }
        if let Some(pipe) = &started.stderr {
            rustix::fs::fcntl_setfl(pipe, OFlags::NONBLOCK)?;
        }
        Ok(started)
    }

    /// Takes lines of up to so many bytes.
    #[must_use]
    pub fn with_longest_line(mut self, bytes: usize) -> Self {
        self.longest_line = bytes;
        self
    }

    /// The other end of its standard input, once, when that is a pipe. Writing there waits for the process to read.
    pub fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// The next line, or that there is none.
    ///
    /// # Errors
    /// The system does not let a pipe be read or a process be waited for.
    pub fn next(&mut self, until: Instant) -> io::Result<Told> {
        loop {
            if let Some(line) = self.take_line() {
                return Ok(Told::Line(line));
            }
            if self.stdout.is_none() {
                return Ok(Told::Closed);
            }
            let left = until.saturating_duration_since(Instant::now());
            let came = self.read(left.min(LOOK))?;
            if !came && self.has_ended()? {
                self.last_reads()?;
                self.stdout = None;
            } else if left.is_zero() && !self.unread.contains(&b'\n') {
                return Ok(Told::Nothing);
            }
        }
    }

    /// Waits for the end for at most this long, then kills. What is told meanwhile is lost.
    ///
    /// # Errors
    /// The system does not let it be waited for.
    pub fn end(&mut self, grace: Duration) -> io::Result<Ended> {
        let until = Instant::now() + grace;
        while !self.has_ended()? {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                self.kill()?;
                self.last_reads()?;
                return Ok(Ended::Running(grace));
            }
            self.read(left.min(LOOK))?;
            self.unread.clear();
        }
        self.last_reads()?;
        // It has ended, so there is a status.
        Ok(self.kill()?.map_or(Ended::Running(grace), Ended::of))
    }

    /// The end of what it printed to standard error.
    pub fn printed(&self) -> &Tail {
        &self.printed
    }

    /// Whether the process has ended, and its group with it: without taking its status, so that its number, which is that of
    /// the group, is not given to another one.
    fn has_ended(&self) -> io::Result<bool> {
        if self.gone {
            return Ok(true);
        }
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let ended = waitid(WaitId::Pid(self.pid()), options)?.is_some();
        if ended {
            self.kill_group();
        }
        Ok(ended)
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    fn kill_group(&self) {
        // It may be empty already.
        let _ = kill_process_group(self.pid(), Signal::KILL);
    }

    /// Kills what is left of the group and takes the status; `None` when the process is not to be killed.
    fn kill(&mut self) -> io::Result<Option<ExitStatus>> {
        if !self.gone {
            self.kill_group();
        }
        let until = Instant::now() + GONE;
        loop {
            let status = self.child.try_wait()?;
            if status.is_some() {
                self.gone = true;
                return Ok(status);
            }
            if Instant::now() >= until {
                return Ok(None);
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits for something to read, reads it, and says whether there was something.
    fn read(&mut self, wait: Duration) -> io::Result<bool> {
        let mut pipes = Vec::with_capacity(2);
        pipes.extend(self.stdout.as_ref().map(|pipe| PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN)));
        pipes.extend(self.stderr.as_ref().map(|pipe| PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN)));
        let wait = Timespec { tv_sec: wait.as_secs() as i64, tv_nsec: wait.subsec_nanos().into() };
        match poll(&mut pipes, Some(&wait)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(false),
            outcome => outcome?,
        };
        let mut piece = [0; 1 << 14];
        let told = read_some(&mut self.stdout, &mut piece)?;
        self.take(&piece[..told]);
        let printed = read_some(&mut self.stderr, &mut piece)?;
        self.printed.push(&piece[..printed]);
        Ok(told + printed > 0)
    }

    /// Reads what a process left in its pipes. No more than pipes hold: somebody else may write on and on.
    fn last_reads(&mut self) -> io::Result<()> {
        for _ in 0..64 {
            if !self.read(Duration::ZERO)? {
                break;
            }
        }
        Ok(())
    }

    fn take(&mut self, mut bytes: &[u8]) {
        if self.dropping {
            let Some(end) = bytes.iter().position(|&byte| byte == b'\n') else { return };
            bytes = &bytes[end + 1..];
            self.dropping = false;
        }
        self.unread.extend_from_slice(bytes);
        let line = self.unread.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if self.unread.len() - line > self.longest_line {
            self.unread.truncate(line);
            self.dropping = true;
        }
    }

    fn take_line(&mut self) -> Option<Vec<u8>> {
        let end = self.unread.iter().position(|&byte| byte == b'\n')?;
        let mut line: Vec<u8> = self.unread.drain(..=end).collect();
        line.pop();
        Some(line)
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

/// Reads once, without waiting; a pipe that is closed is let go.
fn read_some(pipe: &mut Option<impl Read>, piece: &mut [u8]) -> io::Result<usize> {
    use io::ErrorKind::{Interrupted, WouldBlock};

    let Some(open) = pipe else { return Ok(0) };
    match open.read(piece) {
        Ok(0) => {
            *pipe = None;
            Ok(0)
        }
        Ok(n) => Ok(n),
        Err(error) if matches!(error.kind(), Interrupted | WouldBlock) => Ok(0),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
