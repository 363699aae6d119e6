//! The whole way, from a circuit to a verified proof, on every curve.

use std::sync::Arc;
use std::time::Instant;

use anyhow::bail;
use interlock_core::backend::{DeviceOptions, Plugin};
use interlock_core::format::{R1cs, Witness, Zkey};
use interlock_core::groth16::{Blinding, CancelFlag, ProveError, ProveOptions, prove, verify};
use interlock_core::key::ProvingKey;
use interlock_core::loader::{Registry, Selection, Trust};
use interlock_core::setup::{ToxicWaste, export_vk, setup_zkey};
use interlock_core::types::PublicSignals;
use interlock_curves::{Curve, ProvingCurve, with_curve};

use super::Check;
use crate::output::text;

/// The key is thrown away at once, so its secrets need not be secret.
const SEED: [u8; 32] = [7; 32];

pub(super) fn checks(registry: &mut Registry, reference: &Arc<Plugin>, threads: Option<u32>) -> Vec<Check> {
    let backends: Vec<Arc<Plugin>> = match registry.select(&Selection::AUTO, Trust::Manifest) {
        Ok((selected, _)) => selected.into_iter().map(|selected| selected.plugin).collect(),
        Err(error) => return vec![Check::failed("proof", error.to_string())],
    };
    let mut checks = Vec::new();
    for curve in Curve::ALL {
        let start = Instant::now();
        let outcome = with_curve!(curve, E => whole_way::<E>(&backends, reference, threads));
        let name = format!("proof {curve}");
        match outcome {
            Ok(attempts) => {
                let took = text::time(start.elapsed());
                match attempts.split_last() {
                    Some((last, [])) => {
                        checks.push(Check::ok(
                            name,
                            format!("set up, proved on {}, verified: {took}", last.backend),
                        ));
                    }
                    Some((last, failed)) => {
                        let reasons: Vec<_> =
                            failed.iter().filter_map(|attempt| attempt.failure.as_deref()).collect();
                        let detail = format!("proved on {} only after: {}", last.backend, reasons.join("; "));
                        checks.push(Check::warning(name, detail));
                    }
                    None => checks.push(Check::failed(name, "no backend was tried")),
                }
            }
            Err(error) => checks.push(Check::failed(name, error.to_string())),
        }
    }
    checks
}

/// `t = x·y`, `t·t = out + x`, for x = 3 and y = 5.
fn whole_way<E: ProvingCurve>(
    backends: &[Arc<Plugin>],
    reference: &Arc<Plugin>,
    threads: Option<u32>,
) -> anyhow::Result<Vec<interlock_core::groth16::Attempt>> {
    let mut builder = R1cs::builder(E::CURVE, 1, 0, 2);
    let (out, x, y) = (1, 2, 3);
    let t = builder.wire();
    builder.constraint(&[(x, 1)], &[(y, 1)], &[(t, 1)]);
    builder.constraint(&[(t, 1)], &[(t, 1)], &[(out, 1), (x, 1)]);
    let circuit = builder.build()?;
    let witness = Witness::from_scalars::<E>(&[1u64, 222, 3, 5, 15].map(E::ScalarField::from));

    let mut bytes = Vec::new();
    setup_zkey(&circuit, &ToxicWaste::<E>::from_seed(SEED), &mut bytes)?;
    let zkey = Zkey::from_bytes("doctor.zkey", bytes)?;
    let key = Arc::new(ProvingKey::from_zkey(&zkey)?);
    let cancel = CancelFlag::default();
    let options = ProveOptions {
        backends,
        device: DeviceOptions { threads, ..DeviceOptions::default() },
        self_check: true,
        check_against: None,
        reference: Some(reference),
        observer: &(),
        cancel: &cancel,
    };
    let blinding = Blinding::<E>::random().map_err(ProveError::from)?;
    let proved = prove(&key, &witness, &blinding, &options)?;

    // Not only that the true statement verifies, but that a false one does not.
    let vkey = export_vk::<E>(&zkey)?;
    if !verify(&vkey, &proved.signals, &proved.proof)? {
        bail!("the proof does not verify");
    }
    let wrong = PublicSignals::<E>(vec![E::ScalarField::from(223u64)]);
    if verify(&vkey, &wrong, &proved.proof)? {
        bail!("the proof verifies for another public signal, too");
    }
    Ok(proved.attempts)
}
