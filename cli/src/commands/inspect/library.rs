//! Shared libraries, which may be backends.

use std::path::Path;

use interlock_core::loader::sealed::Image;
use interlock_core::loader::{LoadError, Manifest, Trust, elf, load, permissions};
use serde_json::{Value, json};

use super::Description;
use crate::output::json;

/// Each check by itself, so that all that is wrong is seen at once. The library's code runs only when it has a manifest
/// that vouches for it, or on the user's word.
pub(super) fn describe(path: &Path, allow_unsigned: bool, about: &mut Description) {
    let real = path.canonicalize();
    let real = real.as_deref().unwrap_or(path);
    verdict(about, "permissions", permissions::check(real));
    match Image::copy(real) {
        Ok(image) => {
            about.text("sha256", &json::hex(image.sha256()));
            let structure = image.bytes().and_then(|bytes| elf::check(bytes.as_ref()));
            verdict(about, "structure", structure);
            manifest(real, image.sha256(), about);
        }
        Err(error) => verdict(about, "structure", Err(error)),
    }
    let trust = if allow_unsigned { Trust::Unsigned } else { Trust::Manifest };
    match load(real, trust) {
        Ok(plugin) => {
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

fn verdict(about: &mut Description, label: &str, outcome: Result<(), LoadError>) {
    match outcome {
        Ok(()) => about.text(label, "ok"),
        Err(error) => about.text(label, &error.to_string()),
    }
}
