//! What this process takes.

use std::process::Command;

/// Bytes of it that are in memory, after the allocator has given back what nobody uses.
pub(crate) fn resident() -> u64 {
    give_back();
    let status = std::fs::read_to_string("/proc/self/status").expect("this system has /proc");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("it says what is resident");
    let kibibytes: u64 = line.trim().trim_end_matches(" kB").trim().parse().expect("a number");
    kibibytes * 1024
}

/// One heap, and no chunks set aside for each thread: otherwise, what stays resident is a matter of which thread freed
/// what, and goes on growing a little for a long time. glibc reads this when a process starts.
const TUNABLES: (&str, &str) = ("GLIBC_TUNABLES", "glibc.malloc.arena_max=1:glibc.malloc.tcache_count=0");

/// Whether what this process takes is what it uses.
pub(crate) fn is_exact() -> bool {
    std::env::var(TUNABLES.0).is_ok_and(|value| value == TUNABLES.1)
}

/// Runs this program's test in a process that is exact.
pub(crate) fn run_again_exactly() {
    let program = std::env::current_exe().expect("this program has a path");
    let status = Command::new(program).arg("--nocapture").env(TUNABLES.0, TUNABLES.1).status();
    assert!(status.expect("it can be run again").success());
}

#[cfg(target_env = "gnu")]
fn give_back() {
    // SAFETY: it may be called at any time.
    unsafe { libc::malloc_trim(0) };
}

#[cfg(not(target_env = "gnu"))]
fn give_back() {}
