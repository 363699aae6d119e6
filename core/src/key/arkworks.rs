//! From and to arkworks' proving keys.

use std::io;

use super::export::{ListWriter, expect_coefficients};
use super::rows::Shape;
use super::{BaseSet, CircuitRows, ExportError, ProvingKey, Quotient};
use crate::format::arkworks::{ArkProvingKey, Compressed, Encoding, Group};
use crate::format::{FormatError, R1cs, Section};

impl ProvingKey {
    /// Joins an arkworks key, which has no matrices, with its circuit. Every point is converted, and checked to be on
    /// the curve; the result takes as much memory as the uncompressed key.
    ///
    /// The circuit's wires must be numbered as arkworks numbers its variables: the constant one, instance variables,
    /// witness variables.
    ///
    /// # Errors
    /// Key and circuit have different curves, numbers of signals or domains; a point is bad.
    pub fn from_arkworks(key: &ArkProvingKey, r1cs: &R1cs) -> Result<Self, FormatError> {
        // Before rows are built: a circuit of the key's size cannot take more memory than the key justifies.
        shape(key).expect(key.file().path(), &Shape::of_r1cs(r1cs)?)?;
        Self::from_arkworks_rows(key, &CircuitRows::from_r1cs(r1cs)?)
    }

    /// As [`from_arkworks`](Self::from_arkworks), from rows that are at hand.
    ///
    /// # Errors
    /// As for `from_arkworks`.
    pub fn from_arkworks_rows(key: &ArkProvingKey, rows: &CircuitRows) -> Result<Self, FormatError> {
        shape(key).expect(key.file().path(), &Shape::of_rows(rows))?;
        let whole = |points: Section| BaseSet { points, index: None };
        Ok(Self {
            curve: rows.curve,
            n_vars: key.n_vars(),
            n_public: key.n_public(),
            domain: rows.domain()?,
            quotient: Quotient::Coefficients,
            a_matrix: rows.a.clone(),
            b_matrix: rows.b.clone(),
            a: whole(key.a().to_wire()?),
            b_g1: whole(key.b_g1().to_wire()?),
            b_g2: whole(key.b_g2().to_wire()?),
            l: whole(key.l().to_wire()?),
            h: whole(key.h().to_wire()?),
            head: key.head().into(),
            warning: key.head().warning(),
            label: key.file().path().display().to_string(),
        })
    }

    /// Writes the key as arkworks would; A and B get back the infinities that bellman's parameters leave out. The
    /// matrices are not part of that format.
    ///
    /// # Errors
    /// The key has another quotient convention, a base is not a point, or `out` fails.
    pub fn write_arkworks(&self, compressed: Compressed, out: &mut dyn io::Write) -> Result<(), ExportError> {
        expect_coefficients(self)?;
        let encoding = Encoding { curve: self.curve, compressed };
        let mut writer = ListWriter { encoding, out };
        let head = &self.head;
        writer.point(Group::G1, "alpha (G1)", &head.alpha_g1)?;
        writer.point(Group::G2, "beta (G2)", &head.beta_g2)?;
        writer.point(Group::G2, "gamma (G2)", &head.gamma_g2)?;
        writer.point(Group::G2, "delta (G2)", &head.delta_g2)?;
        let inputs = self.n_public + 1;
        let found = head.ic.len() / self.curve.g1_bytes();
        if found != inputs {
            return Err(ExportError::Length { query: "IC", expected: inputs, found });
        }
        writer.long_count(inputs)?;
        writer.packed(Group::G1, "IC", &head.ic)?;
        writer.point(Group::G1, "beta (G1)", &head.beta_g1)?;
        writer.point(Group::G1, "delta (G1)", &head.delta_g1)?;
        for (group, name, set, length) in [
            (Group::G1, "A", &self.a, self.n_vars),
            (Group::G1, "B (G1)", &self.b_g1, self.n_vars),
            (Group::G2, "B (G2)", &self.b_g2, self.n_vars),
            (Group::G1, "H", &self.h, self.domain_size() - 1),
            (Group::G1, "L", &self.l, self.n_vars.saturating_sub(inputs)),
        ] {
            writer.long_count(length)?;
            writer.expanded(group, name, set, length)?;
        }
        Ok(())
    }
}

fn shape(key: &ArkProvingKey) -> Shape {
    Shape {
        curve: key.encoding().curve,
        n_vars: key.n_vars(),
        n_public: key.n_public(),
        domain: key.domain_size(),
    }
}
