//! `interlock doctor`.

mod loading;
mod machine;
mod proof;

use serde::Serialize;
use serde_json::json;

use super::Context;
use crate::args::DoctorArgs;
use crate::backends::embedded;
use crate::errors::Failure;
use crate::exit::Exit;
use crate::output::{clean, json, print};
use crate::threads;

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    /// As it should be.
    Ok,
    /// Works, but not as well as it could, or not everything.
    Warning,
    /// Proving does not work.
    Failed,
}

/// One line of the report.
#[derive(Debug, Serialize)]
struct Check {
    name: String,
    status: Status,
    detail: String,
}

impl Check {
    fn ok(name: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { name: name.into(), status: Status::Ok, detail: detail.into() }
    }

    fn warning(name: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { name: name.into(), status: Status::Warning, detail: detail.into() }
    }

    fn failed(name: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { name: name.into(), status: Status::Failed, detail: detail.into() }
    }

    fn line(&self) -> String {
        let mark = match self.status {
            Status::Ok => '✓',
            Status::Warning => '!',
            Status::Failed => '✗',
        };
        // Some reasons have several lines.
        let detail = clean::message(&self.detail).replace('\n', "\n                    ");
        format!("{mark} {:16}  {detail}", clean::value(&self.name))
    }
}

/// Checks this machine.
pub(crate) fn run(args: &DoctorArgs, context: &Context) -> anyhow::Result<Exit> {
    let threads = context.config.threads(&args.threads);
    // As for `prove`: the backend's pool takes them all.
    threads::bound(threads.map(|_| 1))?;
    let embedded = embedded()?;
    let search = context.config.search(&args.search);
    let mut registry = crate::backends::discover(context.config.loader(), &search, &embedded);

    let mut checks = machine::checks();
    checks.push(loading::sealed_memory());
    checks.extend(loading::folders(&registry));
    checks.extend(loading::backends(&mut registry));
    checks.extend(proof::checks(&mut registry, &embedded, threads));

    let failed: Vec<&str> = checks
        .iter()
        .filter(|check| check.status == Status::Failed)
        .map(|check| check.name.as_str())
        .collect();
    let usable = failed.is_empty();
    let exit = if usable { Exit::Ok } else { Exit::Backend };
    let message = if usable {
        "This machine can prove.".to_owned()
    } else {
        format!("this machine cannot prove as it should: {}", failed.join(", "))
    };
    let failure = (!usable).then(|| Failure { exit, message: message.clone(), hint: None });
    if args.json {
        let body = json!({ "usable": usable, "checks": checks });
        print::data(&match &failure {
            None => json::done("doctor", body),
            Some(failure) => json::failed_with("doctor", failure, body),
        })?;
    } else {
        let lines: Vec<String> = checks.iter().map(Check::line).collect();
        print::data(&lines.join("\n"))?;
        if usable {
            print::data(&message)?;
        }
    }
    if let Some(failure) = &failure {
        print::failure(failure);
    }
    Ok(exit)
}
