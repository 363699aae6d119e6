//! Why a library was refused.

use std::io;
use std::path::{Path, PathBuf};

use super::child::Ended;
use super::prober::Step;
use super::signature::{KeyId, VendorKey};
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
    /// The signature is damaged, or somebody else's, or of another file.
    #[error("signature {}: {problem}", place.display())]
    Signature {
        /// The file that holds it: a `.minisig`, or the manifest.
        place: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A trusted signature is required, and there is none.
    #[error(
        "{} and {policy} requires one by a trusted key: {}",
        match signer { None => "it has no signature".to_owned(), Some(id) => format!("its signature is by the unknown key {id},") },
        match signer {
            None => "ask its vendor for the .minisig file, and install both (`interlock plugin install FILE`)",
            Some(_) => "if that is the ID of the vendor's public key (RW…), add the key to `keys` in [plugins] of the configuration",
        }
    )]
    SignatureRequired {
        /// Who requires it.
        policy: String,
        /// The key of the signature that is there.
        signer: Option<KeyId>,
    },
    /// An allow-list does not name it.
    #[error(
        "the allow-list of {policy} does not name it: to allow it, add this to `allow` in [plugins]: \"sha256:{sha256}\",{}",
        signer.as_ref().map(|key| format!(" or, for all that its vendor signs, \"key:{key}\",")).unwrap_or_default()
    )]
    NotAllowed {
        /// Whose list.
        policy: String,
        /// SHA-256 of the library, hex.
        sha256: String,
        /// The trusted key that has signed it.
        signer: Option<Box<VendorKey>>,
    },
    /// Its code did what would have ended or blocked this program. It was a child process that was hit.
    #[error(
        "its code {} {step}{}",
        match ended {
            Ended::Exit(code) => format!("ended the process (exit code {code})"),
            Ended::Signal(_) => format!("was killed by {ended}"),
            Ended::Running(time) => format!("did not answer within {} s", time.as_secs_f64()),
        },
        printed.as_ref().map(|text| format!("; it printed: {text}")).unwrap_or_default()
    )]
    Misbehaved {
        /// What became of the process.
        ended: Ended,
        /// During what.
        step: Step,
        /// The last that it printed, on one line without control characters.
        printed: Option<String>,
    },
    /// It was opened in a child process and is no plugin for this program, for the reason that is given.
    #[error("{0}")]
    Unacceptable(String),
    /// It could not be opened in a child process.
    #[error("it cannot be tried in a process of its own, with {}: {problem}", program.display())]
    Prober {
        /// The program of the prober.
        program: PathBuf,
        /// What is wrong.
        problem: String,
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
