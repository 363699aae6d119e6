//! From a file or folder to a [`Plugin`].
//!
//! | module | does |
//! |---|---|
//! | [`search`] | which folders are looked at, in which order |
//! | [`manifest`] | the `.toml` beside a library, read before the library is opened |
//! | [`permissions`] | refuses what others may write |
//! | [`elf`] | looks at a library without running any of its code |
//! | [`sealed`] | copies the library into sealed memory, so that the bytes that were hashed are the bytes that run |
//! | [`doors`] | opens the copy and finds the function table |
//! | [`registry`] | all backends of a program: found, refused with the reason, selected by name |
//! | [`select`] | what `--backend` means |
//!
//! A plugin is trusted code: its constructors run before any check of ours could. So everything that can be known
//! without opening a library is checked first, and what is not named by a manifest is opened only when the user asks
//! for that very file and says so.

pub mod doors;
pub mod elf;
pub mod error;
pub mod install;
pub mod manifest;
pub mod permissions;
pub mod registry;
pub mod sealed;
pub mod search;
pub mod select;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

pub use error::LoadError;
pub use install::{Installed, install};
pub use manifest::Manifest;
pub use registry::{Candidate, Registry, Status};
pub use search::{Folder, SearchOptions, folders};
pub use select::{SelectError, Selected, Selection};

use crate::backend::{Origin, Plugin};

/// Whether a library without a manifest may be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Only what a manifest vouches for.
    Manifest,
    /// The user named this file and accepts it as it is (`--allow-unsigned`).
    Unsigned,
}

/// Loads the plugin in a library file.
///
/// In order: permissions, manifest, a look at the ELF structure, a sealed copy, its hash against the manifest's,
/// opening the copy, the table, and the name and version that it reports against the manifest's. A library whose bytes
/// were loaded before gives the same plugin again.
///
/// # Errors
/// Each step has its reason in [`LoadError`].
pub fn load(path: &Path, trust: Trust) -> Result<Arc<Plugin>, LoadError> {
    static LOADED: Mutex<Vec<([u8; 32], Arc<Plugin>)>> = Mutex::new(Vec::new());

    let path = path.canonicalize().map_err(|source| LoadError::io(path, "find", source))?;
    permissions::check(&path)?;
    let manifest = Manifest::beside(&path)?;
    if manifest.is_none() && trust == Trust::Manifest {
        return Err(LoadError::Unsigned { manifest: Manifest::path_for(&path) });
    }
    if let Some(manifest) = &manifest {
        manifest.check_abi()?;
    }
    let image = sealed::Image::copy(&path)?;
    if let Some(manifest) = &manifest {
        manifest.check_hash(image.sha256())?;
    }
    // One lock over the whole opening: two threads must not open the same bytes twice.
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let known =
        loaded.iter().find(|(sha256, _)| sha256 == image.sha256()).map(|(_, plugin)| Arc::clone(plugin));
    let plugin = match known {
        Some(plugin) => plugin,
        None => {
            elf::check(image.bytes()?.as_ref())?;
            let sha256 = *image.sha256();
            let table = doors::open(image)?;
            let origin = Origin::File { path: path.clone(), sha256 };
            // SAFETY: the table comes from a library that is never unloaded; that its functions keep the contract is
            // what trusting a plugin means.
            let plugin = unsafe { Plugin::new(table, origin) }?;
            loaded.push((sha256, Arc::clone(&plugin)));
            plugin
        }
    };
    if let Some(manifest) = &manifest {
        manifest.check_info(plugin.info())?;
    }
    Ok(plugin)
}
