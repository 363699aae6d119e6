//! Where programs, libraries and fixtures are.

use std::path::{Path, PathBuf};

use interlock_curves::Curve;

/// The repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests lie in the repository").to_path_buf()
}

/// The folder of the build that this test belongs to: `target/debug`, say.
pub fn build() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    test.parent().and_then(Path::parent).expect("tests lie in target/<profile>/deps").to_path_buf()
}

/// The command line.
///
/// # Panics
/// It was not built: `cargo build --workspace` first.
pub fn program() -> PathBuf {
    existing(build().join(format!("interlock{}", std::env::consts::EXE_SUFFIX)))
}

/// The CPU backend's library.
///
/// # Panics
/// It was not built: `cargo build --workspace` first.
pub fn cpu_library() -> PathBuf {
    library("interlock_cpu")
}

/// The library of one of the workspace's crates.
///
/// # Panics
/// It was not built: `cargo build --workspace` first.
pub fn library(name: &str) -> PathBuf {
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    existing(build().join(format!("{prefix}{name}{suffix}")))
}

fn existing(path: PathBuf) -> PathBuf {
    assert!(
        path.exists(),
        "{} is missing: run `cargo build --workspace`, or `cargo xtask test`",
        path.display()
    );
    path
}

/// A circuit with its files.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// Its name, with the curve.
    pub name: String,
    /// Its curve.
    pub curve: Curve,
    /// Its folder.
    pub folder: PathBuf,
}

impl Fixture {
    /// One of its files.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// The committed fixtures, and the circomlib ones as far as they were made.
pub fn fixtures() -> Vec<Fixture> {
    let mut found = committed();
    found.extend(below(&repository().join("target/fixtures/circomlib")));
    found
}

/// The committed fixtures.
pub fn committed() -> Vec<Fixture> {
    let found = below(&repository().join("tests/fixtures"));
    assert!(found.len() >= 4, "committed fixtures of two circuits on two curves");
    found
}

/// One committed fixture.
///
/// # Panics
/// There is none of that name.
pub fn fixture(curve: Curve, name: &str) -> Fixture {
    let folder = repository().join("tests/fixtures").join(curve.name()).join(name);
    assert!(folder.is_dir(), "{} is missing", folder.display());
    Fixture { name: format!("{curve}/{name}"), curve, folder }
}

/// Circuits and keys that are published on npm.
///
/// `None`, with a notice, when they are not there and `INTERLOCK_TEST_OFFLINE` says that they need not be.
///
/// # Panics
/// One is missing otherwise: `cargo xtask fixtures --npm-only` fetches them.
pub fn npm() -> Option<Vec<Fixture>> {
    let root = repository().join("target/fixtures/npm");
    let found: Vec<Fixture> = NPM
        .iter()
        .map(|name| Fixture { name: (*name).into(), curve: Curve::Bn254, folder: root.join(name) })
        .filter(|fixture| fixture.file("stamp").exists())
        .collect();
    if found.len() < NPM.len() {
        let missing = format!("{} of {} keys from npm are missing", NPM.len() - found.len(), NPM.len());
        let offline = std::env::var_os("INTERLOCK_TEST_OFFLINE").is_some();
        assert!(offline, "{missing}: run `cargo xtask fixtures --npm-only`");
        let notice = format!("NOTICE: {missing} and NOT tested, because INTERLOCK_TEST_OFFLINE is set\n");
        // Past the capture of a test's output.
        std::io::Write::write_all(&mut std::io::stderr(), notice.as_bytes()).expect("stderr is open");
    }
    (!found.is_empty()).then_some(found)
}

/// Those that `cargo xtask fixtures` makes of packages on npm.
const NPM: [&str; 10] = [
    "semaphore-1",
    "semaphore-20",
    "semaphore-32",
    "unirep-signup",
    "unirep-epochKeyLite",
    "unirep-epochKey",
    "unirep-scopeNullifier",
    "unirep-reputation",
    "unirep-userStateTransition",
    "rln-20",
];

fn below(root: &Path) -> Vec<Fixture> {
    let mut found = Vec::new();
    for curve in [Curve::Bn254, Curve::Bls12_381] {
        let Ok(entries) = std::fs::read_dir(root.join(curve.name())) else { continue };
        let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        folders.sort();
        for folder in folders.into_iter().filter(|folder| folder.join("circuit.zkey").exists()) {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            found.push(Fixture { name: format!("{curve}/{name}"), curve, folder });
        }
    }
    found
}
