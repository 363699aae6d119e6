//! Building the C backend of these tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use interlock_tests::places::repository;

/// Compiles `tests/plugins/shell.c` with `-D` definitions to a library in `folder`, which is made private.
pub(crate) fn build(folder: &Path, file: &str, definitions: &[&str]) -> PathBuf {
    private(folder);
    let library = folder.join(file);
    let root = repository();
    let status = Command::new("cc")
        .args([
            "-std=c11",
            "-Wall",
            "-Wextra",
            "-Wno-unused-parameter",
            "-Wno-unused-function",
            "-Werror",
            "-shared",
            "-fPIC",
            "-o",
        ])
        .arg(&library)
        .arg("-I")
        .arg(root.join("plugins/abi/include"))
        .args(definitions.iter().map(|definition| format!("-D{definition}")))
        .arg(root.join("tests/plugins/shell.c"))
        .status()
        .expect("a C compiler is installed");
    assert!(status.success(), "shell.c does not compile with {definitions:?}");
    private(&library);
    library
}

/// Takes away what a generous umask gives to others.
pub(crate) fn private(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("the path is ours");
}
