//! The eight groups of rows.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A group of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// What the plugin says of itself and of its devices.
    Load,
    /// Struct sizes, extensions, NULL, dead and foreign handles, wrong arguments.
    Abi,
    /// Sums over bases.
    Msm,
    /// Transforms, element-wise operations, the matrix product.
    Ntt,
    /// Scalar buffers, limits, accounts.
    Memory,
    /// Lanes, threads, cancellation, freeing what is in use.
    Async,
    /// Hostile data and failed calls, and that the device works afterwards.
    Faults,
    /// Whole proofs.
    Proofs,
}

/// A word that names no group.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no group {0:?}; there are load, abi, msm, ntt, memory, async, faults, proofs")]
pub struct UnknownGroup(pub String);

impl Group {
    /// All of them, in the order in which they run.
    pub const ALL: [Self; 8] =
        [Self::Load, Self::Abi, Self::Memory, Self::Ntt, Self::Msm, Self::Async, Self::Faults, Self::Proofs];

    /// The name on the command line and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Abi => "abi",
            Self::Msm => "msm",
            Self::Ntt => "ntt",
            Self::Memory => "memory",
            Self::Async => "async",
            Self::Faults => "faults",
            Self::Proofs => "proofs",
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Group {
    type Err = UnknownGroup;

    fn from_str(name: &str) -> Result<Self, UnknownGroup> {
        Self::ALL.into_iter().find(|group| group.name() == name).ok_or_else(|| UnknownGroup(name.to_owned()))
    }
}
