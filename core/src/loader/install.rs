//! Putting a library into a folder where it is found, with its manifest.

use std::io::Write;
use std::path::{Path, PathBuf};

use interlock_abi::{INTERLOCK_ABI_MAJOR, INTERLOCK_ABI_MINOR};
use sha2::{Digest as _, Sha256};

use super::Trust;
use super::error::LoadError;
use super::loading::{Loaded, Loader, Request};
use super::manifest::{Contents, Manifest, hex};
use super::signature::{Signature, Signed};
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
    /// Who signed it.
    pub signed: Signed,
}

/// How a library is installed.
#[derive(Clone, Debug, Default)]
pub struct InstallOptions {
    /// The vendor's signature; the file beside the library (`libmine.so.minisig`), if there is one, when this is `None`.
    pub signature: Option<PathBuf>,
    /// Whether a signature by a trusted key is required, even if no policy does.
    pub require_signature: bool,
}

impl Loader {
    /// Copies a library to a folder and writes its manifest, with the signature in it. The library is loaded (its code
    /// runs) to learn its name and version: installing it is the act of trusting it, as far as the policies let anybody.
    ///
    /// # Errors
    /// It is not an acceptable plugin, a policy does not admit it, or the folder cannot be written.
    pub fn install(
        &self,
        source: &Path,
        folder: &Path,
        options: &InstallOptions,
    ) -> Result<Installed, LoadError> {
        let signature = match &options.signature {
            Some(file) => Some(Signature::read(file)?),
            None => match Signature::beside(source)? {
                Some(signature) => Some(signature),
                None => Manifest::beside(source)?.map_or(Ok(None), |manifest| manifest.signature())?,
            },
        };
        let loaded = self.load_as(Request {
            path: source,
            trust: Trust::Unsigned,
            signature: signature.clone(),
            signed: options.require_signature,
        })?;
        write(source, folder, loaded, signature)
    }
}

fn write(
    source: &Path,
    folder: &Path,
    loaded: Loaded,
    signature: Option<Signature>,
) -> Result<Installed, LoadError> {
    let plugin = loaded.plugin;
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
    // The file may have changed since it was loaded: the manifest vouches for the loaded bytes only.
    let copied: [u8; 32] = Sha256::digest(&bytes).into();
    if copied != sha256 {
        return Err(LoadError::Hash { manifest, wanted: hex(&sha256), got: hex(&copied) });
    }
    replace(&library, &bytes, 0o755)?;
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
        signature: signature.map(|signature| signature.text().to_owned()),
    };
    let text = toml::to_string(&contents)
        .map_err(|error| LoadError::Manifest { path: manifest.clone(), problem: error.to_string() })?;
    replace(&manifest, text.as_bytes(), 0o644)?;
    Ok(Installed { library, manifest, info, sha256, signed: loaded.signed })
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
