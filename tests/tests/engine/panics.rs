//! A panic in each phase: of the backend's calls see `calls`, of makers `made`; here of whoever observes.

use interlock_core::engine::JobError;
use interlock_core::groth16::Phase;
use interlock_dummy::{Bench, Objects};

use crate::phases::at;
use crate::{
    STRATEGIES, assert_next_succeeds, assert_nothing_left, config, ends, engine, small, with_strategy,
};

/// Once: the partition is tried again, from the beginning.
#[test]
fn an_observer_panics_once() {
    for name in STRATEGIES {
        for phase in Phase::ALL {
            let why = format!("{name}: a panic at {phase}");
            let bench = Bench::new();
            let engine = engine(with_strategy(config(&bench), name));
            let checks = at(phase, || std::panic::resume_unwind(Box::new("the observer's panic")));
            let handle = engine.submit(small().job(1).with_checks(checks)).unwrap();
            let proved = ends(handle, &why).unwrap_or_else(|error| panic!("{why}: {error}"));
            small().assert_proved(&proved, 1, &why);
            assert_eq!(proved[0].attempts.len(), 1, "{why}");
            assert_eq!((engine.counters().panics, engine.counters().retries), (1, 1), "{why}");
            assert_nothing_left(&engine, 0, bench.script(), &why);
            assert_next_succeeds(&engine, &why);
            assert_eq!(engine.drain().counters.done, 2, "{why}");
            assert_eq!(bench.script().live_objects(), Objects::default(), "{why}");
        }
    }
}

struct Always(Phase);

impl interlock_core::groth16::Observer for Always {
    fn begins(&self, phase: Phase, _: &str) {
        if phase == self.0 {
            std::panic::resume_unwind(Box::new(String::from("it always panics")));
        }
    }
}

/// Every time: the job ends, and says what the panic said.
#[test]
fn an_observer_panics_every_time() {
    for phase in Phase::ALL {
        let why = format!("a panic at each {phase}");
        let bench = Bench::with_devices(2);
        let engine = engine(config(&bench));
        let mut job = small().job(2);
        job.checks.observer = std::sync::Arc::new(Always(phase));
        let handle = engine.submit(job).unwrap();
        let other = engine.submit(small().job(2)).unwrap();
        match ends(handle, &why).unwrap_err() {
            JobError::Ended { reason, .. } => assert!(reason.contains("it always panics"), "{why}: {reason}"),
            error => panic!("{why}: {error:?}"),
        }
        small().assert_proved(&ends(other, &why).unwrap(), 2, &why);
        for (index, script) in bench.scripts().iter().enumerate() {
            assert_nothing_left(&engine, index, script, &why);
        }
        let counters = engine.drain().counters;
        assert_eq!((counters.done, counters.failed), (1, 1), "{why}");
        assert!(counters.panics >= 4, "{why}: {counters:?}");
    }
}
