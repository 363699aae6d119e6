//! `--threads` bounds every thread that computes.
#![cfg(target_os = "linux")]

use std::process::Stdio;

use interlock_curves::Curve;
use interlock_tests::places::{cpu_library, fixture};
use interlock_tests::program::interlock;

use crate::Home;

/// Threads that do not compute while the backend's do: the main one, the one that waits for signals, the engine's clock, its
/// worker, and the one of its pool, in which it does what is before and after the backend's part.
const WAITING: usize = 5;

#[test]
fn no_pool_is_larger_than_asked() {
    for backend in ["cpu".to_owned(), cpu_library().display().to_string()] {
        for curve in [Curve::Bn254, Curve::Bls12_381] {
            for threads in [1, 3] {
                let most = most_threads(curve, &backend, threads);
                assert!(
                    most <= threads + WAITING,
                    "{most} threads with --threads {threads} on {curve}, {backend}"
                );
                assert!(most + 1 >= threads + WAITING, "the pool was never seen: {most} threads");
            }
        }
    }
}

/// The largest number of threads seen while a proof is made.
fn most_threads(curve: Curve, backend: &str, threads: usize) -> usize {
    let home = Home::new();
    let fixture = fixture(curve, "membership");
    let mut child = interlock(home.path())
        .args(["prove", "-q", "--allow-unsigned", "--backend", backend, "--threads", &threads.to_string()])
        .args([fixture.file("circuit.zkey"), fixture.file("witness.wtns")])
        .args([home.at("proof.json"), home.at("public.json")])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let tasks = format!("/proc/{}/task", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        most = most.max(std::fs::read_dir(&tasks).map_or(0, Iterator::count));
    }
    assert!(child.wait().unwrap().success());
    most
}
