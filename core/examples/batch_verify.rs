//! Many proofs under one key, verified together: `cargo run -p interlock-core --example batch_verify`.

use std::error::Error;
use std::path::Path;

use interlock_core::backend::Plugin;
use interlock_core::format::snarkjs_json::{
    JsonFile, proof_from_json, public_from_json, verifying_key_from_json,
};
use interlock_core::format::{Witness, Zkey};
use interlock_core::groth16::{Prover, verify_batch};
use interlock_core::key::ProvingKey;
use interlock_curves::Bn254;

/// How many proofs of our own.
const OURS: usize = 7;
/// The place of the bad one.
const BAD: usize = 5;

#[allow(clippy::print_stdout, reason = "an example shows what it found")]
pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let (good, spoilt) = run()?;
    println!("bad proofs of {}: {good:?}", OURS + 1);
    println!("bad proofs after one was spoilt: {spoilt:?}");
    Ok(())
}

/// The bad proofs of a good batch, and of the same batch with a bad one.
pub(crate) fn run() -> Result<(Vec<usize>, Vec<usize>), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/bn254/membership");
    let json = |name: &str| JsonFile::open(folder.join(name));
    let key = verifying_key_from_json::<Bn254>(&json("verification_key.json")?)?;

    // One proof of snarkjs's, from its files, and some of our own.
    let theirs = (public_from_json(&json("public.json")?)?, proof_from_json(&json("proof.json")?)?);
    let mut batch = vec![theirs];
    let backend = Plugin::linked(interlock_cpu::interlock_api())?;
    let prover =
        Prover::<Bn254>::new(&backend, ProvingKey::from_zkey(&Zkey::open(folder.join("circuit.zkey"))?)?)?;
    let witness = Witness::open(folder.join("witness.wtns"))?;
    for _ in 0..OURS {
        let proved = prover.prove(&witness)?;
        batch.push((proved.signals, proved.proof));
    }
    let threads = 2;
    let good = verify_batch(&key, &batch, threads)?;
    // Proofs are not interchangeable, not even of the same statement.
    batch[BAD].1.c = batch[0].1.c;
    let spoilt = verify_batch(&key, &batch, threads)?;
    Ok((good, spoilt))
}
