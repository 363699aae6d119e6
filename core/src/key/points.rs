//! From points in memory and a circuit's rows.

use std::path::Path;

use interlock_curves::ProvingCurve;

use super::{BaseSet, CircuitRows, Head, ProvingKey, Quotient};
use crate::format::arkworks::unfinished;
use crate::format::{FormatError, FormatErrorKind as Kind, MappedFile, Section};
use crate::types::VerifyingKey;

/// The points of a key whose quotient convention is [`Quotient::Coefficients`], infinities included: an arkworks key, say.
#[derive(Clone, Copy, Debug)]
pub struct KeyPoints<'a, E: ProvingCurve> {
    /// The verifying key.
    pub verifying_key: &'a VerifyingKey<E>,
    /// β in G1.
    pub beta_g1: E::G1Affine,
    /// δ in G1.
    pub delta_g1: E::G1Affine,
    /// `Aᵢ(τ)`, one per signal.
    pub a: &'a [E::G1Affine],
    /// `Bᵢ(τ)`, one per signal.
    pub b_g1: &'a [E::G1Affine],
    /// `Bᵢ(τ)`, one per signal.
    pub b_g2: &'a [E::G2Affine],
    /// `τ^i·Z(τ)/δ` for i < N − 1.
    pub h: &'a [E::G1Affine],
    /// `(β·Aᵢ + α·Bᵢ + Cᵢ)(τ)/δ`, one per private signal.
    pub l: &'a [E::G1Affine],
}

impl ProvingKey {
    /// Joins points with the rows of their circuit. The points are copied; that they are on the curve is taken as given.
    /// `label` stands for a path in messages.
    ///
    /// # Errors
    /// The rows are for another curve, a query has another length than the circuit implies, or γ or δ is infinity.
    pub fn from_points<E: ProvingCurve>(
        points: &KeyPoints<'_, E>,
        rows: &CircuitRows,
        label: &str,
    ) -> Result<Self, FormatError> {
        let about = |kind| FormatError::new(Path::new(label), kind);
        if rows.curve != E::CURVE {
            return Err(about(Kind::CurveMismatch { expected: E::CURVE, found: rows.curve }));
        }
        let (n_vars, inputs, domain) = (rows.a.cols, rows.n_public + 1, 1 << rows.log_domain);
        let vk = points.verifying_key;
        for (what, found, limit) in [
            ("the number of IC points", vk.ic.len(), inputs),
            ("the number of A points", points.a.len(), n_vars),
            ("the number of B points in G1", points.b_g1.len(), n_vars),
            ("the number of B points in G2", points.b_g2.len(), n_vars),
            ("the number of H points", points.h.len(), domain - 1),
            ("the number of L points", points.l.len(), n_vars - inputs),
        ] {
            if found != limit {
                let (found, limit) = (found as u64, limit as u64);
                return Err(about(Kind::Count { what, found, limit_of: "the circuit takes", limit }));
            }
        }
        let head = Head {
            alpha_g1: g1::<E>(&[vk.alpha_g1]),
            beta_g1: g1::<E>(&[points.beta_g1]),
            beta_g2: g2::<E>(&[vk.beta_g2]),
            gamma_g2: g2::<E>(&[vk.gamma_g2]),
            delta_g1: g1::<E>(&[points.delta_g1]),
            delta_g2: g2::<E>(&[vk.delta_g2]),
            ic: g1::<E>(&vk.ic),
        };
        for (what, point) in
            [("gamma (G2)", &head.gamma_g2), ("delta (G1)", &head.delta_g1), ("delta (G2)", &head.delta_g2)]
        {
            if point.iter().all(|byte| *byte == 0) {
                return Err(about(Kind::Infinity { what }));
            }
        }
        let set = |mut bytes: Vec<u8>| -> Result<BaseSet, FormatError> {
            let length = bytes.len();
            // A file is never empty, and a query can be.
            if bytes.is_empty() {
                bytes.push(0);
            }
            let file = MappedFile::from_bytes(label, bytes)?;
            Ok(BaseSet { points: Section::within(file, 0..length), index: None })
        };
        Ok(Self {
            curve: E::CURVE,
            n_vars,
            n_public: rows.n_public,
            domain: rows.domain()?,
            quotient: Quotient::Coefficients,
            a_matrix: rows.a.clone(),
            b_matrix: rows.b.clone(),
            a: set(g1::<E>(points.a))?,
            b_g1: set(g1::<E>(points.b_g1))?,
            b_g2: set(g2::<E>(points.b_g2))?,
            l: set(g1::<E>(points.l))?,
            h: set(g1::<E>(points.h))?,
            warning: unfinished(&head.gamma_g2, &head.delta_g2),
            head,
            label: label.to_owned(),
        })
    }
}

fn g1<E: ProvingCurve>(points: &[E::G1Affine]) -> Vec<u8> {
    pack(points, E::CURVE.g1_bytes(), E::write_g1)
}

fn g2<E: ProvingCurve>(points: &[E::G2Affine]) -> Vec<u8> {
    pack(points, E::CURVE.g2_bytes(), E::write_g2)
}

fn pack<P>(points: &[P], size: usize, write: impl Fn(&P, &mut [u8])) -> Vec<u8> {
    let mut bytes = vec![0; points.len() * size];
    bytes.chunks_exact_mut(size).zip(points).for_each(|(out, point)| write(point, out));
    bytes
}
