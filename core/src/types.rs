//! The plain types of Groth16: verification key, proof, public signals.

use interlock_curves::ProvingCurve;

/// What a verifier needs to know of a circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyingKey<E: ProvingCurve> {
    /// α in G1.
    pub alpha_g1: E::G1Affine,
    /// β in G2.
    pub beta_g2: E::G2Affine,
    /// γ in G2.
    pub gamma_g2: E::G2Affine,
    /// δ in G2.
    pub delta_g2: E::G2Affine,
    /// One point for the constant one, then one for each public signal.
    pub ic: Vec<E::G1Affine>,
}

impl<E: ProvingCurve> VerifyingKey<E> {
    /// Number of public signals, the constant one excluded.
    pub fn n_public(&self) -> usize {
        self.ic.len().saturating_sub(1)
    }
}

/// A Groth16 proof: `e(a, b) = e(α, β) · e(Σ xᵢ·ICᵢ, γ) · e(c, δ)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof<E: ProvingCurve> {
    /// A, in G1.
    pub a: E::G1Affine,
    /// B, in G2.
    pub b: E::G2Affine,
    /// C, in G1.
    pub c: E::G1Affine,
}

/// The values of a circuit's public signals, the constant one excluded: outputs, then inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicSignals<E: ProvingCurve>(pub Vec<E::ScalarField>);
