//! Threads that compute for the host.

use std::sync::OnceLock;

use interlock_scheduler::Again;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::work::Stop;

/// A pool of threads, which are started when they are first needed.
#[derive(Debug)]
pub(super) struct HostPool {
    name: &'static str,
    threads: Option<usize>,
    pool: OnceLock<Result<ThreadPool, String>>,
}

impl HostPool {
    /// A pool of so many threads, or of as many as rayon thinks right.
    pub(super) fn new(name: &'static str, threads: Option<usize>) -> Self {
        Self { name, threads, pool: OnceLock::new() }
    }

    /// Does work on it.
    ///
    /// # Errors
    /// The work's; its threads cannot be started.
    pub(super) fn install(&self, work: impl FnOnce() -> Result<(), Stop> + Send) -> Result<(), Stop> {
        let pool = self.pool.get_or_init(|| {
            let name = self.name;
            let builder = ThreadPoolBuilder::new().thread_name(move |i| format!("{name}-{i}"));
            let builder = match self.threads {
                Some(threads) => builder.num_threads(threads.max(1)),
                None => builder,
            };
            builder.build().map_err(|error| format!("the host's threads cannot be started: {error}"))
        });
        match pool {
            Ok(pool) => pool.install(work),
            Err(reason) => Err(Stop::Failed { again: Again::Never, reason: reason.clone() }),
        }
    }
}
