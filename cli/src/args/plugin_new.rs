//! `interlock plugin new` and `interlock plugin header`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::args::GENERAL;

/// What a backend is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// C11: a C compiler and make
    C,
    /// Rust: cargo, and a checkout of Interlock (--sdk)
    Rust,
}

impl Language {
    /// Its name for people.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::C => "C",
            Self::Rust => "Rust",
        }
    }
}

/// What `plugin new` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  interlock plugin new acme                            # then: cd acme && make && make check
  interlock plugin new acme --language rust --sdk ../interlock/plugins/sdk

The folder holds a whole backend for the CPU, which proves as it is, and a README.md that says what to replace first. The C \
header is in it.")]
pub(crate) struct NewArgs {
    /// The folder: one that is not there yet, or is empty
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// The language
    #[arg(long, value_name = "LANGUAGE", value_enum, default_value_t = Language::C)]
    pub(crate) language: Language,
    /// What --backend will select: lower case letters, digits and '-' [default: the folder's name]
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) name: Option<String>,
    /// The folder plugins/sdk of a checkout of Interlock. Rust needs it until the SDK is published
    #[arg(long, value_name = "PATH")]
    pub(crate) sdk: Option<PathBuf>,
    /// Print the result as one JSON object on stdout
    #[arg(long, help_heading = GENERAL, display_order = 103)]
    pub(crate) json: bool,
}

/// What `plugin header` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  interlock plugin header include/interlock_backend.h

It is the whole contract in C: types, functions, encodings, errors. C11 and C++17 compile it.")]
pub(crate) struct HeaderArgs {
    /// Write to a file instead of stdout
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}
