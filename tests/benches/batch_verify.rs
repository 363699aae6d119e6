//! 1,000 proofs under one key: one by one, as a batch, and as a batch with a bad one to name.
//!
//! `cargo bench -p interlock-tests --bench batch_verify`; a quiet machine, half a minute.

use std::time::Instant;

use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::Field;
use interlock_core::format::snarkjs_json::{
    JsonFile, proof_from_json, public_from_json, verifying_key_from_json,
};
use interlock_core::groth16::{verify, verify_batch};
use interlock_core::types::Proof;
use interlock_curves::{Bls12_381, Bn254, ProvingCurve};
use interlock_tests::places::fixture;
use interlock_tests::random::{generator, scalar};

fn main() {
    measure::<Bn254>();
    measure::<Bls12_381>();
}

#[allow(clippy::print_stdout, reason = "the result of a measurement")]
fn measure<E: ProvingCurve>() {
    let fixture = fixture(E::CURVE, "membership");
    let json = |file: &str| JsonFile::open(fixture.file(file)).unwrap();
    let key = verifying_key_from_json::<E>(&json("verification_key.json")).unwrap();
    let signals = public_from_json::<E>(&json("public.json")).unwrap();
    let proof = proof_from_json::<E>(&json("proof.json")).unwrap();
    let mut rng = generator(1);
    // (A/t, t·B, C) is another proof of the same statement.
    let batch: Vec<_> = (0..1000)
        .map(|_| {
            let t: E::ScalarField = scalar(&mut rng);
            let a = (proof.a * t.inverse().unwrap()).into_affine();
            (signals.clone(), Proof::<E> { a, b: (proof.b * t).into_affine(), c: proof.c })
        })
        .collect();
    let mut spoilt = batch.clone();
    spoilt[517].1.c = (spoilt[517].1.c + E::G1Affine::generator()).into_affine();
    let single = fastest(&mut || {
        assert!(batch.iter().all(|(signals, proof)| verify(&key, signals, proof).unwrap()));
    });
    println!("{}: 1,000 proofs one by one {single:.3} s", E::CURVE);
    for threads in [1, 2] {
        let together = fastest(&mut || assert!(verify_batch(&key, &batch, threads).unwrap().is_empty()));
        let one_bad = fastest(&mut || assert_eq!(verify_batch(&key, &spoilt, threads).unwrap(), [517]));
        let ratio = single / together;
        println!(
            "  batch, {threads} threads: {together:.3} s ({ratio:.1} times faster); with a bad one {one_bad:.3} s"
        );
    }
}

/// Seconds that the fastest of five runs takes.
fn fastest(work: &mut dyn FnMut()) -> f64 {
    let run = |_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    (0..5).map(run).fold(f64::INFINITY, f64::min)
}
