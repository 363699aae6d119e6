//! `interlock verify`.

mod list;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use interlock_core::files::{ProofFile, VerifyingKeyFile};
use interlock_core::format::FormatError;
use interlock_core::format::snarkjs_json::{JsonFile, public_from_json};
use interlock_core::groth16::{verify, verify_batch};
use interlock_core::types::{Proof, PublicSignals, VerifyingKey};
use interlock_curves::{Curve, ProvingCurve, with_curve};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::files::{Role, VERIFY, explain};
use super::{Context, NO_CONTRIBUTION};
use crate::args::VerifyArgs;
use crate::errors::{Failure, SignalCount, Usage};
use crate::exit::Exit;
use crate::interrupt;
use crate::output::{clean, json, print, text};
use crate::threads;

/// Public signals of a group of proofs that is read and verified at once: 32 MiB.
const GROUP_SIGNALS: usize = 1 << 20;

/// Proofs of such a group; more make the next proof hardly cheaper.
const GROUP_PROOFS: usize = 4096;

/// A proof and its public signals.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pair {
    public: PathBuf,
    proof: PathBuf,
    /// The line of the list that named them, from 1.
    line: Option<usize>,
}

/// Verifies.
pub(crate) fn run(args: &VerifyArgs, context: &Context) -> anyhow::Result<Exit> {
    let start = Instant::now();
    if let Some(limit) = args.timeout {
        interrupt::after(limit)?;
    }
    let pairs = match &args.batch {
        Some(path) => list::read(path)?,
        None => given(&args.files)?,
    };
    // A list is answered as a list, however short it is.
    let single = match pairs.as_slice() {
        [pair] if args.batch.is_none() => Some(pair),
        _ => None,
    };
    let threads = context.config.threads(&args.threads);
    // Batches have pools of their own, one after another.
    threads::bound(if single.is_some() { threads } else { Some(1) })?;
    let file = VerifyingKeyFile::open(&args.key).map_err(of_key(args))?;
    // Public signals never name their curve, and not all proofs do.
    let curve = file.curve();
    let checked = with_curve!(curve, E => {
        let key = file.read::<E>().map_err(of_key(args))?;
        let bad = match single {
            Some(pair) => one::<E>(args, &key, pair)?,
            None => many::<E>(args, &key, &pairs, threads::effective(threads))?,
        };
        Checked { bad, signals: key.n_public() as u64, insecure: key.gamma_g2 == key.delta_g2 }
    });
    let warning = checked.insecure.then_some(NO_CONTRIBUTION);
    if let Some(text) = warning {
        print::warning(&format!("{}: {text}", args.key.display()));
    }

    let exit = if checked.bad.is_empty() { Exit::Ok } else { Exit::Invalid };
    if !args.json {
        print::data(&match single {
            Some(_) if checked.bad.is_empty() => "OK".to_owned(),
            Some(_) => "INVALID".to_owned(),
            None => lines(&checked.bad, &pairs),
        })?;
        return Ok(exit);
    }
    let body = report(&checked, curve, single.is_none().then_some(pairs.as_slice()), start);
    print::data(&if exit == Exit::Ok {
        json::done("verify", body)
    } else {
        let message = match single {
            Some(_) => "the proof does not verify".to_owned(),
            None => {
                format!(
                    "{} of {} do not verify",
                    checked.bad.len(),
                    text::plural(pairs.len() as u64, "proof")
                )
            }
        };
        let hint = Some("proof, public signals and key must come from the same key and run of the prover");
        json::failed_with("verify", &Failure { exit, message, hint }, body)
    })?;
    Ok(exit)
}

/// What came out.
struct Checked {
    /// Which proofs do not verify, ascending.
    bad: Vec<usize>,
    signals: u64,
    /// γ = δ: what every key of a ceremony has before its first contribution.
    insecure: bool,
}

/// The pairs of the command line.
fn given(files: &[PathBuf]) -> Result<Vec<Pair>, Usage> {
    let (pairs, rest) = files.as_chunks::<2>();
    if !rest.is_empty() {
        let text = format!(
            "public signals and proofs come in pairs, but there are {}: the order is {VERIFY} [PUBLIC PROOF]...",
            text::plural(files.len() as u64, "file")
        );
        return Err(Usage(text));
    }
    let pair =
        |[public, proof]: &[PathBuf; 2]| Pair { public: public.clone(), proof: proof.clone(), line: None };
    Ok(pairs.iter().map(pair).collect())
}

/// A line for each proof that is not valid, and one for all.
fn lines(bad: &[usize], pairs: &[Pair]) -> String {
    let mut out = String::new();
    for index in bad {
        let Pair { public, proof, .. } = &pairs[*index];
        // A path's own lines must not pass for ours.
        let [public, proof] = [public, proof].map(|path| path.display().to_string());
        let _ = writeln!(out, "INVALID {} {}", clean::value(&public), clean::value(&proof));
    }
    match bad.len() {
        0 => out.push_str("OK"),
        n => {
            let _ = write!(out, "INVALID {n} of {}", pairs.len());
        }
    }
    out
}

/// The fields of the JSON object; several proofs have some more.
fn report(checked: &Checked, curve: Curve, pairs: Option<&[Pair]>, start: Instant) -> Value {
    let mut body = json!({
        "valid": checked.bad.is_empty(),
        "curve": curve.name(),
        "snarkjs_curve": curve.snarkjs_name(),
        "signals": checked.signals,
        "warning": checked.insecure.then_some(NO_CONTRIBUTION),
        "total_ms": text::ms(start.elapsed()),
    });
    if let Some(pairs) = pairs {
        let invalid: Vec<Value> = checked
            .bad
            .iter()
            .map(|index| {
                let Pair { public, proof, line } = &pairs[*index];
                json!({
                    "index": index,
                    "line": line,
                    "public": public.display().to_string(),
                    "proof": proof.display().to_string(),
                })
            })
            .collect();
        body["proofs"] = pairs.len().into();
        body["invalid"] = invalid.into();
    }
    body
}

fn of_key(args: &VerifyArgs) -> impl Fn(FormatError) -> anyhow::Error {
    |error| explain(error, &args.key, Role::VerificationKey, VERIFY)
}

/// Verifies one proof; the result is the list of bad ones.
fn one<E: ProvingCurve>(args: &VerifyArgs, key: &VerifyingKey<E>, pair: &Pair) -> anyhow::Result<Vec<usize>> {
    let (signals, proof) = read::<E>(args, key.n_public(), pair)?;
    Ok(if verify(key, &signals, &proof)? { Vec::new() } else { vec![0] })
}

/// Verifies many together.
fn many<E: ProvingCurve>(
    args: &VerifyArgs,
    key: &VerifyingKey<E>,
    pairs: &[Pair],
    threads: usize,
) -> anyhow::Result<Vec<usize>> {
    let read = |pair: &Pair| {
        read::<E>(args, key.n_public(), pair).map_err(|error| match (&args.batch, pair.line) {
            (Some(list), Some(line)) => {
                let text = format!("{}, line {line}: {error}", list.display());
                error.context(text)
            }
            _ => error,
        })
    };
    // Groups bound the memory, and what is read in vain after a file that is bad.
    let size = (GROUP_SIGNALS / (key.n_public() + 1)).clamp(1, GROUP_PROOFS);
    let mut bad = Vec::new();
    for (group, pairs) in pairs.chunks(size).enumerate() {
        let all = || pairs.par_iter().map(read).collect::<Vec<_>>();
        let read = threads::within(u32::try_from(threads).ok(), all)?;
        // The first bad file of the list, not of the clock.
        let proofs = read.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
        bad.extend(verify_batch(key, &proofs, threads)?.into_iter().map(|index| group * size + index));
    }
    Ok(bad)
}

/// Reads a proof and its public signals, as many as the key is for.
fn read<E: ProvingCurve>(
    args: &VerifyArgs,
    wanted: usize,
    pair: &Pair,
) -> anyhow::Result<(PublicSignals<E>, Proof<E>)> {
    let of_public = |error| explain(error, &pair.public, Role::Public, VERIFY);
    let of_proof = |error| explain(error, &pair.proof, Role::Proof, VERIFY);
    let public = JsonFile::open(&pair.public).map_err(of_public)?;
    let public = public_from_json::<E>(&public).map_err(of_public)?;
    let proof = ProofFile::open(&pair.proof).and_then(|file| file.read::<E>()).map_err(of_proof)?;
    let (given, wanted) = (public.0.len() as u64, wanted as u64);
    if given != wanted {
        let (public, key) = (pair.public.clone(), args.key.clone());
        return Err(SignalCount { public, given, key, wanted }.into());
    }
    Ok((public, proof))
}
