//! Seeded random scalars and points. The seed is part of a test, so a failure can be repeated.

use ark_ec::{CurveGroup, PrimeGroup};
use ark_ff::PrimeField;
use interlock_curves::ProvingCurve;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A generator.
pub fn generator(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

/// A uniform scalar.
pub fn scalar<F: PrimeField>(rng: &mut ChaCha20Rng) -> F {
    let mut bytes = [0; 64];
    rng.fill_bytes(&mut bytes);
    F::from_le_bytes_mod_order(&bytes)
}

/// `n` random points of G1.
pub fn g1_points<E: ProvingCurve>(n: usize, rng: &mut ChaCha20Rng) -> Vec<E::G1Affine> {
    chain(E::G1::generator() * scalar::<E::ScalarField>(rng), n)
}

/// `n` random points of G2.
pub fn g2_points<E: ProvingCurve>(n: usize, rng: &mut ChaCha20Rng) -> Vec<E::G2Affine> {
    chain(E::G2::generator() * scalar::<E::ScalarField>(rng), n)
}

/// P, 2P + G, 5P + 3G …: distinct points for the price of an addition and a doubling each.
fn chain<G: CurveGroup>(start: G, n: usize) -> Vec<G::Affine> {
    let step = G::generator();
    let points: Vec<G> =
        std::iter::successors(Some(start), |&point| Some(point + point + step)).take(n).collect();
    G::normalize_batch(&points)
}
