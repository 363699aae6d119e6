//! Building the C backends of these tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::places::repository;

const WARNINGS: [&str; 5] = ["-Wall", "-Wextra", "-Wno-unused-parameter", "-Wno-unused-function", "-Werror"];

/// Compiles `tests/plugins/shell.c` with `-D` definitions to a library in `folder`, which is made private.
///
/// # Panics
/// There is no compiler, or it does not compile.
pub fn build(folder: &Path, file: &str, definitions: &[&str]) -> PathBuf {
    let mut command = Command::new("cc");
    command.args(["-std=c11", "-shared", "-fPIC"]).args(WARNINGS);
    compile(&mut command, folder, file, &["shell.c"], definitions)
}

/// The same against the header in another folder.
///
/// # Panics
/// As [`build`].
pub fn build_against(include: &Path, folder: &Path, file: &str, definitions: &[&str]) -> PathBuf {
    let mut command = Command::new("cc");
    command.args(["-std=c11", "-shared", "-fPIC"]).args(WARNINGS).arg("-I").arg(include);
    compile(&mut command, folder, file, &["shell.c"], definitions)
}

/// The same with `misbehaving.c`, which does something else at one point.
///
/// # Panics
/// As [`build`].
pub fn misbehaving(folder: &Path, file: &str, definitions: &[&str]) -> PathBuf {
    let mut command = Command::new("cc");
    command.args(["-std=c11", "-shared", "-fPIC"]).args(WARNINGS);
    compile(&mut command, folder, file, &["misbehaving.c"], definitions)
}

/// The same with a function in C++, `throw_something`, that throws.
///
/// # Panics
/// As [`build`].
pub fn throwing(folder: &Path, file: &str, definitions: &[&str]) -> PathBuf {
    let object = format!("{file}.o");
    let mut command = Command::new("cc");
    command.args(["-std=c11", "-c", "-fPIC", "-DTHROWS"]).args(WARNINGS);
    let object = compile(&mut command, folder, &object, &["misbehaving.c"], definitions);
    let mut command = Command::new("c++");
    command.args(["-shared", "-fPIC"]).arg(object);
    compile(&mut command, folder, file, &["throwing.cpp"], &[])
}

fn compile(
    command: &mut Command,
    folder: &Path,
    file: &str,
    sources: &[&str],
    definitions: &[&str],
) -> PathBuf {
    private(folder);
    let library = folder.join(file);
    let root = repository();
    let status = command
        .arg("-o")
        .arg(&library)
        .arg("-I")
        .arg(root.join("plugins/abi/include"))
        .args(definitions.iter().map(|definition| format!("-D{definition}")))
        .args(sources.iter().map(|source| root.join("tests/plugins").join(source)))
        .status()
        .expect("a C and a C++ compiler are installed");
    assert!(status.success(), "{sources:?} does not compile with {definitions:?}");
    private(&library);
    library
}

/// Takes away what a generous umask gives to others.
///
/// # Panics
/// The path is not ours.
#[cfg(unix)]
pub fn private(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("the path is ours");
}

/// Other systems load no libraries.
#[cfg(not(unix))]
pub fn private(_: &Path) {}
