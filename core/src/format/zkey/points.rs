//! The points of a `.zkey` that are checked when it is opened.

use interlock_curves::{PointError, ProvingCurve};

use super::{Zkey, layout};
use crate::format::{FormatError, FormatErrorKind as Kind};

/// The six points of a key's header, on the curve and in the subgroup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderPoints<E: ProvingCurve> {
    /// α in G1.
    pub alpha_g1: E::G1Affine,
    /// β in G1.
    pub beta_g1: E::G1Affine,
    /// β in G2.
    pub beta_g2: E::G2Affine,
    /// γ in G2; not infinity.
    pub gamma_g2: E::G2Affine,
    /// δ in G1; not infinity.
    pub delta_g1: E::G1Affine,
    /// δ in G2; not infinity.
    pub delta_g2: E::G2Affine,
}

/// Reads a point, and checks the curve and the subgroup.
fn checked<P>(
    bytes: &[u8],
    read: impl Fn(&[u8]) -> Result<P, PointError>,
    in_subgroup: impl Fn(&P) -> bool,
    what: impl Fn() -> String,
) -> Result<P, Kind> {
    let point = read(bytes).map_err(|source| Kind::Point { what: what(), source })?;
    if in_subgroup(&point) { Ok(point) } else { Err(Kind::Subgroup { what: what() }) }
}

impl Zkey {
    /// The header's points.
    ///
    /// # Errors
    /// When the key is for another curve than `E`. (A bad point is found when the key is opened.)
    pub fn header_points<E: ProvingCurve>(&self) -> Result<HeaderPoints<E>, FormatError> {
        self.expect_curve(E::CURVE)?;
        let g1 = |range: &std::ops::Range<usize>, what: &'static str| {
            checked(self.slice(range), E::read_g1, E::g1_in_subgroup, || what.to_owned())
                .map_err(|kind| self.error(layout::HEADER, range.start, kind))
        };
        let g2 = |range: &std::ops::Range<usize>, what: &'static str| {
            checked(self.slice(range), E::read_g2, E::g2_in_subgroup, || what.to_owned())
                .map_err(|kind| self.error(layout::HEADER, range.start, kind))
        };
        let header = &self.header;
        for (range, what) in
            [(&header.gamma_g2, "gamma2"), (&header.delta_g1, "delta1"), (&header.delta_g2, "delta2")]
        {
            if self.slice(range).iter().all(|byte| *byte == 0) {
                return Err(self.error(layout::HEADER, range.start, Kind::Infinity { what }));
            }
        }
        Ok(HeaderPoints {
            alpha_g1: g1(&header.alpha_g1, "alpha1")?,
            beta_g1: g1(&header.beta_g1, "beta1")?,
            beta_g2: g2(&header.beta_g2, "beta2")?,
            gamma_g2: g2(&header.gamma_g2, "gamma2")?,
            delta_g1: g1(&header.delta_g1, "delta1")?,
            delta_g2: g2(&header.delta_g2, "delta2")?,
        })
    }

    /// The `n_public + 1` points of the verification key, one per public signal, the constant one first.
    ///
    /// # Errors
    /// When the key is for another curve than `E`. (A bad point is found when the key is opened.)
    pub fn ic_points<E: ProvingCurve>(&self) -> Result<Vec<E::G1Affine>, FormatError> {
        self.expect_curve(E::CURVE)?;
        let size = E::CURVE.g1_bytes();
        let section = self.ic();
        section
            .chunks_exact(size)
            .enumerate()
            .map(|(i, bytes)| {
                checked(bytes, E::read_g1, E::g1_in_subgroup, || format!("IC[{i}]"))
                    .map_err(|kind| self.error(layout::IC, section.offset() as usize + i * size, kind))
            })
            .collect()
    }
}
