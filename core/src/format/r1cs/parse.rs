//! Reading a `.r1cs`.
//!
//! ```text
//! section 1: n8 u32 | r, n8 bytes | wires u32 | public outputs u32 | public inputs u32 | private inputs u32
//!            | labels u64 | constraints u32
//! section 2: constraints × 3 × { terms u32 | terms × { wire u32 | value n8 bytes, canonical little-endian } }
//! section 3: wires × label u64 (optional)
//! section 4, 5: custom gates, which Groth16 does not have
//! ```

use std::path::{Path, PathBuf};

use interlock_curves::Curve;

use super::R1cs;
use crate::format::{
    FormatError, FormatErrorKind as Kind, MappedFile,
    reader::{Modulus, Reader},
    sections::{Container, SectionTable},
};

/// The container of `.r1cs` files.
pub const CONTAINER: Container = Container { magic: *b"r1cs", name: "r1cs", version: 1, section_name };

pub(super) const HEADER: u32 = 1;
pub(super) const CONSTRAINTS: u32 = 2;
pub(super) const LABELS: u32 = 3;
const CUSTOM_GATES: u32 = 4;
const CUSTOM_GATE_USES: u32 = 5;

/// Bytes of a term: wire and value.
/// Wires that may be out of use in a circuit without labels.
const UNLABELLED_SPARE: u64 = 1024;

const TERM_BYTES: usize = 36;
/// Bytes of a constraint without any term: three counts.
const EMPTY_CONSTRAINT_BYTES: u64 = 12;

fn section_name(id: u32) -> &'static str {
    match id {
        HEADER => "header",
        CONSTRAINTS => "constraints",
        LABELS => "wire labels",
        CUSTOM_GATES => "custom gates",
        CUSTOM_GATE_USES => "custom gate uses",
        _ => "unknown",
    }
}

/// The header's counts.
struct Counts {
    curve: Curve,
    n_wires: u32,
    n_pub_out: u32,
    n_pub_in: u32,
    n_prv_in: u32,
    n_constraints: u32,
}

/// An empty list with room for `n`.
fn reserved<T>(n: usize) -> Result<Vec<T>, Kind> {
    let mut list = Vec::new();
    list.try_reserve_exact(n).map_err(|_| Kind::OutOfMemory { bytes: (n * size_of::<T>()) as u64 })?;
    Ok(list)
}

impl R1cs {
    /// Reads a circuit file.
    ///
    /// # Errors
    /// When the file cannot be read, is no `.r1cs`, is over an unsupported field, uses custom gates, names a wire that
    /// does not exist, or has a coefficient not below `r`.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        let file = MappedFile::open(path)?;
        Self::parse(file.path(), file.bytes())
    }

    /// Takes a circuit file's bytes from memory; `label` stands for the path in messages.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn from_bytes(label: impl Into<PathBuf>, bytes: &[u8]) -> Result<Self, FormatError> {
        let label = label.into();
        if bytes.is_empty() {
            return Err(FormatError::new(&label, Kind::Empty));
        }
        Self::parse(&label, bytes)
    }

    fn parse(path: &Path, bytes: &[u8]) -> Result<Self, FormatError> {
        let table = SectionTable::parse(path, bytes, &CONTAINER)?;
        let counts = Counts::read(path, bytes, &table)?;
        refuse_custom_gates(path, bytes, &table)?;

        let mut reader = table.reader(path, bytes, &CONTAINER, CONSTRAINTS)?;
        let (expected, found) =
            (u64::from(counts.n_constraints) * EMPTY_CONSTRAINT_BYTES, reader.remaining() as u64);
        if found < expected {
            let kind =
                Kind::Truncated { what: "the constraints' counts", needed: expected, available: found };
            return Err(reader.error(kind));
        }
        let combinations = 3 * counts.n_constraints as usize;
        // What is left after the counts is terms, if the section is sound; it bounds the memory if it is not.
        let terms = (found - expected) as usize / TERM_BYTES;
        let mut circuit = Self {
            curve: counts.curve,
            n_wires: counts.n_wires,
            n_pub_out: counts.n_pub_out,
            n_pub_in: counts.n_pub_in,
            n_prv_in: counts.n_prv_in,
            ends: reserved(combinations).map_err(|kind| reader.error(kind))?,
            wires: reserved(terms).map_err(|kind| reader.error(kind))?,
            values: reserved(32 * terms).map_err(|kind| reader.error(kind))?,
        };
        let modulus = Modulus::new(counts.curve.scalar_modulus_le());
        for _ in 0..combinations {
            circuit.read_combination(&mut reader, &modulus)?;
        }
        reader.end("the constraints")?;
        Ok(circuit)
    }

    fn read_combination(&mut self, reader: &mut Reader<'_>, modulus: &Modulus) -> Result<(), FormatError> {
        let count = reader.u32("the number of terms")?;
        let start = reader.offset();
        // 2^32 · 36 fits in 64 bits.
        let terms = reader.take(count as usize * TERM_BYTES, "the terms")?;
        for (i, term) in terms.as_chunks::<TERM_BYTES>().0.iter().enumerate() {
            let Some((wire, value)) = term.split_first_chunk::<4>() else { continue };
            let Some(value) = value.first_chunk::<32>() else { continue };
            let wire = u32::from_le_bytes(*wire);
            let entry = self.wires.len() as u64;
            let at = start + (i * TERM_BYTES) as u64;
            if wire >= self.n_wires {
                let (index, limit) = (wire.into(), self.n_wires.into());
                return Err(reader.error_at(at, Kind::Index { entry, what: "wire", index, limit }));
            }
            if !modulus.exceeds(value) {
                return Err(reader.error_at(at + 4, Kind::NotReduced { index: entry }));
            }
            self.wires.push(wire);
            self.values.extend_from_slice(value);
        }
        self.ends.push(self.wires.len());
        Ok(())
    }
}

impl Counts {
    fn read(path: &Path, bytes: &[u8], table: &SectionTable) -> Result<Self, FormatError> {
        let mut reader = table.reader(path, bytes, &CONTAINER, HEADER)?;
        let at = reader.offset();
        let r = reader.modulus("r")?;
        let curve = Curve::from_scalar_modulus_le(r)
            .ok_or_else(|| reader.error_at(at, Kind::UnknownField { what: "r" }))?;
        let at = reader.offset();
        let n_wires = reader.u32("the number of wires")?;
        let n_pub_out = reader.u32("the number of public outputs")?;
        let n_pub_in = reader.u32("the number of public inputs")?;
        let n_prv_in = reader.u32("the number of private inputs")?;
        reader.u64("the number of labels")?;
        let n_constraints = reader.u32("the number of constraints")?;
        reader.end("the modulus and counts")?;

        let named = 1 + u64::from(n_pub_out) + u64::from(n_pub_in) + u64::from(n_prv_in);
        let count = |limit_of, limit| {
            let found = n_wires.into();
            reader.error_at(at, Kind::Count { what: "the number of wires", found, limit_of, limit })
        };
        if u64::from(n_wires) < named {
            return Err(count("the constant, outputs and inputs alone are", named));
        }
        match table.get(LABELS) {
            Some(range) => {
                let (expected, found) = (8 * u64::from(n_wires), range.len() as u64);
                if expected != found {
                    let kind =
                        Kind::SectionLength { expected, found, reason: format!("labels of {n_wires} wires") };
                    let error = FormatError::new(path, kind).at(range.start as u64);
                    return Err(error.in_section(CONTAINER.section(LABELS)));
                }
            }
            // Without labels nothing in the file is as long as there are wires, and whoever sizes a vector by the
            // count needs a bound. A wire in use takes at least a term; some may be out of use.
            None => {
                let constraints = table.get(CONSTRAINTS).map_or(0, |range| range.len());
                let limit = (constraints / TERM_BYTES) as u64 + UNLABELLED_SPARE;
                if u64::from(n_wires) > limit {
                    return Err(count("wires without labels may at most be", limit));
                }
            }
        }
        Ok(Self { curve, n_wires, n_pub_out, n_pub_in, n_prv_in, n_constraints })
    }
}

/// Sections 4 and 5 begin with a count; circom may write them with a count of zero.
fn refuse_custom_gates(path: &Path, bytes: &[u8], table: &SectionTable) -> Result<(), FormatError> {
    for id in [CUSTOM_GATES, CUSTOM_GATE_USES] {
        let Some(range) = table.get(id) else { continue };
        let content = &bytes[range.clone()];
        if content.iter().any(|byte| *byte != 0) {
            let error = FormatError::new(path, Kind::CustomGates).at(range.start as u64);
            return Err(error.in_section(CONTAINER.section(id)));
        }
    }
    Ok(())
}
