//! Where what is remembered lies.

use std::path::PathBuf;

use interlock_core::loader::SearchOptions;

/// `$XDG_CACHE_HOME/interlock/NAME`, else `~/.cache/interlock/NAME`.
///
/// # Errors
/// There is no such place, or it is the choice of a caller with fewer rights than this program.
pub(crate) fn folder(name: &str) -> Result<PathBuf, String> {
    if SearchOptions::from_environment(Vec::new()).elevated {
        return Err("the program has more rights than its caller".into());
    }
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    Ok(cache.ok_or("neither XDG_CACHE_HOME nor HOME is a folder's path")?.join("interlock").join(name))
}
