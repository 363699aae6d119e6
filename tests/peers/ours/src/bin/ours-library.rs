//! Proofs by our library, in one process, by the CPU backend that is loaded from its library through the ABI.
//!
//! `--key F.zkey --wtns F --plugin libinterlock_cpu.so --threads N`. A proof's time is that of the whole call, the device's
//! opening, the key's loading on the device and the pairing check of the result included.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use interlock_core::backend::{DeviceOptions, Plugin};
use interlock_core::format::{Witness, Zkey};
use interlock_core::groth16::{Blinding, CancelFlag, ProveOptions, Proved, prove, verify};
use interlock_core::key::ProvingKey;
use interlock_core::loader::{Trust, load};
use interlock_core::types::VerifyingKey;
use interlock_curves::{ProvingCurve, with_curve};
use peers_common::{Args, Meter};
use serde_json::{Map, json};

fn main() -> Result<()> {
    let args = Args::from_env()?;
    let meter = Meter::new(&args)?;
    let (plugin, key, witness) = meter.measure("load", || {
        let plugin = load(Path::new(args.get("plugin")?), Trust::Unsigned)?;
        let key = ProvingKey::from_zkey(&Zkey::open(args.get("key")?)?)?;
        Ok((plugin, Arc::new(key), Witness::open(args.get("wtns")?)?))
    })?;
    with_curve!(key.curve, E => run::<E>(&meter, &plugin, &key, &witness))
}

fn run<E: ProvingCurve>(
    meter: &Meter,
    plugin: &Arc<Plugin>,
    key: &Arc<ProvingKey>,
    witness: &Witness,
) -> Result<()> {
    let verifier = key.verifying_key::<E>()?;
    let cancel = CancelFlag::default();
    let options = ProveOptions {
        backends: std::slice::from_ref(plugin),
        device: DeviceOptions { threads: Some(meter.threads()), ..DeviceOptions::default() },
        self_check: true,
        check_against: None,
        reference: None,
        observer: &(),
        cancel: &cancel,
    };
    meter.work(|| {
        let start = Instant::now();
        let proved = prove::<E>(key, witness, &Blinding::random()?, &options)?;
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
