//! The published rows: published, simulated, residual; `ledger` beside them; the fit.

use std::fmt::Write as _;

use interlock_simulator::compared::{COMPARED_PROOFS, Compared};
use interlock_simulator::fit::{self, Free};
use interlock_simulator::published::{Line, Rows};
use serde_json::{Value, json};

use super::table::{columns, percent, seconds, signed};
use crate::args::SimulateArgs;
use crate::exit::Exit;
use crate::output::text::bytes;
use crate::output::{json, print};

/// Proofs in flight of the comparison.
const CONCURRENCIES: std::ops::RangeInclusive<u64> = 1..=15;

/// Simulates all rows, and `ledger` at each concurrency.
pub(super) fn run(args: &SimulateArgs) -> anyhow::Result<Exit> {
    let rows = Rows::shipped()?;
    let machine = rows.machine()?;
    let lines = rows.lines(&machine)?;
    let compared = CONCURRENCIES.map(|j| rows.compare(&machine, None, j)).collect::<Result<Vec<_>, _>>()?;
    if args.json {
        let body = json!({
            "machine": machine.name,
            "rows": lines.iter().map(line_json).collect::<Vec<_>>(),
            "ledger": compared.iter().map(compared_json).collect::<Vec<_>>(),
        });
        print::data(&json::done("simulate", body))?;
        return Ok(Exit::Ok);
    }
    let mut text = format!("machine: {} (seconds for a proof)\n\n", machine.name);
    text.push_str(&columns(
        &["row", "published", "simulated", "residual", "fallbacks", "peak", "role"],
        &lines.iter().map(cells).collect::<Vec<_>>(),
    ));
    text.push('\n');
    for line in &lines {
        if let Some(why) = &line.row.why {
            let _ = writeln!(text, "{}: {why}", line.row.name);
        }
    }
    let _ = writeln!(
        text,
        "\nledger beside the best of those strategies on the same kernels, {COMPARED_PROOFS} proofs, and what no strategy can \
         beat:\n"
    );
    let heads = [
        "j",
        "best other",
        "s",
        "ledger pw",
        "s",
        "cpu",
        "device",
        "memory",
        "link",
        "bound s",
        "share",
        "peak",
        "permits",
    ];
    text.push_str(&columns(&heads, &compared.iter().map(compared_cells).collect::<Vec<_>>()));
    print::data(&text)?;
    Ok(Exit::Ok)
}

/// Finds the free constants again.
pub(super) fn fit(args: &SimulateArgs) -> anyhow::Result<Exit> {
    let rows = Rows::shipped()?;
    let machine = rows.machine()?;
    let found = fit::fit(&rows, &machine)?;
    let (contention, rest) = machine.free();
    let shown = |free: Free| (free.contention as f64 / 1e6, free.rest as f64 / 1e6);
    let ((contention, rest), found) = (shown(Free { contention, rest }), shown(found));
    if args.json {
        let body = json!({
            "fitted": { "contention": found.0, "rest_of_the_call_s": found.1 },
            "shipped": { "contention": contention, "rest_of_the_call_s": rest },
        });
        print::data(&json::done("simulate", body))?;
        return Ok(Exit::Ok);
    }
    let row =
        |name: &str, shipped: f64, found: f64| vec![name.to_owned(), shipped.to_string(), found.to_string()];
    let table = [row("cpu.contention", contention, found.0), row("rest of the call, seconds", rest, found.1)];
    print::data(&columns(&["constant", "in the machine file", "fitted"], &table))?;
    Ok(Exit::Ok)
}

fn cells(line: &Line) -> Vec<String> {
    let row = &line.row;
    vec![
        row.name.clone(),
        row.published.map_or_else(|| "out of memory".to_owned(), seconds),
        seconds(line.simulated),
        line.residual().map_or_else(|| "-".to_owned(), signed),
        line.fallbacks.to_string(),
        bytes(line.peak_device),
        row.variant
            .as_ref()
            .map_or_else(|| row.role.name().to_owned(), |variant| format!("{}: {variant}", row.role.name())),
    ]
}

fn compared_cells(found: &Compared) -> Vec<String> {
    let [cpu, device, memory, link, all] = found.bounds.map(seconds);
    vec![
        found.concurrency.to_string(),
        found.best.0.clone(),
        seconds(found.best.1),
        found.partition_workers.to_string(),
        seconds(found.ledger),
        cpu,
        device,
        memory,
        link,
        all,
        percent(found.share_of_bound()),
        bytes(found.peak_device),
        bytes(found.peak_reserved),
    ]
}

fn line_json(line: &Line) -> Value {
    let row = &line.row;
    json!({
        "name": row.name, "source": row.source, "role": row.role.name(), "why": row.why,
        "strategy": row.interlock, "count": row.count, "concurrency": row.concurrency, "workers_per_device": row.workers,
        "partition_workers": row.partition_workers, "variant": row.variant, "synthesised": row.synthesised,
        "published_s": row.published, "simulated_s": line.simulated, "residual": line.residual(),
        "fallbacks": line.fallbacks, "peak_bytes": line.peak_device,
    })
}

fn compared_json(found: &Compared) -> Value {
    let [cpu, device, memory, link, all] = found.bounds;
    json!({
        "concurrency": found.concurrency, "best_other": found.best.0, "best_other_s": found.best.1,
        "published_s": found.published, "ledger_s": found.ledger, "ledger_partition_workers": found.partition_workers,
        "bounds_s": { "cpu": cpu, "device": device, "memory": memory, "link": link, "all": all },
        "bound_share": found.share_of_bound(), "peak_bytes": found.peak_device, "peak_reserved": found.peak_reserved,
    })
}
