//! A folder of files that appears whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use super::templates::File;

/// Makes the folder, or fills it when it is empty.
///
/// # Errors
/// It is a file, or not empty, or cannot be written: then it is left as it was.
pub(super) fn write(folder: &Path, files: &[File]) -> io::Result<()> {
    let is_new = match fs::read_dir(folder) {
        Ok(mut entries) => {
            if entries.next().is_some() {
                return Err(io::Error::new(ErrorKind::DirectoryNotEmpty, "the folder is not empty"));
            }
            false
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            fs::create_dir_all(folder)?;
            true
        }
        Err(error) => return Err(error),
    };
    let outcome = files.iter().try_for_each(|file| write_file(&folder.join(file.path), &file.text));
    if outcome.is_err() {
        // Nobody is left to hear that this failed, too.
        for top in files.iter().filter_map(|file| Path::new(file.path).iter().next()) {
            let top = folder.join(top);
            let _ = if top.is_dir() { fs::remove_dir_all(top) } else { fs::remove_file(top) };
        }
        if is_new {
            let _ = fs::remove_dir(folder);
        }
    }
    outcome
}

fn write_file(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &'static str) -> File {
        File { path, text: path.into() }
    }

    #[test]
    fn whole_or_not_at_all() {
        let home = tempfile::tempdir().unwrap();
        let (new, empty, full) =
            (home.path().join("a/new"), home.path().join("empty"), home.path().join("full"));
        fs::create_dir(&empty).unwrap();
        for folder in [&new, &empty] {
            write(folder, &[file("top"), file("in/deep/below")]).unwrap();
            assert_eq!(fs::read_to_string(folder.join("in/deep/below")).unwrap(), "in/deep/below");
        }
        fs::create_dir(&full).unwrap();
        fs::write(full.join("mine"), "x").unwrap();
        assert_eq!(write(&full, &[file("top")]).unwrap_err().kind(), ErrorKind::DirectoryNotEmpty);
        assert_eq!(fs::read_dir(&full).unwrap().count(), 1);
        write(&full.join("mine"), &[file("top")]).unwrap_err();
        // A file where a folder is needed: what was written before is gone.
        let bad = home.path().join("bad");
        write(&bad, &[file("top"), file("one/two"), file("top/below")]).unwrap_err();
        assert!(!bad.exists());
    }
}
