//! How a process ended, in words.

use std::process::ExitStatus;

/// `signal 11 (SIGSEGV)`, `exit code 1`.
pub(super) fn words(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt as _;
        if let Some(signal) = status.signal() {
            return match name(signal) {
                Some(name) => format!("signal {signal} ({name})"),
                None => format!("signal {signal}"),
            };
        }
    }
    status.code().map_or_else(|| status.to_string(), |code| format!("exit code {code}"))
}

/// The signals that end processes by themselves; numbers are Linux's on common processors.
#[cfg(unix)]
fn name(signal: i32) -> Option<&'static str> {
    Some(match signal {
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
