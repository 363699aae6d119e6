//! Shared libraries, which may be backends.

use std::path::Path;

use interlock_core::loader::sealed::Image;
use interlock_core::loader::{
    LoadError, Loader, Manifest, Registry, SearchOptions, Signature, Trust, elf, permissions,
};
use serde_json::{Value, json};

use crate::commands::description::Description;
use crate::output::json;
use crate::trust::Signer;

/// Each check by itself, so that all that is wrong is seen at once. The library's code runs only where every search would
/// run it, or on the user's word: a manifest beside a file is worth no more than the file.
pub(super) fn describe(
    path: &Path,
    allow_unsigned: bool,
    loader: &Loader,
    search: &SearchOptions,
    about: &mut Description,
) {
    let real = path.canonicalize();
    let real = real.as_deref().unwrap_or(path);
    verdict(about, "permissions", permissions::check(real));
    match Image::copy(real) {
        Ok(image) => {
            about.text("sha256", &json::hex(image.sha256()));
            let structure = image.bytes().and_then(|bytes| elf::check(bytes.as_ref()));
            verdict(about, "structure", structure);
            manifest(real, image.sha256(), about);
            signature(real, &image, loader, about);
        }
        Err(error) => verdict(about, "structure", Err(error)),
    }
    if !allow_unsigned && !is_installed(real, search) {
        about.row("backend", "not asked: it is in no folder of backends; --allow-unsigned runs its code");
        about.field("backend", Value::Null);
        about.field("refused", "it is in no folder of backends");
        return;
    }
    let trust = if allow_unsigned { Trust::Unsigned } else { Trust::Manifest };
    match loader.load(real, trust) {
        Ok(loaded) => {
            let plugin = loaded.plugin;
            let info = plugin.info();
            let curves: Vec<_> = info.curves.iter().map(|curve| curve.name()).collect();
            about.row("backend", format!("{} {}", info.name, info.version));
            about.row("for", info.description.clone());
            about.row("licence", info.license.clone());
            about.row("curves", curves.join(", "));
            let probe = match plugin.probe() {
                Ok(probe) => {
                    about.row("here", format!("score {}: {}", probe.score, probe.reason));
                    json!({ "score": probe.score, "reason": probe.reason })
                }
                Err(error) => {
                    about.row("here", format!("its probe failed: {error}"));
                    json!({ "score": 0, "reason": error.to_string() })
                }
            };
            about.field(
                "backend",
                json!({
                    "name": info.name,
                    "version": info.version,
                    "description": info.description,
                    "license": info.license,
                    "curves": curves,
                    "probe": probe,
                }),
            );
        }
        Err(LoadError::Unsigned { .. }) => {
            about.row("backend", "not asked: it has no manifest; --allow-unsigned runs its code");
            about.field("backend", Value::Null);
            about.field("refused", "no manifest");
        }
        Err(error) => {
            about.row("backend", format!("refused: {error}"));
            about.field("backend", Value::Null);
            about.field("refused", error.to_string());
        }
    }
}

/// Whether the search comes across this file; it runs no code.
fn is_installed(real: &Path, search: &SearchOptions) -> bool {
    let registry = Registry::discover(search, &[]);
    let mut found = registry.candidates().iter().filter_map(|candidate| candidate.path.as_ref());
    found.any(|path| path.canonicalize().is_ok_and(|path| path == real))
}

fn manifest(path: &Path, sha256: &[u8; 32], about: &mut Description) {
    match Manifest::beside(path) {
        Ok(None) => {
            about.row("manifest", "none");
            about.field("manifest", Value::Null);
        }
        Ok(Some(manifest)) => {
            let contents = manifest.contents();
            about.row(
                "manifest",
                format!(
                    "{} {}, ABI {} to {}",
                    contents.name, contents.version, contents.abi_min, contents.abi_max
                ),
            );
            about.field("manifest", json!(contents));
            verdict(about, "manifest hash", manifest.check_hash(sha256));
            verdict(about, "manifest abi", manifest.check_abi());
        }
        Err(error) => {
            about.row("manifest", format!("bad: {error}"));
            about.field("manifest", json!({ "error": error.to_string() }));
        }
    }
}

/// Who signed it, and whether the configuration admits it.
fn signature(path: &Path, image: &Image, loader: &Loader, about: &mut Description) {
    let found = match Manifest::beside(path) {
        Ok(Some(manifest)) => manifest.signature(),
        // What is wrong with the manifest is said already.
        Ok(None) | Err(_) => Signature::beside(path),
    };
    match found.and_then(|found| loader.signer(image, found.as_ref())) {
        Ok(signed) => {
            let signer = Signer::of(&signed);
            about.row("signed", signer.as_ref().map_or_else(|| "by nobody".to_owned(), Signer::to_string));
            about.field("signature", json!(signer));
            verdict(about, "policy", loader.admit(image, &signed));
        }
        Err(error) => {
            about.row("signed", format!("badly: {error}"));
            about.field("signature", json!({ "error": error.to_string() }));
        }
    }
}

fn verdict(about: &mut Description, label: &str, outcome: Result<(), LoadError>) {
    match outcome {
        Ok(()) => about.text(label, "ok"),
        Err(error) => about.text(label, &error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_beside_a_file_is_nobodys_word() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let name = format!("libx.{}", std::env::consts::DLL_EXTENSION);
        let inside = root.join("deeper");
        std::fs::create_dir(&inside).unwrap();
        for file in [root.join(&name), inside.join(&name), root.join("libx.txt")] {
            std::fs::write(&file, "no library").unwrap();
            std::fs::write(Manifest::path_for(&file), "").unwrap();
        }
        let search = SearchOptions { extra: vec![root.clone()], ..SearchOptions::default() };
        assert!(is_installed(&root.join(&name), &search));
        assert!(!is_installed(&root.join(&name), &SearchOptions::default()));
        assert!(!is_installed(&inside.join(&name), &search), "a search does not go deeper");
        assert!(!is_installed(&root.join("libx.txt"), &search));

        let mut about = Description::default();
        describe(&inside.join(&name), false, &Loader::default(), &search, &mut about);
        assert_eq!(about.fields["refused"], "it is in no folder of backends");
        assert!(about.fields["backend"].is_null() && about.fields.contains_key("sha256"));
    }
}
