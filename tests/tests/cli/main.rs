//! The command line as a user meets it.

mod bad_input;
mod batch;
mod bench;
mod bench_failures;
mod commands;
mod converting;
mod exporting;
mod foreign;
mod key_check;
mod large;
mod library;
mod mutations;
mod plugin_check;
mod plugin_new;
mod proving;
mod simulate;
#[path = "../keys/synthesis.rs"]
mod synthesis;
mod threads;
mod timeline;
#[path = "../../../core/timeline/tests/sample/mod.rs"]
mod timelines;
#[cfg(target_os = "linux")]
mod trust;
mod validate;
#[cfg(target_os = "linux")]
#[path = "../loading/vendor.rs"]
mod vendor;

use std::path::{Path, PathBuf};

use interlock_tests::places::Fixture;
use interlock_tests::program::call;

/// Names that a test's home folder has for a proof.
struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn at(&self, file: &str) -> PathBuf {
        self.path().join(file)
    }

    fn write(&self, file: &str, bytes: &[u8]) -> PathBuf {
        std::fs::write(self.at(file), bytes).unwrap();
        self.at(file)
    }

    /// Proves with key and witness files to `proof.json` and `public.json`.
    fn prove(&self, key: &Path, witness: &Path, flags: &[&str]) -> (i32, String, String) {
        let files = [key, witness, &self.at("proof.json"), &self.at("public.json")].map(Path::to_path_buf);
        let flags = flags.iter().map(PathBuf::from);
        call(self.path(), std::iter::once(PathBuf::from("prove")).chain(flags).chain(files))
    }

    /// Everything in the folder, sorted, but for what is remembered of keys.
    fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .filter(|name| name != "cache")
            .collect();
        names.sort();
        names
    }
}

fn key_and_witness(fixture: &Fixture) -> (Vec<u8>, Vec<u8>) {
    let read = |file: &str| std::fs::read(fixture.file(file)).unwrap();
    (read("circuit.zkey"), read("witness.wtns"))
}

/// Where the payload of a section of an iden3 file begins and ends.
fn section(bytes: &[u8], id: u32) -> std::ops::Range<usize> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let mut at = 12;
    loop {
        let length = u64::from_le_bytes(bytes[at + 4..at + 12].try_into().unwrap()) as usize;
        if word(at) == id {
            return at + 12..at + 12 + length;
        }
        at += 12 + length;
    }
}
