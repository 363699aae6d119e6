//! How many threads, and the pool that holds them.

use interlock_sdk::BackendError;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// One thread per physical core that this process may use: hyper-threads make field arithmetic slower, not faster.
pub fn default_threads() -> usize {
    let allowed = std::thread::available_parallelism().map_or(1, usize::from);
    num_cpus::get_physical().clamp(1, allowed)
}

/// A private pool, so that neither the host's nor another plugin's pool is shared or oversubscribed.
///
/// # Errors
/// The operating system refuses to start the threads.
pub fn pool(threads: Option<usize>) -> Result<ThreadPool, BackendError> {
    let threads = threads.unwrap_or_else(default_threads);
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("interlock-cpu-{i}"))
        .build()
        .map_err(|error| BackendError::device(format!("cannot start {threads} threads: {error}")))
}

/// Memory of the host in bytes as Linux reports it; 0 elsewhere.
pub fn host_memory_bytes() -> u64 {
    let Ok(text) = std::fs::read_to_string("/proc/meminfo") else { return 0 };
    text.lines()
        .find_map(|line| {
            line.strip_prefix("MemTotal:")?.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
        })
        .map_or(0, |kib| kib * 1024)
}
