//! Circuits of arkworks (`ark-relations` 0.6), proved with the keys of `ark-groth16` 0.6.
//!
//! | `ark-groth16` | here |
//! |---|---|
//! | | `let prover = arkworks::open::<E, _>(&backend, &pk, circuit)?` |
//! | `Groth16::<E>::prove(&pk, circuit, &mut rng)?` | `arkworks::prove(&prover, circuit)?` |
//! | `Groth16::<E>::create_proof_with_reduction(circuit, &pk, r, s)?` | `arkworks::prove_blinded(&prover, circuit, &blinding)?` |
//!
//! ```
//! use ark_bn254::{Bn254, Fr};
//! use ark_groth16::Groth16;
//! use ark_relations::gr1cs::{ConstraintSynthesizer, ConstraintSystemRef, SynthesisError};
//! use ark_snark::SNARK;
//! use interlock_core::backend::Plugin;
//! use interlock_frontends::arkworks;
//!
//! /// I know the square root of a public number.
//! #[derive(Clone)]
//! struct Root(Option<Fr>);
//!
//! impl ConstraintSynthesizer<Fr> for Root {
//!     fn generate_constraints(self, cs: ConstraintSystemRef<Fr>) -> Result<(), SynthesisError> {
//!         let root = || self.0.ok_or(SynthesisError::AssignmentMissing);
//!         let square = cs.new_input_variable(|| root().map(|root| root * root))?;
//!         let root = cs.new_witness_variable(root)?;
//!         cs.enforce_r1cs_constraint(|| root.into(), || root.into(), || square.into())
//!     }
//! }
//!
//! # use ark_std::rand::{SeedableRng, rngs::StdRng};
//! # let mut rng = StdRng::seed_from_u64(1);
//! let (pk, vk) = Groth16::<Bn254>::circuit_specific_setup(Root(None), &mut rng)?;
//! let backend = Plugin::linked(interlock_cpu::interlock_api())?;
//! let prover = arkworks::open::<Bn254, _>(&backend, &pk, Root(None))?;
//!
//! let proof = arkworks::prove(&prover, Root(Some(Fr::from(12))))?;
//! assert!(Groth16::<Bn254>::verify(&vk, &[Fr::from(144)], &proof)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The proof is `ark-groth16`'s own type, and with the same r and s the same proof. [`open`] takes any instance of the
//! circuit, with or without values; later instances give a witness only, and their linear combinations are not looked at.
//!
//! Signals are the constant one, instance variables, witness variables. Rows are those that `ark-groth16` makes its keys
//! for: symbolic linear combinations are inlined (`OptimizationGoal::Constraints`), and an instance outliner, if the
//! circuit sets one, has done its work. Circuits with constraints of other predicates than R1CS are refused.
//!
//! What a circuit keeps of its own values, and what arkworks' lists leave behind when they grow, is not zeroised; the
//! lists themselves are. A panic in the circuit's or in arkworks' own code passes through.

mod key;
mod system;

use std::sync::Arc;

use ark_relations::gr1cs::{ConstraintSynthesizer, SynthesisMode};
use interlock_core::backend::Plugin;
use interlock_core::format::{R1cs, Witness};
use interlock_core::groth16::{Blinding, ProveError, Prover};
use interlock_core::types::Proof;
use interlock_curves::ProvingCurve;

use crate::FrontendError;
use system::Synthesised;

pub use key::key;

/// The rows of a circuit. It needs no values: closures that would give them are not called.
///
/// # Errors
/// The synthesis fails, or the circuit is not R1CS.
pub fn circuit<E: ProvingCurve, C>(circuit: C) -> Result<R1cs, FrontendError>
where
    C: ConstraintSynthesizer<E::ScalarField>,
{
    Synthesised::<E>::new(circuit, SynthesisMode::Setup)?.rows()
}

/// The values of a circuit's signals. Linear combinations are neither built nor kept: this is the fast way to a witness
/// when the rows are known. Whether the values satisfy the circuit is not looked at.
///
/// # Errors
/// The synthesis fails.
pub fn witness<E: ProvingCurve, C>(circuit: C) -> Result<Witness, FrontendError>
where
    C: ConstraintSynthesizer<E::ScalarField>,
{
    let mode = SynthesisMode::Prove { construct_matrices: false, generate_lc_assignments: false };
    Synthesised::<E>::new(circuit, mode)?.witness()
}

/// Rows and values in one synthesis. Whether the values satisfy the rows is not looked at.
///
/// # Errors
/// The synthesis fails, or the circuit is not R1CS.
pub fn synthesize<E: ProvingCurve, C>(circuit: C) -> Result<(R1cs, Witness), FrontendError>
where
    C: ConstraintSynthesizer<E::ScalarField>,
{
    let synthesised = Synthesised::<E>::new(circuit, WHOLE)?;
    Ok((synthesised.rows()?, synthesised.witness()?))
}

/// Whether a circuit's values satisfy it.
///
/// # Errors
/// [`FrontendError::Unsatisfied`] names the first constraint that they do not satisfy: by its number, and by its path of
/// namespaces when the caller has installed arkworks' `ConstraintLayer`. Other errors as for [`synthesize`].
pub fn check<E: ProvingCurve, C>(circuit: C) -> Result<(), FrontendError>
where
    C: ConstraintSynthesizer<E::ScalarField>,
{
    let synthesised = Synthesised::<E>::new(circuit, WHOLE)?;
    match synthesised.rows()?.first_unsatisfied(&synthesised.witness()?)? {
        None => Ok(()),
        Some(constraint) => {
            Err(FrontendError::Unsatisfied { constraint, name: synthesised.name(constraint) })
        }
    }
}

/// Opens a backend for a key and its circuit.
///
/// # Errors
/// The synthesis fails, the circuit is not R1CS or not the key's, or the backend cannot be opened.
pub fn open<E: ProvingCurve, C>(
    plugin: &Arc<Plugin>,
    pk: &ark_groth16::ProvingKey<E>,
    circuit: C,
) -> Result<Prover<E>, FrontendError>
where
    C: ConstraintSynthesizer<E::ScalarField>,
{
    Ok(Prover::new(plugin, key(pk, circuit)?)?)
}

/// Proves, in place of `ark_groth16::Groth16::<E>::prove`, and verifies the proof. Blinding comes from the operating
/// system. The circuit is cloned, to be synthesised again when the proof does not verify; one that cannot be cloned goes
/// through [`witness`], [`Prover::prove`] and [`proof`].
///
/// # Errors
/// The synthesis or the prover fails; [`FrontendError::Unsatisfied`] when the values do not satisfy the circuit.
pub fn prove<E: ProvingCurve, C>(
    prover: &Prover<E>,
    circuit: C,
) -> Result<ark_groth16::Proof<E>, FrontendError>
where
    C: ConstraintSynthesizer<E::ScalarField> + Clone,
{
    prove_blinded(prover, circuit, &Blinding::random().map_err(ProveError::from)?)
}

/// As [`prove`], with blinding that the caller chose: for comparing provers.
///
/// # Errors
/// As for [`prove`].
pub fn prove_blinded<E: ProvingCurve, C>(
    prover: &Prover<E>,
    circuit: C,
    blinding: &Blinding<E>,
) -> Result<ark_groth16::Proof<E>, FrontendError>
where
    C: ConstraintSynthesizer<E::ScalarField> + Clone,
{
    let witness = witness::<E, _>(circuit.clone())?;
    match prover.prove_blinded(&witness, blinding) {
        Ok(proved) => Ok(proof(&proved.proof)),
        Err(error) if FrontendError::is_about_the_proof(&error) => match check::<E, _>(circuit) {
            Err(unsatisfied @ FrontendError::Unsatisfied { .. }) => Err(unsatisfied),
            _ => Err(error.into()),
        },
        Err(error) => Err(error.into()),
    }
}

/// A proof in `ark-groth16`'s type.
pub fn proof<E: ProvingCurve>(proof: &Proof<E>) -> ark_groth16::Proof<E> {
    ark_groth16::Proof { a: proof.a, b: proof.b, c: proof.c }
}

/// As `ark-groth16`'s prover has it.
const WHOLE: SynthesisMode =
    SynthesisMode::Prove { construct_matrices: true, generate_lc_assignments: false };
