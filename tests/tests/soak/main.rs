//! Ten thousand jobs with random faults, cancellations, deadlines and priorities.
//!
//! Each ends exactly once, with the CPU backend's proofs or a typed error; nothing is left of them, and the process does not
//! grow. A process of its own, so that no other test's memory counts. What happens follows from the seed, as far as threads
//! allow: `INTERLOCK_SOAK_SEED` gives another one, `INTERLOCK_SOAK_JOBS` another number of jobs.

mod faults;
mod memory;
mod sample;
mod tally;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use interlock_core::backend::{DeviceOptions, Plugin};
use interlock_core::engine::{DeviceSpec, Engine, EngineConfig, Job, JobHandle, SubmitError, Timeline};
use interlock_core::groth16::Footprint;
use interlock_curves::Bn254;
use interlock_dummy::{Bench, Objects, Script};
use interlock_tests::linked;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use crate::sample::Sample;
use crate::tally::Tally;

const SUBMITTERS: u64 = 3;
/// Jobs that a submitter has in the engine at once, at most: more than have a place there.
const AHEAD: usize = 8;
const MAX_JOBS: u32 = 16;
/// Between these nothing is under way, and the process is looked at.
const ROUNDS: u64 = 10;
/// Jobs before them.
const WARM_UP: u64 = 3;
/// Nothing takes so long; what has not ended then never will.
const PATIENCE: Duration = Duration::from_secs(120);

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).map_or(otherwise, |text| text.parse().expect("a number"))
}

/// The two scripted devices, with room for two partitions each, and the CPU backend for what they cannot prove.
fn start(bench: &Bench, sample: &Sample) -> Engine {
    let plugin = Plugin::linked(bench.api()).unwrap();
    let Footprint { staged, peak, .. } = Footprint::of(&sample.key);
    let device = |plugin: &Arc<Plugin>, index| {
        DeviceSpec::new(plugin, DeviceOptions { index, memory_limit: None, threads: Some(1) })
            .with_workers(2 + index)
            .with_budget(peak + 2 * staged)
    };
    let devices = vec![device(&plugin, 0), device(&plugin, 1), device(&linked(), 0).with_tier(1)];
    let config = EngineConfig {
        max_jobs: MAX_JOBS,
        max_staged: 2,
        partition_workers: 2,
        threads: Some(2),
        // No call of these scripts hangs longer than its job; this bounds what is wrong.
        grace: Duration::from_secs(20),
        ..EngineConfig::new(devices)
    };
    Engine::new(config, Timeline::off()).unwrap()
}

/// What a run is made of.
struct Soak {
    sample: Sample,
    bench: Bench,
    engine: Engine,
    tally: Tally,
    /// Submissions for which there was no place.
    full: AtomicU64,
}

impl Soak {
    /// A proof on each device, so that all of them are open before anything is measured: the CPU backend is not needed
    /// until somebody has failed on both of the others, which may be late.
    fn warm_up(&self) {
        let lame: [&[usize]; 3] = [&[], &[0], &[0, 1]];
        for lame in lame {
            lame.iter().for_each(|index| faults::fail(&self.bench.scripts()[*index]));
            self.tally
                .end(self.engine.submit(Job::new(vec![self.sample.ready()])).unwrap(), &self.sample.proof);
            self.bench.scripts().iter().for_each(Script::clear_faults);
        }
        assert_eq!(self.tally.all(), WARM_UP);
    }

    /// All submitters' jobs of a round, until each has ended.
    fn round(&self, seed: u64, jobs: u64) {
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            // A call that hangs until its job is cancelled would wait for ever if nobody cancels it.
            scope.spawn(|| {
                while !over.load(Ordering::SeqCst) {
                    std::thread::sleep(Duration::from_millis(5));
                    self.bench.scripts().iter().for_each(Script::release_hangs);
                }
            });
            let submitters: Vec<_> = (0..SUBMITTERS)
                .map(|submitter| {
                    let share = jobs / SUBMITTERS + u64::from(submitter < jobs % SUBMITTERS);
                    scope.spawn(move || self.submit_all(seed * SUBMITTERS + submitter, share))
                })
                .collect();
            let joined: Vec<_> = submitters.into_iter().map(|submitter| submitter.join()).collect();
            over.store(true, Ordering::SeqCst);
            assert!(joined.iter().all(Result::is_ok), "a submitter's assertions hold");
        });
    }

    /// One submitter's share of a round.
    fn submit_all(&self, seed: u64, jobs: u64) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let mut below = move |n: u64| rng.next_u64() % n;
        let mut ahead = VecDeque::new();
        for _ in 0..jobs {
            let handle = self.submit(&mut below);
            // Some are cancelled at once, some a bit later.
            if below(8) == 0 {
                let wait = Duration::from_micros(below(2) * below(20_000));
                std::thread::sleep(wait);
                handle.cancel();
            }
            ahead.push_back(handle);
            if ahead.len() > AHEAD {
                self.tally.end(ahead.pop_front().unwrap(), &self.sample.proof);
            }
        }
        for handle in ahead {
            self.tally.end(handle, &self.sample.proof);
        }
    }

    /// Submits, with patience.
    fn submit(&self, below: &mut impl FnMut(u64) -> u64) -> JobHandle<Bn254> {
        let begin = Instant::now();
        loop {
            match self.engine.submit(self.sample.job(below)) {
                Ok(handle) => return handle,
                Err(SubmitError::Full { retry_after }) => {
                    assert!(!retry_after.is_zero() && begin.elapsed() < PATIENCE);
                    self.full.fetch_add(1, Ordering::Relaxed);
                    // It says seconds, for jobs that take as long; these take milliseconds.
                    std::thread::sleep(Duration::from_millis(2));
                }
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// Nothing of any job is left.
    fn assert_nothing_left(&self) {
        for (index, script) in self.bench.scripts().iter().enumerate() {
            assert_eq!((script.live_bytes(), script.live_objects().scalars), (0, 0), "device {index}");
        }
        for index in 0..3 {
            assert_eq!(
                (self.engine.bytes_on(index), self.engine.reserved_on(index)),
                (0, 0),
                "device {index}"
            );
            assert!(!self.engine.is_lost(index), "device {index}");
        }
    }
}

#[test]
fn ten_thousand_jobs_end_once_and_leave_nothing() {
    if !memory::is_exact() {
        return memory::run_again_exactly();
    }
    let (seed, jobs) = (number("INTERLOCK_SOAK_SEED", 1), number("INTERLOCK_SOAK_JOBS", 10_000));
    let (sample, bench) = (Sample::new(), Bench::with_devices(2));
    let engine = start(&bench, &sample);
    let soak = Soak { sample, bench, engine, tally: Tally::default(), full: AtomicU64::new(0) };
    soak.warm_up();
    let armed = faults::arm(soak.bench.scripts(), seed);
    let begin = Instant::now();
    let mut resident = Vec::new();
    for round in 0..ROUNDS {
        soak.round(seed * ROUNDS + round, jobs / ROUNDS);
        soak.assert_nothing_left();
        resident.push(memory::resident());
    }
    assert!(armed.iter().all(|fault| fault.hits() > 0), "every kind of fault is to happen");
    let Soak { bench, engine, tally, full, .. } = soak;
    let (full, drained) = (full.into_inner(), engine.drain());
    #[allow(clippy::print_stderr, reason = "what this test is run for")]
    {
        eprintln!("seed {seed}, {jobs} jobs in {:.1} s: {tally}", begin.elapsed().as_secs_f64());
        eprintln!("{:?}, full {full} times; resident after each tenth: {resident:?}", drained.counters);
    }
    tally.assert_fits(&drained.counters, WARM_UP + jobs / ROUNDS * ROUNDS, full);
    assert!(drained.hung.is_empty());
    for script in bench.scripts() {
        assert_eq!(script.live_objects(), Objects::default());
    }
    let (first, last) = (resident[0], resident[resident.len() - 1]);
    assert!(last * 100 <= first * 101, "the process grew from {first} bytes to {last}");
}
