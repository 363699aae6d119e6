//! What each of the five decides, on a card of 16 GiB with partitions that stage 12 and have a peak of 12, as in the
//! history they come from, or 4 and 8.

use interlock_strategies::{Decision, Limits, Misuse, Phase, Priority, Reason, Strategy, Ticket, stock};

const GIB: u64 = 1 << 30;

/// A strategy, and a shorter way to say what happens.
struct Desk(Box<dyn Strategy>);

impl Desk {
    fn new(name: &str, max_staged: u32) -> Self {
        let limits = Limits { budget: 16 * GIB, max_staged };
        Self(Box::new(stock::create(name, limits).expect("a stock strategy")))
    }

    fn ask(&mut self, id: u64, phase: Phase, gib: [u64; 2]) -> Vec<Decision> {
        self.ask_as(Priority::Normal, id, phase, gib)
    }

    fn ask_as(
        &mut self,
        priority: Priority,
        id: u64,
        phase: Phase,
        [bytes, peak]: [u64; 2],
    ) -> Vec<Decision> {
        let ticket = Ticket { id, priority, age: id };
        self.0.request(ticket, phase, bytes * GIB, peak * GIB).expect("a fitting call");
        self.decide()
    }

    fn end(&mut self, id: u64, phase: Phase) -> Vec<Decision> {
        self.0.release(id, phase).expect("a fitting call");
        self.decide()
    }

    fn decide(&mut self) -> Vec<Decision> {
        let mut out = Vec::new();
        self.0.decide(&mut out);
        let mut again = Vec::new();
        self.0.decide(&mut again);
        assert_eq!(again, [], "decided twice");
        out
    }

    fn reserved(&self) -> u64 {
        self.0.account().reserved / GIB
    }
}

const fn granted(id: u64, phase: Phase) -> Decision {
    Decision::Grant { id, phase }
}

const fn held(id: u64, phase: Phase, reason: Reason) -> Decision {
    Decision::Hold { id, phase, reason }
}

use Phase::{Compute, Finish, Prepare, Stage};

#[test]
fn whole_lets_one_partition_in_from_end_to_end() {
    let mut desk = Desk::new("whole", 1);
    assert_eq!(desk.ask(1, Prepare, [0, 0]), [granted(1, Prepare)]);
    assert_eq!(desk.ask(2, Prepare, [0, 0]), [held(2, Prepare, Reason::Lock { holder: 1 })]);
    assert_eq!(desk.end(1, Prepare), []);
    assert_eq!(desk.ask(1, Stage, [12, 12]), [granted(1, Stage)]);
    assert_eq!(desk.reserved(), 12);
    desk.end(1, Stage);
    assert_eq!(desk.ask(1, Compute, [12, 12]), [granted(1, Compute)]);
    assert_eq!(desk.end(1, Compute), []);
    assert_eq!(desk.reserved(), 0);
    assert_eq!(desk.ask(1, Finish, [0, 0]), [granted(1, Finish)]);
    assert_eq!(desk.end(1, Finish), [granted(2, Prepare)]);
}

#[test]
fn narrow_covers_the_device_only() {
    let mut desk = Desk::new("narrow", 1);
    for id in [1, 2, 3] {
        assert_eq!(desk.ask(id, Prepare, [0, 0]), [granted(id, Prepare)]);
        desk.end(id, Prepare);
    }
    assert_eq!(desk.ask(2, Stage, [12, 12]), [granted(2, Stage)]);
    assert_eq!(desk.ask(3, Stage, [12, 12]), [held(3, Stage, Reason::Lock { holder: 2 })]);
    assert_eq!(desk.ask(1, Stage, [12, 12]), [held(1, Stage, Reason::Lock { holder: 2 })]);
    assert_eq!(desk.end(2, Stage), []);
    assert_eq!(desk.ask(2, Compute, [12, 12]), [granted(2, Compute)]);
    // The older one, although it came later; the other is told whom it waits for now.
    assert_eq!(desk.end(2, Compute), [granted(1, Stage), held(3, Stage, Reason::Lock { holder: 1 })]);
    assert_eq!(desk.ask(2, Finish, [0, 0]), [granted(2, Finish)]);
    // A panicking holder's lock goes to the next.
    desk.0.cancel(1);
    assert_eq!(desk.decide(), [granted(3, Stage)]);
}

#[test]
fn prestage_takes_one_ahead_when_it_fits() {
    let mut desk = Desk::new("prestage", 4);
    assert_eq!(desk.ask(1, Stage, [4, 8]), [granted(1, Stage)]);
    assert_eq!(desk.ask(2, Stage, [4, 8]), [held(2, Stage, Reason::Lock { holder: 1 })]);
    assert_eq!(desk.end(1, Stage), [granted(2, Stage)]);
    assert_eq!(desk.ask(1, Compute, [4, 8]), [granted(1, Compute)]);
    desk.end(2, Stage);
    assert_eq!(desk.ask(3, Stage, [4, 8]), [held(3, Stage, Reason::Ahead { staged: 1 })]);
    assert_eq!(desk.ask(2, Compute, [4, 8]), [held(2, Compute, Reason::Lock { holder: 1 })]);
    assert_eq!(desk.end(1, Compute), [granted(2, Compute), granted(3, Stage)]);
    assert_eq!(desk.reserved(), 12);

    let mut desk = Desk::new("prestage", 4);
    desk.ask(1, Stage, [12, 12]);
    desk.end(1, Stage);
    desk.ask(1, Compute, [12, 12]);
    let room = Reason::Room { needed: 12 * GIB, free: 4 * GIB };
    assert_eq!(desk.ask(2, Stage, [12, 12]), [held(2, Stage, room)]);
    // Kernels that need less towards their end make room.
    desk.0.shrink(1, 3 * GIB).unwrap();
    assert_eq!(desk.decide(), [granted(2, Stage)]);
}

#[test]
fn two_locks_overcommit() {
    let mut desk = Desk::new("two-lock", 1);
    desk.ask(1, Stage, [12, 12]);
    desk.end(1, Stage);
    desk.ask(1, Compute, [12, 12]);
    assert_eq!(desk.ask(2, Stage, [12, 12]), [granted(2, Stage)]);
    assert_eq!(desk.reserved(), 24);
    assert_eq!(desk.ask(3, Stage, [12, 12]), [held(3, Stage, Reason::Lock { holder: 2 })]);
}

#[test]
fn the_ledger_stages_when_the_rest_of_the_peak_allows() {
    let mut desk = Desk::new("ledger", 1);
    assert_eq!(desk.ask(1, Stage, [12, 12]), [granted(1, Stage)]);
    desk.end(1, Stage);
    assert_eq!(desk.ask(1, Compute, [12, 12]), [granted(1, Compute)]);
    let room = Reason::Room { needed: 12 * GIB, free: 4 * GIB };
    assert_eq!(desk.ask(2, Stage, [12, 12]), [held(2, Stage, room)]);
    desk.0.shrink(1, 6 * GIB).unwrap();
    assert_eq!(desk.decide(), [], "no new reason");
    desk.0.shrink(1, 2 * GIB).unwrap();
    assert_eq!(desk.decide(), [granted(2, Stage)]);
    assert_eq!(desk.reserved(), 14);
    desk.end(2, Stage);
    assert_eq!(desk.ask(3, Stage, [1, 1]), [held(3, Stage, Reason::Ahead { staged: 1 })]);
    assert_eq!(desk.ask(2, Compute, [12, 12]), [held(2, Compute, Reason::Lock { holder: 1 })]);
    assert_eq!(desk.end(1, Compute), [granted(2, Compute), granted(3, Stage)]);
}

#[test]
fn the_ledger_does_not_stage_in_vain() {
    let mut desk = Desk::new("ledger", 4);
    desk.ask(1, Stage, [4, 4]);
    desk.end(1, Stage);
    desk.ask(1, Compute, [4, 4]);
    desk.ask(2, Stage, [4, 13]);
    desk.end(2, Stage);
    desk.ask(2, Compute, [4, 13]);
    // 4 + 4 + 4 fit now, but 13 + 4 will not when the second computes.
    let room = Reason::Room { needed: 4 * GIB, free: 3 * GIB };
    assert_eq!(desk.ask(3, Stage, [4, 4]), [held(3, Stage, room)]);
    assert_eq!(desk.ask(4, Stage, [1, 1]), [held(4, Stage, Reason::Order { before: 3 })]);
}

#[test]
fn the_ledger_revokes_for_the_more_urgent() {
    let mut desk = Desk::new("ledger", 1);
    desk.ask(1, Stage, [6, 8]);
    desk.end(1, Stage);
    desk.ask(1, Compute, [6, 8]);
    desk.ask(2, Stage, [6, 8]);
    desk.end(2, Stage);
    desk.ask(2, Compute, [6, 8]);
    let decisions = desk.ask_as(Priority::Critical, 3, Stage, [6, 8]);
    assert_eq!(decisions, [Decision::Revoke { id: 2, by: 3 }, held(3, Stage, Reason::Ahead { staged: 1 })]);
    desk.0.cancel(2);
    assert_eq!(desk.decide(), [granted(3, Stage)]);
    assert_eq!(desk.ask(2, Stage, [6, 8]), [held(2, Stage, Reason::Lock { holder: 3 })]);
    desk.end(3, Stage);
    desk.ask_as(Priority::Critical, 3, Compute, [6, 8]);
    assert_eq!(desk.end(1, Compute), [granted(3, Compute), granted(2, Stage)]);
}

#[test]
fn a_slow_path_finds_its_room() {
    let mut desk = Desk::new("ledger", 2);
    desk.ask(2, Stage, [6, 8]);
    desk.end(2, Stage);
    // The first could not stage: it asks for compute at once, with all of its peak.
    let decisions = desk.ask(1, Compute, [0, 12]);
    assert_eq!(decisions, [held(1, Compute, Reason::Room { needed: 12 * GIB, free: 10 * GIB })]);
    // What is staged is revoked once it waits for compute.
    let decisions = desk.ask(2, Compute, [6, 8]);
    assert!(
        decisions.contains(&Decision::Revoke { id: 2, by: 1 }) || decisions == [granted(2, Compute)],
        "{decisions:?}"
    );
}

#[test]
fn what_never_fits_is_refused_by_all() {
    for strategy in stock::ALL {
        let mut desk = Desk::new(strategy.name, 1);
        let decisions = desk.ask(1, Stage, [12, 17]);
        let refused = Decision::NeverFits { id: 1, needed: 17 * GIB, budget: 16 * GIB };
        assert_eq!(decisions, [refused], "{}", strategy.name);
        assert_eq!((desk.reserved(), desk.0.account().waiting), (0, 0));
        assert_eq!(desk.ask(2, Stage, [12, 16]), [granted(2, Stage)], "{}", strategy.name);
    }
}

#[test]
fn misuse_is_answered_and_changes_nothing() {
    for strategy in stock::ALL {
        let mut desk = Desk::new(strategy.name, 1);
        let ticket = Ticket { id: 1, priority: Priority::Normal, age: 1 };
        assert_eq!(desk.0.release(1, Stage), Err(Misuse::Unknown { id: 1 }));
        assert_eq!(desk.0.shrink(1, 0), Err(Misuse::Unknown { id: 1 }));
        desk.ask(1, Stage, [4, 8]);
        let books = desk.0.account();
        assert_eq!(desk.0.request(ticket, Compute, 0, 0), Err(Misuse::Busy { id: 1, phase: Compute }));
        assert_eq!(desk.0.release(1, Compute), Err(Misuse::NotHeld { id: 1, phase: Compute }));
        let other = Ticket { age: 7, ..ticket };
        assert_eq!(desk.0.request(other, Compute, 0, 0), Err(Misuse::Changed { id: 1 }));
        assert_eq!(desk.0.account(), books);
        desk.0.cancel(9);
        assert_eq!(desk.decide(), []);
    }
}

#[test]
fn names() {
    assert!(stock::create("ledgers", Limits { budget: 1, max_staged: 1 }).is_none());
    let names = stock::ALL.map(|strategy| strategy.name);
    assert_eq!(names, ["ledger", "prestage", "narrow", "whole", "two-lock"]);
}
