//! From sums and blinding to a proof.

use ark_ec::{AffineRepr, CurveGroup};
use interlock_curves::{PointError, ProvingCurve};

use crate::groth16::Blinding;
use crate::key::ProvingKey;
use crate::types::Proof;

/// What a backend computes for a witness: five points, none of which depends on the blinding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartialSums<E: ProvingCurve> {
    /// Σ w_i·A_i
    pub a: E::G1,
    /// Σ w_i·B_i in G1
    pub b_g1: E::G1,
    /// Σ w_i·B_i in G2
    pub b_g2: E::G2,
    /// Σ w_i·L_i over the private signals
    pub l: E::G1,
    /// Σ h_i·H_i
    pub h: E::G1,
}

/// Adds the blinding (Groth16, section 3.2, in the notation of the key):
///
/// ```text
/// A = α + Σ w_i·A_i + r·δ        B = β + Σ w_i·B_i + s·δ
/// C = Σ w_i·L_i + Σ h_i·H_i + s·A + r·B − r·s·δ
/// ```
///
/// # Errors
/// A point of the key's head is not on the curve.
pub fn assemble<E: ProvingCurve>(
    key: &ProvingKey,
    sums: &PartialSums<E>,
    blinding: &Blinding<E>,
) -> Result<Proof<E>, PointError> {
    let head = &key.head;
    let (alpha, beta_g1, beta_g2) =
        (E::read_g1(&head.alpha_g1)?, E::read_g1(&head.beta_g1)?, E::read_g2(&head.beta_g2)?);
    let (delta_g1, delta_g2) =
        (E::read_g1(&head.delta_g1)?.into_group(), E::read_g2(&head.delta_g2)?.into_group());
    let Blinding { r, s } = blinding;
    let a = sums.a + alpha + delta_g1 * r;
    let b_g1 = sums.b_g1 + beta_g1 + delta_g1 * s;
    let b = sums.b_g2 + beta_g2 + delta_g2 * s;
    let c = sums.l + sums.h + a * s + b_g1 * r - delta_g1 * (*r * s);
    Ok(Proof { a: a.into_affine(), b: b.into_affine(), c: c.into_affine() })
}
