//! Where a file's bytes come from: a read-only memory map, or memory that the caller gave.

use std::{
    fmt,
    fs::{File, Metadata},
    ops::{Deref, Range},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use memmap2::Mmap;

use super::{FormatError, FormatErrorKind as Kind};

/// A whole file, readable as one slice. Shared by [`Arc`], so that a [`Section`] outlives whoever parsed it.
///
/// A mapped file must not be truncated while it is in use: reading a page that has gone kills the process
/// (`SIGBUS`). Replacing it by renaming another file over it is fine.
pub struct MappedFile {
    path: PathBuf,
    data: Data,
}

enum Data {
    /// And, when the file system's times can be relied on, what it knows of the file.
    Map(Mmap, Option<Metadata>),
    Owned(Vec<u8>),
}

impl MappedFile {
    /// Maps a file, read-only.
    ///
    /// # Errors
    /// When it is absent, unreadable, empty or not a regular file.
    pub fn open(path: impl AsRef<Path>) -> Result<Arc<Self>, FormatError> {
        let path = path.as_ref();
        let (file, metadata) = open_regular(path)?;
        // SAFETY: the map is private to this value and only read. Rust wants that nobody changes the file meanwhile,
        // which no program can enforce; everything parsed from the map is checked where it is used, a changed value
        // makes a wrong proof that the self-check rejects, and truncation is documented above.
        let map = unsafe { Mmap::map(&file) }
            .map_err(|source| FormatError::new(path, Kind::Io { action: "map", source }))?;
        let metadata = Some(metadata).filter(|_| times_tell_changes(&file));
        Ok(Arc::new(Self { path: path.to_owned(), data: Data::Map(map, metadata) }))
    }

    /// Takes bytes as a file's contents; `label` stands for the path in messages.
    ///
    /// # Errors
    /// When there are none.
    pub fn from_bytes(label: impl Into<PathBuf>, bytes: Vec<u8>) -> Result<Arc<Self>, FormatError> {
        let path = label.into();
        if bytes.is_empty() {
            return Err(FormatError::new(&path, Kind::Empty));
        }
        Ok(Arc::new(Self { path, data: Data::Owned(bytes) }))
    }

    /// The path, or the label given with the bytes.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The length in bytes; never 0.
    #[allow(clippy::len_without_is_empty, reason = "an empty file is refused when opened")]
    pub fn len(&self) -> u64 {
        self.bytes().len() as u64
    }

    /// The contents.
    pub fn bytes(&self) -> &[u8] {
        match &self.data {
            Data::Map(map, _) => map,
            Data::Owned(bytes) => bytes,
        }
    }

    /// Lets go of the memory that a part of a mapped file takes; the next read brings it back, from the system's cache
    /// if it is still there. Does nothing to bytes that were given.
    fn release(&self, range: Range<usize>) {
        #[cfg(unix)]
        if let Data::Map(map, _) = &self.data {
            // Whole pages inside the range; the neighbours' stay.
            let page = rustix::param::page_size();
            let start = range.start.next_multiple_of(page);
            let length = (range.end / page * page).saturating_sub(start);
            if length > 0 {
                // SAFETY: the map is read-only and of a file, so that pages which are dropped are read again from it; that
                // the file must not change meanwhile is what mapping it asks for anyway.
                // When the system refuses, the memory is kept.
                let _ =
                    unsafe { map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, start, length) };
            }
        }
        let _ = range;
    }

    /// What tells this state of this file from all others, as far as the file system knows: device, inode, length and the
    /// times of the last changes. `None` for bytes from memory, and where the system has no such things, or where two files
    /// can have the same: on read-only mounts, where one image can take another's place, and on file systems that keep no
    /// time of a file's last change.
    ///
    /// What it does not tell: a page that a program changes through a map of its own, while the page still waits to be
    /// written, keeps its time.
    pub fn identity(&self) -> Option<String> {
        #[cfg(unix)]
        if let Data::Map(_, Some(metadata)) = &self.data {
            use std::os::unix::fs::MetadataExt as _;
            return Some(format!(
                "{} {} {} {}.{:09} {}.{:09}",
                metadata.dev(),
                metadata.ino(),
                metadata.len(),
                metadata.mtime(),
                metadata.mtime_nsec(),
                metadata.ctime(),
                metadata.ctime_nsec()
            ));
        }
        None
    }

    /// Whether the last change of the file, its times included, is longer ago than `age`.
    pub fn is_older_than(&self, age: Duration) -> bool {
        #[cfg(unix)]
        if let Data::Map(_, Some(metadata)) = &self.data {
            use std::os::unix::fs::MetadataExt as _;
            let passed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
            return u64::try_from(metadata.ctime())
                .is_ok_and(|changed| passed.saturating_sub(Duration::from_secs(changed)) > age);
        }
        let _ = age;
        false
    }
}

impl fmt::Debug for MappedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MappedFile")
            .field("path", &self.path)
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

/// Whether a file cannot be changed without its times telling: on a file system that keeps the time of a file's last change
/// itself, mounted for writing.
#[cfg(target_os = "linux")]
fn times_tell_changes(file: &File) -> bool {
    /// ext2 to ext4, XFS, Btrfs, F2FS, bcachefs, ZFS, tmpfs, overlayfs: magic numbers as in Linux' `statfs(2)`.
    const KNOWN: [i64; 8] =
        [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0xca45_1a4e, 0x2fc1_2fc1, 0x0102_1994, 0x794c_7630];
    // The field's width is the architecture's.
    #[allow(clippy::useless_conversion, reason = "it is one on 64-bit machines only")]
    let known = rustix::fs::fstatfs(file).is_ok_and(|of| KNOWN.contains(&i64::from(of.f_type)));
    let read_only = rustix::fs::fstatvfs(file)
        .map_or(true, |of| of.f_flag.contains(rustix::fs::StatVfsMountFlags::RDONLY));
    known && !read_only
}

/// Elsewhere it is not known.
#[cfg(not(target_os = "linux"))]
fn times_tell_changes(_: &File) -> bool {
    false
}

/// Opens a file that exists, is regular and is not empty, and tells its length.
pub(super) fn open_regular(path: &Path) -> Result<(File, Metadata), FormatError> {
    let io = |source| FormatError::new(path, Kind::Io { action: "open", source });
    // Looked at before opening, because opening a pipe without a writer waits for ever.
    if !std::fs::metadata(path).map_err(io)?.is_file() {
        return Err(FormatError::new(path, Kind::NotAFile));
    }
    let file = File::open(path).map_err(io)?;
    let metadata = file.metadata().map_err(io)?;
    if !metadata.is_file() {
        return Err(FormatError::new(path, Kind::NotAFile));
    }
    if metadata.len() == 0 {
        return Err(FormatError::new(path, Kind::Empty));
    }
    Ok((file, metadata))
}

/// A part of a file that keeps the file alive. Dereferences to its bytes.
#[derive(Clone)]
pub struct Section {
    file: Arc<MappedFile>,
    range: Range<usize>,
}

impl Section {
    /// The part `range` of `file`, or `None` when the file does not reach that far.
    pub fn new(file: Arc<MappedFile>, range: Range<usize>) -> Option<Self> {
        file.bytes().get(range.clone())?;
        Some(Self { file, range })
    }

    /// As [`new`](Self::new), for a range that a parser has checked; what lies outside the file is left out.
    pub(crate) fn within(file: Arc<MappedFile>, range: Range<usize>) -> Self {
        let end = range.end.min(file.bytes().len());
        Self { file, range: range.start.min(end)..end }
    }

    /// The file that this is a part of.
    pub fn file(&self) -> &Arc<MappedFile> {
        &self.file
    }

    /// Lets go of the memory that this part of a mapped file takes, which the next read brings back: for parts that are not
    /// needed again soon.
    pub fn release(&self) {
        self.file.release(self.range.clone());
    }

    /// Bytes from the start of the file to the start of this part.
    pub fn offset(&self) -> u64 {
        self.range.start as u64
    }
}

impl Deref for Section {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.file.bytes()[self.range.clone()]
    }
}

impl AsRef<[u8]> for Section {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl fmt::Debug for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Section").field("file", &self.file.path).field("range", &self.range).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let error = MappedFile::open(folder.path()).unwrap_err();
        assert!(matches!(error.kind(), Kind::NotAFile), "{error}");
        let absent = folder.path().join("absent.zkey");
        let error = MappedFile::open(&absent).unwrap_err();
        assert!(
            matches!(error.kind(), Kind::Io { .. }) && error.to_string().contains("absent.zkey"),
            "{error}"
        );
        let empty = folder.path().join("empty");
        std::fs::write(&empty, []).unwrap();
        assert!(matches!(MappedFile::open(&empty).unwrap_err().kind(), Kind::Empty));
        assert!(matches!(MappedFile::from_bytes("empty", Vec::new()).unwrap_err().kind(), Kind::Empty));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn times_of_a_file_system_that_keeps_none_are_not_trusted() {
        assert!(!times_tell_changes(&File::open("/proc/self/maps").unwrap()));
    }

    #[test]
    fn what_was_released_can_be_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let bytes: Vec<u8> = (0..100_000_u32).map(|i| i as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        for file in [MappedFile::open(&path).unwrap(), MappedFile::from_bytes("data", bytes.clone()).unwrap()]
        {
            for range in [0..100_000, 5..20_000, 4096..8192, 10..10, 99_999..100_000] {
                let section = Section::new(file.clone(), range.clone()).unwrap();
                section.release();
                assert_eq!(&*section, &bytes[range]);
            }
        }
    }

    #[test]
    fn a_section_outlives_the_file_handle() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        std::fs::write(&path, b"0123456789").unwrap();
        let file = MappedFile::open(&path).unwrap();
        assert_eq!(file.len(), 10);
        let section = Section::new(file.clone(), 2..5).unwrap();
        assert!(Section::new(file.clone(), 2..11).is_none());
        drop(file);
        assert_eq!(&*section, b"234");
        assert_eq!(section.offset(), 2);
    }
}
