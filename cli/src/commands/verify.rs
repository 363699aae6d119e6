//! `interlock verify`.

use std::time::Instant;

use interlock_core::format::snarkjs_json::{
    JsonFile, proof_from_json, public_from_json, verifying_key_from_json,
};
use interlock_core::groth16::verify;
use interlock_curves::{ProvingCurve, with_curve};
use serde_json::json;

use super::Context;
use crate::args::VerifyArgs;
use crate::errors::Failure;
use crate::exit::Exit;
use crate::output::{json, print, text};
use crate::threads;

/// Verifies.
pub(crate) fn run(args: &VerifyArgs, context: &Context) -> anyhow::Result<Exit> {
    let start = Instant::now();
    threads::bound(context.config.threads(&args.threads))?;
    let key = JsonFile::open(&args.key)?;
    let public = JsonFile::open(&args.public)?;
    let proof = JsonFile::open(&args.proof)?;
    let curve = key.curve()?;
    let (valid, signals) = with_curve!(curve, E => check::<E>(&key, &public, &proof)?);

    let exit = if valid { Exit::Ok } else { Exit::Invalid };
    if !args.json {
        print::data(if valid { "OK" } else { "INVALID" })?;
        return Ok(exit);
    }
    let body = json!({
        "valid": valid,
        "curve": curve.name(),
        "signals": signals,
        "total_ms": text::ms(start.elapsed()),
    });
    print::data(&if valid {
        json::done("verify", body)
    } else {
        let failure = Failure {
            exit,
            message: "the proof does not verify".into(),
            hint: Some("proof, public signals and key must come from the same key and run of the prover"),
        };
        json::failed_with("verify", &failure, body)
    })?;
    Ok(exit)
}

fn check<E: ProvingCurve>(
    key: &JsonFile,
    public: &JsonFile,
    proof: &JsonFile,
) -> anyhow::Result<(bool, usize)> {
    let key = verifying_key_from_json::<E>(key)?;
    let signals = public_from_json::<E>(public)?;
    let proof = proof_from_json::<E>(proof)?;
    Ok((verify(&key, &signals, &proof)?, signals.0.len()))
}
