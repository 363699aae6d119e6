//! The backend's own strategy, through the ABI, decides what the stock `narrow` decides.

use interlock_core::backend::BackendStrategy;
use interlock_dummy::Bench;
use interlock_dummy::solo::Solo;
use interlock_strategies::{
    Decision, Limits, MemoryPolicy, Misuse, Phase, Priority, Reason, Strategy, Ticket, stock,
};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use crate::plugin;

const LIMITS: Limits = Limits { budget: 100, max_staged: 2 };

fn decided(strategy: &mut dyn Strategy) -> Vec<Decision> {
    let mut out = Vec::new();
    strategy.decide(&mut out);
    out
}

#[test]
fn it_is_offered_beside_the_stock_ones() {
    let bench = Bench::new();
    let offered = plugin(&bench).strategies().unwrap();
    let names: Vec<&str> = offered.iter().map(|strategy| strategy.name.as_str()).collect();
    assert_eq!(names, ["ledger", "prestage", "narrow", "whole", "two-lock", "solo"]);
    assert_eq!(offered[5].memory, MemoryPolicy::Exclusive);
    for name in names {
        BackendStrategy::create(&plugin(&bench), name, LIMITS).unwrap();
    }
    let error = BackendStrategy::create(&plugin(&bench), "duo", LIMITS).unwrap_err();
    assert!(error.to_string().contains("two-lock, solo"), "{error}");
}

/// Random calls, fitting and not, on both: equal answers, decisions and books. `bytes` may exceed the budget.
#[test]
fn it_decides_as_narrow_does() {
    let bench = Bench::new();
    let plugin = plugin(&bench);
    let mut kinds = [0; 4];
    for seed in 0..50 {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let mut below = |n: u64| rng.next_u64() % n;
        let mut narrow = stock::create(stock::NARROW, LIMITS).unwrap();
        let mut solo = Solo::new(LIMITS);
        let mut remote = BackendStrategy::create(&plugin, "solo", LIMITS).unwrap();
        for step in 0..400 {
            let id = 1 + below(6);
            let priority = Priority::ALL[(id % 4) as usize];
            let ticket = Ticket { id, priority, age: id / 2 };
            let phase = Phase::ALL[below(4) as usize];
            let (bytes, peak, what) = (below(60), below(110), below(10));
            let call = |strategy: &mut dyn Strategy| match what {
                0..=3 => strategy.request(ticket, phase, bytes, peak),
                4..=6 => strategy.release(id, phase),
                7 => strategy.shrink(id, peak),
                8 => strategy.request(Ticket { age: 99, ..ticket }, phase, bytes, peak),
                _ => {
                    strategy.cancel(id);
                    Ok(())
                }
            };
            let at = || format!("seed {seed} step {step}");
            let answers: [Result<(), Misuse>; 3] = [call(&mut narrow), call(&mut solo), call(&mut remote)];
            assert!(answers[0] == answers[1] && answers[0] == answers[2], "{}: {answers:?}", at());
            let [expected, local, far] = [decided(&mut narrow), decided(&mut solo), decided(&mut remote)];
            assert_eq!(expected, local, "{}", at());
            assert_eq!(expected, far, "{}", at());
            assert_eq!(narrow.account(), solo.account(), "{}", at());
            assert_eq!(narrow.account(), remote.account(), "{}", at());
            assert_eq!(decided(&mut solo), [], "decided twice: {}", at());
            for decision in expected {
                match decision {
                    Decision::Grant { .. } => kinds[0] += 1,
                    Decision::NeverFits { .. } => kinds[1] += 1,
                    Decision::Hold { reason: Reason::Lock { .. }, .. } => kinds[2] += 1,
                    _ => kinds[3] += 1,
                }
            }
        }
        assert!(remote.failure().is_none());
    }
    // The calls were such that something was decided, of each kind that there is.
    assert!(kinds[0] > 1000 && kinds[1] > 10 && kinds[2] > 100 && kinds[3] == 0, "{kinds:?}");
}
