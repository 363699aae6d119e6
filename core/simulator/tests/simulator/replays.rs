//! The timeline: the same bytes every time, readable, and the same decisions when it is fed to a fresh scheduler.

use interlock_simulator::published::Rows;
use interlock_simulator::{Load, Setting, Stock};
use interlock_timeline::{Model, Reader, Record, Summary, html, perfetto, replay};

use crate::tiny;

fn settings() -> Vec<Setting> {
    let rows = Rows::shipped().unwrap();
    let machine = rows.machine().unwrap();
    let mut settings: Vec<Setting> = rows.rows.iter().map(|row| rows.setting(&machine, row)).collect();
    settings.push(rows.ledger(&machine, 4, 20));
    let load = Load {
        partitions: 5,
        count: 4,
        devices: 2,
        workers_per_device: 3,
        concurrency: 2,
        ..tiny::load("two-lock")
    };
    settings.push(Setting::new(tiny::machine(), load));
    settings
}

#[test]
fn equal_settings_give_equal_bytes() {
    for setting in settings() {
        let bytes = || {
            let mut bytes = Vec::new();
            setting.run(&Stock).unwrap().write(&mut bytes).unwrap();
            bytes
        };
        assert_eq!(bytes(), bytes());
    }
}

#[test]
fn a_fresh_scheduler_decides_the_same() {
    for setting in settings() {
        let outcome = setting.run(&Stock).unwrap();
        let mut machine = setting.scheduler(&Stock).unwrap();
        replay(outcome.records, &mut machine).unwrap_or_else(|divergence| panic!("{divergence}"));
        assert!(machine.is_idle());
    }
}

#[test]
fn the_timeline_can_be_read_and_drawn() {
    let setting = settings().pop().unwrap();
    let outcome = setting.run(&Stock).unwrap();
    let mut bytes = Vec::new();
    outcome.write(&mut bytes).unwrap();
    let records: Vec<Record> = Reader::new(bytes.as_slice()).unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(records, outcome.records);
    let model = Model::read(Reader::new(bytes.as_slice()).unwrap()).unwrap();
    let summary = Summary::new(&model);
    assert_eq!(summary, outcome.summary);
    let workers = summary.devices.iter().flat_map(|device| &device.workers);
    assert!(workers.clone().count() == 6 && workers.clone().all(|worker| worker.accounted_share == 1.0));
    assert!(html::page(&model).unwrap().contains("tiny #1"));
    let mut trace = Vec::new();
    perfetto::write(&model, &mut trace).unwrap();
    assert!(serde_json::from_slice::<serde_json::Value>(&trace).is_ok());
}
