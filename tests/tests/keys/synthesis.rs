//! A circuit of ours as the circuits of arkworks and bellman.

use ark_ff::PrimeField;
use ark_relations::gr1cs::{
    ConstraintSynthesizer, ConstraintSystemRef, LinearCombination, SynthesisError, Variable,
};
use ff::PrimeField as _;
use interlock_core::format::r1cs::LinearCombination as Combination;
use interlock_tests::circuits::Sample;

/// Synthesises a sample: its wires in order, then its constraints.
#[derive(Clone, Copy)]
pub(crate) struct Synthesis<'a>(pub(crate) &'a Sample);

impl Synthesis<'_> {
    fn value(self, wire: u32) -> [u8; 32] {
        *self.0.witness.value(wire as usize).unwrap()
    }
}

impl<F: PrimeField> ConstraintSynthesizer<F> for Synthesis<'_> {
    fn generate_constraints(self, cs: ConstraintSystemRef<F>) -> Result<(), SynthesisError> {
        let r1cs = &self.0.r1cs;
        let mut wires = vec![Variable::One];
        for wire in 1..r1cs.n_wires() {
            let value = || Ok(F::from_le_bytes_mod_order(&self.value(wire)));
            let public = wire <= r1cs.n_public();
            wires.push(if public { cs.new_input_variable(value)? } else { cs.new_witness_variable(value)? });
        }
        let combine = |combination: Combination<'_>| {
            let term =
                |(wire, value): (u32, &[u8; 32])| (F::from_le_bytes_mod_order(value), wires[wire as usize]);
            LinearCombination(combination.terms().map(term).collect())
        };
        for [a, b, c] in r1cs.constraints() {
            cs.enforce_r1cs_constraint(|| combine(a), || combine(b), || combine(c))?;
        }
        Ok(())
    }
}

/// A scalar of bellman's.
pub(crate) fn theirs(canonical: &[u8; 32]) -> bls12_381::Scalar {
    bls12_381::Scalar::from_repr(*canonical).unwrap()
}

impl bellman::Circuit<bls12_381::Scalar> for Synthesis<'_> {
    fn synthesize<CS: bellman::ConstraintSystem<bls12_381::Scalar>>(
        self,
        cs: &mut CS,
    ) -> Result<(), bellman::SynthesisError> {
        let r1cs = &self.0.r1cs;
        let mut wires = vec![CS::one()];
        for wire in 1..r1cs.n_wires() {
            let value = || Ok(theirs(&self.value(wire)));
            let public = wire <= r1cs.n_public();
            wires.push(if public { cs.alloc_input(|| "", value)? } else { cs.alloc(|| "", value)? });
        }
        let combine = |combination: Combination<'_>| {
            combination.terms().fold(bellman::LinearCombination::zero(), |sum, (wire, value)| {
                sum + (theirs(value), wires[wire as usize])
            })
        };
        for [a, b, c] in r1cs.constraints() {
            cs.enforce(|| "", |_| combine(a), |_| combine(b), |_| combine(c));
        }
        Ok(())
    }
}
