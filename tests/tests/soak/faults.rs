//! What befalls the devices, by a seed. Nothing that loses one: it would be left alone from then on.

use std::time::Duration;

use interlock_dummy::{Armed, ErrorKind, Failure, Operation, Plan, Script};

type Fault = fn(Plan<'_>) -> Armed;

const RETRYABLE: Failure = Failure { kind: ErrorKind::Device, retryable: true, context_lost: false };

/// One call in so many of this kind, of any kind if none is named, and what happens to it.
const FAULTS: [(Option<Operation>, u64, Fault); 12] = [
    (Some(Operation::Lane), 20, |plan| plan.fail(ErrorKind::NotNow)),
    (Some(Operation::Alloc), 80, |plan| plan.fail(ErrorKind::NotNow)),
    (Some(Operation::Upload), 60, |plan| plan.fail(RETRYABLE)),
    (Some(Operation::Spmv), 100, |plan| plan.fail(ErrorKind::Device)),
    (Some(Operation::Ntt), 300, |plan| plan.panic()),
    (Some(Operation::Alloc), 300, |plan| plan.panic()),
    (Some(Operation::Pointwise), 60, |plan| plan.delay(Duration::from_millis(2))),
    (Some(Operation::Msm), 80, |plan| plan.corrupt()),
    (Some(Operation::Spmv), 80, |plan| plan.corrupt()),
    (Some(Operation::Msm), 80, |plan| plan.hang_until_cancelled()),
    (Some(Operation::Sync), 200, |plan| plan.hang_until_cancelled()),
    (None, 2000, |plan| plan.fail(ErrorKind::Unsupported)),
];

/// Arms them on each device.
pub(crate) fn arm(scripts: &[Script], seed: u64) -> Vec<Armed> {
    let mut armed = Vec::new();
    for script in scripts {
        for (operation, one_in, fault) in FAULTS {
            let plan = operation.map_or_else(|| script.on_any(), |operation| script.on(operation));
            let seed = seed.wrapping_mul(1000).wrapping_add(armed.len() as u64);
            armed.push(fault(plan.one_in(one_in, seed).always()));
        }
    }
    armed
}

/// Nothing works there.
pub(crate) fn fail(script: &Script) {
    script.on_any().always().fail(ErrorKind::Unsupported);
}
