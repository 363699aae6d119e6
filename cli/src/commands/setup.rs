//! `interlock setup`.

use std::io::{BufWriter, Write as _};
use std::time::Instant;

use interlock_core::format::{MappedFile, R1cs, Zkey, snarkjs_json::verifying_key_to_json};
use interlock_core::setup::{SetupError, ToxicWaste, export_vk, setup_zkey};
use interlock_curves::{ProvingCurve, with_curve};
use serde_json::json;

use super::Context;
use super::files::{Role, SETUP, explain};
use crate::args::{SeedText, SetupArgs};
use crate::errors::CannotWrite;
use crate::exit::Exit;
use crate::output::atomic::{Draft, commit};
use crate::output::target::Target;
use crate::output::{json, print, text};
use crate::threads;

/// Bytes that are collected before they are written.
const BUFFER: usize = 1 << 20;

/// Generates a key.
pub(crate) fn run(args: &SetupArgs, context: &Context) -> anyhow::Result<Exit> {
    let start = Instant::now();
    let seed = args.seed.as_ref().map(SeedText::seed).transpose()?;
    threads::bound(context.config.threads(&args.threads))?;
    let mut outputs = vec![args.key.as_path()];
    outputs.extend(args.vkey.as_deref());
    let targets = context.targets(&outputs, &[&args.circuit])?;

    print::warning("a single-party set-up is INSECURE: whoever runs it can forge proofs; for tests only");
    if args.seed.is_some() {
        print::warning("--seed makes the key reproducible: whoever knows the seed can forge proofs");
    }
    let circuit =
        R1cs::open(&args.circuit).map_err(|error| explain(error, &args.circuit, Role::Circuit, SETUP))?;
    let drafts = with_curve!(circuit.curve(), E => {
        let secrets = match &seed {
            Some(seed) => ToxicWaste::<E>::from_seed(seed.0),
            None => ToxicWaste::random()?,
        };
        generate::<E>(&circuit, &secrets, &targets)?
    });
    // Streams have no file to be read again.
    let key = drafts.first().and_then(|draft| draft.unfinished_path().map(Zkey::open)).transpose()?;
    let sha256 = key.as_ref().map(|key| json::hex(&key.content_hash()));
    let in_memory = drafts.first().map_or(0, |draft| draft.in_memory().len() as u64);
    let bytes = key.as_ref().map_or(in_memory, |key| key.file().len());
    let domain = key.as_ref().map(Zkey::domain_size);
    drop(key);
    commit(drafts)?;

    let constraints = circuit.n_constraints() as u64;
    if args.json {
        let body = json!({
            "curve": circuit.curve().name(),
            "snarkjs_curve": circuit.curve().snarkjs_name(),
            "constraints": constraints,
            "domain": domain,
            "signals": circuit.n_wires(),
            "public": circuit.n_public(),
            "key": { "path": args.key.display().to_string(), "bytes": bytes, "sha256": sha256 },
            "vkey": args.vkey.as_ref().map(|path| path.display().to_string()),
            "insecure": true,
            "seeded": args.seed.is_some(),
            "total_ms": text::ms(start.elapsed()),
        });
        print::report(
            &json::done("setup", body),
            "the outputs were written, only their report cannot be printed",
        )?;
        return Ok(Exit::Ok);
    }
    let mut rows = vec![("key", format!("{} ({})", args.key.display(), text::bytes(bytes)))];
    if let Some(vkey) = &args.vkey {
        rows.push(("vkey", vkey.display().to_string()));
    }
    rows.push(("curve", circuit.curve().to_string()));
    rows.push((
        "circuit",
        format!(
            "{}, {} of which {} public",
            text::plural(constraints, "constraint"),
            text::plural(circuit.n_wires().into(), "signal"),
            text::count(circuit.n_public().into())
        ),
    ));
    rows.push(("total", text::time(start.elapsed())));
    context.note(text::table(&rows).trim_end());
    Ok(Exit::Ok)
}

/// Writes the key and, if there is a second target, its verification key, to unfinished files.
fn generate<E: ProvingCurve>(
    circuit: &R1cs,
    secrets: &ToxicWaste<E>,
    targets: &[Target],
) -> anyhow::Result<Vec<Draft>> {
    let mut drafts = Vec::new();
    let [key_target, rest @ ..] = targets else { return Ok(drafts) };
    let cannot = |source| CannotWrite { path: key_target.path().to_owned(), source };
    let mut out = BufWriter::with_capacity(BUFFER, Draft::begin(key_target)?);
    setup_zkey(circuit, secrets, &mut out).map_err(|error| match error {
        SetupError::Write(source) => anyhow::Error::new(cannot(source)),
        error => error.into(),
    })?;
    out.flush().map_err(cannot)?;
    let draft = out.into_inner().map_err(|error| cannot(error.into_error()))?;
    if let [vkey_target] = rest {
        let key = match draft.unfinished_path() {
            Some(path) => Zkey::open(path)?,
            None => Zkey::from_file(MappedFile::from_bytes(draft.target(), draft.in_memory().to_vec())?)?,
        };
        let text = verifying_key_to_json::<E>(&export_vk::<E>(&key)?);
        drafts.push(Draft::with_text(vkey_target, &text)?);
    }
    drafts.insert(0, draft);
    Ok(drafts)
}
