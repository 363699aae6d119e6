//! The pairing equation.

use ark_ec::pairing::Pairing;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{One, PrimeField};
use interlock_curves::ProvingCurve;

use crate::types::{Proof, PublicSignals, VerifyingKey};

/// The number of signals is not the key's.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("the verifying key has {wanted} public signals, {got} were given: they belong to another circuit")]
pub struct WrongSignalCount {
    /// What the key has.
    pub wanted: usize,
    /// What was given.
    pub got: usize,
}

/// Whether `e(A, B) = e(α, β)·e(Σ x_i·IC_i, γ)·e(C, δ)`.
///
/// All points are taken as given: readers of keys and proofs check curve and subgroup.
///
/// # Errors
/// [`WrongSignalCount`].
pub fn verify<E: ProvingCurve>(
    key: &VerifyingKey<E>,
    signals: &PublicSignals<E>,
    proof: &Proof<E>,
) -> Result<bool, WrongSignalCount> {
    let signals = &signals.0;
    let Some((one, ic)) = key.ic.split_first().filter(|(_, ic)| ic.len() == signals.len()) else {
        return Err(WrongSignalCount { wanted: key.n_public(), got: signals.len() });
    };
    let inputs = ic
        .iter()
        .zip(signals)
        .fold(one.into_group(), |sum, (point, signal)| sum + point.mul_bigint(signal.into_bigint()));
    let g1 = [(-proof.a.into_group()).into_affine(), key.alpha_g1, inputs.into_affine(), proof.c];
    let g2 = [proof.b, key.beta_g2, key.gamma_g2, key.delta_g2];
    Ok(<E as Pairing>::multi_pairing(g1, g2).0.is_one())
}
