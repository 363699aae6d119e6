//! Flags by which a backend is found, chosen and opened.

use std::path::PathBuf;

use clap::Args;
use clap::builder::BoolishValueParser;

use crate::args::GENERAL;
use crate::args::values::{self, BackendList, MemorySize, Suggesting};

/// Where backends are looked for.
#[derive(Clone, Debug, Args)]
pub(crate) struct SearchArgs {
    /// Look for backends in this folder first (repeatable); $INTERLOCK_BACKEND_PATH comes next
    #[arg(long, value_name = "DIR", help_heading = "Backends")]
    pub(crate) backend_dir: Vec<PathBuf>,
}

/// How many threads.
#[derive(Clone, Debug, Args)]
pub(crate) struct ThreadArgs {
    /// Most threads to compute with, a backend's own included [default: one per physical core]
    #[arg(
        long,
        value_name = "N",
        help_heading = GENERAL,
        display_order = 100,
        env = "INTERLOCK_THREADS",
        allow_hyphen_values = true,
        value_parser = values::threads,
    )]
    pub(crate) threads: Option<u32>,
}

/// Where backends are looked for, what is accepted, and which device is opened.
#[derive(Clone, Debug, Args)]
pub(crate) struct OpeningArgs {
    /// Where backends are looked for.
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// Accept a named .so file that has no manifest: its code runs as you
    #[arg(
        long,
        value_name = "BOOL",
        help_heading = "Backends",
        env = "INTERLOCK_ALLOW_UNSIGNED",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        hide_possible_values = true,
        value_parser = BoolishValueParser::new(),
    )]
    pub(crate) allow_unsigned: Option<bool>,
    /// Which of the backend's devices, counted from 0 [default: 0]
    #[arg(
        long,
        value_name = "N",
        help_heading = "Backends",
        env = "INTERLOCK_DEVICE",
        allow_hyphen_values = true,
        value_parser = values::device,
    )]
    pub(crate) device: Option<u32>,
}

/// Which backend, and how it is opened.
#[derive(Clone, Debug, Args)]
pub(crate) struct BackendArgs {
    /// Backend, .so file, or comma list of them in fallback order [default: auto, the best that works]
    ///
    /// `interlock backends` lists the names; `embedded` is the backend inside this program, whatever is installed.
    #[arg(
        long,
        value_name = "LIST",
        help_heading = "Backends",
        env = "INTERLOCK_BACKEND",
        hide_possible_values = true,
        value_parser = Suggesting::<BackendList>::new(&["auto", "cpu", "embedded"]),
    )]
    pub(crate) backend: Option<BackendList>,
    /// How it is found and opened.
    #[command(flatten)]
    pub(crate) opening: OpeningArgs,
    /// Most device memory to use, in bytes or as 512MiB, 2GiB
    #[arg(
        long,
        value_name = "SIZE",
        help_heading = "Backends",
        env = "INTERLOCK_MEMORY_LIMIT",
        allow_hyphen_values = true
    )]
    pub(crate) memory_limit: Option<MemorySize>,
}
