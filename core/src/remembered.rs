//! Small files in which something is remembered from one run to the next: a word, or a hash.

use std::io::Read as _;
use std::path::Path;
use std::{fs, io};

/// Ours are no longer.
const MAX_BYTES: u64 = 64;

/// Writes a file, whole or not at all, also when two processes do. Its folder is made, for nobody else.
pub(crate) fn write(folder: &Path, place: &Path, text: &[u8]) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    let file = tempfile::NamedTempFile::new_in(folder)?;
    fs::write(file.path(), text)?;
    file.persist(place).map_err(|error| error.error)?;
    Ok(())
}

/// What a file holds, if it is a file, not a link, and as small as ours are.
pub(crate) fn read(place: &Path) -> Option<Vec<u8>> {
    let metadata = fs::symlink_metadata(place).ok()?;
    if !metadata.is_file() || metadata.len() > MAX_BYTES {
        return None;
    }
    let mut text = Vec::new();
    fs::File::open(place).ok()?.take(MAX_BYTES).read_to_end(&mut text).ok()?;
    Some(text)
}
