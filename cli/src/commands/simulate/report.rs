//! What one simulation comes to: the report of a batch, the timeline's summary, and what only a simulator knows.

use std::fmt::Write as _;

use interlock_simulator::{Bounds, Outcome, Scenario, Setting};
use interlock_timeline::batch::Report;
use serde_json::json;

use super::table::{columns, percent, seconds};
use crate::args::SimulateArgs;
use crate::output::text::bytes;
use crate::output::{json, print};

/// Prints it.
///
/// # Errors
/// Standard output cannot be written.
pub(super) fn print(
    args: &SimulateArgs,
    scenario: &Scenario,
    setting: &Setting,
    outcome: &Outcome,
    bounds: &Bounds,
) -> anyhow::Result<()> {
    let load = &setting.load;
    // A command line allows no more than 20000 of them.
    let report = Report::of(&outcome.proofs(), &load.proof, load.concurrency as u32);
    let done = "the timeline was written, only the report cannot be printed";
    let told = |text: &str| match args.timeline {
        Some(_) => print::report(text, done),
        None => print::data(text),
    };
    if args.json {
        let body = json!({
            "scenario": scenario.name,
            "machine": setting.machine.name,
            // Not `interlock`, which is the envelope's version.
            "strategy": load.interlock,
            "report": report,
            "summary": outcome.summary,
            "proofs_per_minute": outcome.proofs_per_minute(),
            "host": { "peak_bytes": outcome.peak_host_bytes, "memory_bytes": outcome.host_memory, "fits": !outcome.exceeds_host() },
            "device": { "peak_bytes": outcome.peak_device_bytes, "peak_reserved": outcome.peak_reserved, "budget_bytes": outcome.budget },
            "bounds_us": {
                "cpu": bounds.cpu, "device": bounds.device, "memory": bounds.memory, "link": bounds.link, "all": bounds.all,
            },
            "bound_share": share(outcome, bounds),
        });
        told(&json::done("simulate", body))?;
        return Ok(());
    }
    let mut text = format!("{report}\n{}", outcome.summary);
    let _ = write!(text, "\nhost: peak {} of {}", bytes(outcome.peak_host_bytes), bytes(outcome.host_memory));
    text.push_str(if outcome.exceeds_host() { ": it has not enough memory\n" } else { "\n" });
    let row = |name: &str, micros: f64| {
        vec![name.to_owned(), seconds(micros / 1e6), percent(micros / outcome.model.wall().max(1) as f64)]
    };
    let rows = [
        row("cpu", bounds.cpu),
        row("device", bounds.device),
        row("memory", bounds.memory),
        row("link", bounds.link),
        row("all together", bounds.all),
    ];
    let _ = write!(text, "\nno strategy can be faster than (seconds, and its share of the wall time):\n");
    text.push_str(&columns(&["bound by", "s", "share"], &rows));
    told(&text)?;
    Ok(())
}

/// The bound over the wall time: 1 when nothing can be faster.
fn share(outcome: &Outcome, bounds: &Bounds) -> f64 {
    bounds.all / outcome.model.wall().max(1) as f64
}
