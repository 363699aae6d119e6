//! Files given in each other's place.

use std::path::Path;

use interlock_core::format::arkworks::Candidate;
use interlock_core::format::{FileKind, FormatError, FormatErrorKind, detect};

use crate::errors::Misplaced;

/// The order of `prove`'s files.
pub(super) const PROVE: &str = "KEY WITNESS PROOF PUBLIC";
/// The order of `verify`'s files.
pub(super) const VERIFY: &str = "VKEY PUBLIC PROOF";
/// The order of `setup`'s files.
pub(super) const SETUP: &str = "CIRCUIT KEY";

/// The order of `convert`'s files.
pub(super) const CONVERT: &str = "IN OUT";
/// The order of `export vk`'s and `export solidity`'s files.
pub(super) const EXPORT: &str = "KEY OUT";
/// The order of `export calldata`'s files.
pub(super) const CALLDATA: &str = "PROOF PUBLIC";

/// What a command reads a file as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Key,
    Witness,
    Circuit,
    VerificationKey,
    Proof,
    Public,
}

impl Role {
    /// The role that a file could play, by its kind.
    pub(super) fn of(kind: &FileKind) -> Option<Self> {
        Some(match kind {
            FileKind::Zkey(_) | FileKind::Arkworks(Candidate::ProvingKey(_)) | FileKind::BellmanParams => {
                Self::Key
            }
            FileKind::Wtns => Self::Witness,
            FileKind::R1cs => Self::Circuit,
            FileKind::VerifyingKeyJson(_)
            | FileKind::Arkworks(Candidate::VerifyingKey(_))
            | FileKind::BellmanVerifyingKey => Self::VerificationKey,
            FileKind::ProofJson(_) | FileKind::Arkworks(Candidate::Proof(_)) => Self::Proof,
            FileKind::PublicJson { .. } => Self::Public,
            _ => return None,
        })
    }

    /// What a file of this role is said to be.
    pub(super) fn is(self) -> &'static str {
        match self {
            Self::Key => "is a proving key",
            Self::Witness => "is a witness",
            Self::Circuit => "is a circuit",
            Self::VerificationKey => "is a verification key",
            Self::Proof => "is a proof",
            Self::Public => "holds public signals",
        }
    }

    fn is_needed(self) -> &'static str {
        match self {
            Self::Key => "a proving key is needed here",
            Self::Witness => "a witness (.wtns) is needed here",
            Self::Circuit => "a circuit (.r1cs) is needed here",
            Self::VerificationKey => "a verification key is needed here",
            Self::Proof => "a proof is needed here",
            Self::Public => "public signals are needed here",
        }
    }
}

/// The error of a reader, or a better one when the file is a sound beginning of another kind.
pub(super) fn explain(error: FormatError, path: &Path, needed: Role, order: &str) -> anyhow::Error {
    let unreadable = matches!(
        error.kind(),
        FormatErrorKind::Io { .. }
            | FormatErrorKind::NotAFile
            | FormatErrorKind::Empty
            | FormatErrorKind::OutOfMemory { .. }
    );
    let found = if unreadable { None } else { detect(path).ok().and_then(|kind| Role::of(&kind)) };
    let Some(found) = found.filter(|found| *found != needed) else { return error.into() };
    let shown = path.display();
    let advice = match (found, needed) {
        (Role::Key, Role::VerificationKey) => {
            format!("make its verification key: interlock export vk {shown} vk.json")
        }
        _ => format!("the order is {order}"),
    };
    Misplaced(format!("{shown} {}, {}; {advice}", found.is(), needed.is_needed())).into()
}

#[cfg(test)]
mod tests {
    use interlock_core::format::snarkjs_json::JsonFile;
    use interlock_core::format::{Witness, Zkey};

    use super::*;

    #[test]
    fn swapped_files_are_told_apart_and_other_errors_stay() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let witness = write("w.wtns", "wtns\x02\0\0\0\0\0\0\0");
        let error = Zkey::open(&witness).unwrap_err();
        let said = explain(error, &witness, Role::Key, PROVE).to_string();
        let wanted =
            "w.wtns is a witness, a proving key is needed here; the order is KEY WITNESS PROOF PUBLIC";
        assert!(said.ends_with(wanted), "{said}");

        let key = write("c.zkey", "zkey\x01\0\0\0\0\0\0\0");
        let error = JsonFile::open(&key).unwrap_err();
        let said = explain(error, &key, Role::VerificationKey, VERIFY).to_string();
        assert!(
            said.contains(
                "a verification key is needed here; make its verification key: interlock export vk "
            )
        );
        assert!(said.ends_with("c.zkey vk.json"), "{said}");

        let public = write("public.json", "[\"1\"]");
        let error = JsonFile::open(&public).unwrap().curve().unwrap_err();
        let said = explain(error, &public, Role::VerificationKey, VERIFY).to_string();
        let wanted = "public.json holds public signals, a verification key is needed here; the order is VKEY PUBLIC PROOF";
        assert!(said.ends_with(wanted), "{said}");

        // Of the right kind and damaged, of no kind, absent: the reader knows best.
        for path in [witness, write("notes.txt", "hello"), folder.path().join("absent")] {
            let plain = Witness::open(&path).unwrap_err().to_string();
            let error = Witness::open(&path).unwrap_err();
            assert_eq!(explain(error, &path, Role::Witness, PROVE).to_string(), plain);
        }
    }
}
