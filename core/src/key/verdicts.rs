//! What is known of keys that were looked at before.
//!
//! A folder with two kinds of small files. One is named after a file's identity (device, inode, length, times of its last
//! changes) and holds the SHA-256 of its contents, so that a large key need not be hashed each time. The other is named
//! after such a hash, and says that all points of that key are in their groups. A file that cannot be read or written
//! costs time, never correctness.
//!
//! A file's identity is trusted as far as the system's clock goes: one that was changed within the last seconds is hashed
//! again. Where a wrong answer would go unnoticed, [`Verdicts::hashed`] does not trust it at all.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::format::MappedFile;
use crate::remembered;

/// What a verdict is about; a stricter check takes another name.
const BASES: &str = "bases-1";

/// A clock's coarsest step, generously: a change that follows another one this fast may not show in a file's times.
const CLOCK_STEP: Duration = Duration::from_secs(3);

/// A folder of verdicts.
#[derive(Clone, Debug)]
pub struct Verdicts {
    folder: PathBuf,
}

impl Verdicts {
    /// Verdicts in `folder`, which is made when the first one is remembered. Whoever may write there can vouch for bad
    /// keys, so that it must be the user's own.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// SHA-256 of a file's contents, whatever is remembered.
    pub fn hashed(file: &MappedFile) -> [u8; 32] {
        Sha256::digest(file.bytes()).into()
    }

    /// SHA-256 of a file's contents: remembered by the file's identity, or computed, and then remembered.
    pub fn content_hash(&self, file: &MappedFile) -> [u8; 32] {
        let place = file.identity().map(|identity| self.folder.join(hex(&Sha256::digest(identity))));
        if let Some(hash) = place.as_ref().and_then(|place| parse(&remembered::read(place)?)) {
            return hash;
        }
        let hash = Self::hashed(file);
        if let Some(place) = place.filter(|_| file.is_older_than(CLOCK_STEP)) {
            // Without it the next one takes longer.
            let _ = remembered::write(&self.folder, &place, hex(&hash).as_bytes());
        }
        hash
    }

    /// Whether the bases of the key with this content hash were found to be good.
    pub fn bases_are_good(&self, content_hash: &[u8; 32]) -> bool {
        remembered::read(&self.place(content_hash)).is_some_and(|text| text == BASES.as_bytes())
    }

    /// Remembers that they are.
    ///
    /// # Errors
    /// The folder or the file cannot be written.
    pub fn remember_good_bases(&self, content_hash: &[u8; 32]) -> io::Result<()> {
        remembered::write(&self.folder, &self.place(content_hash), BASES.as_bytes())
    }

    fn place(&self, content_hash: &[u8; 32]) -> PathBuf {
        self.folder.join(format!("{}.{BASES}", hex(content_hash)))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn parse(text: &[u8]) -> Option<[u8; 32]> {
    let text = std::str::from_utf8(text).ok().filter(|text| text.len() == 64 && text.is_ascii())?;
    let mut hash = [0; 32];
    for (byte, at) in hash.iter_mut().zip((0..64).step_by(2)) {
        *byte =
            u8::from_str_radix(text.get(at..at + 2).filter(|digits| !digits.starts_with('+'))?, 16).ok()?;
    }
    Some(hash)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::SystemTime;

    use super::*;

    fn age(path: &Path) {
        let past = SystemTime::now() - Duration::from_secs(100);
        fs::File::options().append(true).open(path).unwrap().set_modified(past).unwrap();
    }

    #[test]
    fn verdicts_belong_to_contents() {
        let folder = tempfile::tempdir().unwrap();
        let verdicts = Verdicts::at(folder.path().join("new/folder"));
        let path = folder.path().join("key");
        fs::write(&path, b"abc").unwrap();
        let hash = verdicts.content_hash(&MappedFile::open(&path).unwrap());
        // FIPS 180-2, appendix B.1.
        assert_eq!(hex(&hash), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert!(!verdicts.bases_are_good(&hash));
        verdicts.remember_good_bases(&hash).unwrap();
        assert!(verdicts.bases_are_good(&hash));
        assert!(!verdicts.bases_are_good(&[0; 32]));
        fs::write(verdicts.place(&hash), b"bases-0").unwrap();
        assert!(!verdicts.bases_are_good(&hash));
    }

    #[test]
    fn a_changed_file_is_hashed_again() {
        let folder = tempfile::tempdir().unwrap();
        let verdicts = Verdicts::at(folder.path().join("verdicts"));
        let path = folder.path().join("key");
        let hash = |text: &[u8]| {
            fs::write(&path, text).unwrap();
            age(&path);
            verdicts.content_hash(&MappedFile::open(&path).unwrap())
        };
        let (first, second) = (hash(b"one"), hash(b"two"));
        assert_ne!(first, second);
        // Its change was just now, whatever it says of its contents' age: nothing was remembered.
        assert!(fs::read_dir(verdicts.folder()).is_err());
        let in_memory = MappedFile::from_bytes("key", b"one".to_vec()).unwrap();
        assert_eq!(in_memory.identity(), None);
        assert_eq!(verdicts.content_hash(&in_memory), first);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_entry_that_is_none_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let verdicts = Verdicts::at(folder.path());
        let place = verdicts.place(&[0; 32]);
        std::os::unix::fs::symlink("/dev/zero", &place).unwrap();
        assert!(!verdicts.bases_are_good(&[0; 32]));
        fs::remove_file(&place).unwrap();
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mkfifoat(rustix::fs::CWD, &place, mode).unwrap();
        assert!(!verdicts.bases_are_good(&[0; 32]));
    }

    #[test]
    fn hashes_are_read_as_they_are_written() {
        let hash: [u8; 32] = std::array::from_fn(|i| 7 * i as u8);
        assert_eq!(parse(hex(&hash).as_bytes()), Some(hash));
        assert_eq!(parse(b"12"), None);
        assert_eq!(parse("é".repeat(32).as_bytes()), None);
        assert_eq!(parse("+f".repeat(32).as_bytes()), None);
    }
}
