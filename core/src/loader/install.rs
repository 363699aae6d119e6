//! Putting a library into a folder where it is found, with its manifest.

use std::io::Write;
use std::path::{Path, PathBuf};

use interlock_abi::{INTERLOCK_ABI_MAJOR, INTERLOCK_ABI_MINOR};

use super::error::LoadError;
use super::manifest::{Contents, Manifest, hex};
use super::sealed::sha256_of;
use super::{Trust, load};
use crate::backend::{Origin, PluginInfo};

/// What was installed, and where.
#[derive(Clone, Debug)]
pub struct Installed {
    /// The library.
    pub library: PathBuf,
    /// Its manifest.
    pub manifest: PathBuf,
    /// What the plugin says of itself.
    pub info: PluginInfo,
    /// SHA-256 of the library.
    pub sha256: [u8; 32],
}

/// Copies a library to a folder and writes its manifest. The library is loaded (its code runs) to learn its name and
/// version: installing it is the act of trusting it.
///
/// # Errors
/// It is not an acceptable plugin, or the folder cannot be written.
pub fn install(source: &Path, folder: &Path) -> Result<Installed, LoadError> {
    let plugin = load(source, Trust::Unsigned)?;
    let Origin::File { sha256, .. } = *plugin.origin() else { return Err(LoadError::NotHere) };
    let file = source
        .file_name()
        .and_then(|name| name.to_str())
        .filter(|name| name.ends_with(&format!(".{}", std::env::consts::DLL_EXTENSION)))
        .ok_or_else(|| {
            LoadError::Elf(format!("its file name does not end in .{}", std::env::consts::DLL_EXTENSION))
        })?;
    create(folder).map_err(|error| LoadError::io(folder, "create", error))?;
    let library = folder.join(file);
    let manifest = Manifest::path_for(&library);
    let bytes = std::fs::read(source).map_err(|error| LoadError::io(source, "read", error))?;
    replace(&library, &bytes, 0o755)?;
    // The file may have changed since it was loaded: the manifest vouches for the loaded bytes only.
    let copied = sha256_of(&library)?;
    if copied != sha256 {
        return Err(LoadError::Hash { manifest, wanted: hex(&sha256), got: hex(&copied) });
    }
    let info = plugin.info().clone();
    let version = format!("{INTERLOCK_ABI_MAJOR}.{INTERLOCK_ABI_MINOR}");
    let contents = Contents {
        manifest: 1,
        file: file.to_owned(),
        name: info.name.clone(),
        version: info.version.clone(),
        abi_min: version.clone(),
        abi_max: version,
        sha256: hex(&sha256),
        devices: info.description.clone(),
    };
    let text = toml::to_string(&contents)
        .map_err(|error| LoadError::Manifest { path: manifest.clone(), problem: error.to_string() })?;
    replace(&manifest, text.as_bytes(), 0o644)?;
    Ok(Installed { library, manifest, info, sha256 })
}

/// Creates a folder that nobody else may write, whatever the umask: others would be refused by the loader.
fn create(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o755);
    builder.create(folder)
}

/// Writes a file beside its place and renames it there: nobody sees half of it, and a library that is in use keeps its
/// old bytes.
fn replace(path: &Path, bytes: &[u8], mode: u32) -> Result<(), LoadError> {
    let io = |action| move |error| LoadError::io(path, action, error);
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".interlock-").tempfile_in(folder).map_err(io("write"))?;
    file.write_all(bytes).map_err(io("write"))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(mode)).map_err(io("write"))?;
    }
    #[cfg(not(unix))]
    let _ = mode;
    file.persist(path).map_err(|error| LoadError::io(path, "write", error.error))?;
    Ok(())
}
