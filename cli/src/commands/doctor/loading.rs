//! What loading backends needs, and the backends.

use std::io::Write as _;

use interlock_core::loader::registry::FolderState;
use interlock_core::loader::sealed::Image;
use interlock_core::loader::{LoadError, Registry, Status as Found};

use super::Check;

/// Copies a file into sealed memory, as every plugin is.
pub(super) fn sealed_memory() -> Check {
    const NAME: &str = "sealed memory";
    let text = b"interlock doctor";
    let copied = tempfile::NamedTempFile::new()
        .and_then(|mut file| file.write_all(text).map(|()| file))
        .map_err(|error| error.to_string())
        .and_then(|file| Image::copy(file.path()).map_err(|error| error.to_string()))
        .and_then(|image| image.bytes().map_err(|error| error.to_string()));
    match copied {
        Ok(bytes) if bytes.as_ref() == text => Check::ok(NAME, "plugins can be loaded"),
        Ok(_) => Check::warning(NAME, "the sealed copy of a file differs from it; plugins cannot be loaded"),
        // The embedded backend does without.
        Err(error) => Check::warning(NAME, format!("plugins cannot be loaded: {error}")),
    }
}

pub(super) fn folders(registry: &Registry) -> Vec<Check> {
    let folders = registry.folders().iter().map(|(folder, state)| {
        let place = format!("{} ({})", folder.path.display(), folder.origin);
        match state {
            FolderState::Read => Check::ok("folder", place),
            FolderState::Absent if folder.named_by_user => {
                Check::warning("folder", format!("{place}: does not exist"))
            }
            FolderState::Absent => Check::ok("folder", format!("{place}: does not exist, which is fine")),
            FolderState::Refused(error) => Check::warning("folder", format!("{place}: {error}")),
        }
    });
    folders.collect()
}

/// Loads every backend and asks it whether it can work here.
pub(super) fn backends(registry: &mut Registry) -> Vec<Check> {
    registry.load_all();
    let checks = registry.candidates().iter().map(|candidate| {
        let place = candidate.place();
        let name = format!("backend {}", candidate.name.as_deref().unwrap_or("?"));
        match &candidate.status {
            Found::Loaded(plugin) => match plugin.probe() {
                Ok(probe) if probe.score > 0 && !probe.devices.is_empty() => {
                    let devices: Vec<_> = probe.devices.iter().map(|device| device.name.as_str()).collect();
                    let version = &plugin.info().version;
                    Check::ok(name, format!("{version}, {place}: {} ({})", devices.join(", "), probe.reason))
                }
                Ok(probe) => Check::warning(name, format!("{place}: cannot work here: {}", probe.reason)),
                Err(error) => Check::warning(name, format!("{place}: its probe failed: {error}")),
            },
            Found::Refused(error @ LoadError::Unsigned { .. }) => {
                Check::warning(name, format!("{place}: {error}"))
            }
            Found::Refused(error) => Check::warning(name, format!("{place}: refused: {error}")),
            Found::Shadowed { by, .. } => Check::ok(name, format!("{place}: hidden by {by}")),
            Found::Found(_) => Check::warning(name, format!("{place}: was not loaded")),
        }
    });
    checks.collect()
}
