//! How jobs ended.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use interlock_core::engine::{Counters, JobError, JobHandle};
use interlock_core::types::Proof;
use interlock_curves::Bn254;

use crate::PATIENCE;

/// Jobs by their end.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    done: AtomicU64,
    cancelled: AtomicU64,
    late: AtomicU64,
    failed: AtomicU64,
    /// Ended by a panic, say.
    otherwise: AtomicU64,
}

impl Tally {
    /// Waits for a job, looks at what came of it, and counts it.
    pub(crate) fn end(&self, handle: JobHandle<Bn254>, proof: &Proof<Bn254>) {
        let begin = Instant::now();
        while !handle.is_done() {
            assert!(begin.elapsed() < PATIENCE, "job {} does not end", handle.number());
            std::thread::sleep(Duration::from_micros(500));
        }
        let count = match handle.wait() {
            Ok(proved) => {
                assert!((1..=3).contains(&proved.len()));
                assert!(proved.iter().all(|proved| proved.proof == *proof && proved.self_checked));
                &self.done
            }
            Err(JobError::Cancelled) => &self.cancelled,
            Err(JobError::Late) => &self.late,
            Err(JobError::Failed { .. }) => &self.failed,
            Err(JobError::Ended { .. }) => &self.otherwise,
            Err(error) => panic!("{error:?}"),
        };
        count.fetch_add(1, Ordering::SeqCst);
    }

    fn counts(&self) -> [u64; 5] {
        [&self.done, &self.cancelled, &self.late, &self.failed, &self.otherwise]
            .map(|count| count.load(Ordering::SeqCst))
    }

    /// How many have ended.
    pub(crate) fn all(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// The engine counted the same.
    pub(crate) fn assert_fits(&self, counters: &Counters, jobs: u64, full: u64) {
        let [done, cancelled, late, failed, otherwise] = self.counts();
        assert_eq!((self.all(), counters.accepted, counters.rejected), (jobs, jobs, full));
        assert_eq!(counters.done, done);
        assert_eq!(counters.cancelled, cancelled);
        assert_eq!(counters.failed, late + failed + otherwise);
        // Each way to end was taken, and most jobs were proved.
        assert!(done * 2 > jobs && cancelled > 0 && late > 0 && failed > 0 && otherwise > 0, "{self}");
        assert!(counters.retries > 0 && counters.panics > 0 && counters.fallbacks > 0, "{counters:?}");
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [done, cancelled, late, failed, otherwise] = self.counts();
        write!(
            f,
            "{done} done, {cancelled} cancelled, {late} late, {failed} failed, {otherwise} ended otherwise"
        )
    }
}
