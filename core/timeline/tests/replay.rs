//! A recorded timeline, fed to a fresh scheduler, gives the same decisions; a changed one does not.

mod sample;

use interlock_scheduler::{Action, Event, Time};
use interlock_strategies::stock;
use interlock_timeline::{What, replay};
use sample::Scenario;

#[test]
fn every_strategy_decides_the_same_again() {
    for strategy in stock::ALL {
        for scenario in [Scenario::six(strategy.name), Scenario::with_faults(strategy.name)] {
            let (_, records) = scenario.records();
            let actions = records.iter().filter(|record| matches!(record.what, What::Action(_))).count();
            assert!(actions > 40, "{}: {actions} actions", strategy.name);
            let mut machine = scenario.machine();
            replay(records, &mut machine)
                .unwrap_or_else(|divergence| panic!("{}: {divergence}", strategy.name));
            assert!(machine.is_idle());
        }
    }
}

#[test]
fn another_strategy_decides_otherwise() {
    let (_, records) = Scenario::six(stock::LEDGER).records();
    let divergence = replay(records, &mut Scenario::six(stock::WHOLE).machine()).unwrap_err();
    assert!(divergence.recorded != divergence.decided);
}

#[test]
fn any_missing_or_doubled_action_is_found_where_it_is() {
    let scenario = Scenario::with_faults(stock::LEDGER);
    let (_, records) = scenario.records();
    let found = |records| replay(records, &mut scenario.machine()).unwrap_err();
    for at in 0..records.len() {
        let What::Action(action) = &records[at].what else { continue };
        let mut without = records.clone();
        without.remove(at);
        let divergence = found(without);
        // It shows at the next record about a decision.
        let shows = records[at + 1..].iter().position(|r| matches!(r.what, What::Action(_) | What::Event(_)));
        let equal = shows.is_some_and(|next| records[at + 1 + next].what == records[at].what);
        assert!(!equal, "the test needs actions that differ from the next");
        assert_eq!(divergence.record, shows.map_or(records.len() - 1, |next| at + next));
        assert_eq!(divergence.decided.as_ref(), Some(action));
        let mut doubled = records.clone();
        doubled.insert(at, records[at].clone());
        let divergence = found(doubled);
        assert_eq!((divergence.record, divergence.recorded.as_ref()), (at + 1, Some(action)));
    }
}

#[test]
fn a_changed_time_or_event_is_found() {
    let scenario = Scenario::six(stock::LEDGER);
    let (_, records) = scenario.records();
    let mut changed = records.clone();
    let worker = changed.iter_mut().find_map(|record| match &mut record.what {
        What::Action(Action::Run { worker, .. }) => Some(worker),
        _ => None,
    });
    *worker.expect("something ran") += 1;
    let divergence = replay(changed, &mut scenario.machine()).unwrap_err();
    assert!(divergence.to_string().contains("recorded is Run"), "{divergence}");

    let mut without = records.clone();
    let ended = without.iter().position(|record| matches!(record.what, What::Event(Event::Ended { .. })));
    without.remove(ended.expect("a phase ended"));
    assert!(replay(without, &mut scenario.machine()).is_err());

    // An action before any event.
    let first = records.iter().position(|record| matches!(record.what, What::Action(_))).unwrap();
    let divergence = replay(records[first..].to_vec(), &mut scenario.machine()).unwrap_err();
    assert_eq!((divergence.record, divergence.event, divergence.decided), (0, None, None));
}

#[test]
fn times_are_those_of_the_record() {
    // A deadline passes between two events: without their times nothing would end the job.
    let mut scenario = Scenario::six(stock::LEDGER);
    let Event::Submit { spec, .. } = &mut scenario.told[1].1 else { panic!("a job") };
    spec.deadline = Some(Time(2_000_000));
    let (_, records) = scenario.records();
    let late = |what: &What| {
        matches!(what, What::Action(Action::End { end: interlock_scheduler::JobEnd::Late, .. }))
    };
    assert!(records.iter().any(|record| late(&record.what)));
    replay(records.clone(), &mut scenario.machine()).unwrap();
    let mut early = records;
    for record in &mut early {
        record.t = Time(0);
    }
    assert!(replay(early, &mut scenario.machine()).is_err());
}
