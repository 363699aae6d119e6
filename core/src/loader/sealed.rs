//! A private, immutable copy of a library.
//!
//! Between hashing a file and opening it, somebody could replace it. So the file is copied once into anonymous memory
//! (`memfd`), the memory is sealed against writing and shrinking, and both the hash and the dynamic linker read that
//! copy. The descriptor stays open for the life of the process: the linker recognises libraries by device and inode
//! and a reused descriptor number would give it an earlier library.

use super::error::LoadError;

/// No backend comes near this size.
const MAX_BYTES: u64 = 2 << 30;

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::File;
    use std::io::{Read, Write};
    use std::os::fd::{AsRawFd, OwnedFd};
    use std::os::unix::fs::OpenOptionsExt;
    use std::path::{Path, PathBuf};
    use std::process::Stdio;

    use rustix::fs::{MemfdFlags, SealFlags};
    use sha2::{Digest, Sha256};

    use super::{LoadError, MAX_BYTES};

    /// What makes a copy immutable.
    const SEALS: SealFlags = SealFlags::WRITE.union(SealFlags::SHRINK).union(SealFlags::GROW);

    /// The sealed copy.
    #[derive(Debug)]
    pub struct Image {
        file: File,
        sha256: [u8; 32],
    }

    impl Image {
        /// Copies and hashes a library.
        ///
        /// # Errors
        /// It cannot be read, is no regular file, is larger than 2 GiB, or sealed memory is not to be had.
        pub fn copy(path: &Path) -> Result<Self, LoadError> {
            let io = |action| move |error| LoadError::io(path, action, error);
            // Not blocking: a pipe without a writer would keep us waiting for ever. For a regular file it changes nothing.
            let flags = rustix::fs::OFlags::NONBLOCK.bits() as i32;
            let mut source =
                std::fs::OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(io("open"))?;
            let metadata = source.metadata().map_err(io("look at"))?;
            if !metadata.is_file() {
                return Err(LoadError::Elf("it is not a regular file".into()));
            }
            if metadata.len() > MAX_BYTES {
                return Err(LoadError::Elf(format!("it has {} bytes, more than 2 GiB", metadata.len())));
            }
            let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("backend");
            // EXEC is asked for because a system may make anonymous files non-executable by default; older kernels do
            // not know the flag and do not need it.
            let memory = rustix::fs::memfd_create(name, flags | MemfdFlags::EXEC)
                .or_else(|_| rustix::fs::memfd_create(name, flags))
                .map_err(|error| LoadError::io(path, "make a sealed copy of", error.into()))?;
            let mut file = File::from(memory);
            let mut hash = Sha256::new();
            let mut buffer = vec![0; 1 << 16];
            let mut left = MAX_BYTES;
            loop {
                let n = source.read(&mut buffer).map_err(io("read"))?;
                if n == 0 {
                    break;
                }
                left = left
                    .checked_sub(n as u64)
                    .ok_or_else(|| LoadError::Elf("it grew beyond 2 GiB while it was read".into()))?;
                hash.update(&buffer[..n]);
                file.write_all(&buffer[..n]).map_err(io("copy"))?;
            }
            rustix::fs::fcntl_add_seals(&file, SEALS | SealFlags::SEAL)
                .map_err(|error| LoadError::io(path, "seal the copy of", error.into()))?;
            Ok(Self { file, sha256: hash.finalize().into() })
        }

        /// A copy that another process made and gave to this one.
        ///
        /// # Errors
        /// It is not sealed against changes, or cannot be read.
        pub fn sealed(memory: OwnedFd) -> Result<Self, LoadError> {
            if !rustix::fs::fcntl_get_seals(&memory).is_ok_and(|seals| seals.contains(SEALS)) {
                return Err(LoadError::Elf("it is not in sealed memory".into()));
            }
            let image = Self { file: File::from(memory), sha256: [0; 32] };
            let sha256 = Sha256::digest(image.bytes()?).into();
            Ok(Self { sha256, ..image })
        }

        /// The copy as the standard input of a child process.
        ///
        /// # Errors
        /// The system does not give another descriptor.
        pub fn to_stdin(&self) -> std::io::Result<Stdio> {
            self.file.try_clone().map(Stdio::from)
        }

        /// SHA-256 of the copy.
        pub fn sha256(&self) -> &[u8; 32] {
            &self.sha256
        }

        /// The copy's bytes.
        ///
        /// # Errors
        /// They cannot be mapped.
        pub fn bytes(&self) -> Result<impl AsRef<[u8]> + use<>, LoadError> {
            // SAFETY: the memory is sealed against writing, shrinking and growing, so the map never changes.
            unsafe { memmap2::Mmap::map(&self.file) }
                .map_err(|error| LoadError::io(&self.path(), "map", error))
        }

        /// The path by which the dynamic linker opens the copy.
        pub fn path(&self) -> PathBuf {
            PathBuf::from(format!("/proc/self/fd/{}", self.file.as_raw_fd()))
        }

        /// Keeps the descriptor open for good.
        pub fn keep(self) -> &'static Self {
            // The number must never be reused, so the file is leaked on purpose.
            Box::leak(Box::new(self))
        }
    }
}

#[cfg(target_os = "linux")]
pub use linux::Image;

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use std::path::{Path, PathBuf};

    use super::LoadError;

    /// Sealed memory is Linux's; elsewhere plugin files are refused.
    #[derive(Debug)]
    pub enum Image {}

    impl Image {
        /// # Errors
        /// Always.
        pub fn copy(_path: &Path) -> Result<Self, LoadError> {
            Err(LoadError::NotHere)
        }

        /// SHA-256 of the copy.
        pub fn sha256(&self) -> &[u8; 32] {
            match *self {}
        }

        /// The copy's bytes.
        ///
        /// # Errors
        /// Never reached.
        pub fn bytes(&self) -> Result<Vec<u8>, LoadError> {
            match *self {}
        }

        /// The path by which the dynamic linker opens the copy.
        pub fn path(&self) -> PathBuf {
            match *self {}
        }

        /// Keeps the copy for good.
        pub fn keep(self) -> &'static Self {
            match self {}
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub use elsewhere::Image;

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_copy_has_the_files_hash_and_cannot_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        std::fs::write(&path, b"abc").unwrap();
        let image = Image::copy(&path).unwrap();
        // FIPS 180-2, appendix B.1: SHA-256("abc").
        let wanted = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(crate::loader::manifest::hex(image.sha256()), wanted);
        std::fs::write(&path, b"xyz").unwrap();
        assert_eq!(image.bytes().unwrap().as_ref(), b"abc");
        let error = std::fs::OpenOptions::new()
            .write(true)
            .open(image.path())
            .and_then(|mut file| std::io::Write::write_all(&mut file, b"x"));
        assert!(error.is_err());

        let again = std::fs::File::open(image.path()).unwrap();
        let again = Image::sealed(again.into()).unwrap();
        assert_eq!(again.sha256(), image.sha256());
        let file = std::fs::File::open(&path).unwrap();
        assert!(Image::sealed(file.into()).unwrap_err().to_string().contains("sealed"));
        let open = rustix::fs::memfd_create("open", rustix::fs::MemfdFlags::ALLOW_SEALING).unwrap();
        assert!(Image::sealed(open).is_err());
    }
}
