//! `interlock simulate`.

mod backend;
mod published;
mod report;
mod sweep;
mod table;

use std::path::{Path, PathBuf};

use interlock_simulator::{Factory, Scenario, Setting, Stock, published as rows, shipped};

use super::Context;
use crate::args::SimulateArgs;
use crate::errors::Usage;
use crate::exit::Exit;
use crate::output::atomic::{Draft, commit};
use crate::output::print;

/// Simulates.
pub(crate) fn run(args: &SimulateArgs, context: &Context) -> anyhow::Result<Exit> {
    if let Some(name) = &args.show {
        let text = shipped::text(name)
            .ok_or_else(|| Usage(format!("nothing of the name {name:?} is shipped; {}", known())))?;
        print::data(text)?;
        return Ok(Exit::Ok);
    }
    // The parser demands it otherwise.
    let name = args.scenario.as_deref().unwrap_or_default();
    if name == rows::NAME {
        return of_published(args);
    }
    if args.fit {
        return Err(Usage(format!("--fit is of the scenario {:?} alone", rows::NAME)).into());
    }
    let (scenario, setting) = open(name, args)?;
    let factory: Box<dyn Factory> = match &args.backend {
        Some(list) => Box::new(backend::strategies(args, list, context)?),
        None => Box::new(Stock),
    };
    if args.sweep {
        return sweep::run(args, &scenario, &setting, &*factory);
    }
    one(args, context, name, &scenario, &setting, &*factory)
}

fn of_published(args: &SimulateArgs) -> anyhow::Result<Exit> {
    if args.sweep || args.timeline.is_some() || args.backend.is_some() || args.changes_the_scenario() {
        let text = format!(
            "{:?} is made of rows, each with its own setting: it takes --fit and --json alone",
            rows::NAME
        );
        return Err(Usage(text).into());
    }
    if args.fit { published::fit(args) } else { published::run(args) }
}

/// Simulates one setting.
fn one(
    args: &SimulateArgs,
    context: &Context,
    name: &str,
    scenario: &Scenario,
    setting: &Setting,
    factory: &dyn Factory,
) -> anyhow::Result<Exit> {
    let outputs: Vec<&Path> = args.timeline.as_deref().into_iter().collect();
    let inputs = shipped::files(name, scenario, args.machine.as_deref());
    let targets = context.targets(&outputs, &inputs.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
    let outcome = setting.run(factory)?;
    let bounds = setting.bounds(factory)?;
    let mut drafts = Vec::new();
    for target in &targets {
        let mut bytes = Vec::new();
        outcome.write(&mut bytes)?;
        drafts.push(Draft::with_bytes(target, &bytes)?);
    }
    commit(drafts)?;
    report::print(args, scenario, setting, &outcome, &bounds)?;
    Ok(Exit::Ok)
}

/// The scenario, with what the command line says instead.
fn open(name: &str, args: &SimulateArgs) -> anyhow::Result<(Scenario, Setting)> {
    let opened = shipped::open_on(name, args.machine.as_deref()).map_err(|error| {
        // A word without a dot or a slash was meant as a name.
        let word = !name.contains(['.', '/']);
        match &error {
            interlock_simulator::Error::Read { path, .. } if word && path == Path::new(name) => {
                anyhow::Error::new(Usage(format!(
                    "there is no scenario {name:?}, and no file of this name; {}",
                    known()
                )))
            }
            _ => error.into(),
        }
    });
    let (scenario, mut setting) = opened?;
    let load = &mut setting.load;
    let replace = |value: &mut u64, flag: Option<u64>| *value = flag.unwrap_or(*value);
    replace(&mut load.count, args.count);
    replace(&mut load.concurrency, args.concurrency);
    replace(&mut load.workers_per_device, args.workers_per_device);
    replace(&mut load.partition_workers, args.partition_workers);
    load.memory_limit = args.memory_limit.map(|size| size.0).or(load.memory_limit);
    load.host_memory = args.host_memory.map(|size| size.0).or(load.host_memory);
    if let Some(interlock) = &args.interlock {
        load.interlock.clone_from(interlock);
    }
    // The scenario's own numbers were checked before.
    load.check("the command line").map_err(|error| Usage(error.to_string()))?;
    Ok((scenario, setting))
}

fn known() -> String {
    let names =
        |list: &[shipped::Shipped]| list.iter().map(|shipped| shipped.name).collect::<Vec<_>>().join(", ");
    format!(
        "scenarios are {}, {}; machines are {}",
        rows::NAME,
        names(&shipped::SCENARIOS),
        names(&shipped::MACHINES)
    )
}
