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
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    existing(build().join(format!("{prefix}interlock_cpu{suffix}")))
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
