//! What each command does.
//!
//! A command returns its exit code, or an error that [`crate::errors`] turns into one.

mod backends;
mod bench;
mod candidate;
mod circuits;
mod completions;
mod convert;
mod description;
mod doctor;
mod export;
mod files;
mod inputs;
mod inspect;
mod key_check;
mod plugin;
mod plugin_check;
mod plugin_new;
mod prove;
mod rows;
mod setup;
mod simulate;
mod timeline;
mod validate;
mod verify;

use std::path::Path;

use crate::args::{Cli, Command, ExportCommand, PluginCommand};
use crate::config::{Config, unknown_variables};
use crate::exit::Exit;
use crate::output::print;
use crate::output::target::{self, Target};

/// Said of keys whose γ and δ are equal, as they are until the first contribution of a ceremony.
const NO_CONTRIBUTION: &str = "no contribution was made (gamma = delta): INSECURE, anybody can forge proofs";

/// What all commands need.
#[derive(Debug)]
pub(crate) struct Context {
    /// The configuration file's part.
    pub(crate) config: Config,
    /// `--quiet`.
    pub(crate) quiet: bool,
}

impl Context {
    /// Checks outputs before any work is done. The configuration file is an input as well.
    ///
    /// # Errors
    /// One cannot be written, is given twice, or is an input.
    fn targets(&self, outputs: &[&Path], inputs: &[&Path]) -> anyhow::Result<Vec<Target>> {
        let inputs: Vec<&Path> = inputs.iter().copied().chain(self.config.path()).collect();
        target::check(outputs, &inputs)
    }

    /// Something pleasant to know, on stderr.
    fn note(&self, text: &str) {
        if !self.quiet {
            print::note(text);
        }
    }
}

/// Runs the command.
pub(crate) fn run(cli: Cli) -> anyhow::Result<Exit> {
    // Scripts for shells do not depend on anything here.
    if let Command::Completions(args) = &cli.command {
        return completions::run(args);
    }
    crate::backends::show_messages(cli.common.verbose);
    let context = Context { config: Config::load(&cli.common)?, quiet: cli.common.quiet };
    if let Command::Prove(args) = &cli.command {
        // Before anything may be warned of.
        prove::prepare_stderr(args, &context);
    }
    if let Some(text) = unknown_variables(std::env::vars_os()) {
        print::warning(&text);
    }
    match &cli.command {
        Command::Prove(args) => prove::run(args, &context),
        Command::Verify(args) => verify::run(args, &context),
        Command::Convert(args) => convert::run(args, &context),
        Command::Export(ExportCommand::Vk(args)) => export::vk(args, &context),
        Command::Export(ExportCommand::Solidity(args)) => export::solidity(args, &context),
        Command::Export(ExportCommand::Calldata(args)) => export::calldata(args, &context),
        Command::Setup(args) => setup::run(args, &context),
        Command::Inspect(args) => inspect::run(args, &context),
        Command::Bench(command) => bench::run(command, &context),
        Command::Simulate(args) => simulate::run(args, &context),
        Command::Timeline(args) => timeline::run(args, &context),
        Command::Backends(args) => backends::run(args, &context),
        Command::Plugin(PluginCommand::Install(args)) => plugin::install(args, &context),
        Command::Plugin(PluginCommand::Check(args)) => plugin_check::run(args, &context),
        Command::Plugin(PluginCommand::New(args)) => plugin_new::new(args),
        Command::Plugin(PluginCommand::Header(args)) => plugin_new::header(args, &context),
        Command::Validate(args) => validate::run(args, &context),
        Command::Doctor(args) => doctor::run(args, &context),
        Command::Completions(args) => completions::run(args),
    }
}
