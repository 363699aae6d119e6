// SPDX-License-Identifier: MIT OR Apache-2.0
//! Matrix times vector.

use interlock_sdk::{BackendError, CancelToken};

use super::PIECE;
use crate::element::{Scalar, ScalarField};

/// `y ← M·x` for a matrix in compressed rows.
///
/// Values are coefficient · R², `x` is canonical: a Montgomery product divides by R, so it is coefficient · x in
/// Montgomery form, without any conversion.
pub fn multiply<F: ScalarField>(
    offsets: &[[u8; 8]],
    columns: &[[u8; 4]],
    values: &[Scalar],
    x: &[Scalar],
    y: &mut [Scalar],
    cancel: &CancelToken,
) -> Result<(), BackendError> {
    for (row, y) in y.iter_mut().enumerate() {
        if row % PIECE == 0 {
            cancel.check()?;
        }
        let offset = |row: usize| u64::from_le_bytes(offsets[row]) as usize;
        let entries = offset(row)..offset(row + 1);
        let mut sum = F::ZERO;
        for (column, value) in columns[entries.clone()].iter().zip(&values[entries]) {
            sum += F::load(value) * F::load(&x[u32::from_le_bytes(*column) as usize]);
        }
        sum.store(y);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use ark_bls12_381::Fr;
    use ark_ff::{BigInt, PrimeField};

    use super::*;
    use crate::element::Element;

    fn montgomery(value: Fr) -> Scalar {
        let mut bytes = [0; 32];
        value.store(&mut bytes);
        bytes
    }

    fn canonical(value: u64) -> Scalar {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&value.to_le_bytes());
        bytes
    }

    /// [2 0 3; 0 0 0] · (5, 7, 11) = (43, 0)
    #[test]
    fn two_rows() {
        // R mod r is what the limbs of one are in Montgomery form: coefficient · R, in Montgomery form, is coefficient · R².
        let r = Fr::from_bigint(BigInt::new(Fr::from(1).0.0)).unwrap();
        let values = [2, 3].map(|coefficient| montgomery(Fr::from(coefficient) * r));
        let offsets = [0_u64, 2, 2].map(u64::to_le_bytes);
        let columns = [0_u32, 2].map(u32::to_le_bytes);
        let mut y = [[0xff; 32]; 2];
        let x = [5, 7, 11].map(canonical);
        multiply::<Fr>(&offsets, &columns, &values, &x, &mut y, &CancelToken::default()).unwrap();
        assert_eq!(y, [montgomery(Fr::from(43)), [0; 32]]);
    }
}
