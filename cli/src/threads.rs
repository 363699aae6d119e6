//! The thread pools of this process's own.
//!
//! Backends bring their own threads. Set-up, verification and key checks use rayon's global pool, which would otherwise
//! start one thread per logical core by itself. Where a backend gets all threads that are allowed, work before it has a
//! pool that ends before.

use std::thread;

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

/// Sets the global pool up with one thread of its own, for work that begins on several threads while the calling one waits
/// for them: as a thread of the pool it would then be missing there, and they would wait for ever.
///
/// # Errors
/// The operating system refuses the thread.
pub(crate) fn one_aside() -> Result<(), Unusable> {
    ThreadPoolBuilder::new()
        .num_threads(1)
        .thread_name(|i| format!("interlock-{i}"))
        .build_global()
        .map_err(|error| Unusable(format!("cannot start a thread: {error}")))
}

/// Runs work on this many threads, which have ended when it returns: a backend's own, started later, are not beside them.
/// Without a number it runs on the global pool.
///
/// # Errors
/// The operating system refuses that many threads.
pub(crate) fn within<T: Send>(threads: Option<u32>, work: impl FnOnce() -> T + Send) -> Result<T, Unusable> {
    let Some(threads) = threads else { return Ok(work()) };
    let mut started = Vec::new();
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads as usize)
        .spawn_handler(|worker| {
            let name = format!("interlock-{}", worker.index());
            started.push(thread::Builder::new().name(name).spawn(|| worker.run())?);
            Ok(())
        })
        .build();
    // The pool goes before its threads are waited for: that is what ends them.
    let outcome = pool.map(|pool| pool.install(work));
    for thread in started {
        // A panic of the work has come out of `install`.
        let _ = thread.join();
    }
    outcome.map_err(|error| Unusable(format!("cannot start {threads} threads: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_has_the_threads_that_were_asked_for() {
        for threads in [1, 3] {
            assert_eq!(within(Some(threads), rayon::current_num_threads).unwrap(), threads as usize);
        }
    }
}
