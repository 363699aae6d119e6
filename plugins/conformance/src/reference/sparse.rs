//! Random sparse matrices, and their product with a vector.

use ark_ff::Zero;
use interlock_core::format::Csr;
use interlock_curves::ProvingCurve;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;

use super::Fr;
use super::scalars::scalar;

/// A matrix, and `matrix · x`. Some rows are empty, some name a column twice; `most` entries per row at most.
pub(crate) fn product<E: ProvingCurve>(
    rows: usize,
    most: u32,
    x: &[Fr<E>],
    rng: &mut ChaCha20Rng,
) -> (Csr, Vec<Fr<E>>) {
    let mut csr =
        Csr { rows, cols: x.len(), row_offsets: vec![0], col_indices: Vec::new(), values: Vec::new() };
    let mut wanted = vec![Fr::<E>::zero(); rows];
    // R = 2^256: values are coefficient · R², whose canonical bytes are a `.zkey`'s.
    let two128 = Fr::<E>::from(u128::MAX) + Fr::<E>::from(1_u64);
    let r = two128 * two128;
    for sum in &mut wanted {
        for _ in 0..rng.next_u32() % (most + 1) {
            let column = rng.next_u32() as usize % x.len();
            let coefficient: Fr<E> = scalar(rng);
            *sum += coefficient * x[column];
            csr.col_indices.push(column as u32);
            csr.values.extend_from_slice(&E::scalar_to_canonical(&(coefficient * r * r)));
        }
        csr.row_offsets.push(csr.col_indices.len() as u64);
    }
    (csr, wanted)
}
