//! `interlock plugin …`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use interlock_conformance::{Group, Level};

use crate::args::{GENERAL, HeaderArgs, NewArgs, OpeningArgs, ThreadArgs, values};

/// Manage backends that are loaded at run time.
#[derive(Debug, Subcommand)]
pub(crate) enum PluginCommand {
    /// Copy a backend to a folder that is searched, and vouch for it with a manifest
    ///
    /// Its code runs, in a process of its own first: installing it is trusting it. A configuration may allow some backends
    /// only; what it does not allow is not installed.
    Install(InstallArgs),
    /// Run a backend through the conformance suite, in a process of its own
    ///
    /// A backend that crashes, exits or hangs is reported with the row that was running. docs/conformance.md says what the
    /// rows demand.
    Check(CheckArgs),
    /// Write out a backend to start from, in C or Rust
    ///
    /// It builds and proves as it is; docs/vendor-guide.md leads on from there.
    New(NewArgs),
    /// Write out interlock_backend.h, the C header that a backend is compiled against
    Header(HeaderArgs),
}

/// What becomes of an installed backend.
pub(super) const AFTER_HELP: &str = "\
List what is installed: `interlock backends`.
Remove a backend: delete its .so and the .toml beside it; `interlock backends` shows where they are.";

/// What `plugin install` takes.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct InstallArgs {
    /// The library
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The folder [default: ~/.local/share/interlock/backends]
    #[arg(long, value_name = "DIR")]
    pub(crate) to: Option<PathBuf>,
    /// The vendor's signature, made with minisign [default: FILE.minisig, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) signature: Option<PathBuf>,
    /// Install only with a signature by a key that the configuration trusts
    #[arg(long)]
    pub(crate) require_signature: bool,
    /// Print the result as one JSON object on stdout
    #[arg(long, help_heading = GENERAL, display_order = 103)]
    pub(crate) json: bool,
}

/// What a check is good for.
const AFTER_CHECK: &str = "\
The exit code is 0 when every row holds, 3 when a FILE cannot be loaded, 5 otherwise.
A report is about these bytes on this device: run it anew for another version, driver or machine.";

/// What `plugin check` takes.
#[derive(Debug, Args)]
#[command(after_help = AFTER_CHECK)]
pub(crate) struct CheckArgs {
    /// The library, or the name of a backend that is found (`embedded`: the one inside this program)
    #[arg(value_name = "FILE|NAME")]
    pub(crate) backend: String,
    /// Seconds: sizes up to 2^10; the default
    #[arg(long, conflicts_with_all = ["full", "soak"])]
    pub(crate) quick: bool,
    /// A minute and more: sizes up to 2^16
    #[arg(long, conflicts_with = "soak")]
    pub(crate) full: bool,
    /// Random rows, each with another seed, until the time is over
    #[arg(long)]
    pub(crate) soak: bool,
    /// Only this group (repeatable): load, abi, memory, ntt, msm, async, faults, proofs
    #[arg(long, value_name = "GROUP", value_delimiter = ',')]
    pub(crate) group: Vec<Group>,
    /// What random inputs are made from; a row runs as before with the seed of its report
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Most seconds for the whole check, or how long --soak goes on [default: 300, --full 3600, --soak 600]
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = values::seconds)]
    pub(crate) timeout: Option<Duration>,
    /// Failures that are known, in TOML: tables `[[expected]]` with backend, device, row (* for anything) and reason
    #[arg(long, value_name = "FILE")]
    pub(crate) expected: Option<PathBuf>,
    /// How it is found and opened.
    #[command(flatten)]
    pub(crate) opening: OpeningArgs,
    /// How many threads.
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    /// Print the report as one JSON object on stdout
    #[arg(long, help_heading = GENERAL, display_order = 103)]
    pub(crate) json: bool,
    /// Be the process in which the rows run, and tell of events on stdout
    #[arg(long, hide = true)]
    pub(crate) in_child: bool,
}

impl CheckArgs {
    /// How much is run.
    pub(crate) fn level(&self) -> Level {
        match (self.full, self.soak) {
            (true, _) => Level::Full,
            (_, true) => Level::Soak,
            _ => Level::Quick,
        }
    }
}
