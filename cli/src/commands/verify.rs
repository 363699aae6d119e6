//! `interlock verify`.

use std::time::Instant;

use interlock_core::format::FormatError;
use interlock_core::format::snarkjs_json::{
    JsonFile, proof_from_json, public_from_json, verifying_key_from_json,
};
use interlock_core::groth16::verify;
use interlock_curves::{ProvingCurve, with_curve};
use serde_json::json;

use super::files::{Role, VERIFY, explain};
use super::{Context, NO_CONTRIBUTION};
use crate::args::VerifyArgs;
use crate::errors::{Failure, SignalCount};
use crate::exit::Exit;
use crate::interrupt;
use crate::output::{json, print, text};
use crate::threads;

/// Verifies.
pub(crate) fn run(args: &VerifyArgs, context: &Context) -> anyhow::Result<Exit> {
    let start = Instant::now();
    if let Some(limit) = args.timeout {
        interrupt::after(limit)?;
    }
    threads::bound(context.config.threads(&args.threads))?;
    let key = JsonFile::open(&args.key).map_err(of_key(args))?;
    // rapidsnark's proofs do not name their curve, and public signals never do.
    let curve = key.curve().map_err(of_key(args))?;
    let Checked { valid, signals, insecure } = with_curve!(curve, E => check::<E>(args, &key)?);
    let warning = insecure.then_some(NO_CONTRIBUTION);
    if let Some(text) = warning {
        print::warning(&format!("{}: {text}", args.key.display()));
    }

    let exit = if valid { Exit::Ok } else { Exit::Invalid };
    if !args.json {
        print::data(if valid { "OK" } else { "INVALID" })?;
        return Ok(exit);
    }
    let body = json!({
        "valid": valid,
        "curve": curve.name(),
        "snarkjs_curve": curve.snarkjs_name(),
        "signals": signals,
        "warning": warning,
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

/// What came out.
struct Checked {
    valid: bool,
    signals: u64,
    /// γ = δ: what every key of a ceremony has before its first contribution.
    insecure: bool,
}

fn of_key(args: &VerifyArgs) -> impl Fn(FormatError) -> anyhow::Error {
    |error| explain(error, &args.key, Role::VerificationKey, VERIFY)
}

fn check<E: ProvingCurve>(args: &VerifyArgs, key: &JsonFile) -> anyhow::Result<Checked> {
    let of_public = |error| explain(error, &args.public, Role::Public, VERIFY);
    let of_proof = |error| explain(error, &args.proof, Role::Proof, VERIFY);
    let key = verifying_key_from_json::<E>(key).map_err(of_key(args))?;
    let public = JsonFile::open(&args.public).map_err(of_public)?;
    let public = public_from_json::<E>(&public).map_err(of_public)?;
    let proof = JsonFile::open(&args.proof).map_err(of_proof)?;
    let proof = proof_from_json::<E>(&proof).map_err(of_proof)?;
    let (given, wanted) = (public.0.len() as u64, key.n_public() as u64);
    if given != wanted {
        let (public, key) = (args.public.clone(), args.key.clone());
        return Err(SignalCount { public, given, key, wanted }.into());
    }
    let valid = verify(&key, &public, &proof)?;
    Ok(Checked { valid, signals: given, insecure: key.gamma_g2 == key.delta_g2 })
}
