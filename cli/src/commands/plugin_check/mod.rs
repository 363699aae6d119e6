//! `interlock plugin check`: the parent, which opens no library.

mod child;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Context as _;
use interlock_conformance::process::{Limits, supervise};
use interlock_conformance::{Event, ExpectedFailures, Group, Level, Options, Report};
use interlock_core::backend::DeviceOptions;

use super::Context;
use super::candidate::{Candidate, pass_on};
use crate::args::CheckArgs;
use crate::errors::{BadExpected, Failure, Unusable};
use crate::exit::Exit;
use crate::output::{json, print};

/// Checks a backend.
pub(crate) fn run(args: &CheckArgs, context: &Context) -> anyhow::Result<Exit> {
    let target = Candidate::of(&args.backend)?;
    let expected = args.expected.as_deref().map_or_else(|| Ok(ExpectedFailures::default()), read_expected)?;
    let (options, limits) = settings(args, context);
    if args.in_child {
        return child::run(args, &target, &options, context);
    }
    let program = std::env::current_exe().context("this program cannot find its own file")?;
    let start = |groups: &[Group]| command(&program, args, context, groups);
    let mut group = None;
    let mut listener = |event: &Event| {
        if let Event::Begins(id) = event
            && group.replace(id.group) != Some(id.group)
            && options.level != Level::Soak
            && print::stderr_is_terminal()
        {
            context.note(&format!("checking {} …", id.group));
        }
    };
    let collector =
        supervise(&options, limits, &start, &mut listener).map_err(|error| Unusable(error.to_string()))?;
    answer(args, &target, &collector.finish(&expected))
}

fn settings(args: &CheckArgs, context: &Context) -> (Options, Limits) {
    let level = args.level();
    let (whole, group) = match level {
        Level::Quick => (300, 120),
        Level::Full => (3600, 1200),
        Level::Soak => (600, 120),
    };
    let whole = args.timeout.unwrap_or(Duration::from_secs(whole));
    let group = Duration::from_secs(group);
    let limits = match level {
        Level::Soak => Limits { whole: whole + group, group },
        Level::Quick | Level::Full => Limits { whole, group: group.min(whole) },
    };
    let options = Options {
        level,
        groups: if args.group.is_empty() { Group::ALL.to_vec() } else { args.group.clone() },
        seed: args.seed,
        device: DeviceOptions {
            index: args.opening.device.or_else(|| context.config.device()).unwrap_or(0),
            memory_limit: None,
            threads: context.config.threads(&args.threads),
        },
        soak: whole,
    };
    (options, limits)
}

/// This program again, for some groups. Variables are inherited; flags are written out.
fn command(program: &Path, args: &CheckArgs, context: &Context, groups: &[Group]) -> Command {
    let mut command = Command::new(program);
    command.args(["plugin", "check", "--in-child", &format!("--{}", args.level().name())]);
    command.args(["--seed", &args.seed.to_string()]);
    if let Some(timeout) = args.timeout {
        command.args(["--timeout", &timeout.as_secs_f64().to_string()]);
    }
    for group in groups {
        command.args(["--group", group.name()]);
    }
    pass_on(&mut command, &args.opening, &args.threads, context);
    command.arg("--").arg(&args.backend);
    command
}

fn read_expected(path: &Path) -> Result<ExpectedFailures, BadExpected> {
    let bad = |problem: String| BadExpected { path: path.to_owned(), problem };
    let text = std::fs::read_to_string(path).map_err(|error| bad(format!("cannot read: {error}")))?;
    toml::from_str(&text).map_err(|error| bad(error.to_string()))
}

fn answer(args: &CheckArgs, target: &Candidate<'_>, report: &Report) -> anyhow::Result<Exit> {
    let failure = failure(args, target, report);
    if args.json {
        print::data(&match &failure {
            None => json::done("plugin check", report),
            Some(failure) => json::failed_with("plugin check", failure, report),
        })?;
    } else {
        print::data(&report.text())?;
    }
    if let Some(failure) = &failure {
        print::failure(failure);
    }
    Ok(failure.map_or(Exit::Ok, |failure| failure.exit))
}

fn failure(args: &CheckArgs, target: &Candidate<'_>, report: &Report) -> Option<Failure> {
    if report.conforms {
        return None;
    }
    if let Some(reason) = &report.refused {
        let exit = if matches!(target, Candidate::File(_)) { Exit::Input } else { Exit::Backend };
        return Some(Failure { exit, message: format!("{}: {reason}", args.backend), hint: None });
    }
    let mut problems = Vec::new();
    let groups: Vec<&str> = report.failed_groups().into_iter().map(Group::name).collect();
    if !groups.is_empty() {
        problems.push(format!("rows fail in {}", groups.join(", ")));
    }
    if report.counts.passed_unexpectedly > 0 {
        problems.push(format!("{} rows pass that are expected to fail", report.counts.passed_unexpectedly));
    }
    for ended in &report.ended {
        let place = ended
            .row
            .as_ref()
            .map_or_else(|| "while it was being loaded".to_owned(), |id| format!("in {id}"));
        problems.push(format!("{} {place}", ended.how));
    }
    if problems.is_empty() {
        problems.push("no row ran".into());
    }
    let message = format!("{} does not conform: {}", args.backend, problems.join("; "));
    Some(Failure { exit: Exit::Backend, message, hint: None })
}
