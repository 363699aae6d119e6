//! Where an output goes, and whether it may.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::errors::{CannotWrite, Usage};
use crate::output::atomic;

/// Written through this process's own standard output, wherever that goes.
pub(crate) const STDOUT: &str = "/dev/stdout";

/// A checked place for an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A file that will be replaced as a whole. Symbolic links are resolved: the file is replaced, not the link.
    File(PathBuf),
    /// A device or pipe, such as `/dev/null`: renaming over it would destroy it, so it is written into.
    Stream(PathBuf),
}

/// As many as Linux follows.
const LINKS: u32 = 40;

impl Target {
    /// The path.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::File(path) | Self::Stream(path) => path,
        }
    }
}

/// Checks outputs before any work is done: each can be written, no two are the same, and none is an input.
///
/// # Errors
/// One of these does not hold.
pub(crate) fn check(outputs: &[&Path], inputs: &[&Path]) -> anyhow::Result<Vec<Target>> {
    let mut targets: Vec<Target> = Vec::new();
    for &path in outputs {
        if path == Path::new("-") {
            let text =
                "- is no output here: write /dev/stdout for standard output, or ./- for a file of this name";
            return Err(Usage(text.into()).into());
        }
        let target = resolve(path, LINKS).map_err(|source| CannotWrite { path: path.to_owned(), source })?;
        if let Target::File(real) = &target {
            if targets.contains(&target) || targets.iter().any(|other| same_file(other.path(), real)) {
                return Err(Usage(format!("{} is given as two outputs", path.display())).into());
            }
            if inputs
                .iter()
                .any(|input| input.canonicalize().is_ok_and(|input| input == *real) || same_file(input, real))
            {
                return Err(Usage(format!("the output {} is also an input", path.display())).into());
            }
            // Found out now, not after an hour of proving.
            atomic::probe(real).map_err(|source| CannotWrite { path: path.to_owned(), source })?;
        }
        targets.push(target);
    }
    Ok(targets)
}

/// Whether two names are of one file: hard links. Two that are not there are not.
#[cfg(unix)]
fn same_file(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |path: &Path| fs::metadata(path).map(|file| (file.dev(), file.ino()));
    matches!((id(a), id(b)), (Ok(a), Ok(b)) if a == b)
}

#[cfg(not(unix))]
fn same_file(_: &Path, _: &Path) -> bool {
    false
}

/// `links` are the most symbolic links to files that are not there which are followed.
fn resolve(path: &Path, links: u32) -> io::Result<Target> {
    // Also when it is redirected to a file: that one is the shell's to replace.
    if path == Path::new(STDOUT) {
        return Ok(Target::Stream(path.to_owned()));
    }
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder")),
        Ok(metadata) if metadata.is_file() => Ok(Target::File(path.canonicalize()?)),
        Ok(_) => Ok(Target::Stream(path.to_owned())),
        // A link to a file that is not there yet: the link stays, and the file is made.
        Err(error) if error.kind() == ErrorKind::NotFound && path.is_symlink() => {
            let link = fs::read_link(path)?;
            let named = path.parent().unwrap_or(Path::new("")).join(link);
            match links {
                0 => Err(io::Error::new(ErrorKind::InvalidInput, "too many symbolic links")),
                _ => resolve(&named, links - 1),
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let no_name = || io::Error::new(ErrorKind::InvalidInput, "the path does not end in a file name");
            // `file_name` ignores a slash at the end, which means a folder.
            let ends_open = path.as_os_str().as_encoded_bytes().last().is_none_or(|&last| last == b'/');
            let name = path.file_name().filter(|_| !ends_open).ok_or_else(no_name)?;
            let folder = match path.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder,
                _ => Path::new("."),
            };
            Ok(Target::File(folder.canonicalize()?.join(name)))
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_files_are_seen_through_spellings_and_links() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("in.wtns"), "x").unwrap();
        let (proof, public) = (at("proof.json"), at("public.json"));
        assert_eq!(check(&[&proof, &public], &[&at("in.wtns")]).unwrap().len(), 2);
        let said = |outputs: &[&Path]| check(outputs, &[&at("in.wtns")]).unwrap_err().to_string();
        assert!(said(&[&proof, &at("./proof.json")]).contains("two outputs"));
        assert!(said(&[&at("in.wtns")]).contains("also an input"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("in.wtns"), at("link")).unwrap();
            assert!(said(&[&at("link")]).contains("also an input"));
            fs::hard_link(at("in.wtns"), at("hard")).unwrap();
            assert!(said(&[&at("hard")]).contains("also an input"));
            fs::remove_file(at("hard")).unwrap();
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("later.json", at("dangling")).unwrap();
            let targets = check(&[&at("dangling")], &[]).unwrap();
            assert_eq!(targets, [Target::File(folder.path().canonicalize().unwrap().join("later.json"))]);
            std::os::unix::fs::symlink("round", at("round")).unwrap();
            check(&[&at("round")], &[]).unwrap_err();
            fs::remove_file(at("dangling")).unwrap();
            fs::remove_file(at("round")).unwrap();
        }
        assert!(said(&[folder.path()]).contains("folder"));
        assert!(said(&[&at("absent/proof.json")]).contains("cannot write"));
        assert!(said(&[&at("absent/")]).contains("file name"));
        assert!(said(&[Path::new("")]).contains("file name"));
        assert!(said(&[Path::new("-")]).contains("/dev/stdout"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), if cfg!(unix) { 2 } else { 1 });
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_written_into() {
        let null = Path::new("/dev/null");
        assert_eq!(check(&[null, null], &[]).unwrap()[0], Target::Stream(null.into()));
        let stdout = Path::new(STDOUT);
        assert_eq!(check(&[stdout], &[]).unwrap()[0], Target::Stream(stdout.into()));
    }
}
