//! Writing a `.zkey`.

use std::borrow::Cow;
use std::io;

use interlock_curves::Curve;

use super::zkey::layout::{self, CONTAINER};

/// Everything that goes into a `.zkey`, already encoded. Lengths in the comments; they are checked when writing.
///
/// Points are affine little-endian Montgomery limbs, infinity all zero.
#[derive(Debug, Clone)]
pub struct ZkeyParts<'a> {
    /// The curve; sizes below depend on it.
    pub curve: Curve,
    /// Number of signals, the constant one included.
    pub n_vars: u32,
    /// Number of public signals, the constant one excluded.
    pub n_public: u32,
    /// Number of rows, a power of two.
    pub domain_size: u32,
    /// α₁, β₁ (G1), β₂, γ₂ (G2), δ₁ (G1), δ₂ (G2), one after another.
    pub header_points: Cow<'a, [u8]>,
    /// `n_public + 1` G1 points.
    pub ic: Cow<'a, [u8]>,
    /// Entries of 44 bytes: matrix, constraint, signal (u32 each), `coefficient · R² mod r`.
    pub coefficients: Cow<'a, [u8]>,
    /// `n_vars` G1 points.
    pub a: Cow<'a, [u8]>,
    /// `n_vars` G1 points.
    pub b1: Cow<'a, [u8]>,
    /// `n_vars` G2 points.
    pub b2: Cow<'a, [u8]>,
    /// `n_vars − n_public − 1` G1 points.
    pub l: Cow<'a, [u8]>,
    /// `domain_size` G1 points.
    pub h: Cow<'a, [u8]>,
    /// Text of the section that marks an insecure key; none is written without it.
    pub insecure_marker: Option<String>,
}

impl ZkeyParts<'_> {
    /// Writes the file: sections ascending, an empty list of contributions (without it snarkjs refuses the file),
    /// then the marker.
    ///
    /// # Errors
    /// When `out` fails, or (`InvalidInput`) when a part's length is not what the counts imply.
    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        self.check_lengths()?;
        let (q, r) = (self.curve.base_modulus_le(), self.curve.scalar_modulus_le());
        let mut header = Vec::new();
        for modulus in [q, r.as_slice()] {
            header.extend_from_slice(&(modulus.len() as u32).to_le_bytes());
            header.extend_from_slice(modulus);
        }
        for count in [self.n_vars, self.n_public, self.domain_size] {
            header.extend_from_slice(&count.to_le_bytes());
        }
        let coefficient_count = u32::try_from(self.coefficients.len() / layout::COEFFICIENT_BYTES)
            .map_err(|_| invalid("more than 2^32 − 1 coefficients"))?;

        let coefficient_count = coefficient_count.to_le_bytes();
        let protocol = layout::GROTH16.to_le_bytes();
        let contributions = [0; layout::CIRCUIT_HASH_BYTES + 4];
        let mut sections: Vec<(u32, Vec<&[u8]>)> = vec![
            (layout::PROTOCOL, vec![&protocol]),
            (layout::HEADER, vec![&header, &self.header_points]),
            (layout::IC, vec![&self.ic]),
            (layout::COEFFICIENTS, vec![&coefficient_count, &self.coefficients]),
            (layout::A, vec![&self.a]),
            (layout::B1, vec![&self.b1]),
            (layout::B2, vec![&self.b2]),
            (layout::L, vec![&self.l]),
            (layout::H, vec![&self.h]),
            (layout::CONTRIBUTIONS, vec![&contributions]),
        ];
        if let Some(marker) = &self.insecure_marker {
            sections.push((layout::INSECURE_MARKER, vec![marker.as_bytes()]));
        }
        CONTAINER.write(out, &sections)
    }

    fn check_lengths(&self) -> io::Result<()> {
        let (g1, g2) = (self.curve.g1_bytes(), self.curve.g2_bytes());
        let (vars, public) = (self.n_vars as usize, self.n_public as usize);
        if public >= vars {
            return Err(invalid("not more signals than public ones"));
        }
        let lengths = [
            ("header points", self.header_points.len(), 3 * (g1 + g2)),
            ("ic", self.ic.len(), (public + 1) * g1),
            ("a", self.a.len(), vars * g1),
            ("b1", self.b1.len(), vars * g1),
            ("b2", self.b2.len(), vars * g2),
            ("l", self.l.len(), (vars - public - 1) * g1),
            ("h", self.h.len(), self.domain_size as usize * g1),
            ("coefficients", self.coefficients.len() % layout::COEFFICIENT_BYTES, 0),
        ];
        match lengths.iter().find(|(_, found, expected)| found != expected) {
            None => Ok(()),
            Some((part, found, expected)) => {
                Err(invalid(&format!("part {part} has {found} bytes instead of {expected}")))
            }
        }
    }
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message.to_owned())
}
