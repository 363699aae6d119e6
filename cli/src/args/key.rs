//! Flags about keys: their circuit, their check, their format.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use interlock_core::files::Family;
use interlock_curves::Curve;

/// When a key's bases are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckKey {
    /// When a key with these contents was not checked before
    Once,
    /// Each time
    Always,
    /// Not at all: a bad base shows only when a proof fails its self-check
    Never,
}

/// The check of a key's bases.
#[derive(Clone, Debug, Args)]
pub(crate) struct CheckKeyArgs {
    /// When to check that all bases of the key are points of their groups [default: once]
    ///
    /// What was found is remembered by the contents' SHA-256, in $XDG_CACHE_HOME/interlock/keys or
    /// ~/.cache/interlock/keys.
    #[arg(long, value_name = "WHEN", help_heading = "Checks", env = "INTERLOCK_CHECK_KEY", value_enum)]
    pub(crate) check_key: Option<CheckKey>,
}

/// The circuit of a key.
#[derive(Clone, Debug, Args)]
pub(crate) struct CircuitArgs {
    /// The circuit of the key, which arkworks' and bellman's keys need
    #[arg(long, value_name = "CIRCUIT.r1cs", help_heading = "Formats")]
    pub(crate) r1cs: Option<PathBuf>,
}

/// Parses the name of a family.
pub(super) fn family() -> impl TypedValueParser<Value = Family> {
    PossibleValuesParser::new(Family::ALL.map(Family::name)).try_map(|name| name.parse::<Family>())
}

/// Parses the name of a curve, in either spelling.
pub(super) fn curve(name: &str) -> Result<Curve, String> {
    Curve::from_name(name).ok_or_else(|| format!("{name:?} is no curve: bn254 (bn128) or bls12-381"))
}
