//! From a file or folder to a [`Plugin`].
//!
//! | module | does |
//! |---|---|
//! | [`search`] | which folders are looked at, in which order |
//! | [`manifest`] | the `.toml` beside a library, read before the library is opened |
//! | [`permissions`] | refuses what others may write |
//! | [`signature`] | vendors' signatures |
//! | [`policy`] | what the operator admits |
//! | [`elf`] | looks at a library without running any of its code |
//! | [`sealed`] | copies the library into sealed memory, so that the bytes that were hashed are the bytes that run |
//! | [`prober`] | opens an unknown library in a child process first |
//! | [`child`] | a child process that is watched |
//! | [`doors`] | opens the copy and finds the function table |
//! | [`loading`] | all of this, one after the other |
//! | [`registry`] | all backends of a program: found, refused with the reason, selected by name |
//! | [`select`] | what `--backend` means |
//!
//! A plugin is trusted code: its constructors run before any check of ours could. (A [`Prober`] lets them run in another
//! process first, which helps against accidents.) So everything that can be known
//! without opening a library is checked first, and what is not named by a manifest is opened only when the user asks
//! for that very file and says so.

pub mod child;
pub mod doors;
pub mod elf;
pub mod error;
pub mod install;
pub mod loading;
pub mod manifest;
pub mod permissions;
pub mod policy;
pub mod prober;
pub mod registry;
pub mod sealed;
pub mod search;
pub mod select;
pub mod signature;

use std::path::Path;
use std::sync::Arc;

pub use error::LoadError;
pub use install::{InstallOptions, Installed};
pub use loading::{Loaded, Loader};
pub use manifest::Manifest;
pub use policy::{Allowed, Policy, Require};
pub use prober::{Prober, probe_from_stdin};
pub use registry::{Candidate, Registry, Status};
pub use search::{Folder, SearchOptions, folders};
pub use select::{SelectError, Selected, Selection};
pub use signature::{KeyId, Signature, Signed, VendorKey};

use crate::backend::Plugin;

/// Whether a library without a manifest may be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Only what a manifest vouches for.
    Manifest,
    /// The user named this file and accepts it as it is (`--allow-unsigned`).
    Unsigned,
}

/// Loads the plugin in a library file with the default [`Loader`]: see [`Loader::load`].
///
/// # Errors
/// Each step has its reason in [`LoadError`].
pub fn load(path: &Path, trust: Trust) -> Result<Arc<Plugin>, LoadError> {
    Loader::default().load(path, trust).map(|loaded| loaded.plugin)
}

/// Puts a library into a folder with the default [`Loader`]: see [`Loader::install`].
///
/// # Errors
/// It is not an acceptable plugin, or the folder cannot be written.
pub fn install(source: &Path, folder: &Path) -> Result<Installed, LoadError> {
    Loader::default().install(source, folder, &InstallOptions::default())
}
