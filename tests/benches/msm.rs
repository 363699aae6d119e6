//! Multi-scalar multiplication of the CPU backend by itself, without the ABI: one line per group, curve and size.
//!
//! `cargo bench --workspace --bench msm -- threads=2 log=16`; with `INTERLOCK_CPU_SIMD=off` it measures the portable kernels:
//! on BLS12-381 blst's own window kernel.

#![allow(clippy::print_stdout, reason = "the result of a measurement")]

use std::time::Instant;

use interlock_cpu::msm::{CpuCurve, MsmGroup, instructions};
use interlock_curves::{Bls12_381, Bn254};
use interlock_sdk::CancelToken;
use interlock_tests::random::{g1_points, g2_points, generator, scalar};

fn main() {
    let threads = argument("threads").unwrap_or(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("the threads start");
    println!("{}, {threads} thread(s); fastest of five", instructions());
    pool.install(|| {
        curve::<Bn254>();
        curve::<Bls12_381>();
    });
}

fn curve<E: CpuCurve>() {
    let only = argument("log");
    for log in [10, 12, 14, 16, 18].into_iter().filter(|log| only.is_none_or(|only| only == *log as usize)) {
        let mut rng = generator(log);
        // Distinct points in a thousand places are enough: what the additions are of does not matter for their time.
        let n = 1_usize << log;
        let (g1, g2) = (g1_points::<E>(1000, &mut rng), g2_points::<E>(1000, &mut rng));
        let (small, large) = (E::CURVE.g1_bytes(), E::CURVE.g2_bytes());
        let mut first = vec![0_u64; n * small / 8];
        let mut second = vec![0_u64; n * large / 8];
        let mut bytes = vec![0; large];
        for i in 0..n {
            E::write_g1(&g1[i % 1000], &mut bytes);
            copy(&bytes[..small], &mut first[i * small / 8..(i + 1) * small / 8]);
            E::write_g2(&g2[i % 1000], &mut bytes);
            copy(&bytes, &mut second[i * large / 8..(i + 1) * large / 8]);
        }
        let scalars: Vec<u8> =
            (0..n).flat_map(|_| E::scalar_to_canonical(&scalar::<E::ScalarField>(&mut rng))).collect();
        let chosen: Vec<u32> = (0..n as u32).collect();
        group::<E::CpuG1>(&format!("{} G1 2^{log}", E::CURVE), &first, &chosen, &scalars);
        group::<E::CpuG2>(&format!("{} G2 2^{log}", E::CURVE), &second, &chosen, &scalars);
    }
}

/// The number of an argument `name=NUMBER`.
fn argument(name: &str) -> Option<usize> {
    std::env::args().find_map(|word| word.strip_prefix(name)?.strip_prefix('=')?.parse().ok())
}

fn copy(bytes: &[u8], words: &mut [u64]) {
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_ne_bytes(*bytes);
    }
}

fn group<G: MsmGroup>(what: &str, points: &[u64], chosen: &[u32], scalars: &[u8]) {
    let bytes: Vec<u8> = points.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let fastest = (0..5)
        .map(|_| {
            let start = Instant::now();
            let sum = G::multiply(&bytes, chosen, scalars, 32, &CancelToken::default())
                .expect("the sum is computed");
            let time = start.elapsed();
            std::hint::black_box(G::encode(&sum));
            time
        })
        .min()
        .expect("five times");
    println!("{what:>18}: {:9.2} ms", fastest.as_secs_f64() * 1e3);
}
