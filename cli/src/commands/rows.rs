//! How many constraints a key has, which the file does not say.

use interlock_core::format::Csr;

/// The number of constraints, from the matrix A: snarkjs puts one row for the constant and each public signal behind the
/// constraints, and nothing behind those. `None` for a key that was made otherwise.
pub(super) fn constraints(a: &Csr, n_public: usize) -> Option<u64> {
    let used = a.row_offsets.windows(2).rposition(|pair| pair[0] != pair[1])? + 1;
    used.checked_sub(n_public + 1).map(|rows| rows as u64)
}
