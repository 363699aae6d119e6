//! Finding out what a file without any mark is.

use std::{fmt, sync::Arc};

use interlock_curves::with_curve;

use super::{ArkProvingKey, Compressed, Encoding, Group, Parts, read_proof, read_verifying_key};
use crate::format::{FormatError, MappedFile};

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
/// fit rule the others out. Cheap: lengths are compared before any point is looked at, and a key's long lists are not.
pub fn candidates(file: &Arc<MappedFile>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for encoding in Encoding::ALL {
        let Encoding { curve, compressed } = encoding;
        with_curve!(curve, E => {
            if fills(file, encoding, &PROOF) && read_proof::<E>(file, compressed).is_ok() {
                found.push(Candidate::Proof(encoding));
            }
            if fills(file, encoding, &VERIFYING_KEY) && read_verifying_key::<E>(file, compressed).is_ok() {
                found.push(Candidate::VerifyingKey(encoding));
            }
        });
        if fills(file, encoding, &PROVING_KEY) && ArkProvingKey::from_file(file, curve, compressed).is_ok() {
            found.push(Candidate::ProvingKey(encoding));
        }
    }
    found
}

/// A part of a file.
#[derive(Clone, Copy)]
enum Part {
    Point(Group),
    List(Group),
}

const PROOF: [Part; 3] = [Part::Point(Group::G1), Part::Point(Group::G2), Part::Point(Group::G1)];

const VERIFYING_KEY: [Part; 5] = [
    Part::Point(Group::G1),
    Part::Point(Group::G2),
    Part::Point(Group::G2),
    Part::Point(Group::G2),
    Part::List(Group::G1),
];

const PROVING_KEY: [Part; 12] = [
    Part::Point(Group::G1),
    Part::Point(Group::G2),
    Part::Point(Group::G2),
    Part::Point(Group::G2),
    Part::List(Group::G1),
    Part::Point(Group::G1),
    Part::Point(Group::G1),
    Part::List(Group::G1),
    Part::List(Group::G1),
    Part::List(Group::G2),
    Part::List(Group::G1),
    Part::List(Group::G1),
];

/// Whether a file consists of these parts, by their lengths alone.
fn fills(file: &Arc<MappedFile>, encoding: Encoding, layout: &[Part]) -> bool {
    let mut parts = Parts::new(file, encoding);
    let walked = layout.iter().try_for_each(|part| -> Result<(), FormatError> {
        match part {
            Part::Point(group) => parts.skip(*group, "a point"),
            Part::List(group) => parts.long_list(*group, "a list").map(|_| ()),
        }
    });
    walked.is_ok() && parts.remaining() == 0
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
