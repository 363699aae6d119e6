//! All settings of some axes, and the best.

use interlock_simulator::sweep::{Axes, Row, best, sweep};
use interlock_simulator::{Factory, Scenario, Setting};
use serde_json::{Value, json};

use super::table::{columns, percent, seconds};
use crate::args::SimulateArgs;
use crate::exit::Exit;
use crate::output::text::{bytes, plural};
use crate::output::{json, print};

/// Sweeps.
pub(super) fn run(
    args: &SimulateArgs,
    scenario: &Scenario,
    setting: &Setting,
    factory: &dyn Factory,
) -> anyhow::Result<Exit> {
    let mut axes = scenario.sweep.clone().unwrap_or_else(|| Axes::usual(setting, factory));
    // What the command line sets, stays.
    if args.interlock.is_some() {
        axes.interlock.clear();
    }
    if args.concurrency.is_some() {
        axes.concurrency.clear();
    }
    if args.workers_per_device.is_some() {
        axes.workers_per_device.clear();
    }
    if args.partition_workers.is_some() {
        axes.partition_workers.clear();
    }
    if args.memory_limit.is_some() {
        axes.memory.clear();
    }
    let rows = sweep(setting, &axes, factory)?;
    let best = best(&rows);
    if args.json {
        let body = json!({
            "scenario": scenario.name,
            "machine": setting.machine.name,
            "settings": rows.iter().map(row_json).collect::<Vec<_>>(),
            "best": best,
        });
        print::data(&json::done("simulate", body))?;
        return Ok(Exit::Ok);
    }
    let heads = [
        "interlock",
        "workers",
        "pw",
        "j",
        "device memory",
        "proofs/min",
        "wall s",
        "peak device",
        "peak host",
        "idle",
        "fallbacks",
    ];
    let mut text = format!(
        "{} on {}: {}\n\n",
        scenario.name,
        setting.machine.name,
        plural(rows.len() as u64, "setting")
    );
    text.push_str(&columns(&heads, &rows.iter().map(cells).collect::<Vec<_>>()));
    text.push_str("\nbest:\n");
    match best.and_then(|index| rows.get(index)) {
        Some(row) => text.push_str(&columns(&heads, &[cells(row)])),
        None => {
            text.push_str("none: in each setting a partition does not fit the device, or the host has no room for what is synthesised\n")
        }
    }
    print::data(&text)?;
    Ok(Exit::Ok)
}

fn cells(row: &Row) -> Vec<String> {
    let load = &row.setting.load;
    let mut cells = vec![
        load.interlock.clone(),
        load.workers_per_device.to_string(),
        load.partition_workers.to_string(),
        load.concurrency.to_string(),
        bytes(row.budget),
    ];
    match &row.result {
        Some(result) => cells.extend([
            format!("{:.3}", result.proofs_per_minute),
            seconds(result.wall),
            bytes(result.peak_device),
            format!("{}{}", bytes(result.peak_host), if result.exceeds_host { " !" } else { "" }),
            percent(result.idle),
            result.fallbacks.to_string(),
        ]),
        None => cells.push("never fits".to_owned()),
    }
    cells
}

fn row_json(row: &Row) -> Value {
    let load = &row.setting.load;
    let result = row.result.map(|result| {
        json!({
            "proofs_per_minute": result.proofs_per_minute, "wall_s": result.wall, "peak_device_bytes": result.peak_device,
            "peak_host_bytes": result.peak_host, "fits_host": !result.exceeds_host, "idle_share": result.idle,
            "fallbacks": result.fallbacks,
        })
    });
    json!({
        "strategy": load.interlock, "workers_per_device": load.workers_per_device,
        "partition_workers": load.partition_workers, "concurrency": load.concurrency, "budget_bytes": row.budget,
        "result": result,
    })
}
