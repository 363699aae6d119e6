//! Strategies of others: they are simulated as the stock ones are, and what they break is said.

use interlock_simulator::{Error, Factory, Load, Setting, Stock};
use interlock_strategies::{Account, Decision, Limits, MemoryPolicy, Misuse, Phase, Strategy, Ticket};

use crate::tiny;

/// Grants everything at once, whatever there is; or nothing.
struct Careless {
    grants: bool,
    budget: u64,
    waiting: Vec<(u64, Phase, u64)>,
    reserved: Vec<(u64, u64)>,
}

impl Strategy for Careless {
    fn request(&mut self, ticket: Ticket, phase: Phase, bytes: u64, peak: u64) -> Result<(), Misuse> {
        self.waiting.push((ticket.id, phase, if phase == Phase::Stage { bytes } else { peak }));
        Ok(())
    }

    fn shrink(&mut self, _: u64, _: u64) -> Result<(), Misuse> {
        Ok(())
    }

    fn release(&mut self, id: u64, phase: Phase) -> Result<(), Misuse> {
        if phase == Phase::Compute {
            self.cancel(id);
        }
        Ok(())
    }

    fn cancel(&mut self, id: u64) {
        self.reserved.retain(|(other, _)| *other != id);
    }

    fn decide(&mut self, out: &mut Vec<Decision>) {
        if !self.grants {
            return;
        }
        for (id, phase, bytes) in self.waiting.drain(..) {
            if phase.on_device() {
                self.reserved.retain(|(other, _)| *other != id);
                self.reserved.push((id, bytes));
            }
            out.push(Decision::Grant { id, phase });
        }
    }

    fn account(&self) -> Account {
        let reserved = self.reserved.iter().map(|(_, bytes)| bytes).sum();
        Account {
            budget: self.budget,
            reserved,
            waiting: self.waiting.len() as u32,
            holding: self.reserved.len() as u32,
        }
    }
}

struct Vendor {
    grants: bool,
    policy: MemoryPolicy,
}

impl Factory for Vendor {
    fn strategies(&self) -> Vec<(String, MemoryPolicy)> {
        vec![("careless".to_owned(), self.policy)]
    }

    fn create(&self, _: &str, limits: Limits) -> Result<Box<dyn Strategy>, String> {
        let (waiting, reserved) = (Vec::new(), Vec::new());
        Ok(Box::new(Careless { grants: self.grants, budget: limits.budget, waiting, reserved }))
    }
}

fn setting() -> Setting {
    let load = Load {
        partitions: 6,
        count: 2,
        workers_per_device: 3,
        memory_limit: Some(5 << 29),
        ..tiny::load("careless")
    };
    Setting::new(tiny::machine(), load)
}

#[test]
fn one_that_overcommits_may_when_it_says_so() {
    let vendor = Vendor { grants: true, policy: MemoryPolicy::Overcommitting };
    let outcome = setting().run(&vendor).unwrap();
    assert_eq!(outcome.counters.done, 2);
    assert!(outcome.counters.fallbacks > 0 && outcome.peak_device_bytes <= 5 << 29);
    assert_eq!(outcome.header.interlock, "careless");
    // Not faster than can be, although it lets several compute at once.
    assert!(setting().bounds(&vendor).unwrap().all <= outcome.model.wall() as f64);
}

#[test]
fn one_that_grants_more_than_it_promised_breaks_a_law() {
    let vendor = Vendor { grants: true, policy: MemoryPolicy::Reserving };
    let error = setting().run(&vendor).unwrap_err();
    assert!(matches!(error, Error::Law { .. }), "{error}");
    assert!(error.to_string().contains("what a strategy that reserves grants, fits"), "{error}");
}

#[test]
fn one_that_lets_nobody_in_is_said_so() {
    let vendor = Vendor { grants: false, policy: MemoryPolicy::Reserving };
    let error = setting().run(&vendor).unwrap_err();
    assert!(
        matches!(error, Error::Stalled { at: 6_000_000.., open: 1 } | Error::Stalled { open: 2, .. }),
        "{error}"
    );
}

#[test]
fn one_that_is_not_known_is_said_so() {
    let error = setting().run(&Stock).unwrap_err().to_string();
    assert!(error.contains("no interlock strategy \"careless\": known are ledger, prestage"), "{error}");
}
