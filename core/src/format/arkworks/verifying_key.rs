//! Verification keys.

use std::io;
use std::sync::Arc;

use interlock_curves::ProvingCurve;

use super::{Compressed, Encoding, Group, HeadField, Parts, PointList};
use crate::format::{FormatError, FormatErrorKind as Kind, MappedFile, Section};
use crate::types::VerifyingKey;

/// The parts of a verification key, in the wire encoding and checked.
pub(super) struct Verifying {
    pub(super) alpha_g1: Vec<u8>,
    pub(super) beta_g2: Vec<u8>,
    pub(super) gamma_g2: Vec<u8>,
    pub(super) delta_g2: Vec<u8>,
    pub(super) ic: PointList,
}

impl Verifying {
    pub(super) fn read(file: &Arc<MappedFile>, parts: &mut Parts<'_>) -> Result<Self, FormatError> {
        let key = Self {
            alpha_g1: HeadField::AlphaG1.read(parts)?,
            beta_g2: HeadField::BetaG2.read(parts)?,
            gamma_g2: HeadField::GammaG2.read(parts)?,
            delta_g2: HeadField::DeltaG2.read(parts)?,
            ic: parts.long_list(Group::G1, "IC")?,
        };
        expect_ic(file, &key.ic)?;
        Ok(key)
    }
}

/// Checks that there is a point for the constant one.
fn expect_ic(file: &Arc<MappedFile>, ic: &PointList) -> Result<(), FormatError> {
    if !ic.is_empty() {
        return Ok(());
    }
    let kind = Kind::Count {
        what: "the number of IC points",
        found: 0,
        limit_of: "the constant one needs at least",
        limit: 1,
    };
    Err(FormatError::new(file.path(), kind).at(ic.offset()))
}

/// Reads a verification key that is the whole file. Every point is checked: on the curve, in the subgroup; γ and δ are
/// not infinity.
///
/// # Errors
/// The file is not exactly one key in this encoding, or a point is bad.
pub fn read_verifying_key<E: ProvingCurve>(
    file: &Arc<MappedFile>,
    compressed: Compressed,
) -> Result<VerifyingKey<E>, FormatError> {
    let encoding = Encoding { curve: E::CURVE, compressed };
    let mut parts = Parts::new(file, encoding);
    let key = Verifying::read(file, &mut parts)?;
    parts.end("a verification key's points")?;
    let ic: Section = key.ic.to_wire_checked()?;
    Ok(VerifyingKey {
        alpha_g1: E::g1_unchecked(&key.alpha_g1),
        beta_g2: E::g2_unchecked(&key.beta_g2),
        gamma_g2: E::g2_unchecked(&key.gamma_g2),
        delta_g2: E::g2_unchecked(&key.delta_g2),
        ic: ic.chunks_exact(E::CURVE.g1_bytes()).map(E::g1_unchecked).collect(),
    })
}

/// Writes a verification key, as arkworks would.
///
/// # Errors
/// When `out` fails.
pub fn write_verifying_key<E: ProvingCurve>(
    key: &VerifyingKey<E>,
    compressed: Compressed,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let encoding = Encoding { curve: E::CURVE, compressed };
    encoding.write_g1::<E>(&key.alpha_g1, out)?;
    for point in [&key.beta_g2, &key.gamma_g2, &key.delta_g2] {
        encoding.write_g2::<E>(point, out)?;
    }
    out.write_all(&(key.ic.len() as u64).to_le_bytes())?;
    key.ic.iter().try_for_each(|point| encoding.write_g1::<E>(point, out))
}

impl Encoding {
    /// Writes a G1 point of this encoding's curve, which must be `E`.
    pub(in crate::format) fn write_g1<E: ProvingCurve>(
        self,
        point: &E::G1Affine,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        let mut wire = vec![0; E::CURVE.g1_bytes()];
        E::write_g1(point, &mut wire);
        self.write_wire(Group::G1, &wire, out)
    }

    /// Writes a G2 point of this encoding's curve, which must be `E`.
    pub(in crate::format) fn write_g2<E: ProvingCurve>(
        self,
        point: &E::G2Affine,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        let mut wire = vec![0; E::CURVE.g2_bytes()];
        E::write_g2(point, &mut wire);
        self.write_wire(Group::G2, &wire, out)
    }

    fn write_wire(self, group: Group, wire: &[u8], out: &mut dyn io::Write) -> io::Result<()> {
        let mut bytes = vec![0; self.point_bytes(group)];
        self.encode(group, wire, &mut bytes).map_err(io::Error::other)?;
        out.write_all(&bytes)
    }
}
