//! A JSON file and the parts of it.

use std::{
    io::Read,
    path::{Path, PathBuf},
};

use interlock_curves::Curve;
use num_bigint::BigUint;
use serde::Serialize;
use serde_json::Value;

use crate::format::{FormatError, FormatErrorKind as Kind, source::open_regular};

/// The most bytes of a JSON file that are read. A key with 100,000 public signals takes 20 MB.
pub const MAX_BYTES: u64 = 32 << 20;

/// What a JSON file may hold. These files have one object of ten entries, and a list and three strings per public signal.
/// Parsed, a value takes 32 bytes, twice that while its list grows; a list, four values at least; an object's entry 130
/// bytes and an object 600: together less than 64 MiB.
const MAX_VALUES: usize = 1 << 19;
const MAX_LISTS: usize = 1 << 17;
const MAX_OBJECTS: usize = 1 << 10;
const MAX_ENTRIES: usize = 1 << 14;

/// A string with an escape is copied twice while it is read. These files have none; a longer one with any is refused.
const MAX_BYTES_WITH_ESCAPES: usize = 1 << 20;

/// Letters of a name that a message repeats.
const SHOWN: usize = 64;

/// Digits of the longest number of these files, with room for leading zeros; longer strings are not parsed.
const MAX_DIGITS: usize = 128;

/// JavaScript's `Number.MAX_SAFE_INTEGER`, 2^53 − 1: the largest number that every JSON program keeps whole.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// A parsed JSON file.
#[derive(Clone, Debug)]
pub struct JsonFile {
    path: PathBuf,
    value: Value,
}

impl JsonFile {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, is larger than [`MAX_BYTES`], or is not JSON.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        let path = path.as_ref();
        let (file, metadata) = open_regular(path)?;
        let length = metadata.len();
        check_size(path, length)?;
        // All at once, or it would be copied, and be there twice, as it grows.
        let mut bytes = Vec::with_capacity(length as usize + 1);
        file.take(MAX_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(|source| FormatError::new(path, Kind::Io { action: "read", source }))?;
        Self::from_bytes(path, &bytes)
    }

    /// Takes a file's bytes from memory; `label` stands for the path in messages.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn from_bytes(label: impl Into<PathBuf>, bytes: &[u8]) -> Result<Self, FormatError> {
        let path = label.into();
        check_size(&path, bytes.len() as u64)?;
        if bytes.is_empty() {
            return Err(FormatError::new(&path, Kind::Empty));
        }
        match parse(bytes) {
            None => Err(FormatError::new(&path, Kind::JsonValues { limit: MAX_VALUES as u64 })),
            Some(Ok(value)) => Ok(Self { path, value }),
            Some(Err(error)) => Err(FormatError::new(&path, Kind::JsonSyntax(error))),
        }
    }

    /// The path, or the label given with the bytes.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The parsed JSON.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The curve that a verification key or a proof names.
    ///
    /// # Errors
    /// When it names none, or an unsupported one.
    pub fn curve(&self) -> Result<Curve, FormatError> {
        let name = shown(self.root().get("curve")?.string()?);
        json_curve(&self.value).ok_or_else(|| {
            let problem =
                format!("unknown curve {name:?}; supported are bn128 (bn254) and bls12381 (bls12-381)");
            FormatError::new(&self.path, Kind::Json { field: "curve".to_owned(), problem })
        })
    }

    pub(super) fn root(&self) -> Node<'_> {
        Node { file: &self.path, field: String::new(), value: &self.value }
    }
}

/// Parses JSON, unless it holds more than any file of these formats.
pub(in crate::format) fn parse(bytes: &[u8]) -> Option<serde_json::Result<Value>> {
    let (mut commas, mut lists, mut objects, mut entries, mut escapes) = (0, 0, 0, 0, 0);
    // Inside strings they are counted too; there are none here.
    for byte in bytes {
        match byte {
            b',' => commas += 1,
            b'[' => lists += 1,
            b'{' => objects += 1,
            b':' => entries += 1,
            b'\\' => escapes += 1,
            _ => {}
        }
    }
    // Every value but the first follows one of these.
    let values: usize = commas + lists + objects;
    let fits = values <= MAX_VALUES && lists <= MAX_LISTS && objects <= MAX_OBJECTS && entries <= MAX_ENTRIES;
    (fits && (escapes == 0 || bytes.len() <= MAX_BYTES_WITH_ESCAPES)).then(|| serde_json::from_slice(bytes))
}

/// A name in a file as a message repeats it: its beginning.
pub(in crate::format) fn shown(name: &str) -> &str {
    name.char_indices().nth(SHOWN).map_or(name, |(end, _)| &name[..end])
}

/// The curve that a verification key or a proof names, if it names a supported one. Nothing else is looked at.
pub fn json_curve(value: &Value) -> Option<Curve> {
    Curve::from_name(value.get("curve")?.as_str()?)
}

fn check_size(path: &Path, found: u64) -> Result<(), FormatError> {
    if found <= MAX_BYTES {
        return Ok(());
    }
    Err(FormatError::new(path, Kind::TooLarge { found, limit: MAX_BYTES }))
}

/// A value inside a JSON file that knows where it is.
#[derive(Clone)]
pub(super) struct Node<'a> {
    file: &'a Path,
    field: String,
    value: &'a Value,
}

impl<'a> Node<'a> {
    pub(super) fn error(&self, problem: impl Into<String>) -> FormatError {
        let field = if self.field.is_empty() { "the file".to_owned() } else { self.field.clone() };
        FormatError::new(self.file, Kind::Json { field, problem: problem.into() })
    }

    pub(super) fn kind_error(&self, kind: Kind) -> FormatError {
        FormatError::new(self.file, kind)
    }

    pub(super) fn field(&self) -> String {
        self.field.clone()
    }

    pub(super) fn get(&self, name: &str) -> Result<Self, FormatError> {
        let object = self.value.as_object().ok_or_else(|| self.error("must be an object"))?;
        let value = object.get(name).ok_or_else(|| self.error(format!("{name:?} is missing")))?;
        let field = if self.field.is_empty() { name.to_owned() } else { format!("{}.{name}", self.field) };
        Ok(Self { file: self.file, field, value })
    }

    pub(super) fn items(&self) -> Result<impl ExactSizeIterator<Item = Self> + use<'a>, FormatError> {
        let items = self.value.as_array().ok_or_else(|| self.error("must be a list"))?;
        let (file, field) = (self.file, self.field.clone());
        Ok(items.iter().enumerate().map(move |(i, value)| Self {
            file,
            field: format!("{field}[{i}]"),
            value,
        }))
    }

    /// A list of exactly `N` items.
    pub(super) fn array<const N: usize>(&self) -> Result<[Self; N], FormatError> {
        let items = self.value.as_array().ok_or_else(|| self.error("must be a list"))?;
        let items: &[Value; N] = items
            .as_slice()
            .try_into()
            .map_err(|_| self.error(format!("must be a list of {N} items, not {}", items.len())))?;
        Ok(std::array::from_fn(|i| Self {
            file: self.file,
            field: format!("{}[{i}]", self.field),
            value: &items[i],
        }))
    }

    pub(super) fn string(&self) -> Result<&'a str, FormatError> {
        self.value.as_str().ok_or_else(|| self.error("must be a string"))
    }

    pub(super) fn count(&self) -> Result<u64, FormatError> {
        self.value.as_u64().ok_or_else(|| self.error("must be a whole number"))
    }

    /// A decimal string, as little-endian bytes padded to `N`; a number that does not fit is refused. A small JSON number
    /// will do, too, as it does for snarkjs; a large one has lost digits in many a program and is refused.
    pub(super) fn decimal(&self, bytes: usize) -> Result<Vec<u8>, FormatError> {
        let small =
            self.value.as_u64().filter(|&number| number <= MAX_SAFE_INTEGER).map(|number| number.to_string());
        if self.value.is_number() && small.is_none() {
            return Err(
                self.error("must be a string of decimal digits: a JSON number of this size loses digits")
            );
        }
        let text = small.as_deref().map_or_else(|| self.string(), Ok)?;
        let number = match text.as_bytes() {
            digits if digits.len() <= MAX_DIGITS && digits.iter().all(u8::is_ascii_digit) => {
                BigUint::parse_bytes(digits, 10)
            }
            _ => None,
        };
        let number = number.ok_or_else(|| self.error("must be a string of decimal digits"))?;
        let mut le = number.to_bytes_le();
        if le.len() > bytes {
            return Err(self.error("is not below the field's modulus"));
        }
        le.resize(bytes, 0);
        Ok(le)
    }

    /// Checks a vk's or proof's protocol and curve. rapidsnark's proofs do not name their curve: then the points tell,
    /// which must lie on it.
    pub(super) fn expect_groth16(&self, curve: Curve) -> Result<(), FormatError> {
        let protocol = self.get("protocol")?;
        let name = protocol.string()?;
        if name != "groth16" {
            let name = shown(name);
            return Err(protocol.error(format!("protocol {name:?}, but \"groth16\" is needed")));
        }
        if self.value.get("curve").is_none() {
            return Ok(());
        }
        let node = self.get("curve")?;
        let name = node.string()?;
        if Curve::from_name(name) != Some(curve) {
            let (name, wanted, other) = (shown(name), curve.snarkjs_name(), curve.name());
            return Err(node.error(format!("curve {name:?}, but {wanted:?} ({other}) is needed")));
        }
        Ok(())
    }
}

/// A number of little-endian bytes, as a decimal string.
pub(super) fn to_decimal(le: &[u8]) -> String {
    BigUint::from_bytes_le(le).to_string()
}

/// JSON as snarkjs writes it: one space per level, no newline at the end.
pub(super) fn to_snarkjs_json(value: &impl Serialize) -> String {
    let mut out = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b" ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, formatter);
    // Strings, numbers and lists into memory: there is nothing that could fail.
    match value.serialize(&mut serializer) {
        Ok(()) => String::from_utf8_lossy(&out).into_owned(),
        Err(error) => unreachable!("plain data did not serialise: {error}"),
    }
}
