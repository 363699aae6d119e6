//! Whole proofs, of circuits that follow from a seed.

use std::path::Path;
use std::sync::Arc;

use interlock_core::backend::Device;
use interlock_core::files::KeyFile;
use interlock_core::format::Witness;
use interlock_core::groth16::{Blinding, ProveError, ResidentKey};
use interlock_core::key::ProvingKey;
use interlock_core::types::Proof;
use interlock_curves::ProvingCurve;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

use super::answer::Answer;
use super::hex::Hex;
use super::operations::refusal;
use crate::outcome::Stop;
use crate::reference::Fr;
use crate::reference::circuits::{Circuit, booleans, squarings};
use crate::reference::proof::Trapdoor;
use crate::reference::scalars::scalar;

/// Proves on a device with fixed blinding, and records every operation.
pub(super) fn run<E: ProvingCurve>(
    device: &Device,
    constraints: u32,
    coefficients: bool,
    seed: u64,
) -> Answer {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let (circuit, key) = match inputs::<E>(constraints, coefficients, &mut rng) {
        Ok(inputs) => inputs,
        Err(Stop::Failed(failure)) => return bad_case(&format!("{}: {}", failure.input, failure.got)),
        Err(Stop::NotOffered(what)) => return bad_case(what),
    };
    let blinding = Blinding::<E>::from_scalars(scalar::<Fr<E>>(&mut rng), scalar::<Fr<E>>(&mut rng));
    prove(device, key, &circuit.witness(), &blinding)
}

/// The same of a key and a witness in files.
pub(super) fn run_files<E: ProvingCurve>(device: &Device, key: &Path, witness: &Path) -> Answer {
    let read = || -> Result<(ProvingKey, Witness), Box<dyn std::error::Error>> {
        Ok((KeyFile::open(key)?.proving_key(None)?, Witness::open(witness)?))
    };
    match read() {
        Ok((key, _)) if key.curve != E::CURVE => bad_case(&format!("the key is one of {}", key.curve)),
        // The same for both backends, and known to everybody: this proof is compared and thrown away.
        Ok((key, witness)) => prove(device, key, &witness, &Blinding::<E>::from_seed(&[0x56; 32])),
        Err(error) => bad_case(&error.to_string()),
    }
}

fn prove<E: ProvingCurve>(
    device: &Device,
    key: ProvingKey,
    witness: &Witness,
    blinding: &Blinding<E>,
) -> Answer {
    let resident = match ResidentKey::load(device, &Arc::new(key)) {
        Ok(resident) => resident,
        Err(error) => return refusal(&error),
    };
    match resident.traced::<E>(witness, blinding) {
        Ok((proof, trace)) => {
            let steps = trace.into_results();
            let steps = steps.into_iter().map(|(name, digest)| (name.to_owned(), Hex(digest.to_vec())));
            Answer::Result { bytes: Hex(points(&proof)), steps: steps.collect() }
        }
        Err(ProveError::Backend(error)) => refusal(&error),
        Err(error) => Answer::Error { kind: "Prove".into(), message: error.to_string() },
    }
}

/// A circuit and its key: squarings of full-size values for even numbers of rows, bits for odd ones.
fn inputs<E: ProvingCurve>(
    constraints: u32,
    coefficients: bool,
    rng: &mut ChaCha20Rng,
) -> Result<(Circuit<E>, ProvingKey), Stop> {
    let trapdoor = Trapdoor::<E>::random(rng);
    let circuit = match constraints % 2 {
        0 => squarings::<E>(constraints, rng)?,
        _ => booleans::<E>(constraints, rng)?,
    };
    let key = trapdoor.key(&circuit.r1cs)?;
    let key = if coefficients { trapdoor.with_coefficients(key)? } else { key };
    Ok((circuit, key))
}

/// A proof's points, affine, as on the wire.
fn points<E: ProvingCurve>(proof: &Proof<E>) -> Vec<u8> {
    let (small, large) = (E::CURVE.g1_bytes(), E::CURVE.g2_bytes());
    let mut bytes = vec![0; 2 * small + large];
    let (a, rest) = bytes.split_at_mut(small);
    let (b, c) = rest.split_at_mut(large);
    E::write_g1(&proof.a, a);
    E::write_g2(&proof.b, b);
    E::write_g1(&proof.c, c);
    bytes
}

fn bad_case(problem: &str) -> Answer {
    Answer::Error { kind: "BadCase".into(), message: problem.to_owned() }
}
