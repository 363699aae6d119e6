//! The scheduler and what it is driven with: one lock, under which events come in and actions go out.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use interlock_scheduler::{Action, Counters, Event, JobEnd, Note, PartId, Path, PhaseName, Scheduler, Time};
use interlock_timeline::{Memory, Span};

use super::device::EngineDevice;
use super::job::Ending;
use super::pool::HostPool;
use super::progress::{self, Reporter};
use super::record::Recording;
use super::strategy::AnyStrategy;
use super::threads;
use super::work::Work;
use crate::groth16::{CancelFlag, ResidentKey};

/// What a worker of a device is told to do.
#[derive(Clone, Copy, Debug)]
pub(super) enum Command {
    Run { part: PartId, phase: PhaseName, path: Path },
    Drop { part: PartId },
}

impl Command {
    pub(super) fn part(self) -> PartId {
        match self {
            Self::Run { part, .. } | Self::Drop { part } => part,
        }
    }
}

/// A partition between two pieces of its work.
pub(super) struct PartEntry {
    /// Not there while a thread works on it.
    pub(super) work: Option<Box<dyn Work>>,
    pub(super) cancel: CancelFlag,
}

/// A job that has not ended.
pub(super) struct JobEntry {
    pub(super) parts: Vec<PartEntry>,
    pub(super) ending: Arc<Ending>,
    /// The worker that each partition was put on last.
    pub(super) places: Vec<Option<(u32, u32)>>,
    /// Whom to tell of what happens.
    pub(super) reporter: Option<Reporter>,
}

/// A worker of a device.
#[derive(Default)]
pub(super) struct Mailbox {
    pub(super) command: Option<Command>,
    /// Whether its thread is at work, or hangs there.
    pub(super) busy: bool,
}

/// What the lock is for.
pub(super) struct State {
    pub(super) scheduler: Scheduler<AnyStrategy>,
    pub(super) jobs: HashMap<u64, JobEntry>,
    pub(super) mailboxes: Vec<Vec<Mailbox>>,
    pub(super) syntheses: VecDeque<PartId>,
    /// Threads for syntheses, those that are about to be started included, that have nothing in hand.
    pub(super) synthesisers: usize,
    pub(super) recording: Recording,
    /// When the scheduler wants to be told the time.
    pub(super) wake: Option<Time>,
    /// Devices whose strategy failed, which the scheduler has been told.
    pub(super) failed_strategies: Vec<Option<String>>,
    /// Devices that count as lost, as they were told.
    lost: Vec<bool>,
    pub(super) next_job: u64,
    /// Jobs that have ended, whose end is still to be told.
    pub(super) untold: usize,
    pub(super) stopping: bool,
    actions: Vec<Action>,
}

/// What is to be done when the lock is free again.
#[derive(Default)]
#[must_use]
pub(super) struct Later {
    cancel: Vec<CancelFlag>,
    /// Zeroising witnesses and freeing memory takes time.
    drop: Vec<PartEntry>,
    /// A key that nobody else has any more is freed with them.
    pub(super) keys: Vec<Arc<ResidentKey>>,
    ends: Vec<Ended>,
    /// Syntheses that wait for a thread that there is not yet.
    threads: usize,
    /// The answer to a submission that was not taken.
    pub(super) rejected: Option<Option<u64>>,
}

/// A job that has ended, and whom to tell.
struct Ended {
    ending: Arc<Ending>,
    end: JobEnd,
    reporter: Option<Reporter>,
}

impl Later {
    /// Does it, on a worker's thread: freeing is a worker's work. Cancelling others' lanes is not, since that may not come
    /// back.
    pub(super) fn run(self, shared: &Arc<Shared>) {
        self.begin(shared).finish(shared);
    }

    /// Does it, on a thread that must never wait for a backend: the clock's, or a user's.
    pub(super) fn run_aside(self, shared: &Arc<Shared>) {
        let rest = self.begin(shared);
        if rest.drop.iter().all(|entry| entry.work.is_none()) {
            rest.finish(shared);
        } else {
            threads::aside(shared, rest);
        }
    }

    /// Starts threads, and has lanes cancelled and keys freed aside, each by itself: nobody's end waits for that, nor one for
    /// another. Gives what is left to do.
    fn begin(mut self, shared: &Arc<Shared>) -> Self {
        for _ in 0..std::mem::take(&mut self.threads) {
            threads::start_synthesiser(shared);
        }
        let flags = std::mem::take(&mut self.cancel);
        flags.iter().for_each(CancelFlag::mark);
        for flag in flags {
            threads::aside(shared, Self { cancel: vec![flag], ..Self::default() });
        }
        let keys = std::mem::take(&mut self.keys);
        if !keys.is_empty() {
            threads::aside(shared, Self { keys, ..Self::default() });
        }
        self
    }

    /// The part that may call backends, and then tells of the ends: whoever waits for a job finds nothing of it left.
    pub(super) fn finish(self, shared: &Arc<Shared>) {
        for flag in self.cancel {
            flag.cancel();
        }
        for entry in self.drop {
            let_go(entry);
        }
        drop(self.keys);
        let told = self.ends.len();
        for Ended { ending, end, reporter } in self.ends {
            // Its stream ends first: who has seen the end of the job has seen all of it.
            drop(reporter);
            ending.put(end);
        }
        if told > 0 {
            shared.lock().untold -= told;
            shared.settled.notify_all();
        }
    }
}

/// Drops what a user may have given, whose destructors may panic.
pub(super) fn let_go<T>(value: T) {
    let _ = catch_unwind(AssertUnwindSafe(move || drop(value)));
}

/// An engine, as its threads and its users' handles know it.
pub(super) struct Shared {
    pub(super) devices: Vec<EngineDevice>,
    /// For what the host computes in finish, and for syntheses, which are others' code: one that waits does not keep the
    /// other from going on.
    pub(super) finishing: HostPool,
    pub(super) synthesis_pool: HostPool,
    state: Mutex<State>,
    origin: Instant,
    /// For each worker of each device: there is a command, or the engine stops.
    pub(super) called: Vec<Vec<Condvar>>,
    /// There is something to synthesise, or the engine stops.
    pub(super) synthesis: Condvar,
    /// The next wake-up has changed, or the engine stops.
    pub(super) timer: Condvar,
    /// A job has ended, or a thread is not busy any more.
    pub(super) settled: Condvar,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("devices", &self.devices).finish_non_exhaustive()
    }
}

impl Shared {
    pub(super) fn new(
        devices: Vec<EngineDevice>,
        scheduler: Scheduler<AnyStrategy>,
        threads: Option<usize>,
        recording: Recording,
        origin: Instant,
    ) -> Self {
        let workers: Vec<usize> = devices.iter().map(|device| device.spec().workers as usize).collect();
        let state = State {
            scheduler,
            jobs: HashMap::new(),
            mailboxes: workers
                .iter()
                .map(|count| std::iter::repeat_with(Mailbox::default).take(*count).collect())
                .collect(),
            syntheses: VecDeque::new(),
            synthesisers: 0,
            recording,
            wake: None,
            failed_strategies: vec![None; devices.len()],
            lost: vec![false; devices.len()],
            next_job: 0,
            untold: 0,
            stopping: false,
            actions: Vec::new(),
        };
        let condvars = |count: &usize| std::iter::repeat_with(Condvar::new).take(*count).collect();
        Self {
            called: workers.iter().map(condvars).collect(),
            devices,
            finishing: HostPool::new("interlock-host", threads),
            synthesis_pool: HostPool::new("interlock-make", threads),
            state: Mutex::new(state),
            origin,
            synthesis: Condvar::new(),
            timer: Condvar::new(),
            settled: Condvar::new(),
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn now(&self) -> Time {
        Time(u64::try_from(self.origin.elapsed().as_micros()).unwrap_or(u64::MAX))
    }

    /// How long it is until then.
    pub(super) fn until(&self, at: Time) -> Duration {
        Duration::from_micros(at.since(self.now()))
    }

    /// Tells the scheduler what has happened, and begins what it answers.
    pub(super) fn tell(&self, state: &mut State, event: &Event) -> Later {
        let mut later = Later::default();
        self.tell_one(state, event, &mut later);
        // A strategy that fails decides nothing any more: its device is of no use. What leaves it may find out the same of
        // another one.
        let failing = |state: &State| {
            (0..self.devices.len()).find_map(|device| {
                let known = state.failed_strategies[device].is_some();
                let strategy = state.scheduler.strategy(device).filter(|_| !known)?;
                Some((device, strategy.failure()?))
            })
        };
        while let Some((device, reason)) = failing(state) {
            state.failed_strategies[device] = Some(reason);
            self.tell_one(state, &Event::Lost { device: device as u32 }, &mut later);
        }
        for (device, of) in self.devices.iter().enumerate() {
            let lost = state.scheduler.is_lost(device);
            if std::mem::replace(&mut state.lost[device], lost) != lost {
                of.set_lost(lost);
            }
        }
        later
    }

    fn tell_one(&self, state: &mut State, event: &Event, later: &mut Later) {
        let now = self.now();
        let mut actions = std::mem::take(&mut state.actions);
        actions.clear();
        state.recording.event(now, event);
        state.scheduler.on(event, now, &mut actions);
        for action in &actions {
            state.recording.action(now, action);
        }
        for device in 0..self.devices.len() {
            let memory = memory(&state.scheduler, device);
            state.recording.memory(now, memory);
        }
        if state.wake.is_some_and(|at| at <= now) {
            state.wake = None;
        }
        for action in actions.drain(..) {
            self.begin(state, action, later);
        }
        state.actions = actions;
        if state.scheduler.is_idle() {
            state.recording.flush();
        }
    }

    fn begin(&self, state: &mut State, action: Action, later: &mut Later) {
        if let Some((part, step)) = progress::step(&action)
            && let Some(reporter) = state.jobs.get(&part.job).and_then(|job| job.reporter.as_ref())
        {
            reporter.tell(part, step);
        }
        match action {
            Action::Synthesise { part } => {
                state.syntheses.push_back(part);
                if state.syntheses.len() > state.synthesisers {
                    state.synthesisers += 1;
                    later.threads += 1;
                }
                self.synthesis.notify_one();
            }
            Action::Run { part, device, worker, phase, path } => {
                if let Some(job) = state.jobs.get_mut(&part.job)
                    && let Some(place) = job.places.get_mut(part.index as usize)
                {
                    *place = Some((device, worker));
                }
                self.call(state, device, worker, Command::Run { part, phase, path });
            }
            Action::Drop { part } => {
                let place = state.jobs.get(&part.job).and_then(|job| job.places.get(part.index as usize));
                if let Some(Some((device, worker))) = place.copied() {
                    self.call(state, device, worker, Command::Drop { part });
                }
            }
            Action::Abort { part } => {
                let entry = state.jobs.get(&part.job).and_then(|job| job.parts.get(part.index as usize));
                later.cancel.extend(entry.map(|entry| entry.cancel.clone()));
            }
            Action::End { job, end } => {
                if let Some(JobEntry { parts, ending, reporter, .. }) = state.jobs.remove(&job) {
                    later.drop.extend(parts);
                    later.ends.push(Ended { ending, end, reporter });
                    state.untold += 1;
                }
                self.settled.notify_all();
            }
            Action::Reject { retry_after, .. } => later.rejected = Some(retry_after),
            Action::Wake { at } => {
                if state.wake.is_none_or(|before| at < before) {
                    state.wake = Some(at);
                    self.timer.notify_one();
                }
            }
            Action::Note { part, note: Note::SetAside } => {
                let entry =
                    state.jobs.get_mut(&part.job).and_then(|job| job.parts.get_mut(part.index as usize));
                later.keys.extend(entry.and_then(|entry| entry.work.as_mut()?.release()));
            }
            Action::Note { .. } => {}
        }
    }

    fn call(&self, state: &mut State, device: u32, worker: u32, command: Command) {
        let (device, worker) = (device as usize, worker as usize);
        let mailbox = state.mailboxes.get_mut(device).and_then(|workers| workers.get_mut(worker));
        let called = self.called.get(device).and_then(|workers| workers.get(worker));
        if let (Some(mailbox), Some(called)) = (mailbox, called) {
            debug_assert!(mailbox.command.is_none(), "a worker does one thing at a time");
            mailbox.command = Some(command);
            called.notify_one();
        }
    }

    /// Tells of something from a user's thread.
    pub(super) fn tell_now(self: &Arc<Self>, event: &Event) {
        let later = self.tell(&mut self.lock(), event);
        later.run_aside(self);
    }

    /// Ends a job.
    pub(super) fn cancel(self: &Arc<Self>, job: u64) {
        self.tell_now(&Event::Cancel { job });
    }

    /// A part of a phase has ended.
    pub(super) fn span(&self, part: PartId, name: &'static str, took: Duration, bytes: Option<u64>) {
        let mut state = self.lock();
        if state.recording.is_on() {
            let us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
            let span = Span { span: Cow::Borrowed(name), part, us, bytes };
            let now = self.now();
            state.recording.span(now, &span);
        }
    }

    /// A partition that computes has freed some of its bytes.
    pub(super) fn shrunk(self: &Arc<Self>, part: PartId, peak: u64) {
        self.tell_now(&Event::Shrunk { part, peak });
    }

    pub(super) fn counters(&self) -> Counters {
        self.lock().scheduler.counters()
    }
}

impl State {
    /// Takes a partition's work, to do some of it.
    pub(super) fn take(&mut self, part: PartId) -> Option<(Box<dyn Work>, CancelFlag)> {
        let entry = self.jobs.get_mut(&part.job)?.parts.get_mut(part.index as usize)?;
        Some((entry.work.take()?, entry.cancel.clone()))
    }

    /// Puts it back; gives it back when its job has ended without it.
    pub(super) fn put_back(&mut self, part: PartId, work: Box<dyn Work>) -> Option<Box<dyn Work>> {
        match self.jobs.get_mut(&part.job).and_then(|job| job.parts.get_mut(part.index as usize)) {
            Some(entry) => {
                entry.work = Some(work);
                None
            }
            None => Some(work),
        }
    }
}

fn memory(scheduler: &Scheduler<AnyStrategy>, device: usize) -> Memory {
    use interlock_strategies::Strategy as _;
    let account = scheduler.strategy(device).map(AnyStrategy::account).unwrap_or_default();
    Memory {
        memory: device as u32,
        bytes: scheduler.bytes_on(device),
        reserved: account.reserved,
        budget: account.budget,
    }
}
