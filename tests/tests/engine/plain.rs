//! Jobs to which nothing happens: proofs are the CPU backend's, whatever the strategy, the curve and the number of threads.

use interlock_core::engine::{Engine, SubmitError};
use interlock_curves::{Bls12_381, Bn254, ProvingCurve};
use interlock_dummy::{Bench, Objects};

use crate::{STRATEGIES, Sample, assert_nothing_left, config, ends, engine, small, with_strategy};

const THREADS: usize = 3;
const JOBS: usize = 5;

/// Several threads submit jobs of one to three partitions, of two circuits in turn.
fn submit_and_wait<E: ProvingCurve>(engine: &Engine, samples: &[Sample<E>]) -> usize {
    let partitions = |thread: usize, job: usize| 1 + (thread + job) % 3;
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || {
                let handles: Vec<_> = (0..JOBS)
                    .map(|job| {
                        engine.submit(samples[job % samples.len()].job(partitions(thread, job))).unwrap()
                    })
                    .collect();
                for (job, handle) in handles.into_iter().enumerate() {
                    let proved = ends(handle, "plain").unwrap();
                    samples[job % samples.len()].assert_proved(&proved, partitions(thread, job), "plain");
                    assert!(proved.iter().all(|proved| proved.self_checked && proved.attempts.len() == 1));
                }
            });
        }
    });
    THREADS * JOBS
}

fn under_each_strategy<E: ProvingCurve>(strategies: &[&str]) {
    let samples = [Sample::<E>::of("one constraint"), Sample::<E>::of("domain one over")];
    for name in strategies {
        let bench = Bench::with_devices(2);
        let mut config = with_strategy(config(&bench), name);
        config.devices[0].workers = 3;
        config.devices[1].workers = 2;
        let engine = engine(config);
        assert_eq!(engine.interlock(), *name);
        let jobs = submit_and_wait(&engine, &samples) as u64;
        for (index, script) in bench.scripts().iter().enumerate() {
            assert_nothing_left(&engine, index, script, name);
            assert!(script.all_calls() > 0, "{name}: device {index} did nothing");
        }
        let drained = engine.drain();
        assert_eq!((drained.counters.accepted, drained.counters.done), (jobs, jobs), "{name}");
        assert_eq!((drained.counters.retries, drained.counters.failed), (0, 0), "{name}");
        assert!(drained.hung.is_empty());
        for script in bench.scripts() {
            assert_eq!(script.live_objects(), Objects::default(), "{name}");
        }
    }
}

#[test]
fn proofs_are_those_of_the_cpu_backend_under_each_strategy() {
    under_each_strategy::<Bn254>(&STRATEGIES);
}

#[test]
fn on_the_other_curve_as_well() {
    under_each_strategy::<Bls12_381>(&["ledger", "whole"]);
}

/// One engine proves on both curves at once: the device is opened for each.
#[test]
fn both_curves_share_a_device() {
    let bench = Bench::new();
    let engine = engine(config(&bench));
    let other = Sample::<Bls12_381>::of("one constraint");
    let (first, second) = (engine.submit(small().job(2)).unwrap(), engine.submit(other.job(2)).unwrap());
    other.assert_proved(&ends(second, "the other curve").unwrap(), 2, "the other curve");
    small().assert_proved(&ends(first, "BN254").unwrap(), 2, "BN254");
    assert_eq!(bench.script().live_objects().devices, 2);
    assert_nothing_left(&engine, 0, bench.script(), "both curves");
}

/// Keys beyond those that may stay leave the device.
#[test]
fn keys_are_evicted_when_others_come() {
    let bench = Bench::new();
    let engine = engine(interlock_core::engine::EngineConfig { resident_keys: 1, ..config(&bench) });
    let other = Sample::<Bn254>::of("domain exactly full");
    for round in 0..2 {
        for sample in [small(), &other] {
            let proved = ends(engine.submit(sample.job(1)).unwrap(), "keys").unwrap();
            sample.assert_proved(&proved, 1, "keys");
            assert_eq!(bench.script().live_objects().bases, 5, "round {round}: one key is resident");
        }
    }
}

#[test]
fn what_cannot_be_proved_by_anybody_is_not_taken() {
    let bench = Bench::new();
    let engine = engine(config(&bench));
    let none = engine.submit(interlock_core::engine::Job::<Bn254>::new(Vec::new())).unwrap_err();
    assert!(matches!(none, SubmitError::Partitions { found: 0, .. }), "{none}");
    let other = Sample::<Bn254>::of("domain exactly full");
    let mut job = small().job(2);
    job.partitions[1].witness = interlock_core::engine::WitnessSource::Ready(other.witness);
    let wrong = engine.submit(job).unwrap_err();
    assert!(matches!(wrong, SubmitError::Partition { part: 1, .. }), "{wrong}");
    assert_eq!(engine.counters().accepted, 0);
}
