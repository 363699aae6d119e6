//! The engine under real threads, on a backend that misbehaves as a script says.
//!
//! Whatever befalls a job, it ends exactly once, with the proof that the CPU backend makes or with a typed error; nothing of
//! it is left on the device, and the next job succeeds.

mod blocked;
mod calls;
mod cancelling;
mod hangs;
mod made;
mod panics;
mod phases;
mod plain;
mod priorities;
mod progress;
mod queue;
mod refusals;
mod replaying;
mod self_checks;
mod small_memory;
mod strategies;

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use interlock_core::backend::{DeviceOptions, Plugin};
use interlock_core::engine::{
    Checks, DeviceSpec, Engine, EngineConfig, Job, JobError, JobHandle, PartitionSpec, Timeline,
};
use interlock_core::format::{Witness, Zkey};
use interlock_core::groth16::{Blinding, Footprint, Proved, Prover, verify};
use interlock_core::key::ProvingKey;
use interlock_core::setup::{ToxicWaste, setup_zkey};
use interlock_core::types::{Proof, VerifyingKey};
use interlock_curves::{Bn254, ProvingCurve};
use interlock_dummy::{Bench, Script};
use interlock_tests::circuits::edge_cases;
use interlock_tests::linked;

/// Longer than anything here takes; a test that waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a phase may go on after it was told to end.
const GRACE: Duration = Duration::from_millis(100);

/// The stock strategies, and the dummy's own.
const STRATEGIES: [&str; 6] = ["ledger", "prestage", "narrow", "whole", "two-lock", "solo"];

/// A circuit with a witness, and what the CPU backend proves of it with [`blinding`].
struct Sample<E: ProvingCurve> {
    key: Arc<ProvingKey>,
    witness: Arc<Witness>,
    vk: VerifyingKey<E>,
    proof: Proof<E>,
}

fn blinding<E: ProvingCurve>() -> Blinding<E> {
    Blinding::from_seed(&[5; 32])
}

impl<E: ProvingCurve> Sample<E> {
    /// One of the edge cases.
    fn of(name: &str) -> Self {
        let sample = edge_cases::<E>().into_iter().find(|sample| sample.name == name).unwrap();
        let mut key = Vec::new();
        setup_zkey::<E>(&sample.r1cs, &ToxicWaste::from_seed([7; 32]), &mut key).unwrap();
        let key = Arc::new(ProvingKey::from_zkey(&Zkey::from_bytes("circuit.zkey", key).unwrap()).unwrap());
        let prover = Prover::<E>::new(&linked(), Arc::clone(&key)).unwrap();
        let proof = prover.prove_blinded(&sample.witness, &blinding()).unwrap().proof;
        let vk = key.verifying_key::<E>().unwrap();
        Self { key, witness: Arc::new(sample.witness), vk, proof }
    }

    fn partition(&self) -> PartitionSpec<E> {
        PartitionSpec::new(&self.key, Arc::clone(&self.witness)).with_blinding(blinding())
    }

    fn job(&self, partitions: usize) -> Job<E> {
        let checks = Checks { reference: Some(linked()), ..Checks::default() };
        Job::new((0..partitions).map(|_| self.partition()).collect()).with_checks(checks)
    }

    fn assert_proved(&self, proved: &[Proved<E>], partitions: usize, why: &str) {
        assert_eq!(proved.len(), partitions, "{why}");
        for proved in proved {
            assert_eq!(proved.proof, self.proof, "{why}");
            assert!(verify(&self.vk, &proved.signals, &proved.proof).unwrap(), "{why}");
        }
    }

    fn footprint(&self) -> Footprint {
        Footprint::of(&self.key)
    }
}

/// The cheapest proof there is.
fn small() -> &'static Sample<Bn254> {
    static SMALL: LazyLock<Sample<Bn254>> = LazyLock::new(|| Sample::of("one constraint"));
    &SMALL
}

fn device(plugin: &Arc<Plugin>, index: u32) -> DeviceSpec {
    DeviceSpec::new(plugin, DeviceOptions { index, memory_limit: None, threads: Some(1) })
}

/// All devices of a bench, with one worker each.
fn config(bench: &Bench) -> EngineConfig {
    let plugin = Plugin::linked(bench.api()).unwrap();
    let devices = (0..bench.scripts().len()).map(|index| device(&plugin, index as u32)).collect();
    EngineConfig { grace: GRACE, threads: Some(2), ..EngineConfig::new(devices) }
}

/// The same with the CPU backend for what those devices cannot prove.
fn config_with_cpu(bench: &Bench) -> EngineConfig {
    let mut config = config(bench);
    config.devices.push(device(&linked(), 0).with_tier(1));
    config
}

fn engine(config: EngineConfig) -> Engine {
    Engine::new(config, Timeline::off()).unwrap()
}

fn with_strategy(config: EngineConfig, name: &str) -> EngineConfig {
    EngineConfig { interlock: Some(name.to_owned()), ..config }
}

/// How a job ends; one that does not is a failure of the test, not its end.
fn ends<E: ProvingCurve>(handle: JobHandle<E>, why: &str) -> Result<Vec<Proved<E>>, JobError> {
    let begin = Instant::now();
    while !handle.is_done() {
        assert!(begin.elapsed() < PATIENCE, "a job does not end: {why}");
        std::thread::sleep(Duration::from_micros(200));
    }
    handle.wait()
}

/// Nothing but keys and idle lanes is on a device of an engine without jobs.
fn assert_nothing_left(engine: &Engine, index: usize, script: &Script, why: &str) {
    assert_eq!(engine.bytes_on(index), 0, "{why}");
    assert_eq!(engine.reserved_on(index), 0, "{why}");
    assert_eq!(engine.quarantined_on(index), 0, "{why}");
    assert_eq!(script.live_bytes(), 0, "{why}");
    assert_eq!(script.live_objects().scalars, 0, "{why}");
}

/// Another job is proved.
fn assert_next_succeeds(engine: &Engine, why: &str) -> Proved<Bn254> {
    let handle = engine.submit(small().job(1)).unwrap();
    let mut proved = ends(handle, why).unwrap_or_else(|error| panic!("the next job: {error}: {why}"));
    small().assert_proved(&proved, 1, why);
    proved.remove(0)
}
