//! `interlock convert`.

mod key;
mod small;

use std::time::Instant;

use interlock_core::files::Family;
use interlock_core::format::{FileKind, detect};
use interlock_curves::Curve;
use serde_json::json;

use super::Context;
use super::description::Description;
use super::files::{CONVERT, Role};
use crate::args::ConvertArgs;
use crate::errors::{Misplaced, Unfit, UnknownFile};
use crate::exit::Exit;
use crate::output::atomic::{Draft, commit};
use crate::output::{json, print, text};
use crate::threads;

/// A result that waits for its place, and what is told of it.
struct Converted {
    draft: Draft,
    about: Description,
}

/// Converts a key or a proof.
pub(crate) fn run(args: &ConvertArgs, context: &Context) -> anyhow::Result<Exit> {
    let start = Instant::now();
    threads::bound(context.config.threads(&args.threads))?;
    let mut inputs = vec![args.input.as_path()];
    inputs.extend(args.circuit.r1cs.as_deref());
    let targets = context.targets(&[&args.output], &inputs)?;
    let [target] = targets.as_slice() else { return Ok(Exit::Ok) };
    let kind = detect(&args.input)?;
    let Converted { draft, mut about } = match Role::of(&kind) {
        Some(Role::Key) => key::convert(args, context, target)?,
        Some(Role::VerificationKey) => small::verification_key(args, target)?,
        Some(Role::Proof) => small::proof(args, target)?,
        Some(role) => {
            let text = format!(
                "{} {}; only keys and proofs are converted, and the order is {CONVERT}",
                args.input.display(),
                role.is()
            );
            return Err(Misplaced(text).into());
        }
        None => return Err(unknown(args, &kind).into()),
    };
    let file = draft.reopened()?;
    let (bytes, sha256) = (file.len(), json::sha256(file.bytes()));
    drop(file);
    commit(vec![draft])?;

    about.row("output", format!("{} ({})", args.output.display(), text::bytes(bytes)));
    about.text("sha256", &sha256);
    about.row("total", text::time(start.elapsed()));
    about.field("output", json!({ "path": args.output.display().to_string(), "bytes": bytes }));
    about.field("total_ms", text::ms(start.elapsed()));
    about.field("warnings", about.warnings.clone());
    for text in &about.warnings {
        print::warning(&format!("{}: {text}", args.input.display()));
    }
    if args.json {
        let done = "the output was written, only its report cannot be printed";
        print::report(&json::done("convert", json!(about.fields)), done)?;
    } else {
        context.note(text::table(&about.rows).trim_end());
    }
    Ok(Exit::Ok)
}

fn unknown(args: &ConvertArgs, kind: &FileKind) -> UnknownFile {
    UnknownFile { path: args.input.clone(), kind: kind.to_string() }
}

/// What is told of every conversion first.
fn begin(args: &ConvertArgs, kind: &str, from: Family, curve: Curve) -> Description {
    let mut about = Description::default();
    about.text("input", &args.input.display().to_string());
    about.text("kind", kind);
    about.text("from", from.name());
    about.text("to", args.to.name());
    about.curve(curve);
    about
}

/// That the format has a place for the curve, and `--curve` does not contradict it.
fn expect_curve(args: &ConvertArgs, found: Curve) -> Result<(), Unfit> {
    let input = args.input.display();
    if let Some(said) = args.curve.filter(|said| *said != found) {
        return Err(Unfit { what: format!("{input} is for {found}, not for {said}"), hint: None });
    }
    if args.to == Family::Bellman && found != Curve::Bls12_381 {
        let what = format!("{input} is for {found}, bellman's formats are for bls12-381 only");
        return Err(Unfit { what, hint: Some("--to arkworks and --to snarkjs hold both curves") });
    }
    Ok(())
}
