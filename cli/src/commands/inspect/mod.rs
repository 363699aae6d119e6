//! `interlock inspect`.

mod circuit;
mod documents;
mod key;
mod library;
mod witness;

use interlock_core::format::detect::ZkeyProtocol;
use interlock_core::format::snarkjs_json::verifying_key_to_json;
use interlock_core::format::{FileKind, Zkey, detect};
use interlock_core::setup::export_vk;
use interlock_curves::with_curve;
use serde_json::{Map, Value, json};

use super::Context;
use crate::args::InspectArgs;
use crate::errors::{UnknownFile, Usage};
use crate::exit::Exit;
use crate::output::atomic::{Draft, commit};
use crate::output::target::{self, Target};
use crate::output::{json, print, text};
use crate::threads;

/// What is told about a file, for people and for programs.
#[derive(Debug, Default)]
struct Description {
    rows: Vec<(String, String)>,
    fields: Map<String, Value>,
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
            // Checked before the key is read: that may take a while.
            let out = match &args.export_vkey {
                Some(out) => target::check(&[out], &[&args.file])?,
                None => Vec::new(),
            };
            let key = Zkey::open(&args.file)?;
            key::describe(&key, &mut about)?;
            if let [out] = out.as_slice() {
                export(&key, out)?;
                about.row("exported", out.path().display().to_string());
                about.field("exported_vkey", out.path().display().to_string());
            }
        }
        FileKind::Wtns => witness::describe(&args.file, &mut about)?,
        FileKind::R1cs => circuit::describe(&args.file, &mut about)?,
        FileKind::VerifyingKeyJson(said) => documents::key(&args.file, said, &mut about)?,
        FileKind::ProofJson(said) => documents::proof(&args.file, said, &mut about)?,
        FileKind::PublicJson { count } => documents::public(&args.file, *count, &mut about)?,
        FileKind::ElfLibrary => library::describe(&args.file, args.allow_unsigned, &mut about),
        _ => {}
    }
    if args.json {
        print::data(&json::done("inspect", json!(about.fields)))?;
    } else {
        print::data(&text::table(&about.rows))?;
    }
    Ok(Exit::Ok)
}

fn export(key: &Zkey, target: &Target) -> anyhow::Result<()> {
    let text = with_curve!(key.curve(), E => verifying_key_to_json::<E>(&export_vk::<E>(key)?));
    Ok(commit(vec![Draft::with_text(target, &text)?])?)
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
        _ => "unknown",
    }
}
