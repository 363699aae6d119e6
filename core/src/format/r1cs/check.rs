//! Does a witness satisfy a circuit?

use std::path::Path;

use ark_ff::Zero;
use interlock_curves::{ProvingCurve, with_curve};
use rayon::prelude::*;

use super::{LinearCombination, R1cs};
use crate::format::{FormatError, FormatErrorKind as Kind, Witness};

impl R1cs {
    /// The first constraint, from 0, that a witness does not satisfy; `None` when it satisfies all of them. A witness
    /// whose value 0 is not one does not satisfy constraint 0.
    ///
    /// # Errors
    /// When the witness is for another curve or has another length than the circuit.
    pub fn first_unsatisfied(&self, witness: &Witness) -> Result<Option<usize>, FormatError> {
        let about = |kind| Err(FormatError::new(Path::new("witness"), kind));
        if witness.curve() != self.curve {
            return about(Kind::CurveMismatch { expected: self.curve, found: witness.curve() });
        }
        if witness.len() != self.n_wires as usize {
            let (expected, found) = (self.n_wires.into(), witness.len() as u64);
            return about(Kind::WitnessLength { expected, found });
        }
        Ok(with_curve!(self.curve, E => self.search::<E>(witness)))
    }

    fn search<E: ProvingCurve>(&self, witness: &Witness) -> Option<usize> {
        let one = E::ScalarField::from(1u64);
        let Some(values) = witness.scalars::<E>().filter(|values| values.first() == Some(&one)) else {
            return Some(0);
        };
        (0..self.n_constraints()).into_par_iter().find_first(|index| {
            let Some(combinations) = self.constraint(*index) else { return false };
            let [a, b, c] = combinations.map(|combination| evaluate::<E>(combination, &values));
            a * b != c
        })
    }
}

fn evaluate<E: ProvingCurve>(
    combination: LinearCombination<'_>,
    values: &[E::ScalarField],
) -> E::ScalarField {
    let mut sum = E::ScalarField::zero();
    for (wire, coefficient) in combination.terms() {
        // Both were checked when the circuit was made.
        if let (Some(value), Some(coefficient)) =
            (values.get(wire as usize), E::scalar_from_canonical(coefficient))
        {
            sum += *value * coefficient;
        }
    }
    sum
}
