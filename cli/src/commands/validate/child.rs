//! The process of one backend.

use anyhow::Context as _;
use interlock_conformance::Subject;
use interlock_conformance::compare::{Greeting, serve};
use interlock_core::backend::DeviceOptions;
use interlock_core::loader::child::{Channel, take_stdin};

use crate::args::ValidateArgs;
use crate::commands::Context;
use crate::commands::candidate::Candidate;
use crate::exit::Exit;
use crate::threads;

/// Opens the backend and answers cases until there are no more.
pub(super) fn run(word: &str, args: &ValidateArgs, context: &Context) -> anyhow::Result<Exit> {
    let input = take_stdin().context("the cases of the parent process")?;
    let mut channel = Channel::open().context("the pipe to the parent process")?;
    let options = options(args, context);
    if options.threads.is_some() {
        threads::one_aside()?;
    }
    let mut greet =
        |greeting: &Greeting| -> anyhow::Result<()> { Ok(channel.tell(&serde_json::to_string(greeting)?)?) };
    let opened = Candidate::of(word)?.open(&args.opening, context, &mut |_, _| Ok(()))?;
    let described = opened.and_then(|plugin| {
        let subject = Subject::of(&plugin, options).map_err(|error| error.to_string())?;
        Ok((plugin, subject))
    });
    let plugin = match described {
        Ok((plugin, subject)) => {
            greet(&Greeting::Ready(Box::new(subject)))?;
            plugin
        }
        Err(reason) => {
            greet(&Greeting::Refused(reason))?;
            return Ok(Exit::Ok);
        }
    };
    serve(&mut channel, std::fs::File::from(input), |case| case.run(&plugin, options))?;
    Ok(Exit::Ok)
}

fn options(args: &ValidateArgs, context: &Context) -> DeviceOptions {
    DeviceOptions {
        index: args.opening.device.or_else(|| context.config.device()).unwrap_or(0),
        memory_limit: None,
        threads: context.config.threads(&args.threads),
    }
}
