//! The single points of a key, and its IC points.

use interlock_curves::ProvingCurve;

use super::{Group, Parts};
use crate::format::{FormatError, Section};
use crate::types::VerifyingKey;

/// The single points and the IC points of a proving key, in the wire encoding. They are on the curve and in the
/// subgroup; γ and δ are not infinity.
#[derive(Clone, Debug)]
pub struct HeadPoints {
    /// α in G1.
    pub alpha_g1: Vec<u8>,
    /// β in G1.
    pub beta_g1: Vec<u8>,
    /// β in G2.
    pub beta_g2: Vec<u8>,
    /// γ in G2.
    pub gamma_g2: Vec<u8>,
    /// δ in G1.
    pub delta_g1: Vec<u8>,
    /// δ in G2.
    pub delta_g2: Vec<u8>,
    /// The IC points (G1), packed: the constant one's, then one per public signal. At least one.
    pub ic: Section,
}

/// One of the single points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeadField {
    AlphaG1,
    BetaG1,
    BetaG2,
    GammaG2,
    DeltaG1,
    DeltaG2,
}

impl HeadField {
    /// The point's group, and its name in messages.
    fn describe(self) -> (Group, &'static str) {
        match self {
            Self::AlphaG1 => (Group::G1, "alpha (G1)"),
            Self::BetaG1 => (Group::G1, "beta (G1)"),
            Self::BetaG2 => (Group::G2, "beta (G2)"),
            Self::GammaG2 => (Group::G2, "gamma (G2)"),
            Self::DeltaG1 => (Group::G1, "delta (G1)"),
            Self::DeltaG2 => (Group::G2, "delta (G2)"),
        }
    }

    /// Reads the point.
    pub(crate) fn read(self, parts: &mut Parts<'_>) -> Result<Vec<u8>, FormatError> {
        let (group, what) = self.describe();
        match self {
            Self::GammaG2 | Self::DeltaG1 | Self::DeltaG2 => parts.finite(group, what),
            Self::AlphaG1 | Self::BetaG1 | Self::BetaG2 => parts.point(group, what),
        }
    }
}

impl HeadPoints {
    /// The verification key inside; the points are for `E`.
    pub(crate) fn verifying_key<E: ProvingCurve>(&self) -> VerifyingKey<E> {
        // All of them were checked when they were read.
        VerifyingKey {
            alpha_g1: E::g1_unchecked(&self.alpha_g1),
            beta_g2: E::g2_unchecked(&self.beta_g2),
            gamma_g2: E::g2_unchecked(&self.gamma_g2),
            delta_g2: E::g2_unchecked(&self.delta_g2),
            ic: self.ic.chunks_exact(E::CURVE.g1_bytes()).map(E::g1_unchecked).collect(),
        }
    }

    /// What to tell a user of a key with γ = δ: a proof can be put together from its verification key alone.
    pub fn warning(&self) -> Option<String> {
        unfinished(&self.gamma_g2, &self.delta_g2)
    }
}

/// What to tell a user of a key with γ = δ, which are given in one encoding.
pub(crate) fn unfinished(gamma_g2: &[u8], delta_g2: &[u8]) -> Option<String> {
    (gamma_g2 == delta_g2).then(|| {
        "gamma = delta: INSECURE, anybody can forge proofs; the key's making was not finished".into()
    })
}
