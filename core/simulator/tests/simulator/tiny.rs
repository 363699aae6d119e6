//! Cases that can be computed by hand.

use interlock_simulator::{Load, Machine, Order, Outcome, Setting, Stock};

pub(crate) const MACHINE: &str = r#"
name = "tiny"
constraints = 1000
[cpu]
cores = 4
[host]
memory = "64GiB"
resident = { bytes = "1GiB", grows = "fixed" }
partition = { bytes = "2GiB" }
[device]
memory = "4GiB"
[link]
capacity = 1.0
pinned = 1.0
unpinned = 0.5
[[synthesis]]
name = "witness"
seconds = 2.0
[[prepare]]
name = "sort"
seconds = 0.5
[stage]
upload = { bytes = 1_000_000_000 }
staged = { bytes = "1GiB" }
pinned = true
[[compute]]
name = "quotient"
seconds = 1.0
memory = { bytes = "2GiB" }
[[compute]]
name = "msm"
seconds = 2.0
memory = { bytes = "1GiB" }
[[finish]]
name = "assembly"
seconds = 0.25
"#;

pub(crate) fn load(interlock: &str) -> Load {
    Load {
        proof: "synthetic".into(),
        constraints: 1000,
        partitions: 1,
        count: 1,
        concurrency: 1,
        devices: 1,
        workers_per_device: 1,
        partition_workers: 2,
        synthesised: false,
        max_synthesised: None,
        max_staged: None,
        interlock: interlock.into(),
        variant: None,
        pinned: None,
        order: Order::Age,
        memory_limit: None,
        host_memory: None,
    }
}

pub(crate) fn machine() -> Machine {
    Machine::parse("tiny", MACHINE).unwrap()
}

fn run(machine: &str, load: Load) -> Outcome {
    Setting::new(Machine::parse("tiny", machine).unwrap(), load).run(&Stock).unwrap()
}

const SECOND: u64 = 1_000_000;

#[test]
fn one_partition_takes_the_sum_of_its_parts() {
    for strategy in ["whole", "narrow", "prestage", "two-lock", "ledger"] {
        let outcome = run(MACHINE, load(strategy));
        // 2 + 0.5 + 1 + 3 + 0.25
        assert_eq!(outcome.model.wall(), 6_750_000, "{strategy}");
        assert_eq!(outcome.counters.done, 1);
        assert_eq!((outcome.peak_device_bytes, outcome.peak_host_bytes), (2 << 30, 3 << 30));
        assert_eq!(outcome.idle_share(), 3.75 / 6.75);
    }
    // Half the rate from memory that is not page-locked; no synthesis when the witness is there.
    let other = Load { pinned: Some(false), synthesised: true, ..load("ledger") };
    assert_eq!(run(MACHINE, other).model.wall(), 5_750_000);
    // Three proofs, one after the other.
    let outcome = run(MACHINE, Load { count: 3, ..load("ledger") });
    assert_eq!(outcome.model.wall(), 3 * 6_750_000);
    assert_eq!(outcome.peak_host_bytes, 3 << 30);
}

#[test]
fn two_partitions_overlap_as_far_as_the_strategy_lets_them() {
    let two = |strategy: &str, workers_per_device: u64, memory: u64| {
        let load = Load { partitions: 2, workers_per_device, memory_limit: Some(memory), ..load(strategy) };
        let outcome = run(MACHINE, load);
        (outcome.model.wall(), outcome.counters.fallbacks, outcome.peak_device_bytes)
    };
    let (gib, half) = (1 << 30, 1 << 29);
    // Both are synthesised at 2. One lock: 4.75 each, one after the other.
    assert_eq!(two("whole", 2, 4 * gib), (2 * SECOND + 2 * 4_750_000, 0, 2 * gib));
    // Both are prepared at 2.5; then stage and compute, 4 each; the second one's finish is left.
    assert_eq!(two("narrow", 2, 4 * gib), (2_500_000 + 8 * SECOND + 250_000, 0, 2 * gib));
    // With one worker finish and prepare are in between, too.
    assert_eq!(two("narrow", 1, 4 * gib), (2 * SECOND + 2 * 4_750_000, 0, 2 * gib));
    // The second one stages while the first one computes: at once where there is room, else when it has shrunk.
    for strategy in ["ledger", "prestage"] {
        assert_eq!(two(strategy, 2, 4 * gib), (2_500_000 + 7 * SECOND + 250_000, 0, 3 * gib), "{strategy}");
        assert_eq!(two(strategy, 2, 2 * gib), (2_500_000 + 7 * SECOND + 250_000, 0, 2 * gib), "{strategy}");
    }
    // Two locks. Where there is little room the second one is let in to stage when the first one has staged; the first one
    // then has no room to compute, drops what it staged, and uploads again within its compute, behind the second one.
    assert_eq!(two("two-lock", 2, 4 * gib), (2_500_000 + 7 * SECOND + 250_000, 0, 3 * gib));
    assert_eq!(two("two-lock", 2, 2 * gib + half), (2_500_000 + 9 * SECOND + 250_000, 1, 2 * gib));
}

#[test]
fn contention_slows_what_runs_beside() {
    let machine = MACHINE.replace("cores = 4", "cores = 4\ncontention = 0.1");
    let outcome = run(&machine, Load { partitions: 2, workers_per_device: 2, ..load("narrow") });
    // Two syntheses and two preparations at a time, each 10 % slower; then as before.
    assert_eq!(outcome.model.wall(), 2_200_000 + 550_000 + 8 * SECOND + 250_000);
    // One core for two: both take twice as long.
    let machine = MACHINE.replace("cores = 4", "cores = 1");
    let outcome = run(&machine, Load { partitions: 2, workers_per_device: 2, ..load("narrow") });
    assert_eq!(outcome.model.wall(), 4 * SECOND + SECOND + 8 * SECOND + 250_000);
}

#[test]
fn what_prepare_leaves_running_holds_up_the_kernel_that_waits_for_it() {
    let machine = MACHINE.replace("seconds = 0.5", "seconds = 2.5\nbeside = true");
    let late = machine
        .replace("name = \"msm\"\nseconds = 2.0", "name = \"msm\"\nseconds = 2.0\nafter_prepare = true");
    assert_ne!(machine, late);
    // Stage and the first kernel take 2 s of the 2.5.
    assert_eq!(run(&machine, load("ledger")).model.wall(), 2 * SECOND + 4 * SECOND + 250_000);
    assert_eq!(run(&late, load("ledger")).model.wall(), 2 * SECOND + 4 * SECOND + 500_000 + 250_000);
}

#[test]
fn costs_grow_with_the_size() {
    let outcome = run(MACHINE, Load { constraints: 2000, ..load("ledger") });
    assert_eq!(outcome.model.wall(), 2 * 6_750_000);
    assert_eq!((outcome.peak_device_bytes, outcome.peak_host_bytes), (4 << 30, 5 << 30));
}

#[test]
fn two_devices_share_the_work_and_report_each() {
    let outcome = run(MACHINE, Load { partitions: 2, devices: 2, ..load("ledger") });
    assert_eq!(outcome.model.wall(), 6_750_000);
    assert_eq!(outcome.summary.devices.len(), 2);
    assert!(outcome.summary.devices.iter().all(|device| device.compute_share == 3.0 / 6.75));
}

#[test]
fn the_hosts_memory_is_counted() {
    let load = Load { partitions: 4, partition_workers: 4, host_memory: Some(8 << 30), ..load("ledger") };
    let outcome = run(MACHINE, load);
    // 1 GiB for all, and 2 for each of the four.
    assert_eq!((outcome.peak_host_bytes, outcome.exceeds_host()), (9 << 30, true));
}
