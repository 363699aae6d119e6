//! The one thread pool of this process's own.
//!
//! Backends bring their own threads. Set-up, verification and key checks use rayon's global pool, which would otherwise
//! start one thread per logical core by itself.

use rayon::ThreadPoolBuilder;

use crate::errors::Unusable;

/// Threads when nobody says how many: one per physical core that this process may use.
pub(crate) fn effective(threads: Option<u32>) -> usize {
    threads.map_or_else(interlock_cpu::threads::default_threads, |threads| threads as usize)
}

/// Sets the global pool up. The calling thread is one of its threads, so `--threads 1` starts none.
///
/// # Errors
/// The operating system refuses that many threads.
pub(crate) fn bound(threads: Option<u32>) -> Result<(), Unusable> {
    let threads = effective(threads);
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .use_current_thread()
        .thread_name(|i| format!("interlock-{i}"))
        .build_global()
        .map_err(|error| Unusable(format!("cannot start {threads} threads: {error}")))
}
