//! Running the command line.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output};

use crate::places;

/// A command line with nothing of the developer's environment in it: no configuration, no backend folders.
pub fn interlock(home: &Path) -> Command {
    let mut command = Command::new(places::program());
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("INTERLOCK_"))
    {
        command.env_remove(name);
    }
    command
        .env("HOME", home)
        .env("XDG_DATA_HOME", home.join("data"))
        .env("XDG_CACHE_HOME", home.join("cache"))
        .env("XDG_CONFIG_HOME", home.join("config"));
    command.current_dir(home);
    command
}

/// Runs it and gives its exit code, standard output and standard error.
///
/// # Panics
/// It cannot be started, or was ended by a signal.
pub fn run(command: &mut Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("the program starts");
    let (stdout, stderr) = (text(&stdout), text(&stderr));
    let code = status.code().unwrap_or_else(|| panic!("ended by a signal: {status}\n{stdout}\n{stderr}"));
    (code, stdout, stderr)
}

/// Runs `interlock` with arguments.
pub fn call<S: AsRef<OsStr>>(home: &Path, args: impl IntoIterator<Item = S>) -> (i32, String, String) {
    run(interlock(home).args(args))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
