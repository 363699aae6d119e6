//! Refuses what others may write.

use std::path::Path;

use super::error::LoadError;

/// Checks a file and the folders above it; `path` is canonical, so no symbolic link is left in it.
///
/// The file and its folder must belong to root or to the effective user and be writable by nobody else. A folder
/// further up may be writable by others only when it is sticky (like `/tmp`): there nobody can rename what is not his.
///
/// # Errors
/// [`LoadError::Permissions`] names the offender.
pub fn check(path: &Path) -> Result<(), LoadError> {
    check_above(path, 2)
}

/// As [`check`], for the folder itself.
///
/// # Errors
/// As [`check`].
pub fn check_folder(path: &Path) -> Result<(), LoadError> {
    check_above(path, 1)
}

/// `sticky_from`: at which distance from `path` a sticky folder may be writable by others.
#[cfg(unix)]
fn check_above(path: &Path, sticky_from: usize) -> Result<(), LoadError> {
    use std::os::unix::fs::MetadataExt;

    let me = rustix::process::geteuid().as_raw();
    for (distance, path) in path.ancestors().enumerate() {
        let metadata = std::fs::metadata(path).map_err(|error| LoadError::io(path, "look at", error))?;
        let refuse = |problem: String| Err(LoadError::Permissions { path: path.to_owned(), problem });
        let owner = metadata.uid();
        if owner != 0 && owner != me {
            return refuse(format!("belongs to user {owner}, neither to root nor to you"));
        }
        let mode = metadata.mode();
        let sticky = mode & 0o1000 != 0 && distance >= sticky_from;
        if mode & 0o022 != 0 && !sticky {
            let who = if mode & 0o002 != 0 { "everybody" } else { "its group" };
            return refuse(format!("may be written by {who} (mode {:04o})", mode & 0o7777));
        }
    }
    Ok(())
}

/// Other systems have no mode bits to look at; plugin files are refused there anyway.
#[cfg(not(unix))]
fn check_above(_path: &Path, _sticky_from: usize) -> Result<(), LoadError> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{Permissions, set_permissions, write};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn files_and_folders_that_others_may_write_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let inner = root.join("backends");
        std::fs::create_dir(&inner).unwrap();
        let file = inner.join("lib.so");
        write(&file, "x").unwrap();
        let mode = |path: &Path, mode| set_permissions(path, Permissions::from_mode(mode)).unwrap();
        mode(&inner, 0o755);
        mode(&file, 0o644);
        check(&file).unwrap();
        for (path, bad, good) in
            [(&file, 0o664, 0o644), (&file, 0o646, 0o644), (&inner, 0o1777, 0o755), (&root, 0o777, 0o700)]
        {
            mode(path, bad);
            let error = check(&file).unwrap_err();
            assert!(matches!(&error, LoadError::Permissions { path: named, .. } if named == path), "{error}");
            mode(path, good);
        }
        mode(&root, 0o1777);
        check(&file).unwrap();
    }
}
