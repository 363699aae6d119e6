//! The page's text: what the pictures say, for those who read.

use std::fmt::{Display, Write as _};

use interlock_scheduler::{JobEnd, PartId};
use interlock_strategies::Priority;

use super::Escaped;
use crate::cause::{Cause, Name};
use crate::model::{Fate, JobStory, Model, PartStory};
use crate::summary::{DeviceSummary, Summary};
use crate::table;
use crate::units::{Bytes, Micros};

/// Rows that a table has at most.
const ROWS: usize = 500;

pub(super) fn heading(model: &Model, summary: &Summary) -> String {
    let source = match summary.source {
        crate::format::Source::Run => "recorded run",
        crate::format::Source::Simulation => "simulation",
    };
    let devices = match model.header.devices.as_slice() {
        [] => "no device".to_owned(),
        [one] => format!("{}, {} workers", one.name, one.workers),
        several => format!("{} devices, {} workers", several.len(), model.workers.len()),
    };
    let cut = if model.cut { " · the recording is cut off" } else { "" };
    let strategy = Escaped(&summary.interlock);
    let rest = Escaped(format!("{source} · {devices} · {}{cut}", Micros(summary.wall)));
    format!("<h1>Interlock timeline <span>{strategy}</span></h1>\n<p>{rest}</p>")
}

pub(super) fn cards(summary: &Summary) -> String {
    let mut out = String::new();
    let jobs = &summary.jobs;
    card(
        &mut out,
        "wall time",
        Micros(summary.wall),
        &format!("{} partitions proved", summary.partitions),
        None,
    );
    let mut others = format!("{} failed · {} cancelled", jobs.failed, jobs.cancelled);
    for (count, name) in [(jobs.rejected, "rejected"), (jobs.open, "unfinished")] {
        if count > 0 {
            let _ = write!(others, " · {count} {name}");
        }
    }
    card(&mut out, "jobs done", jobs.done, &others, None);
    if let Some(rate) = summary.jobs_per_minute() {
        let each = summary.wall.checked_div(jobs.done).map(|us| format!(" · {} a job", Micros(us)));
        card(
            &mut out,
            "throughput",
            format!("{rate:.3}"),
            &format!("jobs/min{}", each.unwrap_or_default()),
            None,
        );
    }
    for device in &summary.devices {
        let of = if summary.devices.len() > 1 { format!(" · {}", device.name) } else { String::new() };
        let waits = format!("lock held {}", table::percent(device.lock_held_share));
        let name = format!("compute{of}");
        card(&mut out, &name, table::percent(device.compute_share), &waits, Some(device.compute_share));
        let idle = format!("waits: {}", table::waits(device));
        card(
            &mut out,
            &format!("device idle{of}"),
            table::percent(device.idle_share),
            &idle,
            Some(device.idle_share),
        );
        let share = device.peak_bytes.map(|peak| peak as f64 / device.budget.max(1) as f64);
        let budget = format!("of {}, reserved {}", Bytes(device.budget), table::peak(device.peak_reserved));
        card(&mut out, &format!("peak memory{of}"), table::peak(device.peak_bytes), &budget, share);
    }
    out
}

fn card(out: &mut String, name: &str, value: impl Display, more: &str, share: Option<f64>) {
    let (name, value, more) = (Escaped(name), Escaped(value), Escaped(more));
    let _ = write!(out, "<div class=\"card\"><h2>{name}</h2><strong>{value}</strong>");
    if let Some(share) = share {
        let width = 100.0 * share.clamp(0.0, 1.0);
        let over = if share > 1.0 { " class=\"over\"" } else { "" };
        let _ = write!(out, "<div class=\"bar\"><i{over} style=\"width:{width:.1}%\"></i></div>");
    }
    let _ = writeln!(out, "<p>{more}</p></div>");
}

fn table(
    out: &mut String,
    caption: &str,
    heads: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
    count: usize,
) {
    let _ = write!(out, "<div class=\"scroll\"><table><caption>{}</caption><thead><tr>", Escaped(caption));
    for head in heads {
        let _ = write!(out, "<th scope=\"col\">{}</th>", Escaped(head));
    }
    out.push_str("</tr></thead><tbody>\n");
    for row in rows.take(ROWS) {
        out.push_str("<tr>");
        for (index, cell) in row.iter().enumerate() {
            let cell = Escaped(cell);
            let _ = match index {
                0 => write!(out, "<th scope=\"row\">{cell}</th>"),
                _ => write!(out, "<td>{cell}</td>"),
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    if count > ROWS {
        let _ = writeln!(out, "<p>The first {ROWS} of {count}.</p>");
    }
}

pub(super) fn devices(summary: &Summary) -> String {
    let mut out = String::new();
    let heads = [
        "device",
        "idle",
        "lock held",
        "compute",
        "peak",
        "reserved",
        "budget",
        "waits",
        "fallbacks",
        "revocations",
        "retries",
    ];
    let row = |device: &DeviceSummary| {
        vec![
            device.name.clone(),
            table::percent(device.idle_share),
            table::percent(device.lock_held_share),
            table::percent(device.compute_share),
            table::peak(device.peak_bytes),
            table::peak(device.peak_reserved),
            Bytes(device.budget).to_string(),
            table::waits(device),
            device.fallbacks.to_string(),
            device.revocations.to_string(),
            device.retries.to_string(),
        ]
    };
    table(&mut out, "Devices", &heads, summary.devices.iter().map(row), summary.devices.len());
    let heads: Vec<&str> = ["worker"].into_iter().chain(table::WORKER_HEADS).collect();
    for device in &summary.devices {
        let rows = (0..).zip(&device.workers).map(|(index, worker): (usize, _)| {
            let shares = table::worker_shares(worker, summary.wall);
            [index.to_string()].into_iter().chain(shares).collect()
        });
        let caption = format!("Workers of {}, shares of the wall time", device.name);
        table(&mut out, &caption, &heads, rows, device.workers.len());
    }
    out
}

fn end(fate: &Fate) -> String {
    match fate {
        Fate::Open => "unfinished".into(),
        Fate::Rejected => "rejected".into(),
        Fate::Ended { end, .. } => match end {
            JobEnd::Done => "done".into(),
            JobEnd::Cancelled => "cancelled".into(),
            JobEnd::Late => "past its deadline".into(),
            JobEnd::Failed { part, reason } => format!("failed: partition {part}: {reason}"),
            JobEnd::NeverFits { part, needed, budget } => {
                format!("never fits: partition {part} needs {} of {}", Bytes(*needed), Bytes(*budget))
            }
        },
    }
}

pub(super) fn jobs(model: &Model) -> String {
    let mut out = String::new();
    let heads = ["job", "priority", "partitions", "submitted", "queue", "wall", "prove", "end"];
    let time = |us: Option<u64>| us.map_or_else(|| "–".to_owned(), |us| Micros(us).to_string());
    let row = |(id, job): (&u64, &JobStory)| {
        let ended = match job.fate {
            Fate::Ended { at, .. } => Some(at),
            _ => None,
        };
        vec![
            id.to_string(),
            Priority::from(job.priority).name().to_owned(),
            job.parts.to_string(),
            Micros(job.submitted - model.start).to_string(),
            time(job.began.map(|began| began - job.submitted)),
            time(ended.map(|at| at - job.submitted)),
            time(job.began.map(|_| job.proving)),
            end(&job.fate),
        ]
    };
    table(&mut out, "Jobs", &heads, model.jobs.iter().map(row), model.jobs.len());
    out
}

pub(super) fn partitions(model: &Model) -> String {
    let mut out = String::new();
    let heads = ["partition", "waited for stage", "because", "fallbacks", "revoked", "set aside", "failures"];
    let row = |(id, part): (&PartId, &PartStory)| {
        let waited = part.before_stage.iter().map(|waited| waited.to - waited.from).sum();
        let because: Vec<String> =
            part.before_stage.iter().map(|waited| why(waited.cause, waited.to - waited.from)).collect();
        vec![
            Name(*id).to_string(),
            Micros(waited).to_string(),
            because.join("; "),
            part.fallbacks.to_string(),
            part.revoked.to_string(),
            part.set_aside.to_string(),
            part.failures.join("; "),
        ]
    };
    table(
        &mut out,
        "Partitions: why each was not staged before",
        &heads,
        model.parts.iter().map(row),
        model.parts.len(),
    );
    out
}

fn why(cause: Cause, us: u64) -> String {
    format!("{cause} ({})", Micros(us))
}
