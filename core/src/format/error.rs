//! What is wrong with a file, and where.

use std::{fmt, io, path::Path};

use interlock_curves::{Curve, PointError};

/// A section of a container file: its number and what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectionName {
    /// The number in the file.
    pub id: u32,
    /// What the section holds, in words.
    pub name: &'static str,
}

impl fmt::Display for SectionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "section {} ({})", self.id, self.name)
    }
}

/// A file that cannot be used: which file, where in it, and why. Displayed as one line.
#[derive(Debug)]
pub struct FormatError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    file: Box<Path>,
    section: Option<SectionName>,
    offset: Option<u64>,
    kind: FormatErrorKind,
}

impl FormatError {
    /// An error about a whole file; [`in_section`](Self::in_section) and [`at`](Self::at) narrow it down.
    pub fn new(file: &Path, kind: FormatErrorKind) -> Self {
        Self(Box::new(Inner { file: file.into(), section: None, offset: None, kind }))
    }

    /// Names the section.
    #[must_use]
    pub fn in_section(mut self, section: SectionName) -> Self {
        self.0.section = Some(section);
        self
    }

    /// Gives the byte offset from the start of the file.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.0.offset = Some(offset);
        self
    }

    /// The file's path, or the label under which bytes were given.
    pub fn file(&self) -> &Path {
        &self.0.file
    }

    /// The section, when the error lies in one.
    pub fn section(&self) -> Option<SectionName> {
        self.0.section
    }

    /// Bytes from the start of the file to what is wrong, where that makes sense.
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// What is wrong.
    pub fn kind(&self) -> &FormatErrorKind {
        &self.0.kind
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { file, section, offset, kind } = &*self.0;
        write!(f, "{}: ", file.display())?;
        match (section, offset) {
            (Some(section), Some(offset)) => write!(f, "{section} at byte {offset}: ")?,
            (Some(section), None) => write!(f, "{section}: ")?,
            (None, Some(offset)) => write!(f, "at byte {offset}: ")?,
            (None, None) => {}
        }
        write!(f, "{kind}")
    }
}

impl std::error::Error for FormatError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.0.kind)
    }
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatErrorKind {
    /// The file cannot be opened, read or written.
    #[error("cannot {action}: {source}")]
    Io {
        /// `open`, `read`, `map` or `write`.
        action: &'static str,
        /// The operating system's reason.
        source: io::Error,
    },
    /// The file has no bytes.
    #[error("the file is empty; the program that should have written it probably failed")]
    Empty,
    /// The path is a directory, a pipe or a device.
    #[error("not a regular file; give the path of a file")]
    NotAFile,
    /// There is not enough memory for the file's contents.
    #[error("no memory for {bytes} bytes")]
    OutOfMemory {
        /// Bytes that were asked for.
        bytes: u64,
    },
    /// The first four bytes are not the format's.
    #[error("not a {expected} file: it starts with {found:02x?}; `interlock inspect` tells what it is")]
    Magic {
        /// The format that was expected, e.g. `zkey`.
        expected: &'static str,
        /// The first bytes of the file, four at most.
        found: Vec<u8>,
    },
    /// A version of the format that this program does not read.
    #[error("version {found} of the {format} format; this program reads version {supported}")]
    Version {
        /// The format's name.
        format: &'static str,
        /// The version in the file.
        found: u32,
        /// The version that is read.
        supported: u32,
    },
    /// A file that no family's reader takes as what is wanted.
    #[error(
        "reads as no {wanted} of snarkjs, arkworks or bellman{}; `interlock inspect` tells what it is",
        .nearest.as_ref().map(|nearest| format!(" (nearest: {nearest})")).unwrap_or_default()
    )]
    NoFamily {
        /// What was wanted: `proving key`, `verification key`, `proof`.
        wanted: &'static str,
        /// What the reader that got furthest says.
        nearest: Option<String>,
    },
    /// A key of another proof system.
    #[error("a key for {}, not Groth16; make the key with `groth16 setup`", protocol_name(*found))]
    Protocol {
        /// snarkjs's protocol number.
        found: u32,
    },
    /// The file ends before something it announces.
    #[error("{what} takes {needed} bytes, only {available} are left; the file is cut off or damaged")]
    Truncated {
        /// What should have been there.
        what: &'static str,
        /// Bytes it takes.
        needed: u64,
        /// Bytes that are left.
        available: u64,
    },
    /// More sections than any file of these formats has.
    #[error("claims {found} sections, at most {limit} are possible; the file is damaged")]
    SectionCount {
        /// The count in the file.
        found: u32,
        /// The most that are accepted for a file of this length.
        limit: u32,
    },
    /// One section number occurs twice.
    #[error("occurs more than once; the file is damaged")]
    DuplicateSection,
    /// A section that is needed is not there.
    #[error("is missing; the file is incomplete")]
    MissingSection,
    /// A section's length is not what the header implies.
    #[error("has {found} bytes, but {reason} take {expected}; the file is damaged or inconsistent")]
    SectionLength {
        /// The length that the header implies.
        expected: u64,
        /// The length in the file.
        found: u64,
        /// What the expected length is made of, e.g. `520 G1 points`.
        reason: String,
    },
    /// A modulus of no supported curve.
    #[error("the field modulus ({what}) belongs to no supported curve (bn254, bls12-381)")]
    UnknownField {
        /// Which modulus, e.g. `r`.
        what: &'static str,
    },
    /// The file belongs to another curve than the caller asked for.
    #[error("is for {found}, but {expected} is needed; take files made from the same circuit")]
    CurveMismatch {
        /// The curve that was asked for.
        expected: Curve,
        /// The curve of the file.
        found: Curve,
    },
    /// The domain size is no power of two, or larger than the field allows.
    #[error("domain size {found} is not a power of two up to 2^{max_log}; the file is damaged")]
    DomainSize {
        /// The size in the file.
        found: u32,
        /// The field's two-adicity.
        max_log: u32,
    },
    /// A JSON file with more values than a file of these formats has.
    #[error(
        "holds too much (more than {limit} values, or an unusual number of lists, objects or escaped letters); \
         it is no key, proof or list of signals"
    )]
    JsonValues {
        /// The most values that are read.
        limit: u64,
    },
    /// Two counts contradict each other.
    #[error("{what} is {found}, but {limit_of} {limit}; the file is damaged or inconsistent")]
    Count {
        /// Which count.
        what: &'static str,
        /// Its value.
        found: u64,
        /// What bounds it, with a verb, e.g. `there are only`.
        limit_of: &'static str,
        /// The bound.
        limit: u64,
    },
    /// An entry refers to something that does not exist.
    #[error(
        "entry {entry} names {what} {index}, but there are only {limit}, counted from 0; \
         the file is damaged or was made for another circuit"
    )]
    Index {
        /// The entry's position in its list, from 0.
        entry: u64,
        /// What it refers to: `signal`, `constraint`, `matrix`, `wire`.
        what: &'static str,
        /// The index in the file.
        index: u64,
        /// How many there are.
        limit: u64,
    },
    /// A scalar is not below the scalar field's modulus.
    #[error("value {index} is not below the field's modulus; the file is damaged or for another curve")]
    NotReduced {
        /// The value's position in its list, from 0. The value itself may be secret and is not shown.
        index: u64,
    },
    /// Bytes or numbers that are no point of the curve.
    #[error("{what}: {source}; the file is damaged or was tampered with")]
    Point {
        /// Which point, e.g. `alpha1` or `IC[3]`.
        what: String,
        /// Why.
        source: PointError,
    },
    /// A point of the curve outside the prime-order subgroup.
    #[error("{what}: the point is not in the subgroup of order r; do not use this file")]
    Subgroup {
        /// Which point.
        what: String,
    },
    /// A point that must not be infinity.
    #[error("{what} is the point at infinity; proofs under such a key prove nothing")]
    Infinity {
        /// Which point.
        what: &'static str,
    },
    /// A point that the format leaves out, or does not allow, when it is infinity.
    #[error("{what} is the point at infinity, which must not be there; the file is damaged")]
    UnexpectedInfinity {
        /// Which point, e.g. `A[12]`.
        what: String,
    },
    /// The bits beside a point's coordinates (compression, infinity, sign) fit no point.
    #[error(
        "{what}: the flag bits fit no point; the file is damaged, or is of another kind, curve or compression"
    )]
    PointFlags {
        /// Which point, e.g. `A[12]`.
        what: String,
    },
    /// A circuit with custom gates, which Groth16 does not have.
    #[error("the circuit uses custom gates, which Groth16 cannot prove; compile it without them")]
    CustomGates,
    /// A witness of another length than the circuit's.
    #[error("the witness has {found} values, the circuit {expected}; take a witness made for this circuit")]
    WitnessLength {
        /// The circuit's number of wires.
        expected: u64,
        /// The witness's number of values.
        found: u64,
    },
    /// Larger than any sensible file of this kind.
    #[error("{found} bytes; a file of this kind is read up to {limit} bytes")]
    TooLarge {
        /// The length.
        found: u64,
        /// The most that is read.
        limit: u64,
    },
    /// Not JSON.
    #[error("not valid JSON: {0}")]
    JsonSyntax(serde_json::Error),
    /// JSON of another shape, or with a wrong value.
    #[error("{field}: {problem}")]
    Json {
        /// Where, e.g. `vk_beta_2[0][1]`.
        field: String,
        /// What is wrong there.
        problem: String,
    },
}

/// The proof system of a snarkjs protocol number.
fn protocol_name(id: u32) -> String {
    match id {
        1 => "Groth16".to_owned(),
        2 => "PLONK (protocol 2)".to_owned(),
        10 => "FFLONK (protocol 10)".to_owned(),
        other => format!("an unknown proof system (protocol {other})"),
    }
}
