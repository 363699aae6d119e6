//! A critical job goes first at the next phase boundary.

use std::sync::{Arc, Mutex};

use interlock_core::engine::{Checks, Priority};
use interlock_core::groth16::{Observer, Phase};
use interlock_dummy::{Bench, Operation};

use crate::phases::{Stop, stopped};
use crate::{STRATEGIES, assert_nothing_left, config, ends, engine, small, with_strategy};

/// Writes down whose phases begin.
struct Names(&'static str, Arc<Mutex<Vec<(&'static str, Phase)>>>);

impl Observer for Names {
    fn begins(&self, phase: Phase, _: &str) {
        self.1.lock().unwrap().push((self.0, phase));
    }
}

#[test]
fn a_critical_job_overtakes_at_the_next_phase_boundary() {
    for name in STRATEGIES {
        let bench = Bench::new();
        let engine = engine(with_strategy(config(&bench), name));
        let heard = Arc::new(Mutex::new(Vec::new()));
        let named =
            |name| Checks { observer: Arc::new(Names(name, Arc::clone(&heard))), ..Checks::default() };
        let low = stopped(&engine, bench.script(), Stop::Call(Operation::Upload), |job| {
            job.with_checks(named("low")).with_priority(Priority::Low)
        });
        let normal = engine.submit(small().job(1).with_checks(named("normal"))).unwrap();
        let critical = small().job(1).with_checks(named("critical")).with_priority(Priority::Critical);
        let critical = engine.submit(critical).unwrap();
        bench.script().release_hangs();
        for (handle, who) in [(critical, "critical"), (normal, "normal"), (low.handle, "low")] {
            small().assert_proved(&ends(handle, name).unwrap(), 1, &format!("{name}: {who}"));
        }
        let heard = heard.lock().unwrap();
        let sums: Vec<&str> =
            heard.iter().filter(|(_, phase)| *phase == Phase::Msm).map(|(who, _)| *who).collect();
        // There is one worker: whoever has it gives it to the more urgent one, with what it holds.
        assert_eq!(sums, ["critical", "normal", "low"], "{name}");
        drop(heard);
        assert_nothing_left(&engine, 0, bench.script(), name);
    }
}

/// Of the same priority, the oldest is first; the others wait in their order.
#[test]
fn the_order_is_priority_then_age() {
    let bench = Bench::new();
    let engine = engine(config(&bench));
    let heard = Arc::new(Mutex::new(Vec::new()));
    let named = |name| Checks { observer: Arc::new(Names(name, Arc::clone(&heard))), ..Checks::default() };
    let first = stopped(&engine, bench.script(), Stop::Call(Operation::Msm), |job| job);
    let wanted = [
        ("d", Priority::Normal),
        ("a", Priority::Critical),
        ("f", Priority::Low),
        ("b", Priority::High),
        ("c", Priority::High),
        ("e", Priority::Normal),
    ];
    let jobs = wanted.map(|(name, priority)| {
        engine.submit(small().job(1).with_checks(named(name)).with_priority(priority)).unwrap()
    });
    bench.script().release_hangs();
    ends(first.handle, "first").unwrap();
    for job in jobs {
        small().assert_proved(&ends(job, "order").unwrap(), 1, "order");
    }
    let sums: Vec<&str> =
        heard.lock().unwrap().iter().filter(|(_, phase)| *phase == Phase::Msm).map(|(who, _)| *who).collect();
    assert_eq!(sums, ["a", "b", "c", "d", "e", "f"]);
}
