//! Wrong results: no proof leaves the engine that does not verify.

use interlock_core::engine::JobError;
use interlock_core::groth16::ProveError;
use interlock_dummy::{Bench, Operation};

use crate::{assert_next_succeeds, assert_nothing_left, config, config_with_cpu, ends, engine, small};

const WRONG: [Operation; 5] =
    [Operation::Upload, Operation::Spmv, Operation::Ntt, Operation::Pointwise, Operation::Msm];

#[test]
fn a_wrong_result_is_computed_once_more_on_the_same_device() {
    for operation in WRONG {
        let bench = Bench::new();
        let engine = engine(config_with_cpu(&bench));
        bench.script().on(operation).corrupt();
        let proved = ends(engine.submit(small().job(1)).unwrap(), operation.name()).unwrap();
        small().assert_proved(&proved, 1, operation.name());
        assert_eq!(proved[0].attempts.len(), 1, "{operation}");
        assert_eq!((&*proved[0].attempts[0].backend, proved[0].attempts[0].failed_self_checks), ("dummy", 1));
        assert_eq!(proved[0].attempts[0].failure, None, "{operation}");
        assert_eq!(engine.counters().retries, 1, "{operation}");
        assert_nothing_left(&engine, 0, bench.script(), operation.name());
    }
}

#[test]
fn one_that_stays_wrong_is_computed_by_the_next_device() {
    for operation in WRONG {
        let bench = Bench::new();
        let engine = engine(config_with_cpu(&bench));
        let fault = bench.script().on(operation).always().corrupt();
        let proved = ends(engine.submit(small().job(2)).unwrap(), operation.name()).unwrap();
        small().assert_proved(&proved, 2, operation.name());
        for proved in &proved {
            let tried: Vec<_> =
                proved.attempts.iter().map(|tried| (&*tried.backend, tried.failed_self_checks)).collect();
            assert_eq!(tried, [("dummy", 2), ("cpu", 0)], "{operation}");
            assert!(proved.attempts[0].failure.is_some() && proved.attempts[1].failure.is_none());
        }
        assert_nothing_left(&engine, 0, bench.script(), operation.name());
        fault.disarm();
        assert_eq!(assert_next_succeeds(&engine, "it is right again").attempts[0].backend, "dummy");
    }
}

#[test]
fn without_another_device_the_job_fails() {
    let bench = Bench::new();
    let engine = engine(config(&bench));
    bench.script().on(Operation::Msm).always().corrupt();
    match ends(engine.submit(small().job(1)).unwrap(), "wrong").unwrap_err() {
        JobError::Failed { part: 0, source } => {
            assert!(matches!(*source, ProveError::SelfCheck { times: 2, .. }), "{source:?}");
        }
        error => panic!("{error:?}"),
    }
    assert_nothing_left(&engine, 0, bench.script(), "wrong");
    bench.script().clear_faults();
    assert_next_succeeds(&engine, "it is right again");
}
