//! Timelines to test with: the scheduler, a stock strategy, and a virtual clock on which all work takes a fixed time.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::borrow::Cow;
use std::collections::BTreeMap;

use interlock_scheduler::{
    Action, Again, Config, DeviceConfig, Event, JobSpec, Outcome, PartId, PartSpec, Path, PhaseName,
    PriorityName, Scheduler, Time,
};
use interlock_strategies::{Limits, Strategy as _, stock};
use interlock_timeline::{DeviceInfo, Header, Memory, Model, Reader, Record, Source, Span, Writer};

pub(crate) const GIB: u64 = 1 << 30;
pub(crate) const SYNTHESIS: u64 = 900_000;
pub(crate) const PREPARE: u64 = 300_000;
pub(crate) const STAGE: u64 = 400_000;
pub(crate) const COMPUTE: u64 = 700_000;
pub(crate) const FINISH: u64 = 250_000;
pub(crate) const DROP: u64 = 20_000;

pub(crate) type Machine = Scheduler<stock::Stock>;

/// What is done, and what goes wrong.
#[derive(Clone)]
pub(crate) struct Scenario {
    pub(crate) strategy: &'static str,
    pub(crate) config: Config,
    /// What comes from outside, and when.
    pub(crate) told: Vec<(u64, Event)>,
    /// How the first try of a phase ends, when not well.
    pub(crate) faults: BTreeMap<(PartId, PhaseName), Outcome>,
}

impl Scenario {
    /// Six partitions, of two jobs, on a device of 16 GiB with three workers. The second job is more urgent and comes later.
    pub(crate) fn six(strategy: &'static str) -> Self {
        let part = PartSpec { synthesis: true, staged: 6 * GIB, peak: 9 * GIB, key: 0 };
        let job = |priority, parts| JobSpec { priority, deadline: None, parts: vec![part; parts] };
        let told = vec![
            (0, Event::Submit { job: 1, spec: job(PriorityName::Normal, 4) }),
            (1_500_000, Event::Submit { job: 2, spec: job(PriorityName::High, 2) }),
        ];
        let device = DeviceConfig { budget: 16 * GIB, workers: 3, tier: 0 };
        let config = Config { partition_workers: 2, max_synthesised: 4, ..Config::single(device) };
        Self { strategy, config, told, faults: BTreeMap::new() }
    }

    /// The same, but both jobs are as urgent.
    pub(crate) fn equal(strategy: &'static str) -> Self {
        let mut scenario = Self::six(strategy);
        for (_, event) in &mut scenario.told {
            if let Event::Submit { spec, .. } = event {
                spec.priority = PriorityName::Normal;
            }
        }
        scenario
    }

    /// As [`six`](Self::six), with a failure, a refusal of memory, and a cancelled third job.
    pub(crate) fn with_faults(strategy: &'static str) -> Self {
        let mut scenario = Self::six(strategy);
        let reason = "an illegal <instruction> & \"more\"".to_owned();
        let part = |index| PartId { job: 1, index };
        scenario.faults.insert((part(1), PhaseName::Compute), Outcome::Failed { again: Again::Here, reason });
        scenario.faults.insert((part(2), PhaseName::Stage), Outcome::NotNow);
        let spec = JobSpec {
            parts: vec![PartSpec { synthesis: false, staged: GIB, peak: GIB, key: 0 }],
            ..JobSpec::default()
        };
        scenario.told.push((100_000, Event::Submit { job: 3, spec }));
        scenario.told.push((600_000, Event::Cancel { job: 3 }));
        scenario
    }

    /// Many jobs of four partitions, one after the other.
    pub(crate) fn many(strategy: &'static str, jobs: u64) -> Self {
        let mut scenario = Self::six(strategy);
        let part = PartSpec { synthesis: true, staged: 6 * GIB, peak: 9 * GIB, key: 0 };
        let spec = |job| JobSpec {
            priority: if job % 7 == 3 { PriorityName::High } else { PriorityName::Normal },
            deadline: None,
            parts: vec![part; 4],
        };
        scenario.told =
            (0..jobs).map(|job| (job * 4 * COMPUTE, Event::Submit { job, spec: spec(job) })).collect();
        scenario
    }

    pub(crate) fn header(&self) -> Header {
        let devices = self.config.devices.iter().enumerate();
        let devices = devices.map(|(index, device)| DeviceInfo {
            name: format!("sample {index}"),
            budget: device.budget,
            workers: device.workers,
        });
        Header::new(self.strategy, Source::Simulation, devices.collect(), self.config.partition_workers)
    }

    pub(crate) fn machine(&self) -> Machine {
        let limits = |index: usize| Limits { budget: self.config.devices[index].budget, max_staged: 2 };
        Scheduler::new(self.config.clone(), |index| {
            stock::create(self.strategy, limits(index)).expect("a stock strategy")
        })
    }

    /// The timeline's bytes.
    pub(crate) fn run(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let writer = Writer::new(&mut bytes, &self.header()).expect("a header");
        let mut clock = Clock {
            machine: self.machine(),
            writer,
            due: BTreeMap::new(),
            faults: self.faults.clone(),
            order: 0,
        };
        for (at, event) in &self.told {
            clock.later(*at, Due::Event(event.clone()));
        }
        clock.run();
        assert!(clock.machine.is_idle(), "jobs are left");
        drop(clock);
        bytes
    }

    /// What is made of it.
    pub(crate) fn model(&self) -> Model {
        Model::read(Reader::new(self.run().as_slice()).expect("a header")).expect("good lines")
    }

    /// The timeline, read again.
    pub(crate) fn records(&self) -> (Header, Vec<Record>) {
        let bytes = self.run();
        let reader = Reader::new(bytes.as_slice()).expect("a header");
        let header = reader.header().clone();
        (header, reader.collect::<Result<_, _>>().expect("good lines"))
    }
}

enum Due {
    Event(Event),
    Span(Span),
}

struct Clock<'a> {
    machine: Machine,
    writer: Writer<&'a mut Vec<u8>>,
    due: BTreeMap<(u64, u64), Due>,
    faults: BTreeMap<(PartId, PhaseName), Outcome>,
    order: u64,
}

impl Clock<'_> {
    fn later(&mut self, at: u64, due: Due) {
        self.order += 1;
        self.due.insert((at, self.order), due);
    }

    fn run(&mut self) {
        let mut actions = Vec::new();
        while let Some(((now, _), due)) = self.due.pop_first() {
            let at = Time(now);
            let event = match due {
                Due::Event(event) => event,
                Due::Span(span) => {
                    self.writer.span(at, &span).expect("a line");
                    continue;
                }
            };
            if event == Event::Tick && self.machine.is_idle() {
                continue;
            }
            self.writer.event(at, &event).expect("a line");
            self.machine.on(&event, at, &mut actions);
            assert!(self.order < 10_000_000, "it goes on for ever");
            for action in actions.drain(..) {
                self.writer.action(at, &action).expect("a line");
                self.act(now, action);
            }
            for device in 0..self.machine.strategy(1).map_or(1, |_| 2) {
                let account = self.machine.strategy(device).expect("a device").account();
                let bytes = self.machine.bytes_on(device);
                let (reserved, budget) = (account.reserved, account.budget);
                let memory = Memory { memory: device as u32, bytes, reserved, budget };
                self.writer.memory(at, memory).expect("a line");
            }
        }
    }

    fn act(&mut self, now: u64, action: Action) {
        match action {
            Action::Synthesise { part } => {
                self.later(now + SYNTHESIS, Due::Event(Event::Synthesised { part, outcome: Outcome::Done }));
            }
            Action::Run { part, phase, path, .. } => {
                let slow = path == Path::Slow && phase == PhaseName::Compute;
                let takes = match phase {
                    PhaseName::Prepare => PREPARE,
                    PhaseName::Stage => STAGE,
                    PhaseName::Compute if slow => STAGE + COMPUTE,
                    PhaseName::Compute => COMPUTE,
                    PhaseName::Finish => FINISH,
                };
                if phase == PhaseName::Compute {
                    let start = now + takes - COMPUTE;
                    let span =
                        |name, us, bytes| Due::Span(Span { span: Cow::Borrowed(name), part, us, bytes });
                    if slow {
                        self.later(start, span("upload", STAGE, Some(6 * GIB)));
                    }
                    self.later(start + COMPUTE / 2, span("quotient", COMPUTE / 2, None));
                    self.later(start + COMPUTE / 2, Due::Event(Event::Shrunk { part, peak: 6 * GIB }));
                    self.later(start + COMPUTE, span("msm", COMPUTE / 2, None));
                }
                let outcome = self.faults.remove(&(part, phase)).unwrap_or(Outcome::Done);
                self.later(now + takes, Due::Event(Event::Ended { part, phase, outcome }));
            }
            Action::Drop { part } => self.later(now + DROP, Due::Event(Event::Dropped { part })),
            Action::Wake { at } => self.later(at.0, Due::Event(Event::Tick)),
            // What runs ends in its time.
            Action::Abort { .. } | Action::End { .. } | Action::Reject { .. } | Action::Note { .. } => {}
        }
    }
}
