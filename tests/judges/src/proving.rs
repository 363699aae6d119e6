//! Our proofs, as bytes that others read, and our verifier's word on bytes that others wrote.

use std::sync::{Arc, LazyLock};

use interlock_core::backend::{DeviceOptions, Plugin};
use interlock_core::format::bellman::{read_proof, write_proof};
use interlock_core::format::{MappedFile, Witness};
use interlock_core::groth16::{Blinding, CancelFlag, ProveOptions, prove, verify};
use interlock_core::key::ProvingKey;
use interlock_core::types::{PublicSignals, VerifyingKey};
use interlock_curves::{Bls12_381, ProvingCurve};

/// r and s for proofs that are compared byte by byte, canonical little-endian.
pub const FACTORS: [[u8; 32]; 2] = [factor(0x5a, 0x13), factor(0xc3, 0x2f)];

/// The highest byte keeps it below the modulus.
const fn factor(filling: u8, highest: u8) -> [u8; 32] {
    let mut bytes = [filling; 32];
    bytes[31] = highest;
    bytes
}

/// Proves on the CPU backend with [`FACTORS`], and gives the proof's 192 bytes.
///
/// # Panics
/// Anything fails, the self-check included.
pub fn reproducible(key: &Arc<ProvingKey>, witness: &Witness) -> Vec<u8> {
    let [r, s] = FACTORS.map(|factor| Bls12_381::scalar_from_canonical(&factor).expect("below the modulus"));
    bytes(key, witness, &Blinding::from_scalars(r, s))
}

/// As [`reproducible`], with factors from the operating system.
///
/// # Panics
/// As `reproducible`.
pub fn random(key: &Arc<ProvingKey>, witness: &Witness) -> Vec<u8> {
    bytes(key, witness, &Blinding::random().expect("the system has randomness"))
}

fn bytes(key: &Arc<ProvingKey>, witness: &Witness, blinding: &Blinding<Bls12_381>) -> Vec<u8> {
    static BACKEND: LazyLock<Arc<Plugin>> = LazyLock::new(|| {
        Plugin::linked(interlock_cpu::interlock_api()).expect("the linked backend's table is acceptable")
    });
    let options = ProveOptions {
        backends: &[Arc::clone(&BACKEND)],
        device: DeviceOptions { threads: Some(2), ..DeviceOptions::default() },
        self_check: true,
        check_against: None,
        reference: None,
        observer: &(),
        cancel: &CancelFlag::default(),
    };
    let proved = prove(key, witness, blinding, &options).expect("the proof is made");
    let mut bytes = Vec::new();
    write_proof(&proved.proof, &mut bytes).expect("memory does not fail");
    bytes
}

/// The public signals of a witness, without the constant one: canonical little-endian.
///
/// # Panics
/// The witness is shorter than that.
pub fn signals(key: &ProvingKey, witness: &Witness) -> Vec<[u8; 32]> {
    (1..=key.n_public).map(|index| *witness.value(index).expect("witness and key agree")).collect()
}

/// Whether our verifier accepts a proof's bytes.
///
/// # Panics
/// They are no proof, or a signal is not reduced.
pub fn accepts(key: &VerifyingKey<Bls12_381>, signals: &[[u8; 32]], proof: &[u8]) -> bool {
    let file = MappedFile::from_bytes("proof", proof.to_vec()).expect("not empty");
    let proof = read_proof(&file).expect("a proof");
    let scalar = |signal| Bls12_381::scalar_from_canonical(signal).expect("a reduced signal");
    let signals = PublicSignals(signals.iter().map(scalar).collect());
    verify(key, &signals, &proof).expect("as many signals as the key has")
}
