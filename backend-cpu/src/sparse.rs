//! Matrix × witness.

use ark_ff::Field;
use interlock_curves::WireField;
use interlock_sdk::MatrixSource;
use rayon::prelude::*;

/// Rows per parallel piece. Rows have a handful of entries each.
const ROWS: usize = 1024;

/// A matrix in compressed rows, borrowed from the host.
#[derive(Debug)]
pub struct Matrix {
    source: MatrixSource,
}

impl Matrix {
    /// Takes a matrix that the SDK has checked.
    pub fn new(source: MatrixSource) -> Self {
        Self { source }
    }

    /// `y ← M·x`. `x` holds canonical limbs; the matrix values are coefficient·R², so each Montgomery product
    /// (which divides by R) is coefficient·x in Montgomery form.
    pub fn multiply<F: Field + WireField>(&self, x: &[F], y: &mut [F]) {
        // SAFETY: the slices are kept in this object, made from them, and nowhere else; it is alive.
        let (offsets, columns, values) = unsafe {
            let MatrixSource { row_offsets, columns, values, .. } = &self.source;
            (row_offsets.as_slice(), columns.as_slice(), values.as_slice())
        };
        y.par_chunks_mut(ROWS).enumerate().for_each(|(piece, rows)| {
            let offsets = &offsets[piece * ROWS..];
            for (row, y) in rows.iter_mut().enumerate() {
                let entries = offsets[row] as usize..offsets[row + 1] as usize;
                let values = values[entries.start * 32..entries.end * 32].chunks_exact(32);
                *y = columns[entries].iter().zip(values).fold(F::ZERO, |sum, (&column, value)| {
                    let x = x[column as usize];
                    if x.is_zero() { sum } else { sum + F::from_montgomery_unchecked(value) * x }
                });
            }
        });
    }
}
