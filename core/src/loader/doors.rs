//! Opening a library and finding its function table through one of the two doors.

use abi_stable::library::{AbiHeaderRef, LibraryError, ROOT_MODULE_LOADER_NAME_WITH_NUL};
use interlock_abi::door::InterlockDoorRef;
use interlock_abi::{INTERLOCK_GET_API_SYMBOL, InterlockApi, InterlockGetApi};

use super::error::LoadError;
use super::prober::Step;
use super::sealed::Image;
use crate::backend::host_table;

/// Opens a sealed library and asks it for its table: the typed door first, then the C one. The library stays loaded
/// for good, whatever comes of it, because its threads may be running, and so does the image, whose descriptor's number must not be
/// reused. `tell` hears of each step before it is taken.
///
/// # Errors
/// The dynamic linker refuses, no door is there, or the typed door's layout check fails.
#[cfg(unix)]
pub fn open(image: &'static Image, tell: &mut dyn FnMut(Step)) -> Result<*const InterlockApi, LoadError> {
    use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

    tell(Step::Open);
    // SAFETY: this runs the library's constructors: the trust that permissions, manifest and hash have established.
    // RTLD_NOW makes undefined symbols an error here instead of a crash at the first call.
    let library = unsafe { Library::open(Some(image.path()), RTLD_NOW | RTLD_LOCAL) }
        .map_err(|error| LoadError::Link(with_sources(&error)))?;
    let library: &'static Library = Box::leak(Box::new(library));

    // SAFETY: abi_stable exports a static `LibHeader` under this name; a symbol's address read as `AbiHeaderRef`, a
    // transparent reference, is how abi_stable itself reads it.
    let header = unsafe { library.get::<AbiHeaderRef>(ROOT_MODULE_LOADER_NAME_WITH_NUL.as_bytes()) };
    if let Ok(header) = header {
        let header = *header;
        tell(Step::Door);
        let door = header
            .upgrade()
            .and_then(|header| header.init_root_module::<InterlockDoorRef>())
            .map_err(|error| LoadError::Layout(short(&error)))?;
        tell(Step::Entry);
        // SAFETY: the layout check passed, so this is a plugin's entry; the host table lives as long as the process.
        return Ok(unsafe { door.get_api()(host_table()) });
    }
    let symbol = INTERLOCK_GET_API_SYMBOL;
    // SAFETY: by contract the symbol of this name is an `InterlockGetApi`.
    let entry =
        unsafe { library.get::<InterlockGetApi>(symbol.as_bytes()) }.map_err(|_| LoadError::NoDoor)?;
    tell(Step::Entry);
    // SAFETY: as above.
    Ok(unsafe { entry(host_table()) })
}

/// Other systems cannot make an [`Image`].
#[cfg(not(unix))]
pub fn open(_image: &'static Image, _tell: &mut dyn FnMut(Step)) -> Result<*const InterlockApi, LoadError> {
    Err(LoadError::NotHere)
}

/// libloading's own message is only "dlopen failed"; the linker's words are in the chain.
fn with_sources(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text = format!("{text}: {error}");
        source = error.source();
    }
    text
}

/// abi_stable's layout reports run to hundreds of lines; the last ones say what differs.
fn short(error: &LibraryError) -> String {
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(6)..].join("; ")
}
