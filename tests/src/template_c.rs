//! The backend template in C, built by its own Makefile as a vendor builds it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, LazyLock};

use interlock_core::backend::Plugin;
use interlock_core::loader::{Trust, load};

use crate::places::repository;
use crate::shell::private;

/// What a Makefile takes from the environment.
const VARIABLES: [&str; 10] = [
    "MAKEFLAGS",
    "MAKELEVEL",
    "CFLAGS",
    "LDFLAGS",
    "HEADER",
    "BUILD",
    "SANITIZE",
    "WERROR",
    "DESTDIR",
    "PREFIX",
];

/// The template's folder.
pub fn folder() -> PathBuf {
    repository().join("plugins/template-c")
}

/// Runs `make` in a copy of the template, or in the template itself, with nothing of the developer's in its environment.
///
/// # Panics
/// There is no `make` or no C compiler, or the make failed: its output is in the message.
pub fn make(folder: &Path, arguments: &[String]) {
    let mut command = Command::new("make");
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    let output = command.arg("-C").arg(folder).arg("-j2").args(arguments).output();
    let output = output.expect("make is installed");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "make {arguments:?} in {}:\n{}{}",
        folder.display(),
        text(&output.stdout),
        text(&output.stderr)
    );
}

/// Builds the template into a folder and gives the library.
pub fn build(into: &Path) -> PathBuf {
    make(&folder(), &[format!("BUILD={}", into.display())]);
    let library = into.join("libinterlock_template_c.so");
    private(&library);
    library
}

/// Copies the template's files, but not what was built there.
///
/// # Panics
/// A file cannot be copied.
pub fn copy(to: &Path) {
    for inner in ["", "keep", "cpu", "check"] {
        std::fs::create_dir_all(to.join(inner)).expect("the folder can be made");
        for entry in std::fs::read_dir(folder().join(inner)).expect("the template is there") {
            let path = entry.expect("the template is there").path();
            if path.is_file() {
                let name = path.file_name().expect("a file has a name");
                std::fs::copy(&path, to.join(inner).join(name)).expect("the template can be copied");
            }
        }
    }
}

/// Builds a copy of it in which one piece of one file is another one: a backend with a fault.
///
/// # Panics
/// The piece is not there exactly once, or what came of it does not compile.
pub fn with_fault(into: &Path, file: &str, from: &str, to: &str) -> PathBuf {
    let source = into.join("source");
    copy(&source);
    let path = source.join(file);
    let text = std::fs::read_to_string(&path).expect("the file is there");
    assert_eq!(text.matches(from).count(), 1, "{from} in {file}");
    std::fs::write(&path, text.replace(from, to)).expect("the copy can be written");
    let build = into.join("build");
    let header = repository().join("plugins/abi/include");
    make(&source, &[format!("BUILD={}", build.display()), format!("HEADER={}", header.display())]);
    let library = build.join("libinterlock_template_c.so");
    for path in [into, &build, &library] {
        private(path);
    }
    library
}

/// The template, built and loaded once per process.
pub fn loaded() -> Arc<Plugin> {
    static LOADED: LazyLock<Arc<Plugin>> = LazyLock::new(|| {
        // What is loaded is a copy of the file in memory, so the folder may go.
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        load(&build(folder.path()), Trust::Unsigned).expect("the template loads")
    });
    Arc::clone(&LOADED)
}
