//! The report of a batch: the sample that the command line promises, byte for byte, and what else can become of jobs.

mod sample;

use interlock_scheduler::{
    Action, Event, JobEnd, JobSpec, Note, Outcome, PartId, PartSpec, Path, PhaseName, Time,
};
use interlock_strategies::stock;
use interlock_timeline::batch::{self, Repeats, Report, Spread, Typical};
use interlock_timeline::{DeviceInfo, Header, Model, Record, Source, Summary, What};
use sample::{GIB, Scenario};

const SAMPLE: &str = "\
=== Batch Benchmark ===
proof type:  porep
count:       1
concurrency: 1

  [1/1] COMPLETED — 32.1s (prove=41381 ms, queue=244 ms)

=== Batch Summary ===
total time:    32.1s
completed:     1
failed:        0
wall time:     avg=32.1s min=32.1s max=32.1s
prove time:    avg=41.4s min=41.4s max=41.4s
throughput:    1.869 proofs/min (32.1s/proof)
";

fn event(ms: u64, event: Event) -> Record {
    Record { t: Time(1000 * ms), what: What::Event(event) }
}

fn action(ms: u64, action: Action) -> Record {
    Record { t: Time(1000 * ms), what: What::Action(action) }
}

fn submit(ms: u64, job: u64, parts: usize) -> Record {
    let part = PartSpec { synthesis: true, staged: GIB, peak: 2 * GIB, key: 0 };
    event(ms, Event::Submit { job, spec: JobSpec { parts: vec![part; parts], ..JobSpec::default() } })
}

fn end(ms: u64, job: u64, end: JobEnd) -> Record {
    action(ms, Action::End { job, end })
}

fn model(mut records: Vec<Record>) -> Model {
    records.sort_by_key(|record| record.t);
    let device = DeviceInfo { name: "device".into(), budget: 16 * GIB, workers: 2 };
    Model::new(Header::new("ledger", Source::Run, vec![device], 2), &records).unwrap()
}

/// A partition's synthesis begins at the first time and ends at the second; it is on a worker of its own from there on, and
/// its phases go from time to time. All in milliseconds.
fn prove(job: u64, index: u32, synthesis: [u64; 2], phases: [[u64; 2]; 4]) -> Vec<Record> {
    let (part, worker) = (PartId { job, index }, index);
    let mut records = vec![
        action(synthesis[0], Action::Synthesise { part }),
        event(synthesis[1], Event::Synthesised { part, outcome: Outcome::Done }),
    ];
    let note = Note::Assigned { device: 0, worker, ticket: u64::from(index) };
    records.push(action(synthesis[1], Action::Note { part, note }));
    let names = [PhaseName::Prepare, PhaseName::Stage, PhaseName::Compute, PhaseName::Finish];
    for (phase, [from, to]) in names.into_iter().zip(phases) {
        records.push(action(from, Action::Run { part, device: 0, worker, phase, path: Path::Fast }));
        records.push(event(to, Event::Ended { part, phase, outcome: Outcome::Done }));
    }
    records
}

/// One job of two partitions, submitted 5 s after the timeline's first record.
fn sample_records() -> Vec<Record> {
    const S: u64 = 5_000;
    // In the prover 2 + 1 + 16 + 1 = 20 s, and, with a wait behind stage, 2.381 + 1 + 17.281 + 0.719 = 21.381 s.
    let first = [[10_000, 12_000], [12_000, 13_000], [13_000, 29_000], [29_000, 30_000]];
    let second = [[9_619, 12_000], [13_000, 14_000], [14_100, 31_381], [31_381, 32_100]];
    let later = |phases: [[u64; 2]; 4]| phases.map(|times| times.map(|ms| S + ms));
    let mut records = vec![event(0, Event::Tick), submit(S, 7, 2)];
    records.extend(prove(7, 0, [S + 244, S + 10_000], later(first)));
    records.extend(prove(7, 1, [S + 300, S + 9_619], later(second)));
    records.push(end(S + 32_100, 7, JobEnd::Done));
    records
}

#[test]
fn the_sample_is_as_promised() {
    let report = Report::of(&model(sample_records()), "porep", 1);
    assert_eq!(report.to_string(), SAMPLE);
    let job = batch::Job {
        job: 7,
        outcome: batch::Outcome::Completed,
        reason: None,
        partitions: 2,
        submitted_us: 5_000_000,
        wall_us: 32_100_000,
        prove_us: 41_381_000,
        queue_us: 244_000,
    };
    assert_eq!(report.jobs, [job]);
    let same = |us| Some(Spread { avg: us, min: us, max: us });
    assert_eq!(
        (report.wall_us, report.prove_us, report.queue_us),
        (same(32_100_000), same(41_381_000), same(244_000))
    );
    assert_eq!((report.total_us, report.us_per_proof), (32_100_000, Some(32_100_000)));
}

#[test]
fn nothing_done_is_no_division_by_zero() {
    let nothing = "\
=== Batch Benchmark ===
proof type:  synthetic
count:       0
concurrency: 4

=== Batch Summary ===
total time:    0ms
completed:     0
failed:        0
wall time:     avg=- min=- max=-
prove time:    avg=- min=- max=-
throughput:    - proofs/min (-/proof)
";
    assert_eq!(Report::of(&model(Vec::new()), "synthetic", 4).to_string(), nothing);
    let reason = "no device is left that could prove it".to_owned();
    let failed = model(vec![submit(0, 1, 1), end(250, 1, JobEnd::Failed { part: 0, reason })]);
    let report = Report::of(&failed, "synthetic", 4).to_string();
    let line = "\n  [1/1] FAILED — 250ms (prove=0 ms, queue=250 ms): partition 0: no device is left that could prove it\n";
    assert!(report.contains(line), "{report}");
    assert!(report.ends_with("throughput:    0.000 proofs/min (-/proof)\n"), "{report}");
}

#[test]
fn jobs_come_in_the_order_in_which_they_end() {
    let phases = |at: u64| [[at, at + 20], [at + 20, at + 40], [at + 40, at + 140], [at + 140, at + 157]];
    let hostile = "line one\n  [9/9] COMPLETED\u{1b}[2J".to_owned();
    let mut records = vec![event(0, Event::Tick)];
    for job in 1..=8 {
        records.push(submit(0, job, 1));
        if job == 8 {
            records.push(action(0, Action::Reject { job, retry_after: Some(5_000_000) }));
        }
    }
    records.extend(prove(3, 0, [0, 40], phases(40)));
    records.push(end(197, 3, JobEnd::Done));
    records.extend(prove(2, 0, [197, 300], phases(300)));
    records.push(end(457, 2, JobEnd::Done));
    records.push(end(500, 1, JobEnd::Failed { part: 4, reason: hostile.clone() }));
    records.push(end(600, 6, JobEnd::Cancelled));
    records.push(end(1_000, 5, JobEnd::Late));
    records.push(end(30, 4, JobEnd::NeverFits { part: 0, needed: 20 * GIB, budget: 16 * GIB }));
    let report = Report::of(&model(records), "circom", 8);
    let wanted = "\
=== Batch Benchmark ===
proof type:  circom
count:       8
concurrency: 8

  [1/8] REJECTED — 0ms (prove=0 ms, queue=0 ms)
  [2/8] FAILED — 30.0ms (prove=0 ms, queue=30.0 ms): partition 0 needs 20.0 GiB, and no device has more than 16.0 GiB
  [3/8] COMPLETED — 197ms (prove=157 ms, queue=0 ms)
  [4/8] COMPLETED — 457ms (prove=157 ms, queue=197 ms)
  [5/8] FAILED — 500ms (prove=0 ms, queue=500 ms): partition 4: line one   [9/9] COMPLETED [2J
  [6/8] CANCELLED — 600ms (prove=0 ms, queue=600 ms)
  [7/8] LATE — 1.0s (prove=0 ms, queue=1000 ms)
  [8/8] UNFINISHED — 1.0s (prove=0 ms, queue=1000 ms)

=== Batch Summary ===
total time:    1.0s
completed:     2
failed:        3
cancelled:     1
rejected:      1
unfinished:    1
wall time:     avg=327ms min=197ms max=457ms
prove time:    avg=157ms min=157ms max=157ms
throughput:    120.000 proofs/min (500ms/proof)
";
    assert_eq!(report.to_string(), wanted);
    assert_eq!(report.jobs[4].reason, Some(format!("partition 4: {hostile}")));
    let numbers: Vec<u64> = report.jobs.iter().map(|job| job.job).collect();
    assert_eq!(numbers, [8, 4, 3, 2, 1, 6, 5, 7]);
}

/// The scheduler's own records: two jobs of six partitions on a virtual clock, and one that is cancelled.
#[test]
fn a_batch_of_a_scheduler_adds_up() {
    for strategy in stock::ALL {
        let model = Scenario::with_faults(strategy.name).model();
        let (report, summary) = (Report::of(&model, "synthetic", 3), Summary::new(&model));
        assert_eq!(report.outcomes, summary.jobs);
        assert_eq!((report.count, report.outcomes.done, report.outcomes.cancelled), (3, 2, 1));
        let device = &summary.devices[0];
        let phases = device.workers.iter().map(|w| w.prepare + w.stage + w.compute + w.finish);
        let prove: u64 = report.jobs.iter().map(|job| job.prove_us).sum();
        assert_eq!(prove, phases.sum::<u64>(), "{}", strategy.name);
        // Of three jobs that end at different times, the last one's end is the batch's.
        let ends: Vec<u64> = report.jobs.iter().map(|job| job.submitted_us + job.wall_us).collect();
        assert!(ends.is_sorted() && ends.last() == Some(&report.total_us), "{ends:?}");
        let json = serde_json::to_string(&report).unwrap();
        let read: Report = serde_json::from_str(&json).unwrap();
        // serde_json's reader may miss a rate by its last bit.
        let near = read.proofs_per_minute.zip(report.proofs_per_minute).unwrap();
        assert!((near.0 - near.1).abs() < 1e-9, "{near:?}");
        assert_eq!(Report { proofs_per_minute: report.proofs_per_minute, ..read }, report);
    }
}

#[test]
fn json_names_its_units() {
    let json = serde_json::to_value(Report::of(&model(sample_records()), "porep", 1)).unwrap();
    assert_eq!(json["jobs"][0]["outcome"], "completed");
    assert_eq!(json["jobs"][0]["prove_us"], 41_381_000);
    assert_eq!(json["wall_us"], serde_json::json!({"avg": 32_100_000, "min": 32_100_000, "max": 32_100_000}));
    assert_eq!((&json["proof_type"], &json["concurrency"]), (&"porep".into(), &1.into()));
    assert_eq!(json["outcomes"]["done"], 1);
    let rate = json["proofs_per_minute"].as_f64().unwrap();
    assert!((rate - 60.0 / 32.1).abs() < 1e-9, "{rate}");
}

#[test]
fn repeats_have_a_least_a_median_and_a_most() {
    let run = |ms: u64| {
        let at = [[0, 1], [1, 2], [2, ms - 1], [ms - 1, ms]];
        let mut records = vec![submit(0, 1, 1)];
        records.extend(prove(1, 0, [0, 0], at));
        records.push(end(ms, 1, JobEnd::Done));
        Report::of(&model(records), "circom", 1)
    };
    let three = Repeats::of(&[run(3_000), run(1_500), run(2_000)]);
    let wanted = "\
=== 3 Runs ===
completed:     3 of 3
total time:    min=1.5s median=2.0s max=3.0s
wall time:     min=1.5s median=2.0s max=3.0s
prove time:    min=1.5s median=2.0s max=3.0s
throughput:    min=20.000 median=30.000 max=40.000 proofs/min
";
    assert_eq!(three.to_string(), wanted);
    // The median of four is the mean of the two in the middle: 2,000 and 3,000 ms, 30 and 20 proofs/min.
    let four = Repeats::of(&[run(6_000), run(3_000), run(1_500), run(2_000)]);
    assert_eq!(four.total_us, Some(Typical { min: 1_500_000, median: 2_500_000, max: 6_000_000 }));
    assert_eq!(four.proofs_per_minute, Some(Typical { min: 10.0, median: 25.0, max: 40.0 }));
    let json = serde_json::to_string(&four).unwrap();
    assert_eq!(serde_json::from_str::<Repeats>(&json).unwrap(), four);
    // A run in which nothing was completed counts, and has no times of jobs.
    let failed = Report::of(&model(vec![submit(0, 1, 1), end(500, 1, JobEnd::Late)]), "circom", 1);
    let mixed = Repeats::of(&[failed, run(2_000)]);
    assert_eq!((mixed.runs, mixed.count, mixed.completed), (2, 2, 1));
    assert_eq!(mixed.wall_us, Some(Typical { min: 2_000_000, median: 2_000_000, max: 2_000_000 }));
    assert_eq!(mixed.proofs_per_minute, Some(Typical { min: 0.0, median: 15.0, max: 30.0 }));
    let none = Repeats::of(&[]).to_string();
    assert!(none.ends_with("throughput:    min=- median=- max=- proofs/min\n"), "{none}");
}
