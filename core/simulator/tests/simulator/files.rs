//! Files: strict, and errors that name file, line and key.

use interlock_simulator::{Error, Machine, Scenario, Setting, Stock, shipped, sweep};

use crate::tiny::MACHINE;

const SCENARIO: &str = r#"
name = "s"
machine = "rtx-5070-ti"
constraints = 1000
partitions = 2
count = 3
concurrency = 2
partition_workers = 4
memory_limit = "15GiB"
[sweep]
workers_per_device = [1, 2]
memory = ["14GiB", 17179869184]
"#;

fn said<T>(result: Result<T, Error>) -> String {
    result.err().expect("an error").to_string()
}

#[test]
fn what_is_shipped_is_good() {
    for machine in shipped::MACHINES {
        Machine::parse(machine.name, machine.text).unwrap();
    }
    for scenario in shipped::SCENARIOS {
        shipped::open(scenario.name).unwrap();
        assert_eq!(shipped::text(scenario.name), Some(scenario.text));
    }
    assert!(shipped::text("published").is_some() && shipped::text("nobody").is_none());
}

#[test]
fn unknown_and_missing_keys_are_named_with_their_line() {
    let text = MACHINE.replace("cores = 4", "cores = 4\ncoers = 4");
    let error = said(Machine::parse("m.toml", &text));
    assert!(error.starts_with("m.toml, line 6: unknown field `coers`"), "{error}");
    let error = said(Machine::parse("m.toml", &MACHINE.replace("cores = 4", "")));
    assert!(error.contains("missing field `cores`"), "{error}");
    let error = said(Scenario::parse("s.toml", &SCENARIO.replace("count = 3", "counts = 3")));
    assert!(error.starts_with("s.toml, line 6: unknown field `counts`"), "{error}");
    let error = said(Scenario::parse("s.toml", &SCENARIO.replace("memory = [", "memroy = [")));
    assert!(error.contains("unknown field `memroy`"), "{error}");
    assert!(said(Scenario::parse("s.toml", "name = \"a\nb")).starts_with("s.toml, line "));
}

#[test]
fn values_that_nobody_has_are_refused_by_their_key() {
    for (from, to, says) in [
        ("cores = 4", "cores = 0", "m: cpu.cores: must be from 1 to 65536, not 0"),
        ("cores = 4", "cores = 4\ncontention = nan", "m: cpu.contention: must be from 0 to 1, not NaN"),
        ("capacity = 1.0", "capacity = inf", "m: link.capacity: must be GB/s from 0.001 to 100000, not inf"),
        (
            "seconds = 2.0",
            "seconds = -1.0",
            "m: synthesis[0].seconds: must be seconds from 0 to 604800, not -1",
        ),
        ("memory = \"4GiB\"", "memory = \"4 gigs\"", "m: device.memory: must be bytes"),
        ("memory = \"4GiB\"", "memory = 0", "m: device.memory: must be more than 0 bytes"),
        ("memory = \"4GiB\"", "memory = \"9999999TiB\"", "m: device.memory: must be bytes"),
        ("constraints = 1000", "constraints = 0", "m: constraints: must be from 1 to"),
        ("name = \"witness\"", "name = \"\"", "m: synthesis[0].name: must be a name of 1 to 80 characters"),
        (
            "name = \"witness\"",
            "name = \"w\"\nbeside = true",
            "m: synthesis[0].beside: only what prepare begins",
        ),
        (
            "name = \"witness\"",
            "name = \"w\"\nthreads = 5",
            "m: synthesis[0].threads: must be from 1 to 4, not 5",
        ),
    ] {
        let text = MACHINE.replacen(from, to, 1);
        assert_ne!(text, MACHINE);
        let error = said(Machine::parse("m", &text));
        assert!(error.starts_with(says), "{error}");
    }
    for (from, to, says) in [
        ("count = 3", "count = 0", "s: count: must be from 1 to 20000, not 0"),
        ("count = 3", "count = 20000", "s: count: times partitions makes 40000 partitions; at most 20000"),
        (
            "concurrency = 2",
            "concurrency = 99999999999",
            "s: concurrency: must be from 1 to 20000, not 99999999999",
        ),
        ("concurrency = 2", "devices = 65", "s: devices: must be from 1 to 64, not 65"),
        (
            "concurrency = 2",
            "workers_per_device = 5000",
            "s: workers_per_device: must be from 1 to 4096, not 5000",
        ),
        ("concurrency = 2", "order = \"random\"", "s, line 7: unknown variant `random`"),
        ("[1, 2]", "[1, 0]", "s: sweep.workers_per_device[1]: must be from 1 to 4096, not 0"),
        ("17179869184", "0", "s: sweep.memory[1]: must be more than 0 bytes"),
    ] {
        let text = SCENARIO.replacen(from, to, 1);
        assert_ne!(text, SCENARIO);
        let error = said(Scenario::parse("s", &text));
        assert!(error.starts_with(says), "{error}");
    }
}

#[test]
fn what_a_machine_cannot_do_is_refused() {
    let (_, mut setting) = shipped::open("porep").unwrap();
    setting.load.variant = Some("overclocked".into());
    let error = said(setting.run(&Stock));
    assert!(error.contains("variant: \"overclocked\" is none of this machine's: deferred-sync"), "{error}");
    setting.load.variant = None;
    setting.load.memory_limit = Some(8 << 30);
    let error = said(setting.run(&Stock));
    assert_eq!(
        error,
        "a partition needs 12884901888 bytes of a device, and there are 8589934592: it never fits"
    );
    setting.load.memory_limit = None;
    (setting.load.count, setting.load.workers_per_device) = (2_000, 4_096);
    assert!(said(setting.load.check("s")).contains("are more than is simulated"));
    (setting.load.count, setting.load.workers_per_device) = (1, 1);
    setting.load.constraints = 1 << 40;
    assert!(said(setting.run(&Stock)).contains("more bytes or time than any machine has"));
}

#[test]
fn machines_are_looked_for_beside_the_scenario() {
    let folder = std::env::temp_dir().join(format!("interlock-simulator-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("mine.toml", MACHINE);
    write("s.toml", &SCENARIO.replace("rtx-5070-ti", "mine.toml"));
    let path = folder.join("s.toml").display().to_string();
    let (_, setting) = shipped::open(&path).unwrap();
    assert_eq!(setting.machine.name, "tiny");
    write("s.toml", &SCENARIO.replace("rtx-5070-ti", "absent.toml"));
    let error = said(shipped::open(&path));
    assert!(error.starts_with(&path), "{error}");
    assert!(error.contains(&folder.join("absent.toml").display().to_string()), "{error}");
    // Another machine stands in for it, and then it need not be there, nor be named.
    let mine = folder.join("mine.toml").display().to_string();
    let (scenario, setting) = shipped::open_on(&path, Some(&mine)).unwrap();
    assert_eq!(setting.machine.name, "tiny");
    assert_eq!(shipped::files(&path, &scenario, Some(&mine)), [&path, &mine].map(std::path::PathBuf::from));
    assert_eq!(shipped::files(&path, &scenario, None)[1], folder.join("absent.toml"));
    write("s.toml", &SCENARIO.replace("machine = \"rtx-5070-ti\"", ""));
    assert!(said(shipped::open(&path)).contains("machine: is missing"));
    shipped::open_on(&path, Some("h200")).unwrap();
    assert!(said(shipped::open(&folder.display().to_string())).ends_with("it is not a regular file"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_sweep_finds_the_best_setting() {
    let text =
        SCENARIO.replace("constraints = 1000", "constraints = 130278869").replace("\"14GiB\"", "\"8GiB\"");
    let scenario = Scenario::parse("s", &text).unwrap();
    let machine = shipped::machine(scenario.machine.as_deref().unwrap()).unwrap().unwrap();
    let setting = Setting::new(machine, scenario.load.clone());
    let mut axes = scenario.sweep.unwrap();
    axes.interlock = vec!["whole".into(), "ledger".into()];
    let rows = sweep(&setting, &axes, &Stock).unwrap();
    assert_eq!(rows.len(), 8);
    // With 8 GiB nothing fits.
    assert_eq!(rows.iter().filter(|row| row.result.is_none()).count(), 4);
    let best = &rows[sweep::best(&rows).unwrap()];
    assert_eq!((best.setting.load.interlock.as_str(), best.setting.load.workers_per_device), ("ledger", 2));
    assert_eq!(best.budget, 16 << 30);
    let most =
        rows.iter().filter_map(|row| row.result).map(|result| result.proofs_per_minute).fold(0.0, f64::max);
    assert_eq!(best.result.unwrap().proofs_per_minute, most);
    // The host's memory is asked for as well.
    let mut poor = setting.clone();
    poor.load.host_memory = Some(70 << 30);
    assert_eq!(sweep::best(&sweep(&poor, &axes, &Stock).unwrap()), None);
    axes.concurrency = (1..=2000).collect();
    let error = said(sweep(&setting, &axes, &Stock));
    assert!(error.contains("sweep: 16000 settings with 96000 partitions; at most 4096"), "{error}");
}
