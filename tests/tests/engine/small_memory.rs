//! Little memory: no more than there is, under any strategy, and every proof all the same.

use interlock_core::engine::EngineConfig;
use interlock_curves::Bn254;
use interlock_dummy::{Bench, Operation};

use crate::{STRATEGIES, Sample, assert_nothing_left, config, ends, engine, with_strategy};

const JOBS: usize = 6;

/// How many slow paths were taken.
fn run(name: &str, budget: u64, sample: &Sample<Bn254>) -> u64 {
    let bench = Bench::new();
    let script = bench.script();
    // Real limits: the device itself refuses what exceeds the budget.
    script.set_memory(budget);
    script.set_delay(Operation::Msm, std::time::Duration::from_millis(1));
    let mut config = with_strategy(EngineConfig { max_staged: 4, ..config(&bench) }, name);
    config.devices[0].workers = 4;
    config.devices[0].budget = Some(budget);
    let engine = engine(config);
    let jobs: Vec<_> = (0..JOBS).map(|job| engine.submit(sample.job(1 + job % 3)).unwrap()).collect();
    for (job, handle) in jobs.into_iter().enumerate() {
        let why = format!("{name}, {budget} bytes, job {job}");
        sample.assert_proved(&ends(handle, &why).unwrap(), 1 + job % 3, &why);
    }
    assert!(script.peak_bytes() <= budget, "{name}: {} of {budget}", script.peak_bytes());
    assert_nothing_left(&engine, 0, script, name);
    let counters = engine.drain().counters;
    assert_eq!((counters.done, counters.failed), (JOBS as u64, 0), "{name}");
    counters.fallbacks
}

#[test]
fn no_budget_is_exceeded_and_no_proof_is_lost() {
    let sample = Sample::<Bn254>::of("domain one over");
    let footprint = sample.footprint();
    // One alone; one and a little; one beside one that is staged; two.
    let budgets = [
        footprint.peak,
        footprint.peak + 32,
        footprint.peak + footprint.staged,
        footprint.peak + 2 * footprint.staged + 32,
        2 * footprint.peak,
    ];
    for name in STRATEGIES {
        let fallbacks: Vec<u64> = budgets.iter().map(|budget| run(name, *budget, &sample)).collect();
        match name {
            "two-lock" => assert!(fallbacks[0] > 0 && fallbacks[1] > 0, "it overcommits: {fallbacks:?}"),
            _ => assert_eq!(fallbacks, [0; 5], "{name}"),
        }
    }
}
