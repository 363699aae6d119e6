//! The trace event format, which ui.perfetto.dev and Chromium's tracing page open.
//!
//! Devices are processes and workers are threads; intervals are complete events (`X`), bytes are counters (`C`), and a
//! flow leads from a partition's stage to its compute (`s`, `f`). Times are in microseconds, as the format has them.

use std::io::{self, Write};

use interlock_scheduler::{PartId, Path, PhaseName};
use interlock_strategies::Phase;
use serde_json::{Value, json};

use crate::cause::Name;
use crate::model::Model;
use crate::row::{Doing, Ending, Inner, Interval, Row};

/// The host's process. A device's is this one's and its position plus 1.
const HOST: u64 = 1;
/// The first thread; each row has its own number, as some readers know threads by it alone.
const FIRST_THREAD: u64 = 1000;

/// Writes the trace.
///
/// # Errors
/// The bytes cannot be written.
pub fn write(model: &Model, out: &mut impl Write) -> io::Result<()> {
    let mut trace = Trace { out, first: true, flows: 0 };
    trace.out.write_all(b"{\"displayTimeUnit\":\"ms\",\"traceEvents\":[")?;
    trace.process(HOST, "host: synthesis", 0)?;
    for (device, info) in (0..).zip(&model.header.devices) {
        trace.process(HOST + 1 + device, &format!("device {device}: {}", info.name), 1 + device)?;
    }
    for (thread, row) in (FIRST_THREAD..).zip(model.rows()) {
        trace.row(thread, row)?;
    }
    for (device, points) in (HOST + 1..).zip(&model.memory) {
        for point in points {
            let args = json!({"bytes": point.bytes, "reserved": point.reserved, "budget": point.budget});
            trace.event(&json!({
                "name": "memory", "ph": "C", "ts": point.t, "pid": device, "args": args,
            }))?;
        }
    }
    let other = json!({
        "interlock": model.header.interlock,
        "source": model.header.source.name(),
        "partition_workers": model.header.partition_workers,
    });
    writeln!(trace.out, "\n],\"otherData\":{other}}}")
}

struct Trace<'a, W> {
    out: &'a mut W,
    first: bool,
    /// Numbers of flows and of spans that overlap others.
    flows: u64,
}

impl<W: Write> Trace<'_, W> {
    fn event(&mut self, event: &Value) -> io::Result<()> {
        self.out.write_all(if self.first { b"\n" } else { b",\n" })?;
        self.first = false;
        serde_json::to_writer(&mut *self.out, event).map_err(io::Error::from)
    }

    fn process(&mut self, pid: u64, name: &str, order: u64) -> io::Result<()> {
        self.event(&json!({"name": "process_name", "ph": "M", "pid": pid, "args": {"name": name}}))?;
        self.event(
            &json!({"name": "process_sort_index", "ph": "M", "pid": pid, "args": {"sort_index": order}}),
        )
    }

    fn row(&mut self, tid: u64, row: &Row) -> io::Result<()> {
        let pid = row.device.map_or(HOST, |device| HOST + 1 + u64::from(device));
        let what = if row.device.is_some() { "worker" } else { "synthesis" };
        let name = format!("{what} {}", row.index);
        self.event(
            &json!({"name": "thread_name", "ph": "M", "pid": pid, "tid": tid, "args": {"name": name}}),
        )?;
        let order = json!({"sort_index": row.index});
        self.event(&json!({"name": "thread_sort_index", "ph": "M", "pid": pid, "tid": tid, "args": order}))?;
        let mut staged: Option<(PartId, u64)> = None;
        for interval in &row.intervals {
            let Some(part) = interval.part else { continue };
            self.interval(pid, tid, interval, part)?;
            match interval.doing {
                Doing::Phase { phase: PhaseName::Stage, .. } => staged = Some((part, interval.from)),
                Doing::Phase { phase: PhaseName::Compute, .. } => {
                    if let Some((_, from)) = staged.take().filter(|(of, _)| *of == part) {
                        self.flow(pid, tid, from, interval.from)?;
                    }
                }
                Doing::Drop => staged = None,
                _ => {}
            }
        }
        self.spans(pid, tid, &row.spans)
    }

    fn interval(&mut self, pid: u64, tid: u64, interval: &Interval, part: PartId) -> io::Result<()> {
        let mut args = json!({"partition": Name(part).to_string()});
        let (name, category) = match interval.doing {
            Doing::Synthesis => ("synthesis".to_owned(), "synthesis"),
            Doing::Drop => ("drop".to_owned(), "drop"),
            Doing::Phase { phase, path } => {
                args["path"] = json!(if path == Path::Slow { "slow" } else { "fast" });
                (Phase::from(phase).name().to_owned(), "phase")
            }
            Doing::Wait { phase, cause } => {
                args["for"] = json!(Phase::from(phase).name());
                args["why"] = json!(cause.to_string());
                (format!("wait: {}", cause.name()), "wait")
            }
            Doing::Idle => return Ok(()),
        };
        args["ended"] = json!(Ending::NAMES[interval.ending as usize]);
        self.event(&json!({
            "name": name, "cat": category, "ph": "X", "ts": interval.from, "dur": interval.length(),
            "pid": pid, "tid": tid, "args": args,
        }))
    }

    fn flow(&mut self, pid: u64, tid: u64, from: u64, to: u64) -> io::Result<()> {
        self.flows += 1;
        let (name, id) = ("staged", self.flows);
        self.event(
            &json!({"name": name, "cat": "flow", "ph": "s", "id": id, "ts": from, "pid": pid, "tid": tid}),
        )?;
        self.event(&json!({
            "name": name, "cat": "flow", "ph": "f", "bp": "e", "id": id, "ts": to, "pid": pid, "tid": tid,
        }))
    }

    /// Spans within each other or apart go on the thread itself. The format wants others, which overlap, to be
    /// asynchronous (`b`, `e`). They come sorted: the first to begin first, of those the longest.
    fn spans(&mut self, pid: u64, tid: u64, spans: &[Inner]) -> io::Result<()> {
        let mut around: Vec<u64> = Vec::new();
        for span in spans {
            let mut args = json!({"partition": Name(span.part).to_string()});
            if let Some(bytes) = span.bytes {
                args["bytes"] = json!(bytes);
            }
            around.retain(|end| *end > span.from);
            if around.last().is_none_or(|end| span.to <= *end) {
                around.push(span.to);
                self.event(&json!({
                    "name": span.name, "cat": "span", "ph": "X", "ts": span.from, "dur": span.to - span.from,
                    "pid": pid, "tid": tid, "args": args,
                }))?;
                continue;
            }
            self.flows += 1;
            for (ph, ts) in [("b", span.from), ("e", span.to)] {
                self.event(&json!({
                    "name": span.name, "cat": "span", "ph": ph, "id": self.flows, "ts": ts,
                    "pid": pid, "tid": tid, "args": args,
                }))?;
            }
        }
        Ok(())
    }
}
