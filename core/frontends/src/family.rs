// The functions of both front ends of bellman's family. Their traits are of different crates and generations of `ff`, and
// otherwise the same, so this file is a module of each; what differs, `super` gives.

use std::sync::Arc;

use interlock_core::backend::Plugin;
use interlock_core::format::bellman::BellmanParams;
use interlock_core::format::{R1cs, Witness};
use interlock_core::groth16::{Blinding, ProveError, Prover};
use interlock_core::key::ProvingKey;
use interlock_curves::{Bls12_381, Curve};

use super::system::System;
use super::{Circuit, ConstraintSystem, PrimeField};
use crate::assembly::{Assembly, Mode, Name, Shape, Values, Whole, curve_of};
use crate::{FrontendError, Proof};

/// The rows of a circuit. It needs no values: closures that would give them are not called.
///
/// # Errors
/// The field is no supported curve's, or the synthesis fails.
pub fn circuit<F: PrimeField, C: Circuit<F>>(circuit: C) -> Result<R1cs, FrontendError> {
    let curve = curve::<F>()?;
    synthesised::<F, Shape, C>(circuit, Assembly::new())?.into_rows(curve)
}

/// The values of a circuit's signals. Linear combinations are neither built nor kept: this is the fast way to a witness
/// when the rows are known. Whether the values satisfy the circuit is not looked at.
///
/// # Errors
/// As for [`circuit`].
pub fn witness<F: PrimeField, C: Circuit<F>>(circuit: C) -> Result<Witness, FrontendError> {
    let curve = curve::<F>()?;
    synthesised::<F, Values, C>(circuit, Assembly::new())?.into_witness(curve)
}

/// Rows and values in one synthesis. Whether the values satisfy the rows is not looked at.
///
/// # Errors
/// As for [`circuit`].
pub fn synthesize<F: PrimeField, C: Circuit<F>>(circuit: C) -> Result<(R1cs, Witness), FrontendError> {
    let curve = curve::<F>()?;
    synthesised::<F, Whole, C>(circuit, Assembly::new())?.into_both(curve)
}

/// Whether a circuit's values satisfy it.
///
/// # Errors
/// [`FrontendError::Unsatisfied`] names the first constraint that they do not satisfy, by its number and by the path of
/// its namespaces and its annotation. Other errors as for [`circuit`].
pub fn check<F: PrimeField, C: Circuit<F> + Clone>(circuit: C) -> Result<(), FrontendError> {
    let (rows, values) = synthesize(circuit.clone())?;
    match rows.first_unsatisfied(&values)? {
        None => Ok(()),
        Some(constraint) => {
            let named = synthesised::<F, Name, C>(circuit, Assembly::naming(constraint))?;
            Err(FrontendError::Unsatisfied { constraint, name: named.into_name() })
        }
    }
}

/// Joins parameters, which have no matrices, with their circuit.
///
/// # Errors
/// As for [`circuit`]; or the circuit is not that of the parameters: the numbers of signals, of public ones, of points or
/// the domain differ; or a point is bad.
pub fn key<F: PrimeField, C: Circuit<F>>(
    params: &BellmanParams,
    circuit_of_params: C,
) -> Result<ProvingKey, FrontendError> {
    Ok(ProvingKey::from_bellman(params, &circuit(circuit_of_params)?)?)
}

/// Opens a backend for parameters and their circuit.
///
/// # Errors
/// As for [`key`]; or the backend cannot be opened.
pub fn open<F: PrimeField, C: Circuit<F>>(
    plugin: &Arc<Plugin>,
    params: &BellmanParams,
    circuit: C,
) -> Result<Prover<Bls12_381>, FrontendError> {
    Ok(Prover::new(plugin, key(params, circuit)?)?)
}

/// Proves, and verifies the proof. Blinding comes from the operating system. The circuit is cloned, to be synthesised
/// again when the proof does not verify; one that cannot be cloned goes through [`witness`] and [`Prover::prove`].
///
/// # Errors
/// The synthesis or the prover fails; [`FrontendError::Unsatisfied`] when the values do not satisfy the circuit.
pub fn create_random_proof<F: PrimeField, C: Circuit<F> + Clone>(
    circuit: C,
    prover: &Prover<Bls12_381>,
) -> Result<Proof, FrontendError> {
    create_proof(circuit, prover, &Blinding::random().map_err(ProveError::from)?)
}

/// As [`create_random_proof`], with blinding that the caller chose: for comparing provers.
///
/// # Errors
/// As for [`create_random_proof`].
pub fn create_proof<F: PrimeField, C: Circuit<F> + Clone>(
    circuit: C,
    prover: &Prover<Bls12_381>,
    blinding: &Blinding<Bls12_381>,
) -> Result<Proof, FrontendError> {
    let witness = witness(circuit.clone())?;
    match prover.prove_blinded(&witness, blinding) {
        Ok(proved) => Ok(proved.proof.into()),
        Err(error) if FrontendError::is_about_the_proof(&error) => match check(circuit) {
            Err(unsatisfied @ FrontendError::Unsatisfied { .. }) => Err(unsatisfied),
            _ => Err(error.into()),
        },
        Err(error) => Err(error.into()),
    }
}

fn synthesised<F: PrimeField, M: Mode, C: Circuit<F>>(
    circuit: C,
    empty: Assembly<F, M>,
) -> Result<Assembly<F, M>, FrontendError> {
    let mut system = System(empty);
    system.alloc_input(|| "one", || Ok(F::ONE)).map_err(FrontendError::synthesis)?;
    circuit.synthesize(&mut system).map_err(FrontendError::synthesis)?;
    Ok(system.0)
}

fn curve<F: PrimeField>() -> Result<Curve, FrontendError> {
    curve_of((-F::ONE).to_repr().as_ref(), F::MODULUS)
}
