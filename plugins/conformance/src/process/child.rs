//! The child's side.

use std::io::{self, Write};

use crate::event::Event;

/// Where the child tells of events: what was its standard output. What a plugin prints to standard output goes to standard
/// error from then on.
#[derive(Debug)]
pub struct Channel(std::fs::File);

impl Channel {
    /// Takes the standard output over, and makes this process one that ends with its parent, leaves no core file, and gets
    /// no more memory than the machine has.
    ///
    /// # Errors
    /// The system does not give another descriptor.
    #[cfg(unix)]
    pub fn open() -> io::Result<Self> {
        use rustix::process::{Resource, Rlimit, setrlimit};

        let pipe = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?;
        rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
        // Each of these is a convenience: without it the rows run all the same.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
        let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
        if let Some(bytes) = memory_of_machine() {
            // Private memory, not address space: drivers reserve more of that than there is memory.
            let old = rustix::process::getrlimit(Resource::Data);
            let current = Some(old.current.map_or(bytes, |old| old.min(bytes)));
            let _ = setrlimit(Resource::Data, Rlimit { current, maximum: old.maximum });
        }
        Ok(Self(pipe.into()))
    }

    /// Tells of an event, at once.
    ///
    /// # Errors
    /// The parent is gone.
    pub fn send(&mut self, event: &Event) -> io::Result<()> {
        let mut line = serde_json::to_vec(event)?;
        line.push(b'\n');
        self.0.write_all(&line)
    }
}

/// From `/proc/meminfo`; `None` where there is none.
#[cfg(unix)]
fn memory_of_machine() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}
