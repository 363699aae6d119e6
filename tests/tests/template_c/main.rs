//! The backend template in C: its own self-test, a build outside the repository, its table, and its proofs. What it
//! computes is also compared with arkworks, operation by operation, in `backend_ops`.
#![cfg(target_os = "linux")]

mod outside;
mod proofs;
#[path = "../keys/synthesis.rs"]
mod synthesis;
mod table;

use interlock_tests::template_c::{build as library, folder, loaded, make};

/// Known answers and the ABI's rules, under the address and undefined-behaviour sanitizers.
#[test]
fn it_passes_its_own_check() {
    let build = tempfile::tempdir().unwrap();
    make(&folder(), &["check".into(), format!("BUILD={}", build.path().display())]);
}
