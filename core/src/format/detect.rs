//! What kind of file is this?

use std::{fmt, path::Path, sync::Arc};

use interlock_curves::Curve;
use serde_json::Value;

use super::{
    FormatError, MappedFile,
    arkworks::{Candidate, candidates},
    bellman::{BellmanParams, BellmanVerifyingKey},
    sections::SectionTable,
    snarkjs_json::{MAX_BYTES, json_curve, parse, shown},
    zkey::layout,
};

/// A file's kind, told by its first bytes, for JSON by its shape, and for formats without a mark by its lengths and first
/// points. Says nothing about whether the rest is sound.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// A proving key in a `.zkey`, of this protocol.
    Zkey(ZkeyProtocol),
    /// A witness.
    Wtns,
    /// A circuit.
    R1cs,
    /// Powers of tau, the first phase of a ceremony.
    Ptau,
    /// A shared library, such as a backend.
    ElfLibrary,
    /// Another ELF file.
    ElfOther,
    /// A verification key in JSON.
    VerifyingKeyJson(JsonKind),
    /// A proof in JSON.
    ProofJson(JsonKind),
    /// Public signals in JSON: a list of decimal strings.
    PublicJson {
        /// How many there are.
        count: usize,
    },
    /// JSON of another shape.
    OtherJson,
    /// A key or proof of arkworks'. It has no mark: the whole file reads as one.
    Arkworks(Candidate),
    /// Parameters of bellman, bellperson or Zcash (`.params`). They have no mark: the file reads as such.
    BellmanParams,
    /// A verification key of bellman, bellperson or Zcash (`.vk`), likewise.
    BellmanVerifyingKey,
    /// None of these.
    Unknown,
}

/// The proof system of a `.zkey`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZkeyProtocol {
    /// Protocol 1.
    Groth16,
    /// Protocol 2.
    Plonk,
    /// Protocol 10.
    Fflonk,
    /// Another number, or none when the file is damaged.
    Other(Option<u32>),
}

/// What a JSON key or proof says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonKind {
    /// The field `protocol`, e.g. `groth16`; of a long one, the beginning.
    pub protocol: Option<String>,
    /// The field `curve`, when it names a supported one.
    pub curve: Option<Curve>,
}

/// Tells a file's kind.
///
/// # Errors
/// When the file cannot be read or is empty; a file that is nothing known is [`FileKind::Unknown`].
pub fn detect(path: impl AsRef<Path>) -> Result<FileKind, FormatError> {
    Ok(detect_file(&MappedFile::open(path)?))
}

/// As [`detect`], for a file that is open already, or bytes that were taken as one.
pub fn detect_file(file: &Arc<MappedFile>) -> FileKind {
    match detect_bytes(file.bytes()) {
        FileKind::Unknown => unmarked(file),
        kind => kind,
    }
}

/// Tries the formats that have no mark. What is none of them fails at the first point or length, and long lists are
/// not looked at.
fn unmarked(file: &Arc<MappedFile>) -> FileKind {
    if let Some(candidate) = candidates(file).first() {
        return FileKind::Arkworks(*candidate);
    }
    if BellmanParams::from_file(file).is_ok() {
        return FileKind::BellmanParams;
    }
    match BellmanVerifyingKey::from_file(file) {
        Ok(key) if key.trailing_bytes() == 0 => FileKind::BellmanVerifyingKey,
        _ => FileKind::Unknown,
    }
}

/// Tells the kind of a file whose bytes are at hand, when it is one that has a mark.
pub fn detect_bytes(bytes: &[u8]) -> FileKind {
    match bytes.first_chunk::<4>() {
        Some(b"zkey") => FileKind::Zkey(zkey_protocol(bytes)),
        Some(b"wtns") => FileKind::Wtns,
        Some(b"r1cs") => FileKind::R1cs,
        Some(b"ptau") => FileKind::Ptau,
        // e_type, 16 bytes in, is 3 for a shared object; its byte order is given by byte 5 (1: little).
        Some(b"\x7fELF") => match (bytes.get(5), bytes.get(16..18)) {
            (Some(1), Some([3, 0])) | (Some(2), Some([0, 3])) => FileKind::ElfLibrary,
            _ => FileKind::ElfOther,
        },
        _ => json_kind(bytes),
    }
}

fn zkey_protocol(bytes: &[u8]) -> ZkeyProtocol {
    let protocol = SectionTable::parse(Path::new(""), bytes, &layout::CONTAINER)
        .ok()
        .and_then(|table| bytes.get(table.get(layout::PROTOCOL)?))
        .and_then(|section| section.first_chunk().map(|word| u32::from_le_bytes(*word)));
    match protocol {
        Some(1) => ZkeyProtocol::Groth16,
        Some(2) => ZkeyProtocol::Plonk,
        Some(10) => ZkeyProtocol::Fflonk,
        other => ZkeyProtocol::Other(other),
    }
}

fn json_kind(bytes: &[u8]) -> FileKind {
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    if !matches!(first, Some(b'{' | b'[')) || bytes.len() as u64 > MAX_BYTES {
        return FileKind::Unknown;
    }
    let Some(Ok(value)) = parse(bytes) else { return FileKind::Unknown };
    match &value {
        Value::Array(items) if items.iter().all(is_decimal) => FileKind::PublicJson { count: items.len() },
        Value::Object(fields) => {
            let protocol = fields.get("protocol").and_then(Value::as_str).map(|name| shown(name).to_owned());
            let said = JsonKind { protocol, curve: json_curve(&value) };
            if fields.contains_key("pi_a") {
                FileKind::ProofJson(said)
            } else if fields.contains_key("nPublic") && said.protocol.is_some() {
                FileKind::VerifyingKeyJson(said)
            } else if fields.contains_key("protocol") && fields.contains_key("curve") {
                // PLONK and FFLONK proofs have other fields than Groth16's, but these two.
                FileKind::ProofJson(said)
            } else {
                FileKind::OtherJson
            }
        }
        _ => FileKind::OtherJson,
    }
}

fn is_decimal(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zkey(ZkeyProtocol::Groth16) => f.write_str("Groth16 proving key (.zkey)"),
            Self::Zkey(ZkeyProtocol::Plonk) => f.write_str("PLONK proving key (.zkey)"),
            Self::Zkey(ZkeyProtocol::Fflonk) => f.write_str("FFLONK proving key (.zkey)"),
            Self::Zkey(ZkeyProtocol::Other(Some(id))) => {
                write!(f, "proving key of unknown protocol {id} (.zkey)")
            }
            Self::Zkey(ZkeyProtocol::Other(None)) => f.write_str("damaged proving key (.zkey)"),
            Self::Wtns => f.write_str("witness (.wtns)"),
            Self::R1cs => f.write_str("circuit (.r1cs)"),
            Self::Ptau => f.write_str("powers of tau (.ptau)"),
            Self::ElfLibrary => f.write_str("shared library (ELF)"),
            Self::ElfOther => f.write_str("ELF file, but not a shared library"),
            Self::VerifyingKeyJson(said) => write!(f, "verification key (JSON{said})"),
            Self::ProofJson(said) => write!(f, "proof (JSON{said})"),
            Self::PublicJson { count } => write!(f, "{count} public signals (JSON)"),
            Self::OtherJson => f.write_str("JSON of an unknown shape"),
            Self::Arkworks(candidate) => write!(f, "{candidate}"),
            Self::BellmanParams => f.write_str("Groth16 proving key (bellman parameters, bls12-381)"),
            Self::BellmanVerifyingKey => f.write_str("verification key (bellman, bls12-381)"),
            Self::Unknown => f.write_str("unknown kind of file"),
        }
    }
}

impl fmt::Display for JsonKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(protocol) = &self.protocol {
            write!(f, ", {protocol}")?;
        }
        if let Some(curve) = self.curve {
            write!(f, ", {curve}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        assert_eq!(detect_bytes(b"wtns\x02\0\0\0"), FileKind::Wtns);
        assert_eq!(detect_bytes(b"r1cs"), FileKind::R1cs);
        assert_eq!(detect_bytes(b"ptau"), FileKind::Ptau);
        assert_eq!(detect_bytes(b"zkey"), FileKind::Zkey(ZkeyProtocol::Other(None)));
        let zkey = |protocol: u32| {
            let mut out = Vec::new();
            layout::CONTAINER
                .write(&mut out, &[(9, vec![b"first"]), (1, vec![&protocol.to_le_bytes()])])
                .unwrap();
            detect_bytes(&out)
        };
        assert_eq!(zkey(1), FileKind::Zkey(ZkeyProtocol::Groth16));
        assert_eq!(zkey(2), FileKind::Zkey(ZkeyProtocol::Plonk));
        assert_eq!(zkey(10), FileKind::Zkey(ZkeyProtocol::Fflonk));
        assert_eq!(zkey(7), FileKind::Zkey(ZkeyProtocol::Other(Some(7))));
        let elf = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        // A test binary is position independent, so ELF calls it a shared object as well.
        assert!(matches!(detect_bytes(&elf), FileKind::ElfLibrary | FileKind::ElfOther));
        assert_eq!(detect_bytes(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x01\0"), FileKind::ElfOther);
        assert_eq!(detect_bytes(b"[\"1\", \"33\"]"), FileKind::PublicJson { count: 2 });
        assert_eq!(detect_bytes(b"[1, 33]"), FileKind::OtherJson);
        assert_eq!(detect_bytes(b"{}"), FileKind::OtherJson);
        assert_eq!(detect_bytes(b"{"), FileKind::Unknown);
        assert_eq!(detect_bytes(b"\0\0"), FileKind::Unknown);
        let said = JsonKind { protocol: Some("groth16".to_owned()), curve: Some(Curve::Bls12_381) };
        let proof = detect_bytes(br#" {"pi_a": [], "protocol": "groth16", "curve": "bls12381"}"#);
        assert_eq!(proof, FileKind::ProofJson(said.clone()));
        assert_eq!(proof.to_string(), "proof (JSON, groth16, bls12-381)");
        let key = detect_bytes(br#"{"nPublic": 1, "protocol": "groth16", "curve": "bls12381"}"#);
        assert_eq!(key, FileKind::VerifyingKeyJson(said));
    }
}
