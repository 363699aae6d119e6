//! An `ark-groth16` key and its circuit's rows as one proving key.

use ark_relations::gr1cs::ConstraintSynthesizer;
use interlock_core::key::{CircuitRows, KeyPoints, ProvingKey};
use interlock_core::types::VerifyingKey;
use interlock_curves::ProvingCurve;

use super::circuit;
use crate::FrontendError;

/// Joins a key, which has no matrices, with its circuit. The key's points are copied; they are taken as given, as a key
/// in memory is. (A key in a file is read, and checked, by [`interlock_core::format::arkworks`].)
///
/// # Errors
/// The synthesis fails, the circuit is not R1CS, or it is not the key's: the numbers of signals, of public ones, or the
/// domain differ.
pub fn key<E: ProvingCurve, C>(
    pk: &ark_groth16::ProvingKey<E>,
    circuit_of_key: C,
) -> Result<ProvingKey, FrontendError>
where
    C: ConstraintSynthesizer<E::ScalarField>,
{
    let rows = CircuitRows::from_r1cs(&circuit::<E, _>(circuit_of_key)?)?;
    let vk = &pk.vk;
    let verifying_key = VerifyingKey::<E> {
        alpha_g1: vk.alpha_g1,
        beta_g2: vk.beta_g2,
        gamma_g2: vk.gamma_g2,
        delta_g2: vk.delta_g2,
        ic: vk.gamma_abc_g1.clone(),
    };
    let points = KeyPoints::<E> {
        verifying_key: &verifying_key,
        beta_g1: pk.beta_g1,
        delta_g1: pk.delta_g1,
        a: &pk.a_query,
        b_g1: &pk.b_g1_query,
        b_g2: &pk.b_g2_query,
        h: &pk.h_query,
        l: &pk.l_query,
    };
    Ok(ProvingKey::from_points(&points, &rows, "ark-groth16 key")?)
}
