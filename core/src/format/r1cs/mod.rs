//! Circuits as circom writes them (`.r1cs`): constraints `⟨A, w⟩ · ⟨B, w⟩ = ⟨C, w⟩` over the scalar field.
//!
//! Wires are numbered: 0 is the constant one, then public outputs, public inputs, private inputs, and the rest.

mod build;
mod check;
mod flat;
mod parse;
mod write;

use interlock_curves::Curve;

pub use build::{BuildError, Coefficient, R1csBuilder};
pub use flat::FlatTerms;
pub use parse::CONTAINER;

/// A circuit in flat storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct R1cs {
    curve: Curve,
    n_wires: u32,
    n_pub_out: u32,
    n_pub_in: u32,
    n_prv_in: u32,
    /// Where each linear combination ends in `wires`: A, B, C of constraint 0, of constraint 1, and so on.
    ends: Vec<usize>,
    wires: Vec<u32>,
    /// 32 bytes for each of `wires`, canonical little-endian, below `r`.
    values: Vec<u8>,
}

/// A sum of wires times coefficients. A wire may occur more than once; the terms add up.
///
/// (circom never writes a wire twice. Were it to, snarkjs's `groth16 setup` would add the terms up, too, but its `wtns
/// check` would look at the last one only.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinearCombination<'a> {
    wires: &'a [u32],
    values: &'a [u8],
}

impl<'a> LinearCombination<'a> {
    /// Number of terms.
    pub fn len(&self) -> usize {
        self.wires.len()
    }

    /// Whether there are no terms; the value is zero then.
    pub fn is_empty(&self) -> bool {
        self.wires.is_empty()
    }

    /// The terms: wire and coefficient, canonical little-endian, below `r`.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = (u32, &'a [u8; 32])> + use<'a> {
        self.wires.iter().copied().zip(self.values.as_chunks::<32>().0)
    }
}

impl R1cs {
    /// The curve whose scalar field the circuit is over.
    pub fn curve(&self) -> Curve {
        self.curve
    }

    /// Number of wires: the length of a witness.
    pub fn n_wires(&self) -> u32 {
        self.n_wires
    }

    /// Number of public outputs.
    pub fn n_pub_out(&self) -> u32 {
        self.n_pub_out
    }

    /// Number of public inputs.
    pub fn n_pub_in(&self) -> u32 {
        self.n_pub_in
    }

    /// Number of private inputs.
    pub fn n_prv_in(&self) -> u32 {
        self.n_prv_in
    }

    /// Number of public signals, the constant one excluded: outputs and inputs. Below [`n_wires`](Self::n_wires).
    pub fn n_public(&self) -> u32 {
        self.n_pub_out + self.n_pub_in
    }

    /// Number of constraints.
    pub fn n_constraints(&self) -> usize {
        self.ends.len() / 3
    }

    /// Number of terms of all linear combinations.
    pub fn n_terms(&self) -> usize {
        self.wires.len()
    }

    /// The linear combinations A, B and C of a constraint, or `None` past the end.
    pub fn constraint(&self, index: usize) -> Option<[LinearCombination<'_>; 3]> {
        if index >= self.n_constraints() {
            return None;
        }
        Some([0, 1, 2].map(|part| {
            let at = 3 * index + part;
            let start = if at == 0 { 0 } else { self.ends[at - 1] };
            let end = self.ends[at];
            LinearCombination { wires: &self.wires[start..end], values: &self.values[32 * start..32 * end] }
        }))
    }

    /// All constraints, in order.
    pub fn constraints(&self) -> impl Iterator<Item = [LinearCombination<'_>; 3]> {
        (0..self.n_constraints()).filter_map(|index| self.constraint(index))
    }
}

#[cfg(test)]
mod tests;
