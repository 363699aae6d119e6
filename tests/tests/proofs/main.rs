//! Whole proofs through the library: edge circuits, fixtures, both quotient conventions, and faulty backends.

mod coefficients;
mod edge;
mod faulty;
mod fixtures;
mod hostile_keys;

use std::path::Path;
use std::sync::Arc;

use interlock_core::backend::{DeviceOptions, Plugin};
use interlock_core::format::snarkjs_json::{proof_to_json, public_to_json, verifying_key_to_json};
use interlock_core::format::{Witness, Zkey};
use interlock_core::groth16::{Blinding, CancelFlag, ProveError, ProveOptions, Proved, prove};
use interlock_core::key::ProvingKey;
use interlock_core::types::VerifyingKey;
use interlock_curves::ProvingCurve;

/// Proves with two threads and the linked backend as the reference.
fn prove_on<E: ProvingCurve>(
    backends: &[Arc<Plugin>],
    key: &Arc<ProvingKey>,
    witness: &Witness,
    blinding: &Blinding<E>,
    check_against: Option<&Arc<Plugin>>,
) -> Result<Proved<E>, ProveError> {
    let reference = interlock_tests::linked();
    let options = ProveOptions {
        backends,
        device: DeviceOptions { threads: Some(2), ..DeviceOptions::default() },
        self_check: true,
        check_against,
        reference: Some(&reference),
        observer: &(),
        cancel: &CancelFlag::default(),
    };
    prove(key, witness, blinding, &options)
}

fn open(folder: &Path) -> (Arc<ProvingKey>, Witness) {
    let zkey = Zkey::open(folder.join("circuit.zkey")).unwrap();
    let key = ProvingKey::from_zkey(&zkey).unwrap();
    (Arc::new(key), Witness::open(folder.join("witness.wtns")).unwrap())
}

/// Writes proof, public signals and verifying key as snarkjs reads them.
fn write<E: ProvingCurve>(folder: &Path, proved: &Proved<E>, key: &VerifyingKey<E>) {
    std::fs::write(folder.join("our_proof.json"), proof_to_json(&proved.proof)).unwrap();
    std::fs::write(folder.join("our_public.json"), public_to_json(&proved.signals)).unwrap();
    std::fs::write(folder.join("our_vk.json"), verifying_key_to_json(key)).unwrap();
}
