//! The exit codes.

use std::process::ExitCode;

/// How the program ends. Documented in `--help` and relied on by scripts: numbers are never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Done.
    Ok = 0,
    /// A verification came out false.
    Invalid = 1,
    /// The command line or the configuration is wrong.
    Usage = 2,
    /// An input file is bad, or an output file cannot be written.
    Input = 3,
    /// The witness does not satisfy the key's circuit; a key with wrong contents looks the same.
    Witness = 4,
    /// No backend can be used, or one failed.
    Backend = 5,
    /// Out of memory, the device's or the host's.
    Memory = 6,
    /// A proof failed its own verification.
    SelfCheck = 7,
    /// Cancelled, or out of time.
    Cancelled = 8,
}

/// For `--help`.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0  ok
  1  verification false
  2  wrong usage or configuration
  3  bad input file, or an output or report that cannot be written
  4  the witness does not satisfy the key's circuit (or the key's contents are wrong)
  5  backend or device
  6  out of memory
  7  self-check failed
  8  cancelled or timed out";

impl Exit {
    /// The number.
    pub(crate) const fn code(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
