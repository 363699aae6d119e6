//! `interlock completions`.

use clap::CommandFactory as _;

use crate::args::{Cli, CompletionsArgs};
use crate::exit::Exit;
use crate::output::print;

/// Prints the script.
pub(crate) fn run(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "interlock", &mut script);
    print::script(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Ok)
}
