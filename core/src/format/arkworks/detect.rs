//! Finding out what a file without any mark is.

use std::{fmt, sync::Arc};

use interlock_curves::with_curve;

use super::{ArkProvingKey, Compressed, Encoding, read_proof, read_verifying_key};
use crate::format::MappedFile;

/// Something that a file could be: it reads as this from its first byte to its last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Candidate {
    /// A proving key.
    ProvingKey(Encoding),
    /// A verification key.
    VerifyingKey(Encoding),
    /// A proof. On BLS12-381, compressed, bellman's and Zcash's proofs are the same.
    Proof(Encoding),
}

/// Everything of arkworks' that a file could be. One answer in practice: points off the curve and lengths that do not
/// fit rule the others out. Cheap: a wrong guess fails at the first points or lengths, and a key's long lists are not
/// looked at.
pub fn candidates(file: &Arc<MappedFile>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for encoding in Encoding::ALL {
        let Encoding { curve, compressed } = encoding;
        with_curve!(curve, E => {
            if read_proof::<E>(file, compressed).is_ok() {
                found.push(Candidate::Proof(encoding));
            }
            if read_verifying_key::<E>(file, compressed).is_ok() {
                found.push(Candidate::VerifyingKey(encoding));
            }
        });
        if ArkProvingKey::from_file(file, curve, compressed).is_ok() {
            found.push(Candidate::ProvingKey(encoding));
        }
    }
    found
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, Encoding { curve, compressed }) = match self {
            Self::ProvingKey(encoding) => ("Groth16 proving key", encoding),
            Self::VerifyingKey(encoding) => ("verification key", encoding),
            Self::Proof(encoding) => ("proof", encoding),
        };
        let compressed = if *compressed == Compressed::Yes { "compressed" } else { "uncompressed" };
        write!(f, "{what} (arkworks, {curve}, {compressed})")
    }
}
