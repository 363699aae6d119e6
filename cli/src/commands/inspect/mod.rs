//! `interlock inspect`.

mod circuit;
mod documents;
mod key;
mod library;
mod unmarked;
mod witness;

use std::path::Path;

use interlock_core::format::arkworks::Candidate;
use interlock_core::format::detect::ZkeyProtocol;
use interlock_core::format::snarkjs_json::verifying_key_to_json;
use interlock_core::format::{FileKind, Zkey, detect};
use interlock_core::setup::export_vk;
use interlock_curves::{Curve, with_curve};
use serde_json::{Map, Value, json};

use super::Context;
use crate::args::{InspectArgs, SearchArgs};
use crate::errors::{UnknownFile, Usage};
use crate::exit::Exit;
use crate::output::atomic::{Draft, commit};
use crate::output::target;
use crate::output::{json, print, text};
use crate::threads;

/// What is told about a file, for people and for programs.
#[derive(Debug, Default)]
struct Description {
    rows: Vec<(String, String)>,
    fields: Map<String, Value>,
    warnings: Vec<String>,
}

impl Description {
    /// A row for people.
    fn row(&mut self, label: &str, value: impl Into<String>) {
        self.rows.push((label.to_owned(), value.into()));
    }

    /// A field for programs.
    fn field(&mut self, name: &str, value: impl Into<Value>) {
        self.fields.insert(name.to_owned(), value.into());
    }

    /// A count for both.
    fn count(&mut self, label: &str, value: u64) {
        self.row(label, text::count(value));
        self.field(&label.replace([' ', '-'], "_"), value);
    }

    /// The curve, for programs by both of its names.
    fn curve(&mut self, curve: Curve) {
        self.text("curve", curve.name());
        self.field("snarkjs_curve", curve.snarkjs_name());
    }

    /// Something a user should know before using the file.
    fn warning(&mut self, text: &str) {
        self.row("WARNING", text);
        self.warnings.push(text.to_owned());
    }

    /// A text for both.
    fn text(&mut self, label: &str, value: &str) {
        self.row(label, value);
        self.field(&label.replace([' ', '-'], "_"), value);
    }
}

/// Tells what a file holds.
pub(crate) fn run(args: &InspectArgs, context: &Context) -> anyhow::Result<Exit> {
    threads::bound(context.config.threads(&args.threads))?;
    let kind = detect(&args.file)?;
    if args.export_vkey.is_some() && kind != FileKind::Zkey(ZkeyProtocol::Groth16) {
        return Err(Usage(format!(
            "--export-vkey takes a Groth16 proving key, {} is a {kind}",
            args.file.display()
        ))
        .into());
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
    match &kind {
        FileKind::Zkey(ZkeyProtocol::Groth16 | ZkeyProtocol::Other(None)) => {
            if let Some(out) = &args.export_vkey {
                return export(args, out, about, context);
            }
            key::describe(&Zkey::open(&args.file)?, &mut about)?;
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
            library::describe(&args.file, args.allow_unsigned, &search, &mut about);
        }
        _ => {}
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
    let targets = target::check(&[out], &[&args.file])?;
    let key = Zkey::open(&args.file)?;
    let curve = key.curve();
    let text = with_curve!(curve, E => verifying_key_to_json::<E>(&export_vk::<E>(&key)?));
    let drafts = targets.iter().map(|target| Draft::with_text(target, &text)).collect::<Result<_, _>>()?;
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
        let public = text::plural(key.n_public().into(), "public signal");
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
