//! `interlock inspect`.

mod check;
mod circuit;
mod documents;
mod key;
mod library;
mod unmarked;
mod witness;

use std::path::Path;

use interlock_core::files::{Family, KeyFile};
use interlock_core::format::arkworks::Candidate;
use interlock_core::format::detect::ZkeyProtocol;
use interlock_core::format::{FileKind, Zkey, detect};
use serde_json::json;

use super::Context;
use super::description::Description;
use super::export::vk_draft;
use super::files::Role;
use crate::args::{InspectArgs, SearchArgs};
use crate::errors::{UnknownFile, Usage};
use crate::exit::Exit;
use crate::output::atomic::commit;
use crate::output::{json, print, text};
use crate::threads;

/// Tells what a file holds.
pub(crate) fn run(args: &InspectArgs, context: &Context) -> anyhow::Result<Exit> {
    threads::bound(context.config.threads(&args.threads))?;
    let kind = detect(&args.file)?;
    let is_key = Role::of(&kind) == Some(Role::Key)
        && !matches!(
            kind,
            FileKind::Zkey(ZkeyProtocol::Plonk | ZkeyProtocol::Fflonk | ZkeyProtocol::Other(Some(_)))
        );
    for (flag, given) in [("--export-vkey", args.export_vkey.is_some()), ("--check", args.check)] {
        if given && !is_key {
            let text = format!("{flag} takes a Groth16 proving key, {} is a {kind}", args.file.display());
            return Err(Usage(text).into());
        }
    }
    if kind == FileKind::Unknown {
        return Err(UnknownFile { path: args.file.clone(), kind: kind.to_string() }.into());
    }
    let mut about = Description::default();
    about.row("file", args.file.display().to_string());
    about.field("path", args.file.display().to_string());
    about.row("kind", kind.to_string());
    about.field("kind", name(&kind));
    about.field("description", kind.to_string());
    if let Ok(metadata) = std::fs::metadata(&args.file) {
        about.row("size", text::bytes(metadata.len()));
        about.field("bytes", metadata.len());
    }
    if let Some(out) = &args.export_vkey {
        return export(args, out, about, context);
    }
    match &kind {
        FileKind::Zkey(ZkeyProtocol::Groth16 | ZkeyProtocol::Other(None)) => {
            key::describe(Zkey::open(&args.file)?, &mut about)?;
        }
        FileKind::Wtns => witness::describe(&args.file, &mut about)?,
        FileKind::R1cs => circuit::describe(&args.file, &mut about)?,
        FileKind::VerifyingKeyJson(said) => documents::key(&args.file, said, &mut about)?,
        FileKind::ProofJson(said) => documents::proof(&args.file, said, &mut about)?,
        FileKind::PublicJson { count } => documents::public(&args.file, *count, &mut about)?,
        FileKind::Arkworks(found) => unmarked::arkworks(&args.file, *found, &mut about)?,
        FileKind::BellmanParams => unmarked::bellman_params(&args.file, &mut about)?,
        FileKind::BellmanVerifyingKey => unmarked::bellman_key(&args.file, &mut about)?,
        FileKind::ElfLibrary => {
            // Found by a search, it would be loaded anyway.
            let search = context.config.search(&SearchArgs { backend_dir: Vec::new() });
            library::describe(&args.file, args.allow_unsigned, &context.config.loader(), &search, &mut about);
        }
        _ => {}
    }
    if args.check {
        check::bases(&args.file, context, &mut about)?;
    }
    about.field("warnings", about.warnings.clone());
    if args.json {
        print::data(&json::done("inspect", json!(about.fields)))?;
    } else {
        print::data(&text::table(&about.rows))?;
    }
    Ok(Exit::Ok)
}

/// Writes the verification key, and tells that alone: the rest of a report takes a look at the whole key.
fn export(args: &InspectArgs, out: &Path, mut about: Description, context: &Context) -> anyhow::Result<Exit> {
    let targets = context.targets(&[out], &[&args.file])?;
    let key = KeyFile::open(&args.file)?;
    let curve = key.curve();
    let drafts =
        targets.iter().map(|target| vk_draft(&key, Family::Snarkjs, target)).collect::<Result<_, _>>()?;
    commit(drafts)?;

    key::head(&key, &mut about);
    for text in &about.warnings {
        print::warning(&format!("{}: {text}", args.file.display()));
    }
    if args.json {
        about.field("exported_vkey", out.display().to_string());
        about.field("warnings", about.warnings.clone());
        let done = "the verification key was written, only its report cannot be printed";
        print::report(&json::done("inspect", json!(about.fields)), done)?;
    } else {
        let public = text::plural(key.n_public() as u64, "public signal");
        let (out, file) = (out.display(), args.file.display());
        context.note(&format!("wrote {out}: the verification key of {file} ({curve}, {public})"));
    }
    Ok(Exit::Ok)
}

/// The kind as programs are told it.
fn name(kind: &FileKind) -> &'static str {
    match kind {
        FileKind::Zkey(_) => "zkey",
        FileKind::Wtns => "wtns",
        FileKind::R1cs => "r1cs",
        FileKind::Ptau => "ptau",
        FileKind::ElfLibrary => "library",
        FileKind::ElfOther => "elf",
        FileKind::VerifyingKeyJson(_) => "verification_key",
        FileKind::ProofJson(_) => "proof",
        FileKind::PublicJson { .. } => "public",
        FileKind::OtherJson => "json",
        FileKind::Arkworks(Candidate::ProvingKey(_)) => "arkworks_proving_key",
        FileKind::Arkworks(Candidate::VerifyingKey(_)) => "arkworks_verifying_key",
        FileKind::Arkworks(Candidate::Proof(_)) => "arkworks_proof",
        FileKind::BellmanParams => "bellman_params",
        FileKind::BellmanVerifyingKey => "bellman_verifying_key",
        _ => "unknown",
    }
}
