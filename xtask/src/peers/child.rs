//! A process that runs to its end: its time, its peak memory, and the CPUs that it may use.

use std::mem::MaybeUninit;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// A process that ended well.
#[derive(Debug)]
pub(super) struct Ended {
    /// From its start to its end.
    pub(super) wall: Duration,
    /// The most physical memory it had, in bytes; mapped files count as far as they were touched.
    pub(super) peak_rss: u64,
    /// What it printed.
    pub(super) stdout: String,
}

/// Restricts this process, and every one it starts from now on, to `threads` CPUs; without a number, to those it has.
/// Returns how many they are.
pub(super) fn bind(threads: Option<usize>) -> Result<usize> {
    let mine = sched_getaffinity(None).context("cannot ask for the CPUs of this process")?;
    let cpus: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&cpu| mine.is_set(cpu)).collect();
    let threads = threads.unwrap_or(cpus.len());
    ensure!(threads <= cpus.len(), "--threads {threads}: this process may use {} CPUs", cpus.len());
    let mut set = CpuSet::new();
    cpus.iter().take(threads).for_each(|&cpu| set.set(cpu));
    sched_setaffinity(None, &set).context("cannot set the CPUs of this process")?;
    Ok(threads)
}

/// Runs a command to its end.
pub(super) fn run(mut command: Command) -> Result<Ended> {
    // Files, not pipes: nobody has to read while it runs.
    let file = || tempfile::tempfile().context("a file for what it prints");
    let (stdout, stderr) = (file()?, file()?);
    command.stdin(Stdio::null()).stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    let start = Instant::now();
    let child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
    let (status, peak_rss) = reap(&child)?;
    let wall = start.elapsed();
    if !(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0) {
        bail!("failed (wait status {status:#x}): {command:?}\n{}{}", read(stdout)?, read(stderr)?);
    }
    Ok(Ended { wall, peak_rss, stdout: read(stdout)? })
}

fn read(mut file: std::fs::File) -> Result<String> {
    use std::io::{Read, Seek};
    let mut text = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Waits for the process by `wait4`, which tells its peak memory: its wait status, and bytes.
///
/// (The peak of a process begins with what its parent had when it was started. Ours has some megabytes.)
fn reap(child: &Child) -> Result<(libc::c_int, u64)> {
    let pid = libc::pid_t::try_from(child.id())?;
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // SAFETY: both pointers are to memory of this function that is large enough; the process is our child and nobody
        // else waits for it.
        let found = unsafe { libc::wait4(pid, &raw mut status, 0, usage.as_mut_ptr()) };
        if found == pid {
            break;
        }
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::Interrupted {
            return Err(error).context("cannot wait for a process");
        }
    }
    // SAFETY: an rusage is plain numbers, which zeroed memory holds as well; the call has filled it.
    let usage = unsafe { usage.assume_init() };
    Ok((status, u64::try_from(usage.ru_maxrss)? * 1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_with_its_output_and_memory() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo hello"]);
        let ended = run(command).unwrap();
        assert_eq!(ended.stdout, "hello\n");
        assert!(ended.peak_rss > 0 && ended.wall > Duration::ZERO);
        let mut command = Command::new("sh");
        command.args(["-c", "exit 3"]);
        assert!(run(command).unwrap_err().to_string().contains("0x300"));
    }
}
