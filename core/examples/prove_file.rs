//! A snarkjs key and a witness become a proof: `cargo run -p interlock-core --example prove_file [KEY.zkey WITNESS.wtns]`.
//!
//! Without arguments it proves one of the repository's fixtures.

use std::error::Error;
use std::path::{Path, PathBuf};

use interlock_core::backend::Plugin;
use interlock_core::format::snarkjs_json::{proof_to_json, public_to_json};
use interlock_core::format::{Witness, Zkey};
use interlock_core::groth16::Prover;
use interlock_core::key::ProvingKey;
use interlock_curves::{ProvingCurve, with_curve};

#[allow(clippy::print_stdout, reason = "an example shows what it made")]
pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/bls12-381/membership");
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let key = arguments.next().unwrap_or_else(|| fixture.join("circuit.zkey"));
    let witness = arguments.next().unwrap_or_else(|| fixture.join("witness.wtns"));
    let (proof, public) = run(&key, &witness)?;
    println!("proof.json:\n{proof}\npublic.json:\n{public}");
    Ok(())
}

/// The contents of `proof.json` and `public.json`.
pub(crate) fn run(key: &Path, witness: &Path) -> Result<(String, String), Box<dyn Error>> {
    // Mapped and checked, not copied; the file names its curve.
    let zkey = Zkey::open(key)?;
    let witness = Witness::open(witness)?;
    with_curve!(zkey.curve(), E => prove::<E>(&zkey, &witness))
}

fn prove<E: ProvingCurve>(zkey: &Zkey, witness: &Witness) -> Result<(String, String), Box<dyn Error>> {
    let key = ProvingKey::from_zkey(zkey)?;
    // A program links a backend, as here, or loads one from a file (`interlock_core::loader`).
    let backend = Plugin::linked(interlock_cpu::interlock_api())?;
    let prover = Prover::<E>::new(&backend, key)?;
    let proved = prover.prove(witness)?;
    // It was verified before it was returned; this is how a verifier would do it.
    if !prover.verify(&proved.signals, &proved.proof)? {
        return Err("the proof does not verify".into());
    }
    Ok((proof_to_json(&proved.proof), public_to_json(&proved.signals)))
}
