//! Verification of many proofs at once, and of single ones by an Ethereum contract.

mod batch;
mod contract;
mod evm;

use std::sync::Arc;

use ark_ec::{CurveGroup, PrimeGroup};
use ark_ff::Zero;
use interlock_core::backend::DeviceOptions;
use interlock_core::format::snarkjs_json::{
    JsonFile, proof_from_json, public_from_json, verifying_key_from_json,
};
use interlock_core::format::{Witness, Zkey};
use interlock_core::groth16::{Blinding, CancelFlag, ProveOptions, prove};
use interlock_core::key::ProvingKey;
use interlock_core::types::{Proof, PublicSignals, VerifyingKey};
use interlock_curves::ProvingCurve;
use interlock_tests::linked;
use interlock_tests::places::Fixture;
use interlock_tests::random::{generator, scalar};

/// A fixture's key, its signals, and snarkjs' proof.
struct Judged<E: ProvingCurve> {
    key: VerifyingKey<E>,
    signals: PublicSignals<E>,
    theirs: Proof<E>,
}

fn judged<E: ProvingCurve>(fixture: &Fixture) -> Judged<E> {
    let json = |file: &str| JsonFile::open(fixture.file(file)).unwrap();
    Judged {
        key: verifying_key_from_json(&json("verification_key.json")).unwrap(),
        signals: public_from_json(&json("public.json")).unwrap(),
        theirs: proof_from_json(&json("proof.json")).unwrap(),
    }
}

/// A fresh proof of a fixture's witness on the linked backend.
fn fresh<E: ProvingCurve>(fixture: &Fixture) -> Proof<E> {
    let zkey = Zkey::open(fixture.file("circuit.zkey")).unwrap();
    let key = Arc::new(ProvingKey::from_zkey(&zkey).unwrap());
    let witness = Witness::open(fixture.file("witness.wtns")).unwrap();
    let options = ProveOptions {
        backends: &[linked()],
        device: DeviceOptions { threads: Some(2), ..DeviceOptions::default() },
        self_check: true,
        check_against: None,
        reference: None,
        observer: &(),
        cancel: &CancelFlag::default(),
    };
    prove(&key, &witness, &Blinding::<E>::random().unwrap(), &options).unwrap().proof
}

/// A key of known discrete logarithms for `n` public signals, and a statement with a proof that they make. A second
/// signal has infinity as its point, as one that the circuit does not use.
fn made<E: ProvingCurve>(n: usize, seed: u64) -> (VerifyingKey<E>, PublicSignals<E>, Proof<E>) {
    let rng = &mut generator(seed);
    let [alpha, beta, gamma, delta, a, b] = std::array::from_fn(|_| scalar::<E::ScalarField>(rng));
    let ic: Vec<E::ScalarField> =
        (0..=n).map(|i| if i == 2 { E::ScalarField::zero() } else { scalar(rng) }).collect();
    let signals: Vec<E::ScalarField> = (0..n).map(|_| scalar(rng)).collect();
    let inputs: E::ScalarField = ic[1..].iter().zip(&signals).map(|(point, signal)| *point * signal).sum();
    let c = (a * b - alpha * beta - (ic[0] + inputs) * gamma) / delta;
    let g1 = |s: E::ScalarField| (E::G1::generator() * s).into_affine();
    let g2 = |s: E::ScalarField| (E::G2::generator() * s).into_affine();
    let key = VerifyingKey {
        alpha_g1: g1(alpha),
        beta_g2: g2(beta),
        gamma_g2: g2(gamma),
        delta_g2: g2(delta),
        ic: ic.into_iter().map(g1).collect(),
    };
    (key, PublicSignals(signals), Proof { a: g1(a), b: g2(b), c: g1(c) })
}
