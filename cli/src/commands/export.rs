//! `interlock export …`.

use std::path::Path;

use interlock_core::export::{calldata as to_calldata, solidity as to_solidity};
use interlock_core::files::{Family, KeyFile, ProofFile, VerifyingKeyFile, write_verifying_key};
use interlock_core::format::detect;
use interlock_core::format::snarkjs_json::{JsonFile, public_from_json};
use interlock_core::types::VerifyingKey;
use interlock_curves::{Bn254, Curve, ProvingCurve, with_curve};
use serde_json::{Value, json};

use super::files::{CALLDATA, EXPORT, Role, explain};
use super::{Context, NO_CONTRIBUTION};
use crate::args::{ExportCalldataArgs, ExportSolidityArgs, ExportVkArgs};
use crate::errors::{CannotWrite, Unfit};
use crate::exit::Exit;
use crate::output::atomic::{Draft, commit};
use crate::output::{clean, json, print, target, text};
use crate::threads;

/// Public signals from which on the contract may be larger than Ethereum deploys (EIP-170), without the optimiser.
const MANY_SIGNALS: usize = 180;

/// Writes the verification key of a proving key.
pub(crate) fn vk(args: &ExportVkArgs, context: &Context) -> anyhow::Result<Exit> {
    threads::bound(Some(1))?;
    let targets = context.targets(&[&args.output], &[&args.key])?;
    let key = KeyFile::open(&args.key).map_err(|error| explain(error, &args.key, Role::Key, EXPORT))?;
    let curve = key.curve();
    let drafts = targets.iter().map(|target| vk_draft(&key, args.to, target)).collect::<Result<_, _>>()?;
    commit(drafts)?;

    let warning = key.warning();
    if let Some(text) = &warning {
        print::warning(&format!("{}: {text}", args.key.display()));
    }
    if args.json {
        let body = json!({
            "curve": curve.name(),
            "snarkjs_curve": curve.snarkjs_name(),
            "public": key.n_public(),
            "key": { "path": args.key.display().to_string(), "format": key.family().name() },
            "output": args.output.display().to_string(),
            "format": args.to.name(),
            "warning": warning,
        });
        print::report(&json::done("export vk", body), WRITTEN)?;
    } else {
        let (out, file) = (args.output.display(), args.key.display());
        let public = text::plural(key.n_public() as u64, "public signal");
        context
            .note(&format!("wrote {out}: the verification key of {file} ({curve}, {public}, {})", args.to));
    }
    Ok(Exit::Ok)
}

const WRITTEN: &str = "the output was written, only its report cannot be printed";

/// The verification key of a proving key, written and read again.
///
/// # Errors
/// The format has no place for it, or it cannot be written.
pub(super) fn vk_draft(key: &KeyFile, to: Family, target: &target::Target) -> anyhow::Result<Draft> {
    let curve = key.curve();
    let mut bytes = Vec::new();
    with_curve!(curve, E => {
        let wanted = key.verifying_key::<E>()?;
        match to {
            Family::Bellman => key.head().write_bellman_vk(curve, &mut bytes)?,
            to => write_verifying_key(&wanted, to, &mut bytes)?,
        }
        let draft = Draft::with_bytes(target, &bytes)?;
        expect_vk(&draft, &wanted)?;
        Ok(draft)
    })
}

/// That a verification key that was written reads as it should. A stream cannot be read again.
///
/// # Errors
/// It does not.
pub(super) fn expect_vk<E: ProvingCurve>(draft: &Draft, wanted: &VerifyingKey<E>) -> anyhow::Result<()> {
    match draft.unfinished_path() {
        Some(path) if VerifyingKeyFile::open(path)?.read::<E>()? != *wanted => Err(differs(draft).into()),
        _ => Ok(()),
    }
}

/// What was written reads as something else.
pub(super) fn differs(draft: &Draft) -> CannotWrite {
    let source = std::io::Error::other("what was written reads back differently; nothing was kept");
    CannotWrite { path: draft.target().to_owned(), source }
}

/// Writes a contract.
pub(crate) fn solidity(args: &ExportSolidityArgs, context: &Context) -> anyhow::Result<Exit> {
    threads::bound(Some(1))?;
    let targets = context.targets(&[&args.output], &[&args.key])?;
    let (key, warning) = bn254_key(&args.key)?;
    let mut source = to_solidity(&key, &args.contract)?;
    if let Some(text) = &warning {
        print::warning(&format!("{}: {text}", args.key.display()));
        // Whoever reads the contract should know, too. Its first line is the licence's.
        source = source.replacen('\n', &format!("\n// WARNING: {}\n", clean::value(text)), 1);
    }
    let public = key.n_public();
    if public > MANY_SIGNALS {
        print::warning(&format!(
            "a contract for {} may be larger than the 24,576 bytes that Ethereum deploys; it can be made smaller by \
             hashing the signals in the circuit",
            text::plural(public as u64, "public signal")
        ));
    }
    let drafts =
        targets.iter().map(|target| Draft::with_text(target, &source)).collect::<Result<Vec<_>, _>>()?;
    commit(drafts)?;
    if args.json {
        let body = json!({
            "curve": Curve::Bn254.name(),
            "snarkjs_curve": Curve::Bn254.snarkjs_name(),
            "public": public,
            "key": args.key.display().to_string(),
            "output": args.output.display().to_string(),
            "contract": args.contract,
            "warning": warning,
        });
        print::report(&json::done("export solidity", body), WRITTEN)?;
    } else {
        let (out, public) = (args.output.display(), text::plural(public as u64, "public signal"));
        context.note(&format!("wrote {out}: contract {} ({public})", args.contract));
    }
    Ok(Exit::Ok)
}

/// The verification key that is in a key of either kind, and what its users should know of it.
fn bn254_key(path: &Path) -> anyhow::Result<(VerifyingKey<Bn254>, Option<String>)> {
    let wrong = |curve| {
        let what = format!("{} is for {curve}, a contract needs a key for bn254", path.display());
        Unfit { what, hint: ETHEREUM }
    };
    if Role::of(&detect(path)?) == Some(Role::Key) {
        let key = KeyFile::open(path)?;
        return match key.curve() {
            Curve::Bn254 => Ok((key.verifying_key::<Bn254>()?, key.warning())),
            curve => Err(wrong(curve).into()),
        };
    }
    let of_key = |error| explain(error, path, Role::VerificationKey, EXPORT);
    let key = VerifyingKeyFile::open(path).map_err(of_key)?;
    if key.curve() != Curve::Bn254 {
        return Err(wrong(key.curve()).into());
    }
    let key = key.read::<Bn254>().map_err(of_key)?;
    let warning = (key.gamma_g2 == key.delta_g2).then(|| NO_CONTRIBUTION.to_owned());
    Ok((key, warning))
}

const ETHEREUM: Option<&str> =
    Some("Ethereum's precompiled pairing is that of bn254: compile the circuit for it, and make a key anew");

/// Prints or writes the arguments of the contract's call.
pub(crate) fn calldata(args: &ExportCalldataArgs, context: &Context) -> anyhow::Result<Exit> {
    let outputs: Vec<&Path> = args.out.as_deref().into_iter().collect();
    let targets = context.targets(&outputs, &[&args.proof, &args.public])?;
    let of_proof = |error| explain(error, &args.proof, Role::Proof, CALLDATA);
    let of_public = |error| explain(error, &args.public, Role::Public, CALLDATA);
    let proof = ProofFile::open(&args.proof).map_err(of_proof)?;
    let proof = proof.read::<Bn254>().map_err(|error| match proof.curves().as_slice() {
        [curve] if *curve != Curve::Bn254 => {
            let what = format!("{} is for {curve}, a contract takes proofs on bn254", args.proof.display());
            Unfit { what, hint: ETHEREUM }.into()
        }
        _ => of_proof(error),
    })?;
    let public = JsonFile::open(&args.public).map_err(of_public)?;
    let public = public_from_json::<Bn254>(&public).map_err(of_public)?;
    let text = to_calldata(&proof, &public);
    let line = format!("{text}\n");
    let drafts =
        targets.iter().map(|target| Draft::with_text(target, &line)).collect::<Result<Vec<_>, _>>()?;
    commit(drafts)?;
    if args.json {
        // The text is a JSON list but for its brackets.
        let value: Value = serde_json::from_str(&format!("[{text}]")).unwrap_or(Value::Null);
        let body = json!({
            "public": public.0.len(),
            "calldata": value,
            "output": args.out.as_ref().map(|path| path.display().to_string()),
        });
        print::data(&json::done("export calldata", body))?;
    } else if let Some(out) = &args.out {
        context.note(&format!("wrote {}: calldata", out.display()));
    } else {
        print::data(&text)?;
    }
    Ok(Exit::Ok)
}
