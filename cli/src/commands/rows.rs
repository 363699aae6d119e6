//! How many constraints a key has, which the file does not say.

use std::ops::Range;

use interlock_core::format::Csr;

/// The number of constraints, from the matrices: snarkjs puts one row for the constant and each public signal behind the
/// constraints, with this signal alone in A and nothing in B, and nothing behind those. `None` for a key whose rows are
/// in another order.
pub(super) fn constraints(a: &Csr, b: &Csr, n_public: usize) -> Option<u64> {
    let used = a.row_offsets.windows(2).rposition(|pair| pair[0] != pair[1])? + 1;
    let rows = used.checked_sub(n_public + 1)?;
    let entries = |matrix: &Csr, row: usize| -> Option<Range<usize>> {
        Some(*matrix.row_offsets.get(row)? as usize..*matrix.row_offsets.get(row + 1)? as usize)
    };
    for (row, signal) in (rows..used).zip(0_u32..) {
        if a.col_indices.get(entries(a, row)?)? != [signal] || !entries(b, row)?.is_empty() {
            return None;
        }
    }
    Some(rows as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four columns, and one entry in each of the given ones.
    fn matrix(rows: &[Option<u32>]) -> Csr {
        let col_indices: Vec<u32> = rows.iter().flatten().copied().collect();
        let filled = |row: usize| rows[..row].iter().flatten().count() as u64;
        Csr {
            rows: rows.len(),
            cols: 4,
            row_offsets: (0..=rows.len()).map(filled).collect(),
            values: vec![0; 32 * col_indices.len()],
            col_indices,
        }
    }

    #[test]
    fn public_rows_end_the_constraints() {
        let b = matrix(&[Some(3), Some(3), None, None, None, None, None, None]);
        let a = matrix(&[Some(2), None, Some(3), Some(0), Some(1), None, None, None]);
        assert_eq!(constraints(&a, &b, 1), Some(3));
        // Row 3 of the permuted ones is not the constant's.
        let permuted = matrix(&[Some(2), Some(0), Some(3), None, Some(1), None, None, None]);
        assert_eq!(constraints(&permuted, &b, 1), None);
        let b = matrix(&[Some(3), None, None, Some(2), None, None, None, None]);
        assert_eq!(constraints(&a, &b, 1), None);
        assert_eq!(constraints(&matrix(&[None, None]), &matrix(&[None, None]), 0), None);
    }
}
