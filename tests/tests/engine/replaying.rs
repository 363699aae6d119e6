//! Timelines of real runs: replayed they decide the same, and the file is what was kept.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use interlock_core::backend::{BackendStrategy, Plugin};
use interlock_core::engine::{Engine, EngineConfig, Kept, Priority, Timeline};
use interlock_dummy::{Bench, ErrorKind, Operation};
use interlock_scheduler::Scheduler;
use interlock_strategies::Limits;
use interlock_timeline::{Reader, replay};

use crate::{STRATEGIES, config, ends, small, with_strategy};

/// A file in memory.
#[derive(Clone, Default)]
struct File(Arc<Mutex<Vec<u8>>>);

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_recorded_run_decides_the_same_again() {
    for name in STRATEGIES {
        let bench = Bench::with_devices(2);
        let plugin = Plugin::linked(bench.api()).unwrap();
        let footprint = small().footprint();
        let mut config = with_strategy(EngineConfig { max_staged: 2, ..config(&bench) }, name);
        for device in &mut config.devices {
            (device.workers, device.budget) = (3, Some(footprint.peak + footprint.staged));
        }
        let budgets: Vec<u64> = config.devices.iter().map(|device| device.budget.unwrap()).collect();
        let (kept, file) = (Kept::default(), File::default());
        let engine = Engine::new(config, Timeline::off().to(file.clone()).keeping(&kept)).unwrap();
        let scheduling = engine.scheduling().clone();

        // A bit of everything that a scheduler hears of.
        let script = bench.script();
        script.on(Operation::Alloc).one_in(9, 1).always().fail(ErrorKind::NotNow);
        script.on(Operation::Spmv).nth(3).panic();
        script.on(Operation::Msm).nth(5).corrupt();
        script.on(Operation::Ntt).nth(30).fail(ErrorKind::Device);
        script.on(Operation::Msm).nth(8).hang_until_cancelled();
        let priorities = [Priority::Low, Priority::Normal, Priority::High, Priority::Critical];
        let jobs: Vec<_> = (0..16)
            .map(|job| {
                let spec = small().job(1 + job % 3).with_priority(priorities[job % 4]);
                let spec = if job % 5 == 0 { spec.with_deadline(Duration::from_millis(200)) } else { spec };
                let handle = engine.submit(spec).unwrap();
                if job % 7 == 3 {
                    handle.cancel();
                }
                handle
            })
            .collect();
        // Whichever hangs goes on when all others have ended.
        std::thread::sleep(Duration::from_millis(400));
        script.release_hangs();
        let ended = jobs.into_iter().map(|handle| ends(handle, name)).filter(Result::is_ok).count();
        assert!(ended > 0, "{name}");
        let drained = engine.drain();
        assert_eq!(drained.timeline_failure, None, "{name}");

        let strategy = |device: usize| {
            let limits = Limits { budget: budgets[device], max_staged: 2 };
            BackendStrategy::create(&plugin, name, limits).unwrap()
        };
        let records = kept.records();
        let mut fresh = Scheduler::new(scheduling.clone(), strategy);
        replay(records.clone(), &mut fresh).unwrap_or_else(|divergence| panic!("{name}: {divergence}"));
        assert_eq!(fresh.counters(), drained.counters, "{name}");
        assert!(fresh.is_idle(), "{name}");

        let written = file.0.lock().unwrap().clone();
        let mut reader = Reader::new(io::Cursor::new(written)).unwrap();
        assert_eq!(Some(reader.header()), kept.header().as_ref(), "{name}");
        let read: Vec<_> = reader.by_ref().map(Result::unwrap).collect();
        assert_eq!(read, records, "{name}");
        kept.model().unwrap().unwrap();

        // With another strategy it does not: the replay can tell.
        if name == "ledger" {
            let other = |device: usize| {
                let limits = Limits { budget: budgets[device], max_staged: 2 };
                BackendStrategy::create(&plugin, "whole", limits).unwrap()
            };
            assert!(replay(records, &mut Scheduler::new(scheduling, other)).is_err());
        }
    }
}

/// A file that takes nothing until it is told to.
struct Stalled(Arc<(Mutex<bool>, Condvar)>, File);

impl Write for Stalled {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (open, opened) = &*self.0;
        drop(opened.wait_while(open.lock().unwrap(), |open| !*open).unwrap());
        self.1.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_timeline_that_stalls_holds_up_nobody() {
    let bench = Bench::new();
    let (gate, file) = (Arc::new((Mutex::new(false), Condvar::new())), File::default());
    let timeline = Timeline::off().to(Stalled(Arc::clone(&gate), file.clone()));
    let engine = Engine::new(config(&bench), timeline).unwrap();
    // Each is a piece of its own, since the engine is idle between them.
    for _ in 0..300 {
        small().assert_proved(
            &ends(engine.submit(small().job(1)).unwrap(), "stalled").unwrap(),
            1,
            "stalled",
        );
    }
    assert!(file.0.lock().unwrap().is_empty());
    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();
    assert_eq!(engine.drain().timeline_failure, None);
    let text = file.0.lock().unwrap().clone();
    assert!(Reader::new(text.as_slice()).unwrap().count() > 300, "the file is whole");
}
