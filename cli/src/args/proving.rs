//! Flags of whatever proves.

use std::time::Duration;

use clap::Args;
use clap::builder::BoolishValueParser;

use crate::args::GENERAL;
use crate::args::values::{self, SeedText};

/// How proofs are blinded and checked, and how long that may take.
#[derive(Clone, Debug, Args)]
pub(crate) struct ProvingArgs {
    /// Do not verify proofs: a faulty device or a wrong witness then goes unnoticed
    #[arg(
        long,
        value_name = "BOOL",
        help_heading = "Checks",
        env = "INTERLOCK_NO_SELF_CHECK",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        hide_possible_values = true,
        value_parser = BoolishValueParser::new(),
    )]
    pub(crate) no_self_check: Option<bool>,
    /// Blinding from 64 hex digits instead of the system's generator: reproducible and therefore INSECURE
    #[arg(
        long,
        value_name = "HEX64",
        help_heading = "Checks",
        allow_hyphen_values = true,
        value_parser = SeedText::parser(),
    )]
    pub(crate) seed: Option<SeedText>,
    /// Give up after this time
    #[arg(
        long,
        value_name = "SECONDS",
        help_heading = GENERAL,
        display_order = 101,
        env = "INTERLOCK_TIMEOUT",
        allow_hyphen_values = true,
        value_parser = values::seconds,
    )]
    pub(crate) timeout: Option<Duration>,
}
