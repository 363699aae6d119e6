//! Which libraries went well before.
//!
//! A folder with a small file for each: named after the SHA-256 of the library and this program's version.
//! Only what went well is remembered. A file that cannot be read or written costs time, never trust.

#[cfg(unix)]
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::super::manifest::hex;
use super::super::permissions;
use crate::remembered;

/// What a file says; a stricter probe takes another word.
const WORD: &str = "probed-1";

/// A folder of libraries that went well.
#[derive(Clone, Debug)]
pub(super) struct Known {
    folder: PathBuf,
}

impl Known {
    pub(super) fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Whether a library went well in this version of the program, by a file that nobody else could have written.
    pub(super) fn has(&self, sha256: &[u8; 32]) -> bool {
        let place = self.place(sha256);
        private(&self.folder)
            && private(&place)
            && remembered::read(&place).is_some_and(|text| text == WORD.as_bytes())
    }

    /// Remembers that it went well.
    pub(super) fn add(&self, sha256: &[u8; 32]) -> io::Result<()> {
        remembered::write(&self.folder, &self.place(sha256), WORD.as_bytes())
    }

    fn place(&self, sha256: &[u8; 32]) -> PathBuf {
        self.folder.join(format!("{}.{}", hex(sha256), env!("CARGO_PKG_VERSION")))
    }
}

/// Whether nobody but the user, and root, could have put this there. We make it so; a group that may write, be it the
/// user's own, is somebody's change.
#[cfg(unix)]
fn private(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    let own = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.mode() & 0o022 == 0);
    own && path.canonicalize().is_ok_and(|path| permissions::check(&path).is_ok())
}

#[cfg(not(unix))]
fn private(_path: &Path) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn what_went_well_is_known_unless_others_could_have_said_so() {
        let root = tempfile::tempdir().unwrap();
        let known = Known::at(root.path().join("deeper/plugins"));
        let (one, two) = ([1; 32], [2; 32]);
        assert!(!known.has(&one));
        known.add(&one).unwrap();
        known.add(&one).unwrap();
        assert!(known.has(&one) && !known.has(&two));

        let mode = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        let file = known.place(&one);
        for (path, bad, good) in [
            (&known.folder, 0o770, 0o700),
            (&known.folder, 0o707, 0o700),
            (&file, 0o620, 0o600),
            (&file, 0o602, 0o600),
        ] {
            mode(path, bad);
            assert!(!known.has(&one), "{} with mode {bad:o}", path.display());
            mode(path, good);
            assert!(known.has(&one));
        }
        mode(root.path(), 0o777);
        assert!(!known.has(&one), "a folder above");
        mode(root.path(), 0o700);

        fs::write(&file, "probed-0").unwrap();
        assert!(!known.has(&one), "by another probe");
        fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
        assert!(!known.has(&one));
    }
}
