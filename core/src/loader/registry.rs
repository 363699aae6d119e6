//! All backends of a program: found, refused with the reason, selected by name.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::LoadError;
use super::loading::{Loaded, Loader};
use super::manifest::{Contents, Manifest};
use super::search::{Folder, SearchOptions, folders};
use super::signature::Signed;
use super::{Trust, permissions};
use crate::backend::Plugin;

/// Origin of backends that are linked into the program, and the name by which the first of them can always be had.
pub const EMBEDDED: &str = "embedded";

/// What became of a library or an embedded backend.
#[derive(Debug)]
pub enum Status {
    /// It has a manifest; its code has not been run.
    Found(Contents),
    /// It can be used.
    Loaded(Arc<Plugin>),
    /// It cannot, and why.
    Refused(LoadError),
    /// Another backend of the same name comes earlier in the search order.
    Shadowed {
        /// The earlier one.
        by: String,
        /// What it would be without that one.
        behind: Box<Status>,
    },
}

/// Something that could be a backend.
#[derive(Debug)]
pub struct Candidate {
    /// The file; `None` for an embedded backend.
    pub path: Option<PathBuf>,
    /// On whose word it was looked at: a folder's origin, `embedded` or `command line`.
    pub origin: &'static str,
    /// The name, when it is known: from the manifest, or from the plugin itself.
    pub name: Option<String>,
    /// What became of it.
    pub status: Status,
    /// Who signed the library; known of those that are loaded.
    pub signed: Signed,
}

impl Candidate {
    /// The file, or `embedded`.
    pub fn place(&self) -> String {
        self.path.as_ref().map_or_else(|| self.origin.to_owned(), |path| path.display().to_string())
    }
}

/// The backends of a program.
#[derive(Debug)]
pub struct Registry {
    loader: Loader,
    folders: Vec<(Folder, FolderState)>,
    candidates: Vec<Candidate>,
}

/// What became of a folder of the search.
#[derive(Debug)]
pub enum FolderState {
    /// It was read.
    Read,
    /// It does not exist.
    Absent,
    /// It was not read, and why; nothing in it was looked at.
    Refused(LoadError),
}

impl Registry {
    /// [`Registry::discover_with`] the default [`Loader`], which restricts nothing.
    pub fn discover(search: &SearchOptions, embedded: &[Arc<Plugin>]) -> Self {
        Self::discover_with(Loader::default(), search, embedded)
    }

    /// Looks through the search folders and adds the embedded backends behind what is found there. Reads manifests; runs
    /// no library's code. What is found is loaded by `loader` later; embedded backends are part of the program, which no
    /// policy restricts.
    pub fn discover_with(loader: Loader, search: &SearchOptions, embedded: &[Arc<Plugin>]) -> Self {
        let mut registry = Self { loader, folders: Vec::new(), candidates: Vec::new() };
        for folder in folders(search) {
            let state = match libraries(&folder) {
                Ok(None) => FolderState::Absent,
                Err(error) => FolderState::Refused(error),
                Ok(Some(libraries)) => {
                    for path in libraries {
                        let (name, status) = match read_manifest(&path) {
                            Ok(manifest) => {
                                let contents = manifest.contents().clone();
                                (Some(contents.name.clone()), Status::Found(contents))
                            }
                            Err(error) => (None, Status::Refused(error)),
                        };
                        let (path, origin, signed) = (Some(path), folder.origin, Signed::No);
                        registry.add(Candidate { path, origin, name, status, signed });
                    }
                    FolderState::Read
                }
            };
            registry.folders.push((folder, state));
        }
        for plugin in embedded {
            let (name, status) = (Some(plugin.name().to_owned()), Status::Loaded(Arc::clone(plugin)));
            registry.add(Candidate { path: None, origin: EMBEDDED, name, status, signed: Signed::No });
        }
        registry
    }

    /// Adds a candidate, hidden when an earlier one has its name.
    fn add(&mut self, mut candidate: Candidate) {
        let earlier =
            self.candidates.iter().find(|earlier| earlier.name.is_some() && earlier.name == candidate.name);
        if let Some(earlier) = earlier {
            candidate.status = Status::Shadowed { by: earlier.place(), behind: Box::new(candidate.status) };
        }
        self.candidates.push(candidate);
    }

    /// Loads everything that was found; what fails is refused with its reason from now on, and what it was hiding comes
    /// to light.
    pub fn load_all(&mut self) {
        let mut taken = Vec::new();
        for candidate in &mut self.candidates {
            candidate.status =
                match std::mem::replace(&mut candidate.status, Status::Refused(LoadError::NotHere)) {
                    Status::Shadowed { behind, .. } if !taken.contains(&candidate.name) => *behind,
                    status => status,
                };
            candidate.load(&self.loader);
            if matches!(candidate.status, Status::Loaded(_)) {
                taken.push(candidate.name.clone());
            }
        }
    }

    /// Loads the backend of a name, if there is one. One that cannot be loaded is not replaced by one that it hides: who
    /// names a backend gets that backend or an error.
    ///
    /// # Errors
    /// Its loading failed; the reason stays on record.
    pub fn load_named(&mut self, name: &str) -> Option<Result<Arc<Plugin>, String>> {
        if name == EMBEDDED {
            return self.embedded().map(Ok);
        }
        let candidate =
            self.candidates.iter_mut().find(|candidate| candidate.name.as_deref() == Some(name))?;
        candidate.load(&self.loader);
        Some(match &candidate.status {
            Status::Loaded(plugin) => Ok(Arc::clone(plugin)),
            Status::Refused(error) => Err(error.to_string()),
            Status::Found(_) | Status::Shadowed { .. } => Err("it was not loaded".into()),
        })
    }

    /// The first embedded backend, hidden or not: what the name `embedded` selects.
    fn embedded(&self) -> Option<Arc<Plugin>> {
        let own = self.candidates.iter().filter(|candidate| candidate.origin == EMBEDDED);
        own.map(|candidate| &candidate.status).find_map(|status| match status {
            Status::Loaded(plugin) => Some(Arc::clone(plugin)),
            Status::Shadowed { behind, .. } => match behind.as_ref() {
                Status::Loaded(plugin) => Some(Arc::clone(plugin)),
                _ => None,
            },
            _ => None,
        })
    }

    /// What a user should know of the search itself, one line each: folders that were refused, and folders that he named
    /// and that are not there.
    pub fn notices(&self) -> Vec<String> {
        let notice = |(folder, state): &(Folder, FolderState)| {
            let place = format!("folder {} ({})", folder.path.display(), folder.origin);
            match state {
                FolderState::Refused(error) => Some(format!("{place}: refused: {error}")),
                FolderState::Absent if folder.named_by_user => Some(format!("{place}: does not exist")),
                FolderState::Absent | FolderState::Read => None,
            }
        };
        self.folders.iter().filter_map(notice).collect()
    }

    /// Loads a file that the user named.
    ///
    /// # Errors
    /// See [`Loader::load`].
    pub fn load_file(&mut self, path: &Path, trust: Trust) -> Result<Arc<Plugin>, LoadError> {
        let Loaded { plugin, signed } = self.loader.load(path, trust)?;
        let (name, status) = (Some(plugin.name().to_owned()), Status::Loaded(Arc::clone(&plugin)));
        // Named by its path, so it hides no other: it is listed behind them.
        let (path, origin) = (Some(path.to_owned()), "command line");
        self.candidates.push(Candidate { path, origin, name, status, signed });
        Ok(plugin)
    }

    /// The folders of the search, in order, and what became of each.
    pub fn folders(&self) -> &[(Folder, FolderState)] {
        &self.folders
    }

    /// All candidates, in the order in which a name is looked up.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }
}

impl Candidate {
    fn load(&mut self, loader: &Loader) {
        if let (Status::Found(_), Some(path)) = (&self.status, &self.path) {
            self.status = match loader.load(path, Trust::Manifest) {
                Ok(Loaded { plugin, signed }) => {
                    self.signed = signed;
                    Status::Loaded(plugin)
                }
                Err(error) => Status::Refused(error),
            };
        }
    }
}

/// The libraries of a folder by name, `None` when it does not exist. Not recursive.
fn libraries(folder: &Folder) -> Result<Option<Vec<PathBuf>>, LoadError> {
    let folder = folder.path.as_path();
    if folder.is_relative() {
        return Err(LoadError::RelativeFolder);
    }
    let io = |error| LoadError::io(folder, "read", error);
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        entries => entries.map_err(io)?,
    };
    permissions::check_folder(&folder.canonicalize().map_err(io)?)?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(io)?.path();
        if path.extension().is_some_and(|extension| extension == std::env::consts::DLL_EXTENSION) {
            found.push(path);
        }
    }
    found.sort();
    Ok(Some(found))
}

fn read_manifest(library: &Path) -> Result<Manifest, LoadError> {
    let real = library.canonicalize().map_err(|error| LoadError::io(library, "find", error))?;
    permissions::check(&real)?;
    Manifest::beside(&real)?.ok_or_else(|| LoadError::Unsigned { manifest: Manifest::path_for(&real) })
}
