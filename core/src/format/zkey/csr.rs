//! Section 4 of a `.zkey`: the matrices A and B, from a list of entries in any order to rows.

use interlock_curves::Curve;

use super::{Zkey, layout};
use crate::format::{FormatError, FormatErrorKind as Kind, reader::Modulus};

/// A sparse matrix, row by row.
///
/// Row `i` has the entries `row_offsets[i] .. row_offsets[i + 1]`. Several entries of a row may name the same column;
/// they add up. The order within a row is the file's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csr {
    /// Number of rows: the key's domain size. Rows without a constraint are empty.
    pub rows: usize,
    /// Number of columns: the key's number of signals.
    pub cols: usize,
    /// Where each row begins; `rows + 1` long, ascending, the last one is the number of entries.
    pub row_offsets: Vec<u64>,
    /// Each entry's column.
    pub col_indices: Vec<u32>,
    /// Each entry's value, 32 bytes little-endian, exactly as in the file: `coefficient · R² mod r`, so that a
    /// Montgomery product with a canonical witness value is the product in Montgomery form.
    pub values: Vec<u8>,
}

impl Csr {
    /// Number of stored entries.
    pub fn nnz(&self) -> usize {
        self.col_indices.len()
    }
}

/// One entry of section 4, as in the file.
type Entry = [u8; layout::COEFFICIENT_BYTES];

fn word(entry: &Entry, index: usize) -> u32 {
    let at = 4 * index;
    u32::from_le_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]])
}

fn value(entry: &Entry) -> &[u8; 32] {
    // The last 32 of 44 bytes; the split cannot fail.
    entry.last_chunk().unwrap_or(&[0; 32])
}

/// Bounds that an entry must keep, with its matrix, row and column when it does.
struct Bounds {
    rows: u32,
    cols: u32,
    modulus: Modulus,
}

impl Bounds {
    fn check(&self, position: usize, entry: &Entry) -> Result<(usize, usize), Kind> {
        let (matrix, row, col) = (word(entry, 0), word(entry, 1), word(entry, 2));
        let out_of = |what, index: u32, limit: u32| {
            Err(Kind::Index { entry: position as u64, what, index: index.into(), limit: limit.into() })
        };
        if matrix > 1 {
            return out_of("matrix", matrix, 2);
        }
        if row >= self.rows {
            return out_of("row", row, self.rows);
        }
        if col >= self.cols {
            return out_of("signal", col, self.cols);
        }
        if !self.modulus.exceeds(value(entry)) {
            return Err(Kind::NotReduced { index: position as u64 });
        }
        Ok((matrix as usize, row as usize))
    }
}

/// `n` zeros, or an error where a vector would end the process.
fn zeros<T: Clone + Default>(n: usize) -> Result<Vec<T>, Kind> {
    let mut zeros = Vec::new();
    zeros.try_reserve_exact(n).map_err(|_| Kind::OutOfMemory { bytes: (n * size_of::<T>()) as u64 })?;
    zeros.resize(n, T::default());
    Ok(zeros)
}

impl Zkey {
    /// The matrices A and B. There is no C: snarkjs keys take `c = a ∘ b`.
    ///
    /// A counting sort in two passes over the section; uses memory in proportion to it.
    ///
    /// # Errors
    /// An entry whose matrix, row or signal does not exist, or whose value is not below `r`.
    pub fn matrices(&self) -> Result<(Csr, Csr), FormatError> {
        let section = self.coefficients_section();
        let (entries, _) = section.get(4..).unwrap_or_default().as_chunks::<{ layout::COEFFICIENT_BYTES }>();
        let bounds = Bounds {
            rows: self.domain_size(),
            cols: self.n_vars(),
            modulus: Modulus::new(Curve::scalar_modulus_le(self.curve())),
        };

        let rows = bounds.rows as usize;
        let no_memory = |kind| self.error(layout::COEFFICIENTS, section.offset() as usize, kind);
        let mut starts = [zeros(rows + 1).map_err(no_memory)?, zeros(rows + 1).map_err(no_memory)?];
        for (position, entry) in entries.iter().enumerate() {
            let (matrix, row) = bounds.check(position, entry).map_err(|kind| {
                let at = section.offset() as usize + 4 + position * layout::COEFFICIENT_BYTES;
                self.error(layout::COEFFICIENTS, at, kind)
            })?;
            starts[matrix][row + 1] += 1;
        }

        let sized = |mut row_offsets: Vec<u64>| {
            for row in 0..rows {
                row_offsets[row + 1] += row_offsets[row];
            }
            let nnz = row_offsets[rows] as usize;
            let (col_indices, values) = (zeros(nnz)?, zeros(32 * nnz)?);
            Ok(Csr { rows, cols: bounds.cols as usize, row_offsets, col_indices, values })
        };
        let [a, b] = starts;
        let (mut a, mut b) = (sized(a).map_err(no_memory)?, sized(b).map_err(no_memory)?);
        let copied = |row_offsets: &[u64]| {
            let mut copy = zeros(row_offsets.len())?;
            copy.copy_from_slice(row_offsets);
            Ok(copy)
        };
        let mut next =
            [copied(&a.row_offsets).map_err(no_memory)?, copied(&b.row_offsets).map_err(no_memory)?];
        for entry in entries {
            // A mapped file may change between the passes; the indices are taken anew, so they are bounded anew.
            let matrix = (word(entry, 0) & 1) as usize;
            let target = if matrix == 0 { &mut a } else { &mut b };
            let Some(place) = next[matrix].get_mut(word(entry, 1) as usize) else { continue };
            let at = *place as usize;
            *place += 1;
            let (Some(col), Some(out)) =
                (target.col_indices.get_mut(at), target.values.as_chunks_mut::<32>().0.get_mut(at))
            else {
                continue;
            };
            *col = word(entry, 2).min(bounds.cols - 1);
            *out = *value(entry);
        }
        // It is a quarter of the file, and everything in it is in the rows now.
        section.release();
        Ok((a, b))
    }
}
