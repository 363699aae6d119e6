//! From and to bellman's parameters.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use ark_ff::Zero;
use interlock_curves::{Bls12_381, Curve, ProvingCurve};

use super::export::{ListWriter, expect_coefficients, first_infinity, is_infinity};
use super::rows::Shape;
use super::{BaseSet, CircuitRows, ExportError, Head, ProvingKey, Quotient};
use crate::format::arkworks::{Encoding, Group, PointList};
use crate::format::bellman::BellmanParams;
use crate::format::{Csr, FormatError, FormatErrorKind as Kind, R1cs, Section};

impl ProvingKey {
    /// Joins bellman's, bellperson's or Zcash's parameters with their circuit, which tells which signals the points of
    /// A and B belong to. Every point is converted, and checked to be on the curve and not infinity; the result takes
    /// as much memory as the file.
    ///
    /// The circuit's wires must be numbered as: the constant one, inputs, auxiliary variables.
    ///
    /// A signal has a point in A (or B) when its polynomial there is not zero: when in some row its coefficients do not
    /// add up to zero. Public signals always have one in A, from the rows that are appended for them. That is what
    /// the generators write. bellperson's prover goes by the same rule, because its linear combinations merge equal
    /// terms and it skips coefficients of zero. bellman's does not merge: it counts a signal that cancels out within
    /// one combination (`x - x`) as present, and fails with such a key of its own generator's.
    ///
    /// # Errors
    /// The circuit is not over BLS12-381's scalar field; parameters and circuit have different numbers of signals,
    /// domains or points in A or B; a point is bad.
    pub fn from_bellman(params: &BellmanParams, r1cs: &R1cs) -> Result<Self, FormatError> {
        // Before rows are built: a circuit of the key's size cannot take more memory than the key justifies.
        shape(params).expect(params.file().path(), &Shape::of_r1cs(r1cs)?)?;
        Self::from_bellman_rows(params, &CircuitRows::from_r1cs(r1cs)?)
    }

    /// As [`from_bellman`](Self::from_bellman), from rows that are at hand.
    ///
    /// # Errors
    /// As for `from_bellman`.
    pub fn from_bellman_rows(params: &BellmanParams, rows: &CircuitRows) -> Result<Self, FormatError> {
        shape(params).expect(params.file().path(), &Shape::of_rows(rows))?;
        let (a_index, b_index) = (density(&rows.a), density(&rows.b));
        let circuit_has = "signals that occur in the circuit:";
        expect(params, params.a(), "the number of A points", circuit_has, a_index.len())?;
        expect(params, params.b_g1(), "the number of B points", circuit_has, b_index.len())?;
        let b_index = some_index(b_index, params.n_vars());
        let whole = |points: Section| BaseSet { points, index: None };
        Ok(Self {
            curve: Curve::Bls12_381,
            n_vars: params.n_vars(),
            n_public: params.n_public(),
            domain: rows.domain()?,
            quotient: Quotient::Coefficients,
            a_matrix: rows.a.clone(),
            b_matrix: rows.b.clone(),
            a: BaseSet { points: params.a().to_wire_finite()?, index: some_index(a_index, params.n_vars()) },
            b_g1: BaseSet { points: params.b_g1().to_wire_finite()?, index: b_index.clone() },
            b_g2: BaseSet { points: params.b_g2().to_wire_finite()?, index: b_index },
            l: whole(params.l().to_wire_finite()?),
            h: whole(params.h().to_wire_finite()?),
            head: params.head().into(),
            warning: params.head().warning(),
            label: params.file().path().display().to_string(),
        })
    }

    /// Writes the key as bellman's, bellperson's and Zcash's parameters. The matrices are not part of that format.
    ///
    /// # Errors
    /// The key is not for BLS12-381, has another quotient convention, has an infinity in L, H or IC (a private
    /// signal that occurs nowhere), a base is not a point, or `out` fails.
    pub fn write_bellman(&self, out: &mut dyn io::Write) -> Result<(), ExportError> {
        expect_coefficients(self)?;
        self.write_bellman_vk(out)?;
        let mut writer = ListWriter { encoding: Encoding::ZCASH, out };
        let private = self.n_vars.saturating_sub(self.n_public + 1);
        for (name, set, expected) in [("H", &self.h, self.domain_size() - 1), ("L", &self.l, private)] {
            let size = self.curve.g1_bytes();
            let found = set.points.len() / size;
            if found != expected || set.index.is_some() {
                return Err(ExportError::Length { query: name, expected, found });
            }
            if let Some(index) = first_infinity(&set.points, size) {
                return Err(ExportError::Infinity { query: name, index });
            }
            writer.short_count(name, found)?;
            writer.packed(Group::G1, name, &set.points)?;
        }
        for (group, name, set) in
            [(Group::G1, "A", &self.a), (Group::G1, "B (G1)", &self.b_g1), (Group::G2, "B (G2)", &self.b_g2)]
        {
            let finite =
                || set.points.chunks_exact(group.wire_bytes(self.curve)).filter(|point| !is_infinity(point));
            writer.short_count(name, finite().count())?;
            writer.each(group, name, finite())?;
        }
        Ok(())
    }

    /// Writes the verification key as bellman's `.vk`: also the first part of its parameters.
    ///
    /// # Errors
    /// The key is not for BLS12-381, has an infinity in IC, a point is bad, or `out` fails.
    pub fn write_bellman_vk(&self, out: &mut dyn io::Write) -> Result<(), ExportError> {
        self.head.write_bellman_vk(self.curve, out)
    }
}

impl Head {
    /// Writes the points, which are `curve`'s, as bellman's `.vk`.
    ///
    /// # Errors
    /// The curve is not BLS12-381, IC has an infinity, a point is bad, or `out` fails.
    pub fn write_bellman_vk(&self, curve: Curve, out: &mut dyn io::Write) -> Result<(), ExportError> {
        if curve != Curve::Bls12_381 {
            return Err(ExportError::Curve(curve));
        }
        let mut writer = ListWriter { encoding: Encoding::ZCASH, out };
        writer.point(Group::G1, "alpha (G1)", &self.alpha_g1)?;
        writer.point(Group::G1, "beta (G1)", &self.beta_g1)?;
        writer.point(Group::G2, "beta (G2)", &self.beta_g2)?;
        writer.point(Group::G2, "gamma (G2)", &self.gamma_g2)?;
        writer.point(Group::G1, "delta (G1)", &self.delta_g1)?;
        writer.point(Group::G2, "delta (G2)", &self.delta_g2)?;
        let size = curve.g1_bytes();
        if let Some(index) = first_infinity(&self.ic, size) {
            return Err(ExportError::Infinity { query: "IC", index });
        }
        writer.short_count("IC", self.ic.len() / size)?;
        writer.packed(Group::G1, "IC", &self.ic)
    }
}

fn shape(params: &BellmanParams) -> Shape {
    Shape {
        curve: Curve::Bls12_381,
        n_vars: params.n_vars(),
        n_public: params.n_public(),
        domain: params.domain_size(),
    }
}

fn expect(
    params: &BellmanParams,
    list: &PointList,
    what: &'static str,
    limit_of: &'static str,
    limit: usize,
) -> Result<(), FormatError> {
    if list.len() == limit {
        return Ok(());
    }
    let kind = Kind::Count { what, found: list.len() as u64, limit_of, limit: limit as u64 };
    Err(FormatError::new(params.file().path(), kind).at(list.offset()))
}

/// The index map of a base set; none when it is the identity.
fn some_index(index: Vec<u32>, n_vars: usize) -> Option<Arc<[u32]>> {
    (index.len() != n_vars).then(|| index.into())
}

/// The columns that are not zero, ascending.
fn density(matrix: &Csr) -> Vec<u32> {
    let mut occurs = vec![false; matrix.cols];
    // The last row in which a column was seen, plus one.
    let mut seen = vec![0_usize; matrix.cols];
    let values = matrix.values.as_chunks::<32>().0;
    for (row, bounds) in matrix.row_offsets.windows(2).enumerate() {
        let range = bounds[0] as usize..bounds[1] as usize;
        let (Some(columns), Some(values)) = (matrix.col_indices.get(range.clone()), values.get(range)) else {
            continue;
        };
        let mut repeated = false;
        for column in columns {
            if let Some(seen) = seen.get_mut(*column as usize) {
                repeated |= std::mem::replace(seen, row + 1) == row + 1;
            }
        }
        if repeated {
            nonzero_sums(columns, values).for_each(|column| occurs[column as usize] = true);
        } else {
            let nonzero = columns.iter().zip(values).filter(|(_, value)| **value != [0; 32]);
            nonzero.for_each(|(column, _)| occurs[*column as usize] = true);
        }
    }
    (0_u32..).zip(&occurs).filter_map(|(column, occurs)| occurs.then_some(column)).collect()
}

/// The columns of a row whose entries do not add up to zero.
fn nonzero_sums(columns: &[u32], values: &[[u8; 32]]) -> impl Iterator<Item = u32> {
    type Scalar = <Bls12_381 as ark_ec::pairing::Pairing>::ScalarField;
    let mut sums = BTreeMap::<u32, Scalar>::new();
    for (column, value) in columns.iter().zip(values) {
        // Twice Montgomery; a sum is zero in any form.
        if let Some(value) = Bls12_381::scalar_from_montgomery(value) {
            *sums.entry(*column).or_insert_with(Scalar::zero) += value;
        }
    }
    sums.into_iter().filter_map(|(column, sum)| (!sum.is_zero()).then_some(column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cancels_out_has_no_point() {
        let mut builder = R1cs::builder(Curve::Bls12_381, 0, 1, 4);
        builder.constraint(&[(2, 1), (3, 2), (2, -1)], &[(4, 1), (4, 1)], &[(5, 1)]);
        builder.constraint(&[(0, 1)], &[(1, 1), (5, 0)], &[(1, 1)]);
        let rows = CircuitRows::from_r1cs(&builder.build().unwrap()).unwrap();
        assert_eq!(rows.log_domain, 2);
        assert_eq!(density(&rows.a), [0, 1, 3]);
        assert_eq!(density(&rows.b), [1, 4]);
    }
}
