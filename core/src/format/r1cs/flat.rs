//! A circuit from flat lists, without a copy: how front ends hand over what they collected.

use interlock_curves::Curve;

use super::{BuildError, R1cs};
use crate::format::reader::Modulus;

/// A circuit's linear combinations A, B, C of constraint 0, of constraint 1, and so on, in flat storage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlatTerms {
    /// Where each linear combination ends in `wires`: three for each constraint, ascending.
    pub ends: Vec<usize>,
    /// The wire of each term.
    pub wires: Vec<u32>,
    /// The coefficient of each term: 32 bytes, canonical little-endian, below `r`.
    pub coefficients: Vec<u8>,
}

impl R1cs {
    /// Takes a circuit in flat storage, without copying it. Wires 1..=n_public are public inputs, the rest is internal:
    /// who makes circuits this way does not say which wires are the user's own inputs.
    ///
    /// # Errors
    /// [`BuildError`].
    pub fn from_flat(
        curve: Curve,
        n_public: u32,
        n_private: u32,
        terms: FlatTerms,
    ) -> Result<Self, BuildError> {
        let too_many = BuildError::TooManyWires;
        let n_wires =
            n_public.checked_add(n_private).and_then(|wires| wires.checked_add(1)).ok_or(too_many)?;
        let FlatTerms { ends, wires, coefficients: values } = terms;
        let lengths =
            |what, found, limit_of, limit| Err(BuildError::Lengths { what, found, limit_of, limit });
        if !ends.len().is_multiple_of(3) {
            let whole = ends.len() / 3 * 3;
            return lengths("the number of linear combinations", ends.len(), "whole constraints have", whole);
        }
        if values.len() / 32 != wires.len() || !values.len().is_multiple_of(32) {
            return lengths(
                "the number of coefficient bytes",
                values.len(),
                "the terms take",
                32 * wires.len(),
            );
        }
        if let Some(pair) = ends.windows(2).find(|pair| pair[0] > pair[1]) {
            return lengths("the end of a linear combination", pair[0], "the next one ends at", pair[1]);
        }
        let last = ends.last().copied().unwrap_or(0);
        if last != wires.len() {
            return lengths(
                "the end of the last linear combination",
                last,
                "the number of terms is",
                wires.len(),
            );
        }
        let constraint_of = |term: usize| ends.partition_point(|end| *end <= term) / 3;
        if let Some(term) = wires.iter().position(|wire| *wire >= n_wires) {
            let wire = wires.get(term).copied().unwrap_or_default();
            return Err(BuildError::Wire { constraint: constraint_of(term), wire, wires: n_wires });
        }
        let modulus = Modulus::new(curve.scalar_modulus_le());
        if let Some(term) = values.as_chunks().0.iter().position(|value| !modulus.exceeds(value)) {
            return Err(BuildError::Coefficient { constraint: constraint_of(term) });
        }
        Ok(Self { curve, n_wires, n_pub_out: 0, n_pub_in: n_public, n_prv_in: 0, ends, wires, values })
    }
}
