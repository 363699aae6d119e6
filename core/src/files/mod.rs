//! Keys and proofs of whatever family, told by their contents.
//!
//! | type | opens |
//! |---|---|
//! | [`KeyFile`] | proving keys: `.zkey`, arkworks' (compressed and not), bellman's `.params` |
//! | [`VerifyingKeyFile`] | verification keys: snarkjs' JSON, arkworks', bellman's `.vk` |
//! | [`ProofFile`] | proofs: snarkjs' JSON, arkworks', bellman's 192 bytes |
//!
//! The formats themselves are in [`format`](crate::format); here is only the choice between them.

mod key;
mod proof;
mod verifying_key;

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::format::arkworks::Compressed;
use crate::format::{FormatError, FormatErrorKind};

pub use key::{KeyFile, KeyFileError, MissingCircuit};
pub use proof::{ProofFile, write_proof};
pub use verifying_key::{VerifyingKeyFile, WriteVerifyingKeyError, write_verifying_key};

/// A family of formats: whose keys and proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// snarkjs: `.zkey`, JSON.
    Snarkjs,
    /// arkworks' `CanonicalSerialize`, compressed or not.
    Arkworks(Compressed),
    /// bellman, bellperson and Zcash: `.params`, `.vk`, 192-byte proofs. BLS12-381 only.
    Bellman,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::Snarkjs, Self::Arkworks(Compressed::Yes), Self::Arkworks(Compressed::No), Self::Bellman];

    /// The name that [`FromStr`] reads.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Snarkjs => "snarkjs",
            Self::Arkworks(Compressed::Yes) => "arkworks",
            Self::Arkworks(Compressed::No) => "arkworks-uncompressed",
            Self::Bellman => "bellman",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The name of no family.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no format: snarkjs, arkworks, arkworks-uncompressed or bellman")]
pub struct UnknownFamily(pub String);

impl FromStr for Family {
    type Err = UnknownFamily;

    fn from_str(name: &str) -> Result<Self, UnknownFamily> {
        let known = Self::ALL.into_iter().find(|family| family.name() == name);
        known.ok_or_else(|| UnknownFamily(name.to_owned()))
    }
}

/// Whether a file begins with the mark of one of snarkjs' and circom's formats.
fn has_mark(bytes: &[u8]) -> bool {
    [b"zkey", b"wtns", b"r1cs", b"ptau"].iter().any(|mark| bytes.starts_with(*mark))
}

/// Of several readers' errors that of the one that got furthest: it is most likely the format that was meant.
fn furthest(errors: impl IntoIterator<Item = FormatError>) -> Option<FormatError> {
    errors.into_iter().max_by_key(|error| error.offset())
}

fn unknown(path: &Path, wanted: &'static str, nearest: Option<&FormatError>) -> FormatError {
    let nearest = nearest.map(|error| {
        let at = error.offset().map(|offset| format!("at byte {offset}: ")).unwrap_or_default();
        format!("{at}{}", error.kind())
    });
    FormatError::new(path, FormatErrorKind::NoFamily { wanted, nearest })
}
