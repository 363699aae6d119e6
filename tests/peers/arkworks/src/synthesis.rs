//! A circom circuit as a circuit of arkworks', without values: for key generation.

use ark_ff::PrimeField;
use ark_relations::gr1cs::{
    ConstraintSynthesizer, ConstraintSystemRef, LinearCombination, SynthesisError, Variable,
};
use interlock_core::format::R1cs;
use interlock_core::format::r1cs::LinearCombination as Combination;

/// Makes the wires in order, then the constraints.
#[derive(Clone, Copy)]
pub(crate) struct Synthesis<'a>(pub(crate) &'a R1cs);

impl<F: PrimeField> ConstraintSynthesizer<F> for Synthesis<'_> {
    fn generate_constraints(self, cs: ConstraintSystemRef<F>) -> Result<(), SynthesisError> {
        let unknown = || Err(SynthesisError::AssignmentMissing);
        let mut wires = vec![Variable::One];
        for wire in 1..self.0.n_wires() {
            wires.push(match wire <= self.0.n_public() {
                true => cs.new_input_variable(unknown)?,
                false => cs.new_witness_variable(unknown)?,
            });
        }
        let combine = |combination: Combination<'_>| {
            let term =
                |(wire, value): (u32, &[u8; 32])| (F::from_le_bytes_mod_order(value), wires[wire as usize]);
            LinearCombination(combination.terms().map(term).collect())
        };
        for [a, b, c] in self.0.constraints() {
            cs.enforce_r1cs_constraint(|| combine(a), || combine(b), || combine(c))?;
        }
        Ok(())
    }
}
