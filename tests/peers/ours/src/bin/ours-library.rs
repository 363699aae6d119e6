//! Proofs by our library, in one process, by the CPU backend that is loaded from its library through the ABI.
//!
//! `--key F.zkey --wtns F --plugin libinterlock_cpu.so --threads N`. The key is with the device before. A proof's time is
//! that of the whole call, the pairing check of the result included.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use interlock_core::backend::DeviceOptions;
use interlock_core::format::{Witness, Zkey};
use interlock_core::groth16::{Proved, Prover, verify};
use interlock_core::key::ProvingKey;
use interlock_core::loader::{Trust, load};
use interlock_core::types::VerifyingKey;
use interlock_curves::{ProvingCurve, with_curve};
use peers_common::{Args, Meter};
use serde_json::{Map, json};

fn main() -> Result<()> {
    let args = Args::from_env()?;
    let meter = Meter::new(&args)?;
    let key = Zkey::open(args.get("key")?)?;
    with_curve!(key.curve(), E => run::<E>(&args, &meter, &key))
}

fn run<E: ProvingCurve>(args: &Args, meter: &Meter, key: &Zkey) -> Result<()> {
    let (verifier, prover, witness) = meter.measure("load", || {
        let plugin = load(Path::new(args.get("plugin")?), Trust::Unsigned)?;
        let device = DeviceOptions { threads: Some(meter.threads()), ..DeviceOptions::default() };
        let key = ProvingKey::from_zkey(key)?;
        let verifier = key.verifying_key::<E>()?;
        Ok((verifier, Prover::<E>::with_device(&plugin, key, device)?, Witness::open(args.get("wtns")?)?))
    })?;
    meter.work(|| {
        let start = Instant::now();
        let proved = prover.prove(&witness)?;
        let time = start.elapsed();
        check(&proved, &verifier)?;
        let phases: Map<_, _> = proved
            .timings
            .iter()
            .map(|timing| (timing.phase.name().to_owned(), timing.time.as_secs_f64().into()))
            .collect();
        meter.tell("prove", time, json!({ "phases": phases }))
    })
}

/// Once more, outside the time: what was measured is a proof, and was checked.
fn check<E: ProvingCurve>(proved: &Proved<E>, key: &VerifyingKey<E>) -> Result<()> {
    ensure!(proved.self_checked && proved.composed.is_empty(), "not what was to be measured");
    ensure!(proved.attempts.len() == 1 && proved.attempts[0].failed_self_checks == 0, "not at the first try");
    let valid = verify(key, &proved.signals, &proved.proof).context("signals")?;
    ensure!(valid, "the proof does not verify");
    Ok(())
}
