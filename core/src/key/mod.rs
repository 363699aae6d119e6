//! A proving key as the prover wants it, whatever file it came from.
//!
//! The differences between key formats are data here, not code: which root of unity, which coset, which quotient
//! convention, and which scalar each base belongs to.

mod arkworks;
mod bellman;
mod check;
mod convention;
mod export;
mod points;
mod rows;
mod verdicts;
mod write_zkey;
mod zkey;

use std::sync::Arc;

use interlock_curves::{Curve, PointError, ProvingCurve};

use crate::backend::DomainSpec;
use crate::format::{Csr, Section};
use crate::types::VerifyingKey;

pub use check::{BadBase, BaseProblem};
pub use convention::ConventionError;
pub use export::ExportError;
pub use points::KeyPoints;
pub use rows::CircuitRows;
pub use verdicts::Verdicts;
pub(crate) use zkey::warning as zkey_warning;

/// How the quotient polynomial becomes scalars for the H bases.
///
/// With a, b, c the polynomials of A·w, B·w, C·w over the domain and Z its vanishing polynomial:
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quotient {
    /// bellman, arkworks: H bases are τ^i·Z(τ)/δ for i < N − 1, and the scalars are the coefficients of (a·b − c)/Z,
    /// computed on a coset and transformed back.
    Coefficients,
    /// snarkjs: H bases are the Lagrange basis of the coset at τ, over δ, and the scalars are the values of a·b − c
    /// there: no division and one transform less.
    CosetValues,
}

/// Bases of one query, and the scalar that each belongs to.
#[derive(Clone, Debug)]
pub struct BaseSet {
    /// Packed affine points in the wire encoding, infinities allowed.
    pub points: Section,
    /// Position of each base's scalar, strictly ascending; `None` is the identity.
    pub index: Option<Arc<[u32]>>,
}

/// A proving key: everything that does not depend on the witness.
#[derive(Clone, Debug)]
pub struct ProvingKey {
    /// The curve.
    pub curve: Curve,
    /// Signals, the constant one included: the witness length.
    pub n_vars: usize,
    /// Public signals, the constant one excluded; they are signals 1..=n_public.
    pub n_public: usize,
    /// The domain and the coset on which the quotient is computed.
    pub domain: DomainSpec,
    /// The quotient convention.
    pub quotient: Quotient,
    /// A: as many rows as the domain, a column per signal.
    pub a_matrix: Arc<Csr>,
    /// B, of the same shape. There is no C: a satisfied row has c = a·b.
    pub b_matrix: Arc<Csr>,
    /// The A query (G1), over all signals.
    pub a: BaseSet,
    /// The B query in G1, over all signals.
    pub b_g1: BaseSet,
    /// The B query in G2, over all signals.
    pub b_g2: BaseSet,
    /// The L query (G1), over the private signals: its scalar 0 is signal n_public + 1.
    pub l: BaseSet,
    /// The H query (G1), over the quotient's scalars.
    pub h: BaseSet,
    /// The points of the key's head, in the wire encoding.
    pub head: Head,
    /// What the format says of the key's making that a user should know: an insecure set-up, say.
    pub warning: Option<String>,
    /// Where it came from, for messages.
    pub label: String,
}

/// The single points of a key, in the wire encoding.
#[derive(Clone, Debug)]
pub struct Head {
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
    /// The IC points (G1), packed: the constant one's, then one per public signal.
    pub ic: Vec<u8>,
}

impl ProvingKey {
    /// Elements of the domain.
    pub fn domain_size(&self) -> usize {
        1 << self.domain.log_size
    }

    /// The verifying key inside.
    ///
    /// # Errors
    /// A point is not on the curve. (Formats check their heads when they are opened.)
    pub fn verifying_key<E: ProvingCurve>(&self) -> Result<VerifyingKey<E>, PointError> {
        let head = &self.head;
        Ok(VerifyingKey {
            alpha_g1: E::read_g1(&head.alpha_g1)?,
            beta_g2: E::read_g2(&head.beta_g2)?,
            gamma_g2: E::read_g2(&head.gamma_g2)?,
            delta_g2: E::read_g2(&head.delta_g2)?,
            ic: head.ic.chunks_exact(self.curve.g1_bytes()).map(E::read_g1).collect::<Result<_, _>>()?,
        })
    }
}
