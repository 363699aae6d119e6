//! Why a library was refused.

use std::io;
use std::path::{Path, PathBuf};

use crate::backend::PluginError;

/// Why a library was refused. The path is said by whoever shows the error.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The operating system says no.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Somebody else may change the file, or a folder on the way to it.
    #[error("{} {problem}; whoever can write it could run code as you: fix its permissions (chmod go-w, chown)", path.display())]
    Permissions {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// No manifest.
    #[error(
        "there is no manifest {}; `interlock plugin install FILE` writes one, or name the file itself with --allow-unsigned",
        manifest.display()
    )]
    Unsigned {
        /// Where it would be.
        manifest: PathBuf,
    },
    /// The manifest is damaged or does not belong to the library.
    #[error("manifest {}: {problem}", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The bytes are not what the manifest vouches for.
    #[error(
        "the library's SHA-256 is {got}, its manifest {} says {wanted}: it was replaced or damaged after it was installed",
        manifest.display()
    )]
    Hash {
        /// The manifest.
        manifest: PathBuf,
        /// What it says.
        wanted: String,
        /// What the library has.
        got: String,
    },
    /// A folder of a list that is relative.
    #[error("it is not absolute, so it would depend on the working directory")]
    RelativeFolder,
    /// Not a loadable library for this machine.
    #[error("not a loadable library: {0}")]
    Elf(String),
    /// The dynamic linker refuses it.
    #[error("the dynamic linker refuses it: {0}")]
    Link(String),
    /// Neither door is there.
    #[error(
        "it exports neither an abi_stable root module nor the symbol interlock_get_api: not an Interlock backend"
    )]
    NoDoor,
    /// The typed door's layout check failed.
    #[error("its abi_stable root module does not fit this program: {0}")]
    Layout(String),
    /// The table is not acceptable.
    #[error(transparent)]
    Plugin(#[from] PluginError),
    /// This system has no safe way to load plugins yet.
    #[error("plugin files can be loaded on Linux only; the embedded backend works everywhere")]
    NotHere,
}

impl LoadError {
    pub(super) fn io(path: &Path, action: &'static str, source: io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }
}
