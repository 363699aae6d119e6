//! The engine: submit, drain.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use interlock_curves::ProvingCurve;
use interlock_scheduler::{Config, Counters, DeviceConfig, Event, JobSpec, Scheduler};
use interlock_strategies::Limits;
use interlock_timeline::{DeviceInfo, Header, Source};

use super::config::{DeviceSpec, EngineConfig};
use super::device::EngineDevice;
use super::error::{EngineError, SubmitError};
use super::job::{Ending, Job, JobCanceller, JobHandle};
use super::proof::ProofPart;
use super::record::{Recording, Timeline};
use super::shared::{JobEntry, PartEntry, Shared};
use super::strategy;
use super::threads::{start_clock, start_worker};
use super::work::Work;
use crate::groth16::CancelFlag;
use crate::key::ProvingKey;

/// The most partitions of a job.
const MAX_PARTITIONS: usize = 4096;
/// Bytes that a device is taken to have when nothing says how many.
const UNKNOWN_MEMORY: u64 = 1 << 40;

/// Proves what is submitted, on devices that the proofs share. Any thread may submit.
///
/// When it is dropped, jobs that have not ended are cancelled and waited for, as long as the grace goes.
#[derive(Debug)]
pub struct Engine {
    shared: Arc<Shared>,
    interlock: String,
    scheduling: Config,
    /// Workers in the order of devices, with their places; the clock.
    workers: Vec<(usize, usize, JoinHandle<()>)>,
    clock: Option<JoinHandle<()>>,
    /// Keys that were seen, and what the scheduler calls them.
    keys: Mutex<Keys>,
    stopped: bool,
}

#[derive(Debug, Default)]
struct Keys {
    known: Vec<(Weak<ProvingKey>, u64)>,
    last: u64,
}

impl Keys {
    fn number(&mut self, key: &Arc<ProvingKey>) -> u64 {
        self.known.retain(|(known, _)| known.strong_count() > 0);
        let same = |(known, _): &&(Weak<ProvingKey>, u64)| std::ptr::eq(known.as_ptr(), Arc::as_ptr(key));
        if let Some((_, number)) = self.known.iter().find(same) {
            return *number;
        }
        self.last += 1;
        self.known.push((Arc::downgrade(key), self.last));
        self.last
    }
}

/// What an engine did until it was drained.
#[derive(Clone, Debug)]
pub struct Drained {
    /// Jobs and partitions.
    pub counters: Counters,
    /// Why the timeline's file is not whole, if it is not.
    pub timeline_failure: Option<String>,
    /// Workers whose threads hang in a call, by device and number; they are left behind.
    pub hung: Vec<(usize, usize)>,
}

impl Engine {
    /// Starts an engine. Devices are opened when they are first needed.
    ///
    /// # Errors
    /// [`EngineError`].
    pub fn new(config: EngineConfig, timeline: Timeline) -> Result<Self, EngineError> {
        config.check()?;
        let mut infos = Vec::new();
        let mut devices = Vec::new();
        let mut strategies = Vec::new();
        let mut names: Vec<String> = Vec::new();
        for spec in &config.devices {
            let (name, budget) = about(spec);
            let limits = Limits { budget, max_staged: config.max_staged };
            let (strategy, description) =
                strategy::create(&spec.plugin, config.interlock.as_deref(), limits)?;
            infos.push(DeviceInfo { name, budget, workers: spec.workers });
            devices.push(DeviceConfig { budget, workers: spec.workers, tier: spec.tier });
            strategies.push(Some(strategy));
            if !names.contains(&description.name) {
                names.push(description.name);
            }
        }
        let interlock = names.join(", ");
        let header = Header::new(&interlock, Source::Run, infos, config.partition_workers);
        header.check().map_err(|fault| EngineError::Config(fault.to_string()))?;
        let recording = Recording::begin(timeline, &header)?;
        let retries = config.retries.unwrap_or(2 * config.devices.len() as u32 - 1);
        let scheduling = Config {
            devices,
            partition_workers: config.partition_workers,
            max_synthesised: config.max_synthesised,
            max_jobs: config.max_jobs,
            retries,
            grace: u64::try_from(config.grace.as_micros()).unwrap_or(u64::MAX),
        };
        let mut made = strategies.into_iter();
        #[allow(clippy::expect_used, reason = "there is one for each device, asked for once")]
        let scheduler =
            Scheduler::new(scheduling.clone(), |_| made.next().flatten().expect("one for each device"));
        let threads = config.threads.map(|threads| threads as usize);
        let devices: Vec<EngineDevice> = config
            .devices
            .into_iter()
            .map(|spec| EngineDevice::new(spec, config.resident_keys, config.single_use))
            .collect();
        let places: Vec<(usize, usize)> = devices
            .iter()
            .enumerate()
            .flat_map(|(device, of)| (0..of.spec().workers as usize).map(move |worker| (device, worker)))
            .collect();
        let shared = Arc::new(Shared::new(devices, scheduler, threads, recording, Instant::now()));
        let mut engine = Self {
            shared,
            interlock,
            scheduling,
            workers: Vec::with_capacity(places.len()),
            clock: None,
            keys: Mutex::default(),
            stopped: false,
        };
        for (device, worker) in places {
            let thread = start_worker(&engine.shared, device, worker).map_err(EngineError::Threads)?;
            engine.workers.push((device, worker, thread));
        }
        engine.clock = Some(start_clock(&engine.shared).map_err(EngineError::Threads)?);
        Ok(engine)
    }

    /// The interlock strategies in use, by name.
    pub fn interlock(&self) -> &str {
        &self.interlock
    }

    /// What its scheduler was made with: one that is made alike decides alike, when it is told the events of the timeline.
    pub fn scheduling(&self) -> &Config {
        &self.scheduling
    }

    /// Submits a job.
    ///
    /// # Errors
    /// [`SubmitError`]: there is no place, or it cannot be proved by anybody.
    pub fn submit<E: ProvingCurve>(&self, job: Job<E>) -> Result<JobHandle<E>, SubmitError> {
        let Job { partitions, priority, deadline, checks, reporter } = job;
        if !(1..=MAX_PARTITIONS).contains(&partitions.len()) {
            return Err(SubmitError::Partitions { found: partitions.len(), most: MAX_PARTITIONS });
        }
        let checks = Arc::new(checks);
        let mut outputs = Vec::with_capacity(partitions.len());
        let mut parts = Vec::with_capacity(partitions.len());
        let mut specs = Vec::with_capacity(partitions.len());
        for (part, spec) in partitions.into_iter().enumerate() {
            let key = self.number(&spec.key);
            let output = Arc::default();
            let work = ProofPart::<E>::new(spec, &checks, &output)
                .map_err(|source| SubmitError::Partition { part, source })?;
            specs.push(work.spec(key));
            let work: Box<dyn Work> = Box::new(work);
            parts.push(PartEntry { work: Some(work), cancel: CancelFlag::default() });
            outputs.push(output);
        }
        let ending = Arc::new(Ending::default());
        let shared = &self.shared;
        let mut state = shared.lock();
        let number = state.next_job;
        state.next_job += 1;
        let deadline =
            deadline.map(|time| shared.now().after(u64::try_from(time.as_micros()).unwrap_or(u64::MAX)));
        let places = vec![None; parts.len()];
        state.jobs.insert(number, JobEntry { parts, ending: Arc::clone(&ending), places, reporter });
        let spec = JobSpec { priority, deadline, parts: specs };
        let later = shared.tell(&mut state, &Event::Submit { job: number, spec });
        let refused = later.rejected.map(|retry_after| {
            let gone = state.jobs.remove(&number);
            (retry_after, gone)
        });
        drop(state);
        later.run(shared);
        if let Some((retry_after, _gone)) = refused {
            return Err(match retry_after {
                Some(after) => SubmitError::Full { retry_after: Duration::from_micros(after) },
                None => SubmitError::Draining,
            });
        }
        let canceller = JobCanceller { shared: Arc::downgrade(shared), job: number };
        Ok(JobHandle { canceller, ending, outputs })
    }

    fn number(&self, key: &Arc<ProvingKey>) -> u64 {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner).number(key)
    }

    /// What has happened so far.
    pub fn counters(&self) -> Counters {
        self.shared.counters()
    }

    /// Bytes that partitions have on a device now, those that hang included.
    pub fn bytes_on(&self, device: usize) -> u64 {
        self.shared.lock().scheduler.bytes_on(device)
    }

    /// Bytes of a device that cannot be known to be free.
    pub fn quarantined_on(&self, device: usize) -> u64 {
        self.shared.lock().scheduler.quarantined_on(device)
    }

    /// Bytes that a device's strategy has granted, later peaks included.
    pub fn reserved_on(&self, device: usize) -> u64 {
        use interlock_strategies::Strategy as _;
        self.shared.lock().scheduler.strategy(device).map_or(0, |strategy| strategy.account().reserved)
    }

    /// Whether a device counts as lost.
    pub fn is_lost(&self, device: usize) -> bool {
        self.shared.lock().scheduler.is_lost(device)
    }

    /// Takes nothing any more, waits until all jobs have ended, and ends.
    pub fn drain(mut self) -> Drained {
        self.shared.tell_now(&Event::Drain);
        self.stop()
    }

    /// Waits for the jobs, and ends the threads.
    fn stop(&mut self) -> Drained {
        self.stopped = true;
        let shared = &self.shared;
        let mut state = shared.lock();
        // Until the last end is told: what is told later would be told to nobody.
        while !state.scheduler.is_idle() || state.untold > 0 {
            state = shared.settled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.stopping = true;
        let hung: Vec<(usize, usize)> = self
            .workers
            .iter()
            .map(|(device, worker, _)| (*device, *worker))
            .filter(|(device, worker)| state.mailboxes[*device][*worker].busy)
            .collect();
        let drained =
            Drained { counters: state.scheduler.counters(), timeline_failure: state.recording.end(), hung };
        drop(state);
        for called in shared.called.iter().flatten() {
            called.notify_all();
        }
        shared.synthesis.notify_all();
        shared.timer.notify_all();
        for (device, worker, thread) in self.workers.drain(..) {
            if !drained.hung.contains(&(device, worker)) {
                // Its panics were caught.
                let _ = thread.join();
            }
        }
        if let Some(clock) = self.clock.take() {
            let _ = clock.join();
        }
        // Threads of syntheses, which nobody waits for, know the devices a moment longer: these are closed now, but for
        // those on which something hangs, where closing may hang too.
        for (index, device) in shared.devices.iter().enumerate() {
            if drained.hung.iter().all(|(hung, _)| *hung != index) {
                device.forget();
            }
        }
        drained
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if self.stopped {
            return;
        }
        self.shared.tell_now(&Event::Drain);
        let jobs: Vec<u64> = self.shared.lock().jobs.keys().copied().collect();
        for job in jobs {
            self.shared.cancel(job);
        }
        self.stop();
    }
}

/// A device's name, and the bytes that partitions may have there.
fn about(spec: &DeviceSpec) -> (String, u64) {
    let probed = spec.plugin.probe().ok();
    let device = probed.and_then(|probe| probe.devices.into_iter().nth(spec.options.index as usize));
    let memory = device.as_ref().map_or(0, |device| device.memory_bytes);
    let name = match &device {
        Some(device) => format!("{}: {}", spec.plugin.name(), device.name),
        None => format!("{}: device {}", spec.plugin.name(), spec.options.index),
    };
    let known = (memory > 0).then_some(memory);
    let budget = spec.budget.or(spec.options.memory_limit).or(known).unwrap_or(UNKNOWN_MEMORY);
    (name, budget)
}
