//! A `.zkey`'s protocol and header sections.

use std::{ops::Range, path::Path};

use interlock_curves::Curve;

use super::layout::{self, CONTAINER};
use crate::format::{FormatError, FormatErrorKind as Kind, reader::Reader, sections::SectionTable};

/// What the header says, with everything but the points checked.
#[derive(Debug, Clone)]
pub(super) struct Header {
    pub(super) curve: Curve,
    pub(super) n_vars: u32,
    pub(super) n_public: u32,
    pub(super) domain_size: u32,
    pub(super) alpha_g1: Range<usize>,
    pub(super) beta_g1: Range<usize>,
    pub(super) beta_g2: Range<usize>,
    pub(super) gamma_g2: Range<usize>,
    pub(super) delta_g1: Range<usize>,
    pub(super) delta_g2: Range<usize>,
}

impl Header {
    pub(super) fn read(path: &Path, bytes: &[u8], table: &SectionTable) -> Result<Self, FormatError> {
        let mut protocol = table.reader(path, bytes, &CONTAINER, layout::PROTOCOL)?;
        let at = protocol.offset();
        let found = protocol.u32("the protocol number")?;
        if found != layout::GROTH16 {
            return Err(protocol.error_at(at, Kind::Protocol { found }));
        }
        protocol.end("the protocol number")?;

        let mut reader = table.reader(path, bytes, &CONTAINER, layout::HEADER)?;
        let at = reader.offset();
        let q = reader.modulus("q")?;
        let r = reader.modulus("r")?;
        let curve = Curve::from_moduli_le(q, r)
            .ok_or_else(|| reader.error_at(at, Kind::UnknownField { what: "q and r together" }))?;

        let n_vars = reader.u32("the number of signals")?;
        let at = reader.offset();
        let n_public = reader.u32("the number of public signals")?;
        if n_public >= n_vars {
            let kind = Kind::Count {
                what: "the number of public signals",
                found: n_public.into(),
                limit_of: "it must be below the number of signals,",
                limit: n_vars.into(),
            };
            return Err(reader.error_at(at, kind));
        }
        let at = reader.offset();
        let domain_size = reader.u32("the domain size")?;
        let max_log = curve.scalar_two_adicity();
        if !domain_size.is_power_of_two() || domain_size.trailing_zeros() > max_log {
            return Err(reader.error_at(at, Kind::DomainSize { found: domain_size, max_log }));
        }

        let header = Self {
            curve,
            n_vars,
            n_public,
            domain_size,
            alpha_g1: point(&mut reader, curve.g1_bytes(), "alpha1")?,
            beta_g1: point(&mut reader, curve.g1_bytes(), "beta1")?,
            beta_g2: point(&mut reader, curve.g2_bytes(), "beta2")?,
            gamma_g2: point(&mut reader, curve.g2_bytes(), "gamma2")?,
            delta_g1: point(&mut reader, curve.g1_bytes(), "delta1")?,
            delta_g2: point(&mut reader, curve.g2_bytes(), "delta2")?,
        };
        reader.end("the moduli, counts and six points")?;
        Ok(header)
    }

    /// Checks that each section of points has the length that the counts imply.
    pub(super) fn check_sections(&self, path: &Path, table: &SectionTable) -> Result<(), FormatError> {
        let (g1, g2) = (self.curve.g1_bytes() as u64, self.curve.g2_bytes() as u64);
        let (vars, public) = (u64::from(self.n_vars), u64::from(self.n_public));
        for (id, count, size, group) in [
            (layout::IC, public + 1, g1, "G1"),
            (layout::A, vars, g1, "G1"),
            (layout::B1, vars, g1, "G1"),
            (layout::B2, vars, g2, "G2"),
            (layout::L, vars - public - 1, g1, "G1"),
            (layout::H, self.domain_size.into(), g1, "G1"),
        ] {
            let range = table.require(path, &CONTAINER, id)?;
            let (expected, found) = (count * size, range.len() as u64);
            if expected != found {
                let kind = Kind::SectionLength { expected, found, reason: format!("{count} {group} points") };
                let error = FormatError::new(path, kind).at(range.start as u64);
                return Err(error.in_section(CONTAINER.section(id)));
            }
        }
        Ok(())
    }
}

/// Steps over a point and returns its place in the file.
fn point(reader: &mut Reader<'_>, size: usize, what: &'static str) -> Result<Range<usize>, FormatError> {
    let start = reader.offset() as usize;
    reader.take(size, what)?;
    Ok(start..start + size)
}
