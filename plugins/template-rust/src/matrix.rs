// SPDX-License-Identifier: MIT OR Apache-2.0
//! Matrices in compressed rows: a proving key has two of them, A and B.

use std::sync::Arc;

use interlock_sdk::account::{Account, Purpose};
use interlock_sdk::{BackendError, CancelToken, MatrixSource};

use crate::device::kernels::sparse;
use crate::device::region::Region;
use crate::element::{Scalar, ScalarField};

/// A matrix on the device.
pub struct Matrix {
    /// 64 bits for each row, and one more: where its entries begin.
    offsets: Region,
    /// 32 bits for each entry.
    columns: Region,
    /// A scalar for each entry: coefficient · R².
    values: Region,
}

impl Matrix {
    /// Copies the arrays to the device.
    pub(crate) fn load(source: &MatrixSource, account: &Arc<Account>) -> Result<Self, BackendError> {
        // SAFETY: the matrix that is made of the source does not exist yet, so it has not been freed.
        let (rows, columns, values) =
            unsafe { (source.row_offsets.as_slice(), source.columns.as_slice(), source.values.as_slice()) };
        let mut matrix = Self {
            offsets: Region::zeros(account, Purpose::Keys, 8 * rows.len())?,
            columns: Region::zeros(account, Purpose::Keys, 4 * columns.len())?,
            values: Region::zeros(account, Purpose::Keys, values.len())?,
        };
        for (i, offset) in rows.iter().enumerate() {
            matrix.offsets.copy_up(8 * i, &offset.to_le_bytes());
        }
        for (i, column) in columns.iter().enumerate() {
            matrix.columns.copy_up(4 * i, &column.to_le_bytes());
        }
        matrix.values.copy_up(0, values);
        Ok(matrix)
    }

    /// `y ← M·x`: `x` canonical, `y` Montgomery.
    pub(crate) fn multiply<F: ScalarField>(
        &self,
        x: &[Scalar],
        y: &mut [Scalar],
        cancel: &CancelToken,
    ) -> Result<(), BackendError> {
        let offsets = self.offsets.bytes().as_chunks().0;
        let columns = self.columns.bytes().as_chunks().0;
        sparse::multiply::<F>(offsets, columns, self.values.scalars(), x, y, cancel)
    }
}
