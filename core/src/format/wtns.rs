//! Witnesses as circom and snarkjs write them (`.wtns`).
//!
//! ```text
//! section 1: n8 u32 | r, n8 bytes | count u32
//! section 2: count × n8 bytes, canonical little-endian
//! ```
//!
//! A witness is a secret: it is read into memory that is zeroised when it is dropped, never mapped, and no message or
//! `Debug` output shows a value.

use std::{
    fmt,
    io::{self, Read},
    path::{Path, PathBuf},
};

use interlock_curves::{Curve, ProvingCurve};
use zeroize::Zeroizing;

use super::{
    FormatError, FormatErrorKind as Kind,
    reader::Modulus,
    sections::{Container, SectionTable},
    source::open_regular,
};

/// The container of `.wtns` files.
pub const CONTAINER: Container = Container { magic: *b"wtns", name: "wtns", version: 2, section_name };

const HEADER: u32 = 1;
const VALUES: u32 = 2;

fn section_name(id: u32) -> &'static str {
    match id {
        HEADER => "header",
        VALUES => "values",
        _ => "unknown",
    }
}

/// The values of all of a circuit's signals, in the circuit's order: the constant one, public, private.
///
/// Every value is below `r`. Zeroised on drop; a clone is a second secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Witness {
    curve: Curve,
    values: Zeroizing<Vec<u8>>,
}

impl Witness {
    /// Reads a witness file.
    ///
    /// # Errors
    /// When the file cannot be read, is no `.wtns`, is for an unsupported field, or has a value not below `r`.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        let path = path.as_ref();
        let (mut file, metadata) = open_regular(path)?;
        let length = metadata.len();
        let out_of_memory = || FormatError::new(path, Kind::OutOfMemory { bytes: length });
        let size = usize::try_from(length).map_err(|_| out_of_memory())?;
        // The buffer gets its final size at once: growing would leave unzeroised copies behind.
        let mut bytes = Zeroizing::new(Vec::new());
        bytes.try_reserve_exact(size).map_err(|_| out_of_memory())?;
        bytes.resize(size, 0);
        file.read_exact(&mut bytes)
            .map_err(|source| FormatError::new(path, Kind::Io { action: "read", source }))?;
        Self::parse(path, bytes)
    }

    /// Takes a witness file's bytes from memory; `label` stands for the path in messages.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn from_bytes(label: impl Into<PathBuf>, bytes: Vec<u8>) -> Result<Self, FormatError> {
        let (label, bytes) = (label.into(), Zeroizing::new(bytes));
        if bytes.is_empty() {
            return Err(FormatError::new(&label, Kind::Empty));
        }
        Self::parse(&label, bytes)
    }

    /// A witness from its values, in the circuit's order.
    pub fn from_scalars<E: ProvingCurve>(scalars: &[E::ScalarField]) -> Self {
        let mut values = Zeroizing::new(vec![0; 32 * scalars.len()]);
        for (out, scalar) in values.as_chunks_mut::<32>().0.iter_mut().zip(scalars) {
            *out = E::scalar_to_canonical(scalar);
        }
        Self { curve: E::CURVE, values }
    }

    /// A witness from its values in the circuit's order, 32 bytes each, canonical little-endian. Nothing is copied.
    ///
    /// # Errors
    /// The bytes are no whole number of values, or a value is not below `r`.
    pub fn from_canonical(curve: Curve, values: Zeroizing<Vec<u8>>) -> Result<Self, FormatError> {
        let about = |kind| Err(FormatError::new(Path::new("witness"), kind));
        let (whole, rest) = values.as_chunks::<32>();
        if !rest.is_empty() {
            let (expected, found) = (32 * whole.len() as u64, values.len() as u64);
            return about(Kind::SectionLength { expected, found, reason: format!("{} values", whole.len()) });
        }
        let modulus = Modulus::new(curve.scalar_modulus_le());
        match whole.iter().position(|value| !modulus.exceeds(value)) {
            Some(index) => about(Kind::NotReduced { index: index as u64 }),
            None => Ok(Self { curve, values }),
        }
    }

    fn parse(path: &Path, mut bytes: Zeroizing<Vec<u8>>) -> Result<Self, FormatError> {
        let table = SectionTable::parse(path, &bytes, &CONTAINER)?;
        let mut reader = table.reader(path, &bytes, &CONTAINER, HEADER)?;
        let at = reader.offset();
        let r = reader.modulus("r")?;
        let curve = Curve::from_scalar_modulus_le(r)
            .ok_or_else(|| reader.error_at(at, Kind::UnknownField { what: "r" }))?;
        let count = reader.u32("the number of values")?;
        reader.end("the modulus and the number of values")?;

        let range = table.require(path, &CONTAINER, VALUES)?;
        let error = |at: usize, kind| {
            FormatError::new(path, kind).at(at as u64).in_section(CONTAINER.section(VALUES))
        };
        let (expected, found) = (32 * u64::from(count), range.len() as u64);
        if expected != found {
            let reason = format!("{count} values");
            return Err(error(range.start, Kind::SectionLength { expected, found, reason }));
        }
        let modulus = Modulus::new(curve.scalar_modulus_le());
        let values = bytes[range.clone()].as_chunks::<32>().0;
        if let Some(index) = values.iter().position(|value| !modulus.exceeds(value)) {
            return Err(error(range.start + 32 * index, Kind::NotReduced { index: index as u64 }));
        }
        // Keep the one buffer: what is cut off at the end stays in its capacity, which is zeroised as well.
        let length = range.len();
        bytes.copy_within(range, 0);
        bytes.truncate(length);
        Ok(Self { curve, values: bytes })
    }

    /// The curve whose scalar field the values are in.
    pub fn curve(&self) -> Curve {
        self.curve
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.values.len() / 32
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// All values, 32 bytes each, canonical little-endian. Secret.
    pub fn values(&self) -> &[u8] {
        &self.values
    }

    /// One value, canonical little-endian, or `None` past the end. Secret.
    pub fn value(&self, index: usize) -> Option<&[u8; 32]> {
        self.values.as_chunks().0.get(index)
    }

    /// The values as field elements, zeroised on drop; `None` when the witness is for another curve.
    pub fn scalars<E: ProvingCurve>(&self) -> Option<Zeroizing<Vec<E::ScalarField>>> {
        if self.curve != E::CURVE {
            return None;
        }
        let mut scalars = Zeroizing::new(Vec::with_capacity(self.len()));
        for value in self.values.as_chunks().0 {
            scalars.push(E::scalar_from_canonical(value)?);
        }
        Some(scalars)
    }

    /// Writes a `.wtns` file.
    ///
    /// # Errors
    /// When `out` fails or there are 2^32 values or more.
    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let r = self.curve.scalar_modulus_le();
        let count = u32::try_from(self.len()).map_err(|_| io::Error::other("too many values for a .wtns"))?;
        let (size, count) = (32u32.to_le_bytes(), count.to_le_bytes());
        CONTAINER.write(out, &[(HEADER, vec![&size, r, &count]), (VALUES, vec![&self.values])])
    }
}

impl fmt::Debug for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Witness")
            .field("curve", &self.curve)
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use ark_ec::pairing::Pairing;
    use interlock_curves::{Bls12_381, Bn254};

    use super::*;
    use crate::format::damage;

    fn file<E: ProvingCurve>(values: &[u64]) -> Vec<u8> {
        let scalars: Vec<_> = values.iter().map(|value| E::ScalarField::from(*value)).collect();
        let mut out = Vec::new();
        Witness::from_scalars::<E>(&scalars).write(&mut out).unwrap();
        out
    }

    #[test]
    fn round_trip() {
        fn check<E: ProvingCurve>() {
            let bytes = file::<E>(&[1, 33, 0xdead_beef]);
            let witness = Witness::from_bytes("w.wtns", bytes.clone()).unwrap();
            assert_eq!((witness.curve(), witness.len()), (E::CURVE, 3));
            assert_eq!(witness.value(1).unwrap()[..2], [33, 0]);
            assert_eq!(witness.value(3), None);
            assert_eq!(witness.scalars::<E>().unwrap()[2], E::ScalarField::from(0xdead_beef_u64));
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("w.wtns");
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(Witness::open(path).unwrap(), witness);
        }
        check::<Bn254>();
        check::<Bls12_381>();
        let witness = Witness::from_bytes("w", file::<Bn254>(&[])).unwrap();
        assert!(witness.is_empty() && witness.scalars::<Bls12_381>().is_none());
    }

    #[test]
    fn nothing_shows_a_value() {
        let secret = 0x1234_5678_9abc_u64;
        let mut bytes = file::<Bn254>(&[1, secret]);
        let witness = Witness::from_bytes("w", bytes.clone()).unwrap();
        let shown = format!("{witness:?}");
        assert!(shown.contains("len: 2") && !shown.contains(&secret.to_string()), "{shown}");
        let end = bytes.len();
        bytes[end - 1] = 0xff;
        let error = Witness::from_bytes("w", bytes).unwrap_err();
        assert!(matches!(error.kind(), Kind::NotReduced { index: 1 }), "{error}");
        assert_eq!(error.offset(), Some(end as u64 - 32));
        assert!(!error.to_string().contains("ff"), "{error}");
    }

    #[test]
    fn the_modulus_itself_is_rejected() {
        fn check<E: Pairing + ProvingCurve>() {
            let mut bytes = file::<E>(&[1]);
            let at = bytes.len() - 32;
            bytes[at..].copy_from_slice(E::CURVE.scalar_modulus_le());
            assert!(matches!(
                Witness::from_bytes("w", bytes.clone()).unwrap_err().kind(),
                Kind::NotReduced { .. }
            ));
            bytes[at] -= 1;
            assert!(Witness::from_bytes("w", bytes).is_ok());
        }
        check::<Bn254>();
        check::<Bls12_381>();
    }

    #[test]
    fn canonical_bytes_are_checked() {
        fn check<E: ProvingCurve>() {
            let scalars = [1, 2, 3].map(|value: u64| -E::ScalarField::from(value));
            let witness = Witness::from_scalars::<E>(&scalars);
            let bytes = Zeroizing::new(witness.values().to_vec());
            assert_eq!(Witness::from_canonical(E::CURVE, bytes.clone()).unwrap(), witness);
            let mut cut = bytes.clone();
            cut.pop();
            let error = Witness::from_canonical(E::CURVE, cut).unwrap_err();
            assert!(matches!(error.kind(), Kind::SectionLength { expected: 64, found: 95, .. }), "{error}");
            let mut modulus = bytes;
            modulus[32..64].copy_from_slice(E::CURVE.scalar_modulus_le());
            let error = Witness::from_canonical(E::CURVE, modulus).unwrap_err();
            assert!(matches!(error.kind(), Kind::NotReduced { index: 1 }), "{error}");
        }
        check::<Bn254>();
        check::<Bls12_381>();
    }

    #[test]
    fn damaged_files() {
        let good = file::<Bls12_381>(&[1, 2, 3]);
        damage::truncations(&good, |bytes| Witness::from_bytes("w", bytes));
        damage::flips(&good, 3000, |bytes| Witness::from_bytes("w", bytes));
        let mut huge = good.clone();
        huge[24 + 4 + 32..24 + 4 + 32 + 4].fill(0xff);
        assert!(matches!(Witness::from_bytes("w", huge).unwrap_err().kind(), Kind::SectionLength { .. }));
        let mut modulus = good;
        modulus[28] ^= 1;
        assert!(matches!(
            Witness::from_bytes("w", modulus).unwrap_err().kind(),
            Kind::UnknownField { what: "r" }
        ));
    }
}
