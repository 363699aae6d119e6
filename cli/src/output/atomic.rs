//! Files that appear whole or not at all.
//!
//! Each output is written beside its place and renamed there when all of them are complete. Unfinished files are
//! known to this module, so that a process that is told to end removes them first.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use interlock_core::format::{FormatError, MappedFile};
use tempfile::{NamedTempFile, TempPath};

use crate::errors::CannotWrite;
use crate::output::print;
use crate::output::target::{STDOUT, Target};

/// Unfinished files. Held while one is made and while all are renamed, so that whoever holds it sees all or nothing.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static COMMITTED: AtomicBool = AtomicBool::new(false);

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether outputs are in their places.
pub(crate) fn committed() -> bool {
    COMMITTED.load(Ordering::SeqCst)
}

/// Removes unfinished files and ends the process, from any thread; no file appears or is renamed meanwhile. Returns when
/// outputs are in their places, or when `may` says no.
pub(crate) fn abandon(may: impl FnOnce() -> bool, end: impl FnOnce()) {
    // This waits for a commit; what came of it is only known then.
    let files = unfinished();
    if committed() || !may() {
        return;
    }
    for path in files.iter() {
        let _ = std::fs::remove_file(path);
    }
    end();
}

/// An output that is being written.
#[derive(Debug)]
pub(crate) struct Draft {
    target: Target,
    content: Content,
}

#[derive(Debug)]
enum Content {
    File {
        file: NamedTempFile,
        /// Those of the file that will be replaced.
        permissions: Option<Permissions>,
    },
    /// For a stream, which is written last and at once.
    Memory(Vec<u8>),
}

impl Draft {
    /// Begins an output.
    ///
    /// # Errors
    /// No file can be made in its folder.
    pub(crate) fn begin(target: &Target) -> Result<Self, CannotWrite> {
        let content = match target {
            Target::File(path) => {
                let permissions = existing_permissions(path);
                let file = new_file(path, permissions.is_some())
                    .map_err(|source| CannotWrite { path: path.clone(), source })?;
                Content::File { file, permissions }
            }
            Target::Stream(_) => Content::Memory(Vec::new()),
        };
        Ok(Self { target: target.clone(), content })
    }

    /// An output with this text.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn with_text(target: &Target, text: &str) -> Result<Self, CannotWrite> {
        Self::with_bytes(target, text.as_bytes())
    }

    /// An output with these bytes.
    ///
    /// # Errors
    /// They cannot be written.
    pub(crate) fn with_bytes(target: &Target, bytes: &[u8]) -> Result<Self, CannotWrite> {
        let mut draft = Self::begin(target)?;
        draft.write_all(bytes).map_err(|source| CannotWrite { path: target.path().to_owned(), source })?;
        Ok(draft)
    }

    /// Where it will be.
    pub(crate) fn target(&self) -> &Path {
        self.target.path()
    }

    /// Where the unfinished file is, unless the output is a stream.
    pub(crate) fn unfinished_path(&self) -> Option<&Path> {
        match &self.content {
            Content::File { file, .. } => Some(file.path()),
            Content::Memory(_) => None,
        }
    }
}

impl Draft {
    /// What was written, read again.
    ///
    /// # Errors
    /// It cannot be read, or nothing was written.
    pub(crate) fn reopened(&self) -> Result<Arc<MappedFile>, FormatError> {
        match self.unfinished_path() {
            Some(path) => MappedFile::open(path),
            None => MappedFile::from_bytes(self.target(), self.in_memory().to_vec()),
        }
    }

    /// What a stream is going to get; nothing for a file.
    pub(crate) fn in_memory(&self) -> &[u8] {
        match &self.content {
            Content::File { .. } => &[],
            Content::Memory(memory) => memory,
        }
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.content {
            Content::File { file, .. } => file.write(bytes),
            Content::Memory(memory) => memory.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.content {
            Content::File { file, .. } => file.flush(),
            Content::Memory(_) => Ok(()),
        }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Content::File { file, .. } = &self.content {
            // Removed here and not by the field, so that it is known for as long as it exists.
            let mut files = unfinished();
            let _ = std::fs::remove_file(file.path());
            forget(&mut files, file.path());
        }
    }
}

/// Puts all outputs in their places: streams first, because they can fail, then the renames.
///
/// # Errors
/// One cannot be put there; those that were are removed, and what they replaced is there again.
pub(crate) fn commit(drafts: Vec<Draft>) -> Result<(), CannotWrite> {
    let cannot = |path: &Path, source| CannotWrite { path: path.to_owned(), source };
    for draft in &drafts {
        if let Content::Memory(memory) = &draft.content {
            let path = draft.target();
            let written = if path == Path::new(STDOUT) {
                print::output(memory)
            } else {
                OpenOptions::new()
                    .write(true)
                    .open(path)
                    .and_then(|mut stream| stream.write_all(memory).and_then(|()| stream.flush()))
            };
            written.map_err(|source| cannot(path, source))?;
        }
    }
    let mut files = unfinished();
    let mut done: Vec<(PathBuf, Option<TempPath>)> = Vec::new();
    let mut failure = None;
    let is_file = |draft: &Draft| matches!(draft.content, Content::File { .. });
    let last = drafts.iter().rposition(is_file);
    for (i, mut draft) in drafts.into_iter().enumerate() {
        let path = draft.target().to_owned();
        // Taken out, so that dropping the draft does not ask for the lock again.
        let content = std::mem::replace(&mut draft.content, Content::Memory(Vec::new()));
        let Content::File { file, permissions } = content else { continue };
        let temporary = file.path().to_owned();
        if failure.is_none() {
            let prepared = permissions
                .map_or(Ok(()), |permissions| file.as_file().set_permissions(permissions))
                // Behind the last one nothing can fail any more.
                .and_then(|()| if Some(i) == last { Ok(None) } else { set_aside(&path) });
            failure = match prepared {
                Ok(old) => match file.persist(&path) {
                    Ok(_) => {
                        done.push((path, old));
                        None
                    }
                    Err(error) => {
                        let source = old.map_or(Ok(()), |old| put_back(old, &path)).err();
                        Some(cannot(&path, source.unwrap_or(error.error)))
                    }
                },
                Err(source) => Some(cannot(&path, source)),
            };
        }
        forget(&mut files, &temporary);
    }
    match failure {
        Some(mut failure) => {
            for (path, old) in done {
                let undone = match old {
                    Some(old) => put_back(old, &path),
                    None => std::fs::remove_file(&path),
                };
                if let Err(source) = undone {
                    failure = cannot(&path, source);
                }
            }
            Err(failure)
        }
        None => {
            // Before what was set aside is removed, which cannot fail in a way that matters.
            COMMITTED.store(true, Ordering::SeqCst);
            Ok(())
        }
    }
}

/// Gives the file that is about to be replaced a second name in its folder, so that it can be put back. With `None` there is
/// nothing that could be. The name goes when the result is dropped.
fn set_aside(path: &Path) -> io::Result<Option<TempPath>> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
        // Nothing can take a folder's place: the renaming fails.
        Ok(metadata) if metadata.is_dir() => return Ok(None),
        Ok(_) => {}
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".interlock-").suffix(".old");
    // A link leaves the old file in its place until the new one is there. Not every file system has links, nor may
    // everybody make them to a file of somebody else's.
    if let Ok(link) = builder.make_in(folder, |name| std::fs::hard_link(path, name)) {
        return Ok(Some(link.into_temp_path()));
    }
    let name = builder.tempfile_in(folder)?.into_temp_path();
    std::fs::rename(path, &name)?;
    Ok(Some(name))
}

fn put_back(old: TempPath, path: &Path) -> io::Result<()> {
    let name = old.to_path_buf();
    let outcome = old.persist(path).map_err(|error| {
        let text = format!("{}; the file that was here is now {}", error.error, error.path.display());
        // Whatever becomes of the message, the file stays.
        let _ = error.path.keep();
        io::Error::new(error.error.kind(), text)
    });
    if outcome.is_ok() {
        // Renaming one name of a file to another name of the same file does nothing.
        let _ = std::fs::remove_file(name);
    }
    outcome
}

/// Whether a file can be made in the folder of this path; none is left there.
///
/// # Errors
/// It cannot.
pub(crate) fn probe(path: &Path) -> io::Result<()> {
    let file = new_file(path, true)?;
    forget(&mut unfinished(), file.path());
    file.close()
}

/// An empty file in the place of this path, at once, with the permission bits of what was there: for an output that is
/// looked at while it grows. Other names of the old file keep it.
///
/// # Errors
/// It cannot be put there.
pub(crate) fn fresh(path: &Path) -> io::Result<File> {
    let file = new_file(path, false)?;
    let temporary = file.path().to_owned();
    let permissions = existing_permissions(path).map_or(Ok(()), |bits| file.as_file().set_permissions(bits));
    let placed = permissions.and_then(|()| file.persist(path).map_err(|error| error.error));
    forget(&mut unfinished(), &temporary);
    placed
}

/// The permission bits of a file that is there.
#[cfg(unix)]
fn existing_permissions(path: &Path) -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(path).ok()?.permissions().mode();
    Some(Permissions::from_mode(mode & 0o777))
}

/// Elsewhere there is only a read-only mark, which is not worth keeping.
#[cfg(not(unix))]
fn existing_permissions(_path: &Path) -> Option<Permissions> {
    None
}

/// A file beside its place. A private one is for nobody else until it gets the permissions that it is to have.
#[cfg_attr(not(unix), allow(unused_variables, reason = "files there have no permission bits"))]
fn new_file(path: &Path, private: bool) -> io::Result<NamedTempFile> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".interlock-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The umask applies, as to any file that a program makes; temporary files would be private otherwise.
        builder.permissions(Permissions::from_mode(if private { 0o600 } else { 0o666 }));
    }
    let mut files = unfinished();
    // Said without the temporary name: the target's is what the user knows.
    let file = builder.tempfile_in(folder).map_err(|error| match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error.kind().into(),
    })?;
    files.push(file.path().to_owned());
    Ok(file)
}

fn forget(files: &mut Vec<PathBuf>, path: &Path) {
    files.retain(|known| known != path);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn all_or_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let at = |name: &str| Target::File(root.join(name));
        let drafts = || {
            vec![
                Draft::with_text(&at("a.json"), "first").unwrap(),
                Draft::with_text(&at("b.json"), "second").unwrap(),
            ]
        };
        drop(drafts());
        assert!(names(&root).is_empty());

        // A folder in the second place: the first is taken back.
        std::fs::create_dir(root.join("b.json")).unwrap();
        let error = commit(drafts()).unwrap_err();
        assert_eq!(error.path, root.join("b.json"));
        assert_eq!(names(&root), ["b.json"]);

        // The first replaces a file: that one is there again.
        std::fs::write(root.join("a.json"), "old").unwrap();
        commit(drafts()).unwrap_err();
        assert_eq!(names(&root), ["a.json", "b.json"]);
        assert_eq!(std::fs::read_to_string(root.join("a.json")).unwrap(), "old");
        std::fs::remove_dir(root.join("b.json")).unwrap();

        // The first cannot take the place of the old one, which is set aside by then.
        let lost = drafts();
        std::fs::remove_file(lost[0].unfinished_path().unwrap()).unwrap();
        assert_eq!(commit(lost).unwrap_err().path, root.join("a.json"));
        assert_eq!(names(&root), ["a.json"]);
        assert_eq!(std::fs::read_to_string(root.join("a.json")).unwrap(), "old");

        for _ in 0..2 {
            commit(drafts()).unwrap();
            assert_eq!(names(&root), ["a.json", "b.json"]);
            assert_eq!(std::fs::read_to_string(root.join("a.json")).unwrap(), "first");
        }
        assert_eq!(std::fs::read_to_string(root.join("b.json")).unwrap(), "second");
        assert!(committed());
        // Whoever waited for the commit to end the process finds it done.
        abandon(|| panic!("nothing to be abandoned"), || std::process::exit(101));
    }

    #[cfg(unix)]
    #[test]
    fn outputs_are_readable_as_the_umask_says() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap().join("a.json");
        commit(vec![Draft::with_text(&Target::File(path.clone()), "x").unwrap()]).unwrap();
        let plain = folder.path().join("plain");
        std::fs::write(&plain, "x").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&path), mode(&plain));

        for bits in [0o600, 0o640, 0o444] {
            std::fs::set_permissions(&path, Permissions::from_mode(bits)).unwrap();
            commit(vec![Draft::with_text(&Target::File(path.clone()), "new").unwrap()]).unwrap();
            assert_eq!(mode(&path) & 0o7777, bits, "replacing a file keeps its bits");
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_fails_before_any_rename() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let drafts = vec![
            Draft::with_text(&Target::File(root.join("a.json")), "first").unwrap(),
            Draft::with_text(&Target::Stream("/dev/full".into()), "second").unwrap(),
        ];
        assert!(commit(drafts).is_err());
        assert!(names(&root).is_empty());
    }
}
