//! Points and scalars for sums of multiples, from a fixed seed.

use ark_ec::CurveGroup;
use ark_ff::PrimeField;
use interlock_curves::ProvingCurve;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// `n` points, different from each other: P, 2P + G, 4P + 3G … of a random P.
pub fn points<G: CurveGroup>(n: usize) -> Vec<G::Affine> {
    let start = G::generator() * uniform::<G::ScalarField>(&mut ChaCha20Rng::seed_from_u64(1));
    let step = G::generator();
    let points: Vec<G> =
        std::iter::successors(Some(start), |&point| Some(point.double() + step)).take(n).collect();
    G::normalize_batch(&points)
}

/// `n` uniform scalars, canonical little-endian.
pub fn scalars<E: ProvingCurve>(n: usize) -> Vec<u8> {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    (0..n).flat_map(|_| E::scalar_to_canonical(&uniform(&mut rng))).collect()
}

fn uniform<F: PrimeField>(rng: &mut ChaCha20Rng) -> F {
    let mut bytes = [0; 64];
    rng.fill_bytes(&mut bytes);
    F::from_le_bytes_mod_order(&bytes)
}
