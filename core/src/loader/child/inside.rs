//! The child's side.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Where the child tells lines: what was its standard output. What code that it runs prints there goes to standard error
/// from then on.
#[derive(Debug)]
pub struct Channel(File);

impl Channel {
    /// Takes the standard output over, and makes this process one that ends with the thread that started it, leaves no core
    /// file, and gets no more memory of its own than the machine has.
    ///
    /// # Errors
    /// The system does not give another descriptor.
    pub fn open() -> io::Result<Self> {
        let pipe = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?;
        rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
        // Each of these is a convenience: without it the code runs all the same, and the parent kills what it started.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
        let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
        if let Some(bytes) = memory_of_machine() {
            // Private memory, not address space: drivers reserve more of that than there is memory.
            let old = getrlimit(Resource::Data);
            let current = Some(old.current.map_or(bytes, |old| old.min(bytes)));
            let _ = setrlimit(Resource::Data, Rlimit { current, maximum: old.maximum });
        }
        Ok(Self(pipe.into()))
    }

    /// Tells a line, at once. It must hold no line feed.
    ///
    /// # Errors
    /// The parent is gone.
    pub fn tell(&mut self, line: &str) -> io::Result<()> {
        self.0.write_all(format!("{line}\n").as_bytes())
    }
}

/// Takes the standard input over, and leaves `/dev/null` in its place.
///
/// # Errors
/// The system does not give another descriptor.
pub fn take_stdin() -> io::Result<OwnedFd> {
    let taken = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    Ok(taken)
}

/// From `/proc/meminfo`; `None` where there is none.
fn memory_of_machine() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}
