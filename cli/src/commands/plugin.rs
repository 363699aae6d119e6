//! `interlock plugin …`.

use std::path::PathBuf;

use interlock_core::loader::search::user_folder;
use interlock_core::loader::{InstallOptions, LoadError, SearchOptions, Trust, folders};
use serde_json::json;

use super::Context;
use crate::args::InstallArgs;
use crate::errors::Usage;
use crate::exit::Exit;
use crate::output::{json, print, text};
use crate::trust::Signer;

/// For a report that cannot be printed.
const INSTALLED: &str = "the backend is installed, only the report cannot be printed";

/// Installs a backend.
pub(crate) fn install(args: &InstallArgs, context: &Context) -> anyhow::Result<Exit> {
    let search = SearchOptions::from_environment(Vec::new());
    let folder: PathBuf = match &args.to {
        Some(folder) => std::path::absolute(folder).unwrap_or_else(|_| folder.clone()),
        None => user_folder(&search)
            .ok_or_else(|| Usage("there is no HOME to install into: say where with --to DIR".into()))?,
    };
    let loader = context.config.loader();
    let options =
        InstallOptions { signature: args.signature.clone(), require_signature: args.require_signature };
    let installed = loader.install(&args.file, &folder, &options).map_err(|error| match error {
        // These name the path themselves.
        LoadError::Io { .. } | LoadError::Permissions { .. } => anyhow::Error::new(error),
        error => {
            let message = format!("{}: {error}", args.file.display());
            anyhow::Error::new(error).context(message)
        }
    })?;
    // As every later search will look at it: a folder that others may write would be refused only then.
    loader.load(&installed.library, Trust::Manifest).map_err(|error| {
        let message = format!("{} is installed, but will be refused: {error}", installed.library.display());
        anyhow::Error::new(error).context(message)
    })?;

    let found = folders(&search).iter().any(|known| known.path == folder);
    let (library, manifest) = (installed.library.display(), installed.manifest.display());
    let sha256 = json::hex(&installed.sha256);
    let info = &installed.info;
    let signer = Signer::of(&installed.signed);
    if args.json {
        let body = json!({
            "name": info.name,
            "version": info.version,
            "description": info.description,
            "license": info.license,
            "library": library.to_string(),
            "manifest": manifest.to_string(),
            "sha256": sha256,
            "signature": signer,
            "searched": found,
        });
        print::report(&json::done("plugin install", body), INSTALLED)?;
    } else {
        let rows = [
            ("installed", format!("{} {}", info.name, info.version)),
            ("library", library.to_string()),
            ("manifest", manifest.to_string()),
            ("sha256", sha256),
            ("signed", signer.as_ref().map_or_else(|| "by nobody".to_owned(), Signer::to_string)),
        ];
        print::report(&text::table(&rows), INSTALLED)?;
    }
    if !found {
        context.note(&format!(
            "{} is not searched by default: use --backend-dir, or add it to INTERLOCK_BACKEND_PATH",
            folder.display()
        ));
    }
    Ok(Exit::Ok)
}
