//! How a process ended, in words.

use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

/// How a process ended: `exit code 3`, `signal 11 (SIGSEGV)`, `no end within 10 s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself.
    Exit(i32),
    /// By a signal.
    Signal(i32),
    /// Not at all within this time: it was killed by its parent.
    Running(Duration),
}

impl Ended {
    /// Of a status.
    pub fn of(status: ExitStatus) -> Self {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Self::Signal(signal);
        }
        // A process that ended has an exit code unless a signal ended it.
        Self::Exit(status.code().unwrap_or(-1))
    }

    /// Whether it ended by itself and well.
    pub fn is_success(self) -> bool {
        self == Self::Exit(0)
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Exit(code) => write!(f, "exit code {code}"),
            Self::Signal(signal) => match name(signal) {
                Some(name) => write!(f, "signal {signal} ({name})"),
                None => write!(f, "signal {signal}"),
            },
            Self::Running(time) => write!(f, "no end within {} s", time.as_secs_f64()),
        }
    }
}

/// The signals that end processes by themselves; numbers are Linux's on common processors.
fn name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        31 => "SIGSYS",
        _ => return None,
    })
}
