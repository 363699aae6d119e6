//! The backend template in Rust: its proofs, and a build outside the workspace. What it computes is also compared with
//! arkworks, operation by operation, in `backend_ops`; its kernels have tests of their own, which are copied with it.
#![cfg(target_os = "linux")]

mod outside;
#[path = "../template_c/proofs.rs"]
mod proofs;
#[path = "../keys/synthesis.rs"]
mod synthesis;

use std::path::{Path, PathBuf};

use interlock_tests::places;
use interlock_tests::template_rust::loaded;

/// The library, which cargo has built.
fn library(_: &Path) -> PathBuf {
    places::library("interlock_template_rust")
}
