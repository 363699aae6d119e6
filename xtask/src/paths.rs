//! Where things lie.

use std::path::{Path, PathBuf};

/// The repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository").to_path_buf()
}

/// A path inside the repository.
pub(crate) fn at(relative: &str) -> PathBuf {
    root().join(relative)
}

/// What cargo built: `profile` is `debug` or `release`.
pub(crate) fn built(profile: &str, file: &str) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| at("target"), PathBuf::from);
    root().join(target).join(profile).join(file)
}

/// File name of the CPU backend as cargo names it on this system.
pub(crate) fn cpu_backend_file() -> String {
    format!("{}interlock_cpu{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)
}

/// The path as a person at the repository's root would write it.
pub(crate) fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}
