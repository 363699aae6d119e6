//! Writing a key as snarkjs would.

use std::borrow::Cow;
use std::io;

use interlock_curves::roots::RootFamily;

use super::export::expanded_bytes;
use super::{ExportError, ProvingKey, Quotient};
use crate::format::zkey::layout::COEFFICIENT_BYTES;
use crate::format::{Csr, zkey_write::ZkeyParts};

impl ProvingKey {
    /// Writes the key as a `.zkey`, matrices included. The list of contributions is empty: whatever ceremony made the
    /// key, snarkjs can check it only from its own transcript.
    ///
    /// The key must have snarkjs' conventions ([`to_coset_values`](Self::to_coset_values)). `marker` becomes the text
    /// that marks a key as insecure.
    ///
    /// # Errors
    /// The key has other conventions, more than 2^32 − 1 signals or coefficients, contradicts itself, or `out` fails.
    pub fn write_zkey(&self, marker: Option<String>, out: &mut dyn io::Write) -> Result<(), ExportError> {
        if self.quotient != Quotient::CosetValues {
            return Err(ExportError::Quotient);
        }
        if !self.has_root_of(RootFamily::Snarkjs) {
            return Err(ExportError::Rows);
        }
        let (g1, g2) = (self.curve.g1_bytes(), self.curve.g2_bytes());
        let head = &self.head;
        let header_points =
            [&head.alpha_g1, &head.beta_g1, &head.beta_g2, &head.gamma_g2, &head.delta_g1, &head.delta_g2];
        let count = |what, found: usize| {
            u32::try_from(found).map_err(|_| ExportError::TooMany { query: what, found })
        };
        let n_vars = count("signals", self.n_vars)?;
        let private = self.n_vars.saturating_sub(self.n_public + 1);
        let parts = ZkeyParts {
            curve: self.curve,
            n_vars,
            n_public: count("public signals", self.n_public)?,
            domain_size: count("rows", self.domain_size())?,
            header_points: header_points.into_iter().flatten().copied().collect::<Vec<u8>>().into(),
            ic: Cow::Borrowed(&head.ic),
            coefficients: coefficients(&self.a_matrix, &self.b_matrix)?.into(),
            a: expanded_bytes("A", &self.a, self.n_vars, g1)?,
            b1: expanded_bytes("B (G1)", &self.b_g1, self.n_vars, g1)?,
            b2: expanded_bytes("B (G2)", &self.b_g2, self.n_vars, g2)?,
            l: expanded_bytes("L", &self.l, private, g1)?,
            h: expanded_bytes("H", &self.h, self.domain_size(), g1)?,
            insecure_marker: marker,
        };
        Ok(parts.write(out)?)
    }
}

/// Section 4's entries: row by row, A's before B's.
fn coefficients(a: &Csr, b: &Csr) -> Result<Vec<u8>, ExportError> {
    let found = a.nnz() + b.nnz();
    let mut bytes = Vec::new();
    let needed = u32::try_from(found).ok().and_then(|count| COEFFICIENT_BYTES.checked_mul(count as usize));
    let fits = needed.is_some_and(|needed| bytes.try_reserve_exact(needed).is_ok());
    if !fits {
        return Err(ExportError::TooMany { query: "the coefficient list", found });
    }
    for row in 0..a.rows {
        for (id, matrix) in [(0_u32, a), (1, b)] {
            let bound = |at: usize| matrix.row_offsets.get(at).map_or(0, |offset| *offset as usize);
            let entries = bound(row)..bound(row + 1);
            let columns = matrix.col_indices.get(entries.clone()).unwrap_or_default();
            let values = matrix.values.as_chunks::<32>().0.get(entries).unwrap_or_default();
            for (column, value) in columns.iter().zip(values) {
                for word in [id, row as u32, *column] {
                    bytes.extend_from_slice(&word.to_le_bytes());
                }
                bytes.extend_from_slice(value);
            }
        }
    }
    Ok(bytes)
}
