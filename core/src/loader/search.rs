//! Which folders are looked at, in which order.
//!
//! 1. `--backend-dir`, as often as given;
//! 2. `$INTERLOCK_BACKEND_PATH`, a `:`-separated list;
//! 3. the user's data folder: `$XDG_DATA_HOME/interlock/backends`, else `~/.local/share/interlock/backends`;
//! 4. `<prefix>/lib/interlock/backends`, the program being `<prefix>/bin/interlock`.
//!
//! Never the working directory, never recursively, in each folder by name. When the program runs with more rights than
//! its caller (set-uid), 2 and 3 are the caller's to choose and are skipped.

use std::path::{Path, PathBuf};

/// What a search starts from; the fields are explicit so that tests do not depend on the environment.
#[derive(Clone, Debug, Default)]
pub struct SearchOptions {
    /// `--backend-dir`.
    pub extra: Vec<PathBuf>,
    /// `$INTERLOCK_BACKEND_PATH`.
    pub path_variable: Option<std::ffi::OsString>,
    /// The user's data folder (`$XDG_DATA_HOME` or `~/.local/share`).
    pub data_home: Option<PathBuf>,
    /// The running program.
    pub program: Option<PathBuf>,
    /// The program runs with more rights than its caller.
    pub elevated: bool,
}

/// A folder that is looked at, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// Where.
    pub path: PathBuf,
    /// On whose word: `--backend-dir`, `INTERLOCK_BACKEND_PATH`, `user data folder` or `installation`.
    pub origin: &'static str,
    /// Whether the user named it for this purpose, so that its absence is worth a word.
    pub named_by_user: bool,
}

impl SearchOptions {
    /// From this process's environment.
    pub fn from_environment(extra: Vec<PathBuf>) -> Self {
        let absolute =
            |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        Self {
            extra,
            path_variable: std::env::var_os("INTERLOCK_BACKEND_PATH"),
            data_home: absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share"))),
            program: std::env::current_exe().ok(),
            elevated: elevated(),
        }
    }
}

/// The folders of a search, in order, without repetition. Relative entries of the path variable stay relative, which the
/// registry refuses: they would mean the working directory.
pub fn folders(options: &SearchOptions) -> Vec<Folder> {
    let mut found: Vec<Folder> = Vec::new();
    let mut add = |path: PathBuf, origin, named_by_user| {
        if !path.as_os_str().is_empty() && !found.iter().any(|folder| folder.path == path) {
            found.push(Folder { path, origin, named_by_user });
        }
    };
    for path in &options.extra {
        // Said on the command line, so the working directory is meant when it is relative.
        add(std::path::absolute(path).unwrap_or_else(|_| path.clone()), "--backend-dir", true);
    }
    if !options.elevated {
        for path in options.path_variable.iter().flat_map(std::env::split_paths) {
            add(path, "INTERLOCK_BACKEND_PATH", true);
        }
        if let Some(path) = user_folder(options) {
            add(path, "user data folder", false);
        }
    }
    if let Some(prefix) = options.program.as_deref().and_then(Path::parent).and_then(Path::parent) {
        add(prefix.join("lib/interlock/backends"), "installation", false);
    }
    found
}

/// Where `interlock plugin install` puts backends.
pub fn user_folder(options: &SearchOptions) -> Option<PathBuf> {
    options.data_home.as_ref().map(|data| data.join("interlock/backends"))
}

/// Set-uid and set-gid programs, whose caller has fewer rights than they.
#[cfg(unix)]
fn elevated() -> bool {
    use rustix::process::{getegid, geteuid, getgid, getuid};
    getuid() != geteuid() || getgid() != getegid()
}

#[cfg(not(unix))]
fn elevated() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> SearchOptions {
        SearchOptions {
            extra: vec!["/x".into(), "/x".into()],
            path_variable: Some("/p/one:relative::/p/two:/x".into()),
            data_home: Some("/home/u/.local/share".into()),
            program: Some("/opt/il/bin/interlock".into()),
            elevated: false,
        }
    }

    #[test]
    fn the_order_and_no_repetition() {
        let paths: Vec<_> = folders(&options()).into_iter().map(|folder| folder.path).collect();
        let wanted = [
            "/x",
            "/p/one",
            "relative",
            "/p/two",
            "/home/u/.local/share/interlock/backends",
            "/opt/il/lib/interlock/backends",
        ];
        assert_eq!(paths, wanted.map(PathBuf::from));
    }

    #[test]
    fn an_elevated_program_ignores_what_its_caller_controls() {
        let paths: Vec<_> = folders(&SearchOptions { elevated: true, ..options() })
            .into_iter()
            .map(|folder| folder.path)
            .collect();
        assert_eq!(paths, ["/x", "/opt/il/lib/interlock/backends"].map(PathBuf::from));
    }
}
