//! What is made of records. The expected times are sums of the sample's fixed durations: 900 ms for a synthesis, two at
//! once, then 300 (prepare), 400 (stage), 700 (compute) and 250 ms (finish) on one of three workers.

mod sample;

use interlock_scheduler::{Event, JobEnd, Outcome, PartId, Path, PhaseName};
use interlock_strategies::stock;
use interlock_timeline::cause::{Cause, Other};
use interlock_timeline::model::{Fate, Waited};
use interlock_timeline::row::{Doing, Ending, Row};
use interlock_timeline::{Model, Source, Summary};
use sample::{COMPUTE, GIB, Scenario};

const fn part(job: u64, index: u32) -> PartId {
    PartId { job, index }
}

fn contiguous(model: &Model, row: &Row) {
    let mut at = model.start;
    for interval in &row.intervals {
        assert!(interval.from == at && interval.to > at, "{interval:?} does not begin at {at}");
        assert_eq!(interval.part.is_none(), interval.doing == Doing::Idle);
        at = interval.to;
    }
    assert_eq!(at, model.end);
}

#[test]
fn strategies_take_what_their_locks_make_them_take() {
    // The wall time is that of the first synthesis and the chain of what the lock covers, six times, with what is
    // outside it at both ends.
    let expected = [
        (stock::WHOLE, 900 + 6 * 1650, 6 * 1100, 9),
        (stock::NARROW, 900 + 300 + 6 * 1100 + 250, 6 * 1100, 9),
        (stock::PRESTAGE, 900 + 300 + 400 + 6 * 700 + 250, 400 + 6 * 700, 15),
        (stock::LEDGER, 900 + 300 + 400 + 6 * 700 + 250, 400 + 6 * 700, 15),
    ];
    for (strategy, wall, held, peak) in expected {
        let summary = Summary::new(&Scenario::equal(strategy).model());
        assert_eq!(summary.wall, wall * 1000, "{strategy}");
        let device = &summary.devices[0];
        let near = |share: f64, ms: u64| (share - ms as f64 / wall as f64).abs() < 1e-9;
        assert!(near(device.lock_held_share, held), "{strategy}: {}", device.lock_held_share);
        assert!(near(device.compute_share, 6 * 700), "{strategy}: {}", device.compute_share);
        assert!(near(device.idle_share, wall - 6 * 700), "{strategy}: {}", device.idle_share);
        assert_eq!(device.peak_bytes, Some(peak * GIB), "{strategy}");
        assert_eq!((summary.jobs.done, summary.partitions, summary.synthesis), (2, 6, 6 * 900_000));
        assert_eq!((device.fallbacks, device.revocations, device.retries), (0, 0, 0), "{strategy}");
        let all = |of: fn(&interlock_timeline::summary::WorkerSummary) -> u64| -> u64 {
            device.workers.iter().map(of).sum()
        };
        assert_eq!(all(|worker| worker.prepare), 6 * 300_000);
        assert_eq!(all(|worker| worker.stage), 6 * 400_000);
        assert_eq!(all(|worker| worker.compute), 6 * COMPUTE);
        assert_eq!(all(|worker| worker.finish), 6 * 250_000);
        assert_eq!(all(|worker| worker.waiting), device.waits.values().sum::<u64>());
    }
}

#[test]
fn a_worker_s_row_says_what_it_did() {
    let model = Scenario::equal(stock::NARROW).model();
    let row: Vec<_> =
        model.workers[0].intervals.iter().map(|i| (i.from / 1000, i.to / 1000, i.part, i.doing)).collect();
    let phase = |phase| Doing::Phase { phase, path: Path::Fast };
    let holder = Other { ticket: 2, part: Some(part(1, 2)) };
    let first = Some(part(1, 0));
    let expected = [
        (0, 900, None, Doing::Idle),
        (900, 1200, first, phase(PhaseName::Prepare)),
        (1200, 1600, first, phase(PhaseName::Stage)),
        (1600, 2300, first, phase(PhaseName::Compute)),
        (2300, 2550, first, phase(PhaseName::Finish)),
        (2550, 2850, Some(part(1, 3)), phase(PhaseName::Prepare)),
    ];
    assert_eq!(row[..6], expected);
    // The lock goes to 1.1 at 2300, to 1.2 at 3400, to 1.3 at 4500.
    assert_eq!(row[6].0, 2850);
    let wait = |holder| Doing::Wait { phase: PhaseName::Stage, cause: Cause::Lock(holder) };
    assert_eq!(row[7], (3400, 4500, Some(part(1, 3)), wait(holder)));
    assert_eq!(row[8], (4500, 4900, Some(part(1, 3)), phase(PhaseName::Stage)));
    let slots: Vec<_> = model.slots[1].intervals.iter().map(|i| (i.from / 1000, i.part, i.doing)).collect();
    assert_eq!(
        slots[..3],
        [0, 900, 1800].map(|from| {
            let of = [part(1, 1), part(1, 3), part(2, 1)][from as usize / 900];
            (from, Some(of), Doing::Synthesis)
        })
    );
}

#[test]
fn a_partition_knows_why_it_was_not_staged_before() {
    let model = Scenario::equal(stock::NARROW).model();
    let cause = Cause::Lock(Other { ticket: 0, part: Some(part(1, 0)) });
    let waited = Waited { from: 1_200_000, to: 2_300_000, cause };
    assert_eq!(model.parts[&part(1, 1)].before_stage, [waited]);
    assert_eq!(cause.to_string(), "1.0 has the lock");
    assert_eq!(model.parts[&part(1, 0)].before_stage, []);

    // 6 GiB beside two of 9 and 6 do not fit in 16: in `ledger` the third is held by bytes.
    let model = Scenario::equal(stock::LEDGER).model();
    let waits = &model.parts[&part(1, 2)].before_stage;
    assert!(
        waits.iter().any(|w| matches!(w.cause, Cause::Room { needed, .. } if needed == 6 * GIB)),
        "{waits:?}"
    );
}

#[test]
fn jobs_have_the_times_of_a_batch_report() {
    let model = Scenario::equal(stock::WHOLE).model();
    let first = &model.jobs[&1];
    assert_eq!((first.submitted, first.began, first.parts), (0, Some(0), 4));
    assert_eq!(first.proving, 4 * 1_650_000);
    assert_eq!(first.fate, Fate::Ended { at: (900 + 4 * 1650) * 1000, end: JobEnd::Done });
    // Submitted at 1500, when both places for syntheses are taken until 1800.
    assert_eq!((model.jobs[&2].submitted, model.jobs[&2].began), (1_500_000, Some(1_800_000)));
}

#[test]
fn faults_are_counted_and_told() {
    let model = Scenario::with_faults(stock::LEDGER).model();
    let summary = Summary::new(&model);
    let device = &summary.devices[0];
    assert_eq!((summary.jobs.done, summary.jobs.cancelled, summary.jobs.failed), (2, 1, 0));
    assert_eq!((device.fallbacks, device.retries), (1, 1));
    assert_eq!(model.parts[&part(1, 1)].failures, ["an illegal <instruction> & \"more\""]);
    let endings = |of: PartId, ending| {
        let intervals = model.workers.iter().flat_map(|row| &row.intervals);
        intervals.filter(|i| i.part == Some(of) && i.ending == ending).map(|i| i.doing).collect::<Vec<_>>()
    };
    let fast = |phase| Doing::Phase { phase, path: Path::Fast };
    assert_eq!(endings(part(1, 1), Ending::Failed), [fast(PhaseName::Compute)]);
    assert_eq!(endings(part(1, 2), Ending::NotNow), [fast(PhaseName::Stage)]);
    let slow: u64 = device.workers.iter().map(|worker| worker.slow).sum();
    assert_eq!(slow, 400_000 + COMPUTE);
    // The slow path's three spans and the others' two, the failed try included.
    let spans: usize = model.workers.iter().map(|row| row.spans.len()).sum();
    assert_eq!(spans, 3 + 2 * 6);
    let text = summary.to_string();
    assert!(text.contains("jobs:         2 done, 0 failed, 1 cancelled"), "{text}");
    assert!(text.contains("fallbacks 1, revocations"), "{text}");
}

/// Of a real run's phases, what nobody has measured is not accounted for.
#[test]
fn what_is_not_measured_is_missing() {
    let mut model = Scenario::six(stock::ALL[0].name).model();
    model.header.source = Source::Run;
    let summary = Summary::new(&model);
    let workers: Vec<_> = summary.devices.iter().flat_map(|device| &device.workers).collect();
    let mut some_missing = false;
    for (row, worker) in model.workers.iter().zip(workers) {
        let phases = worker.prepare + worker.stage + worker.compute + worker.finish;
        let measured: u64 = row.spans.iter().map(|span| span.to - span.from).sum();
        let missing = (phases - measured) as f64 / model.wall() as f64;
        assert!((worker.accounted_share - (1.0 - missing)).abs() < 1e-9, "{worker:?}, {missing} missing");
        some_missing |= missing > 0.0 && measured > 0;
    }
    assert!(some_missing);
}

#[test]
fn all_of_each_worker_s_time_is_accounted_for() {
    for strategy in stock::ALL {
        for scenario in [
            Scenario::six(strategy.name),
            Scenario::with_faults(strategy.name),
            Scenario::many(strategy.name, 12),
        ] {
            let model = scenario.model();
            model.rows().for_each(|row| contiguous(&model, row));
            for device in Summary::new(&model).devices {
                assert_eq!(device.workers.len(), 3);
                assert!(
                    device.workers.iter().all(|worker| worker.accounted_share == 1.0),
                    "{}",
                    strategy.name
                );
            }
            // Nothing that waits is without a reason, but for the moments in which it is asked.
            let unsaid = |row: &&Row| {
                row.intervals.iter().any(|i| matches!(i.doing, Doing::Wait { cause: Cause::Unsaid, .. }))
            };
            assert_eq!(model.workers.iter().filter(unsaid).count(), 0, "{}", strategy.name);
        }
    }
}

#[test]
fn a_timeline_with_holes_makes_a_model_as_well() {
    for strategy in stock::ALL {
        let (header, records) = Scenario::with_faults(strategy.name).records();
        for hole in 0..records.len() {
            let kept = records[..hole].iter().chain(&records[hole + 1..]);
            let model = Model::new(header.clone(), kept).unwrap();
            model.rows().for_each(|row| contiguous(&model, row));
        }
        // Cut off anywhere: what has not ended says so.
        for end in 0..records.len() {
            let model = Model::new(header.clone(), &records[..end]).unwrap();
            model.rows().for_each(|row| contiguous(&model, row));
            let open = model.jobs.values().filter(|job| job.fate == Fate::Open).count() as u64;
            assert_eq!(Summary::new(&model).jobs.open, open);
        }
    }
}

#[test]
fn what_a_cancelled_job_has_is_dropped_and_its_worker_idle() {
    let mut scenario = Scenario::equal(stock::LEDGER);
    // 1.1 is staged then and waits for compute; 1.0 computes.
    scenario.told.push((2_100_000, Event::Cancel { job: 1 }));
    let model = scenario.model();
    let row: Vec<_> =
        model.workers[1].intervals.iter().map(|i| (i.from / 1000, i.to / 1000, i.doing)).collect();
    let stage = Doing::Phase { phase: PhaseName::Stage, path: Path::Fast };
    let at = row.iter().position(|interval| interval.2 == stage).unwrap();
    assert_eq!(row[at], (1600, 2000, stage));
    assert!(matches!(row[at + 1], (2000, 2100, Doing::Wait { phase: PhaseName::Compute, .. })), "{row:?}");
    assert_eq!(row[at + 2], (2100, 2120, Doing::Drop));
    assert_eq!(row[at + 3].2, Doing::Idle);
    assert!(matches!(model.jobs[&1].fate, Fate::Ended { end: JobEnd::Cancelled, .. }));
}

#[test]
fn a_lost_device_s_waiting_partitions_leave() {
    let mut scenario = Scenario::equal(stock::NARROW);
    let outcome = Outcome::DeviceLost { reason: "it fell off the bus".into() };
    scenario.faults.insert((part(1, 0), PhaseName::Compute), outcome);
    let model = scenario.model();
    // 1.1 waited for stage since 1200.
    let last = model.workers[1].intervals.last().unwrap();
    assert_eq!((last.from, last.doing), (2_300_000, Doing::Idle));
    assert_eq!(Summary::new(&model).jobs.failed, 2);
}
