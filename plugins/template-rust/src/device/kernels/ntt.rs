// SPDX-License-Identifier: MIT OR Apache-2.0
//! The number-theoretic transform.

use interlock_sdk::{BackendError, CancelToken};

use crate::element::{Scalar, ScalarField};

/// `data[k] ← Σᵢ data[i] · ω^(i·k)`, natural order in and out. `twiddles` has ω^i for i < N/2.
///
/// Decimation in time: the input is put into bit-reversed order, then transforms of 2, 4, 8 … values are made of pairs of
/// half as long ones. Linear, so either form stays what it is.
pub fn forward<F: ScalarField>(
    data: &mut [Scalar],
    twiddles: &[Scalar],
    cancel: &CancelToken,
) -> Result<(), BackendError> {
    bit_reverse(data);
    let mut half = 1;
    while half < data.len() {
        cancel.check()?;
        let step = twiddles.len() / half;
        for block in data.chunks_exact_mut(2 * half) {
            let (even, odd) = block.split_at_mut(half);
            for (i, (even, odd)) in even.iter_mut().zip(odd).enumerate() {
                let (a, b) = (F::load(even), F::load(odd) * F::load(&twiddles[i * step]));
                (a + b).store(even);
                (a - b).store(odd);
            }
        }
        half *= 2;
    }
    Ok(())
}

fn bit_reverse(data: &mut [Scalar]) {
    let log_size = data.len().trailing_zeros();
    for i in 0..data.len() {
        let j = i.reverse_bits().checked_shr(usize::BITS - log_size).unwrap_or(0);
        if i < j {
            data.swap(i, j);
        }
    }
}

#[cfg(test)]
mod tests {
    use ark_ff::FftField;

    use super::*;

    /// Against the sum that defines it.
    fn by_definition<F: ScalarField + FftField>() {
        for log_size in 0..6 {
            let n = 1_usize << log_size;
            let root = F::get_root_of_unity(n as u64).unwrap();
            let values: Vec<F> = (0..n as u64).map(|i| F::from(3 + i).pow([50 + i])).collect();
            let stored = |value: &F| {
                let mut bytes = [0; 32];
                value.store(&mut bytes);
                bytes
            };
            let twiddles: Vec<Scalar> = (0..n as u64 / 2).map(|i| stored(&root.pow([i]))).collect();
            let mut data: Vec<Scalar> = values.iter().map(stored).collect();
            forward::<F>(&mut data, &twiddles, &CancelToken::default()).unwrap();
            for (k, got) in data.iter().enumerate() {
                let terms = values.iter().enumerate().map(|(i, value)| *value * root.pow([(i * k) as u64]));
                assert_eq!(F::load(got), terms.sum(), "2^{log_size}, {k}");
            }
        }
    }

    #[test]
    fn both_curves() {
        by_definition::<ark_bn254::Fr>();
        by_definition::<ark_bls12_381::Fr>();
    }
}
