//! The flags, one file per command.
//!
//! Values that a configuration file may give as well are `Option`s here: `clap` resolves flag and environment, and
//! [`crate::config`] adds file and default.

mod backend;
mod backends;
mod bench;
mod completions;
mod convert;
mod doctor;
mod engine;
mod export;
mod inspect;
mod key;
mod plugin;
mod plugin_new;
mod prove;
mod proving;
mod setup;
mod simulate;
mod timeline;
mod tips;
mod validate;
mod values;
mod verify;

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::Resettable;
use clap::error::{ContextKind, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

pub(crate) use backend::{BackendArgs, OpeningArgs, SearchArgs, ThreadArgs};
pub(crate) use backends::BackendsArgs;
pub(crate) use bench::{BatchArgs, BenchBatchArgs, BenchCommand, BenchInterlockArgs, ProofType, ShapeArgs};
pub(crate) use completions::CompletionsArgs;
pub(crate) use convert::ConvertArgs;
pub(crate) use doctor::DoctorArgs;
pub(crate) use engine::{EngineArgs, WorkersArgs};
pub(crate) use export::{ExportCalldataArgs, ExportCommand, ExportSolidityArgs, ExportVkArgs};
pub(crate) use inspect::InspectArgs;
pub(crate) use key::{CheckKey, CheckKeyArgs, CircuitArgs};
pub(crate) use plugin::{CheckArgs, InstallArgs, PluginCommand};
pub(crate) use plugin_new::{HeaderArgs, Language, NewArgs};
pub(crate) use prove::ProveArgs;
pub(crate) use proving::ProvingArgs;
pub(crate) use setup::SetupArgs;
pub(crate) use simulate::SimulateArgs;
pub(crate) use timeline::TimelineArgs;
pub(crate) use validate::ValidateArgs;
pub(crate) use values::{
    BackendList, MemorySize, ProgressMode, Seed, SeedText, threads as thread_count, workers as worker_count,
};
pub(crate) use verify::VerifyArgs;

use crate::exit::{EXIT_CODES, Exit};
use crate::output::{clean, json, print};

/// Heading of the options that are no matter of one command; the last of every help text.
const GENERAL: &str = "General options";

/// Groth16 proofs for circom circuits, fast, on whatever this machine has.
#[derive(Debug, Parser)]
#[command(
    name = "interlock",
    version,
    arg_required_else_help = true,
    disable_help_flag = true,
    disable_version_flag = true,
    after_help = EXIT_CODES
)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Flags of every command.
    #[command(flatten)]
    pub(crate) common: CommonArgs,
    /// Print the version
    #[arg(short = 'V', long, help_heading = GENERAL, display_order = 121, action = clap::ArgAction::Version)]
    version: Option<bool>,
}

/// Flags of every command.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct CommonArgs {
    /// Configuration file [default: ~/.config/interlock/config.toml, if there is one]
    #[arg(
        long,
        value_name = "FILE",
        help_heading = GENERAL,
        display_order = 110,
        env = "INTERLOCK_CONFIG",
        global = true
    )]
    pub(crate) config: Option<PathBuf>,
    /// How long each step of an unknown backend's first opening may take [default: 10]
    ///
    /// It happens in a process of its own, which is killed when the time is over.
    #[arg(
        long,
        value_name = "SECONDS",
        help_heading = GENERAL,
        display_order = 113,
        env = "INTERLOCK_PROBE_TIMEOUT",
        global = true,
        hide_short_help = true,
        allow_hyphen_values = true,
        value_parser = values::seconds,
    )]
    pub(crate) probe_timeout: Option<Duration>,
    /// Print errors and warnings only; wins over --progress
    #[arg(
        short,
        long,
        help_heading = GENERAL,
        display_order = 111,
        global = true,
        conflicts_with = "verbose"
    )]
    pub(crate) quiet: bool,
    /// Show backends' messages; twice for developers' details
    #[arg(
        short,
        long,
        help_heading = GENERAL,
        display_order = 112,
        global = true,
        action = clap::ArgAction::Count
    )]
    pub(crate) verbose: u8,
    /// Print help: one line per option with -h, everything with --help
    #[arg(
        short,
        long,
        help_heading = GENERAL,
        display_order = 120,
        global = true,
        action = clap::ArgAction::Help
    )]
    pub(crate) help: Option<bool>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Prove that a witness satisfies a circuit
    ///
    /// The order of the files is snarkjs's and rapidsnark's.
    Prove(ProveArgs),
    /// Check a proof, or many
    ///
    /// Prints OK or INVALID; the exit code is 0 or 1. Several proofs under one key are verified together.
    Verify(VerifyArgs),
    /// Write a key or proof in another format
    ///
    /// Proving keys, verification keys and proofs of snarkjs, arkworks and bellman.
    Convert(ConvertArgs),
    /// Write what others need to verify: a verification key, a contract, its arguments
    #[command(subcommand, after_help = export::AFTER_HELP)]
    Export(ExportCommand),
    /// Make a proving key all by yourself: INSECURE, for tests
    ///
    /// Whoever runs this can forge proofs, and the key says so. Keys for use come from a ceremony.
    Setup(SetupArgs),
    /// Tell what a file holds
    ///
    /// A key, witness, circuit, proof, list of public signals or backend. A witness's values are never shown.
    Inspect(InspectArgs),
    /// Measure: a batch of proofs, or interlock strategies side by side
    #[command(subcommand, after_help = bench::AFTER_HELP)]
    Bench(BenchCommand),
    /// Simulate many proofs on a machine that a file describes
    ///
    /// Which interlock strategy, how many workers, how much memory: asked before a card is bought, or a setting tried.
    Simulate(SimulateArgs),
    /// Sum up and draw what a run recorded
    ///
    /// Who computed, waited and was idle when, for which proof, and why.
    Timeline(TimelineArgs),
    /// List backends, their devices, and why others were refused
    Backends(BackendsArgs),
    /// Manage backends that are loaded at run time
    #[command(subcommand, after_help = plugin::AFTER_HELP)]
    Plugin(PluginCommand),
    /// Compare two backends, operation by operation and proof by proof
    ///
    /// Each runs in a process of its own. A difference is made as small as it gets and written to a file, which runs again with
    /// --replay. The exit code is 7 when they differ.
    Validate(ValidateArgs),
    /// Check this machine, up to a small proof on every curve
    ///
    /// The exit code is 0 when it can prove, else 5.
    Doctor(DoctorArgs),
    /// Print a shell's completion script
    Completions(CompletionsArgs),
}

impl Command {
    /// The name in JSON.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Prove(_) => "prove",
            Self::Verify(_) => "verify",
            Self::Convert(_) => "convert",
            Self::Export(command) => command.name(),
            Self::Setup(_) => "setup",
            Self::Inspect(_) => "inspect",
            Self::Bench(command) => command.name(),
            Self::Simulate(_) => "simulate",
            Self::Timeline(_) => "timeline",
            Self::Backends(_) => "backends",
            Self::Plugin(PluginCommand::Install(_)) => "plugin install",
            Self::Plugin(PluginCommand::Check(_)) => "plugin check",
            Self::Plugin(PluginCommand::New(_)) => "plugin new",
            Self::Plugin(PluginCommand::Header(_)) => "plugin header",
            Self::Validate(_) => "validate",
            Self::Doctor(_) => "doctor",
            Self::Completions(_) => "completions",
        }
    }

    /// Whether `--json` was given.
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Self::Prove(args) => args.json,
            Self::Verify(args) => args.json,
            Self::Convert(args) => args.json,
            Self::Export(command) => command.wants_json(),
            Self::Setup(args) => args.json,
            Self::Inspect(args) => args.json,
            Self::Bench(command) => command.wants_json(),
            Self::Simulate(args) => args.json,
            Self::Timeline(args) => args.json,
            Self::Backends(args) => args.json,
            Self::Plugin(PluginCommand::Install(args)) => args.json,
            Self::Plugin(PluginCommand::Check(args)) => args.json,
            Self::Plugin(PluginCommand::New(args)) => args.json,
            Self::Plugin(PluginCommand::Header(_)) => false,
            Self::Validate(args) => args.json,
            Self::Doctor(args) => args.json,
            Self::Completions(_) => false,
        }
    }
}

impl Cli {
    /// Parses this process's command line. A variable that is set to nothing counts as not set, as scripts expect.
    pub(crate) fn from_process() -> Result<Self, clap::Error> {
        let matches = without_empty_variables(Self::command()).try_get_matches().map_err(tips::with_tip)?;
        check_sources(&matches)?;
        Self::from_arg_matches(&matches)
    }
}

/// The flags of a command that proves.
fn proving(matches: &ArgMatches) -> Option<&ArgMatches> {
    match matches.subcommand()? {
        ("prove", proving) => Some(proving),
        ("bench", benches) => benches.subcommand().map(|(_, proving)| proving),
        _ => None,
    }
}

/// That `INTERLOCK_BACKEND` names no file of the working directory.
fn check_sources(matches: &ArgMatches) -> Result<(), clap::Error> {
    let Some(proving) = proving(matches) else { return Ok(()) };
    if proving.value_source("backend") != Some(ValueSource::EnvVariable) {
        return Ok(());
    }
    proving.get_one::<BackendList>("backend").map_or(Ok(()), BackendList::only_absolute_files).map_err(
        |problem| Cli::command().error(ErrorKind::ValueValidation, format!("INTERLOCK_BACKEND: {problem}")),
    )
}

fn without_empty_variables(command: clap::Command) -> clap::Command {
    let forget = |arg: clap::Arg| {
        let empty = arg.get_env().and_then(std::env::var_os).is_some_and(|value| value.is_empty());
        if empty { arg.env(Resettable::Reset) } else { arg }
    };
    command.mut_args(forget).mut_subcommands(without_empty_variables)
}

/// Answers a command line that `clap` did not accept, `--help` and `--version` included.
pub(crate) fn refused(error: &clap::Error) -> Exit {
    let shows = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    // A closed pipe is nobody's problem; see `print`.
    if repeats_only_text() {
        let _ = error.print();
    } else {
        // Without `clap`'s colours, from which the words' own are not to be told any more.
        let plain = error.render().to_string();
        if shows {
            let _ = print::data(&plain);
        } else {
            print::note(plain.trim_end());
        }
    }
    if shows {
        return Exit::Ok;
    }
    let mut words = std::env::args_os().skip(1);
    let command = words.next().and_then(|word| word.into_string().ok()).unwrap_or_default();
    if words.any(|word| word == "--json") {
        let _ = print::data(&json::failed(&command, &usage_failure(error)));
    }
    Exit::Usage
}

/// Whether there is nothing for a terminal to obey in words and variables, which `clap` repeats as they are.
fn repeats_only_text() -> bool {
    let variables =
        std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"INTERLOCK_"));
    std::env::args_os().chain(variables.map(|(_, value)| value)).all(|word| {
        let word = word.to_string_lossy();
        clean::value(&word) == word
    })
}

/// One line of what `clap` prints on several.
fn usage_failure(error: &clap::Error) -> crate::errors::Failure {
    let text = error.render().to_string();
    let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
    let arguments = match error.get(ContextKind::InvalidArg) {
        Some(clap::error::ContextValue::Strings(missing)) => format!(" {}", missing.join(" ")),
        _ => String::new(),
    };
    crate::errors::Failure {
        exit: Exit::Usage,
        message: format!("{first}{arguments}"),
        hint: Some("`interlock help COMMAND` lists what a command takes"),
    }
}

#[cfg(test)]
mod tests;
