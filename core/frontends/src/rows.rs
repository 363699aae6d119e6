//! Constraints as a synthesis collects them, and the circuit that they become.
//!
//! Public and private variables are allocated in any order, and the number of public ones, which come first among a
//! circuit's wires, is known at the end only. Until then a private variable's wire has its top bit set.

use std::ops::AddAssign;

use interlock_core::format::R1cs;
use interlock_core::format::r1cs::FlatTerms;
use interlock_curves::Curve;

use crate::FrontendError;

/// The top bit of a private variable's wire.
const PRIVATE: u32 = 1 << 31;

/// A variable: the public ones count from the constant one, which is 0; the private ones count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Wire(u32);

impl Wire {
    /// `None` when there are too many.
    pub(crate) fn public(index: usize) -> Option<Self> {
        u32::try_from(index).ok().filter(|index| *index < PRIVATE).map(Self)
    }

    /// `None` when there are too many.
    pub(crate) fn private(index: usize) -> Option<Self> {
        Self::public(index).map(|wire| Self(wire.0 | PRIVATE))
    }
}

/// The linear combinations A, B and C of constraints, in order. A linear combination's terms are ascending by wire; each
/// wire occurs once, and no coefficient is zero.
#[derive(Debug, Default)]
pub(crate) struct Rows(FlatTerms);

impl Rows {
    /// Adds a linear combination; three make a constraint. `terms` is emptied.
    pub(crate) fn push<F: Copy + AddAssign>(
        &mut self,
        terms: &mut Vec<(Wire, F)>,
        canonical: impl Fn(&F) -> [u8; 32],
    ) {
        terms.sort_by_key(|(wire, _)| *wire);
        let mut rest = terms.drain(..).peekable();
        while let Some((wire, mut coefficient)) = rest.next() {
            while let Some((_, more)) = rest.next_if(|(next, _)| *next == wire) {
                coefficient += more;
            }
            let coefficient = canonical(&coefficient);
            if coefficient != [0; 32] {
                self.0.wires.push(wire.0);
                self.0.coefficients.extend_from_slice(&coefficient);
            }
        }
        drop(rest);
        self.0.ends.push(self.0.wires.len());
    }

    /// Adds the constraints of a part that was synthesised on its own. Its public variable 0 is the constant one; the
    /// others come after `public` public and `private` private variables. `false` when there are too many.
    #[cfg(feature = "bellpepper")]
    #[must_use]
    pub(crate) fn append(&mut self, part: &Self, public: usize, private: usize) -> bool {
        let moved = |wire: &u32| match (*wire & PRIVATE != 0, (*wire & !PRIVATE) as usize) {
            (false, 0) => Some(Wire(0)),
            (false, index) => Wire::public(public + index - 1),
            (true, index) => Wire::private(private + index),
        };
        let before = self.0.wires.len();
        for wire in &part.0.wires {
            let Some(wire) = moved(wire) else { return false };
            self.0.wires.push(wire.0);
        }
        self.0.coefficients.extend_from_slice(&part.0.coefficients);
        self.0.ends.extend(part.0.ends.iter().map(|end| before + end));
        true
    }

    /// The circuit, given how many public variables there are (the constant one included) and how many private ones.
    pub(crate) fn finish(
        mut self,
        curve: Curve,
        public: usize,
        private: usize,
    ) -> Result<R1cs, FrontendError> {
        let too_many = || FrontendError::TooManyVariables;
        let n_public = u32::try_from(public).ok().filter(|n| *n <= PRIVATE).ok_or_else(too_many)?;
        let n_private = u32::try_from(private).ok().filter(|n| *n <= PRIVATE).ok_or_else(too_many)?;
        for (term, wire) in self.0.wires.iter_mut().enumerate() {
            let (index, limit, first) = if *wire & PRIVATE == 0 {
                (*wire, n_public, 0)
            } else {
                (*wire & !PRIVATE, n_private, n_public)
            };
            if index >= limit {
                let combination = self.0.ends.partition_point(|end| *end <= term);
                return Err(FrontendError::UnknownVariable { constraint: combination / 3 });
            }
            *wire = first.checked_add(index).ok_or_else(too_many)?;
        }
        Ok(R1cs::from_flat(curve, n_public.saturating_sub(1), n_private, self.0)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(value: &u64) -> [u8; 32] {
        let mut out = [0; 32];
        out[..8].copy_from_slice(&value.to_le_bytes());
        out
    }

    fn terms(circuit: &R1cs, constraint: usize) -> [Vec<(u32, u8)>; 3] {
        circuit.constraint(constraint).unwrap().map(|lc| lc.terms().map(|(wire, c)| (wire, c[0])).collect())
    }

    #[test]
    fn terms_are_merged_and_renumbered() {
        let (public, private) = (|i| Wire::public(i).unwrap(), |i| Wire::private(i).unwrap());
        let mut rows = Rows::default();
        rows.push(&mut vec![(private(1), 3_u64), (public(2), 4), (private(1), 5), (public(0), 0)], bytes);
        rows.push(&mut vec![], bytes);
        rows.push(&mut vec![(private(0), 7)], bytes);
        let circuit = rows.finish(Curve::Bn254, 3, 2).unwrap();
        assert_eq!((circuit.n_wires(), circuit.n_public()), (5, 2));
        assert_eq!(terms(&circuit, 0), [vec![(2, 4), (4, 8)], vec![], vec![(3, 7)]]);
    }

    #[test]
    fn variables_that_do_not_exist_are_named_by_their_constraint() {
        for (wire, wanted) in [(Wire::public(1), 1), (Wire::private(1), 1)] {
            let mut rows = Rows::default();
            for _ in 0..3 * wanted {
                rows.push(&mut vec![(Wire::private(0).unwrap(), 1_u64)], bytes);
            }
            rows.push(&mut vec![], bytes);
            rows.push(&mut vec![(wire.unwrap(), 1_u64)], bytes);
            rows.push(&mut vec![], bytes);
            let error = rows.finish(Curve::Bn254, 1, 1).unwrap_err();
            assert!(
                matches!(error, FrontendError::UnknownVariable { constraint } if constraint == wanted),
                "{error}"
            );
        }
        assert!(Wire::public(1 << 31).is_none() && Wire::private(usize::MAX).is_none());
    }

    #[test]
    #[cfg(feature = "bellpepper")]
    fn parts_come_after_what_is_there() {
        let (public, private) = (|i| Wire::public(i).unwrap(), |i| Wire::private(i).unwrap());
        let mut part = Rows::default();
        part.push(&mut vec![(public(0), 1_u64), (public(1), 2), (private(0), 3)], bytes);
        part.push(&mut vec![(private(1), 4)], bytes);
        part.push(&mut vec![], bytes);
        let mut whole = Rows::default();
        (0..3).for_each(|_| whole.push(&mut vec![(private(0), 9_u64)], bytes));
        assert!(whole.append(&part, 3, 5));
        let circuit = whole.finish(Curve::Bn254, 4, 7).unwrap();
        assert_eq!(terms(&circuit, 0)[0], [(4, 9)]);
        assert_eq!(terms(&circuit, 1), [vec![(0, 1), (3, 2), (9, 3)], vec![(10, 4)], vec![]]);
    }
}
