//! What the page draws, as JSON: columns of numbers, and tables of the texts that they point to.

use std::collections::{BTreeSet, HashMap};

use interlock_scheduler::{PartId, Path, PhaseName};
use serde::Serialize;

use crate::cause::Cause;
use crate::model::Model;
use crate::row::{Doing, Ending, Interval, Row};

/// What an interval is, for the page; the waits follow in the order of `Cause::NAMES`.
const KINDS: [&str; 7] = ["prepare", "stage", "compute", "slow", "finish", "drop", "synthesis"];
/// Numbers of an interval: from, length, kind, partition, cause or -1, ending.
const COLUMNS: usize = 6;

#[derive(Serialize)]
pub(crate) struct Data<'a> {
    /// Microseconds, as all times are; they count from the first record.
    wall: u64,
    kinds: Vec<String>,
    endings: [&'static str; 7],
    parts: Vec<Part<'a>>,
    causes: Vec<String>,
    names: Vec<String>,
    rows: Vec<RowData>,
    devices: Vec<DeviceData<'a>>,
}

#[derive(Serialize)]
struct Part<'a> {
    /// As text: a job's number may be larger than a number of JavaScript's.
    name: String,
    fallbacks: u32,
    revoked: u32,
    set_aside: u32,
    failures: &'a [String],
}

#[derive(Serialize)]
struct RowData {
    /// The device's position; none for synthesis.
    device: Option<u32>,
    index: u32,
    /// `COLUMNS` numbers each.
    intervals: Vec<i64>,
    /// From, length, name, partition, bytes or -1.
    spans: Vec<i64>,
}

#[derive(Serialize)]
struct DeviceData<'a> {
    name: &'a str,
    budget: u64,
    /// Time, bytes, reserved, budget.
    memory: Vec<u64>,
}

/// Texts that are told apart by their position.
#[derive(Default)]
struct Texts {
    list: Vec<String>,
    positions: HashMap<String, i64>,
}

impl Texts {
    fn position(&mut self, text: String) -> i64 {
        let next = self.list.len() as i64;
        *self.positions.entry(text).or_insert_with_key(|text| {
            self.list.push(text.clone());
            next
        })
    }
}

struct Columns<'a> {
    start: u64,
    parts: &'a HashMap<PartId, i64>,
    causes: Texts,
    names: Texts,
}

impl Columns<'_> {
    fn row(&mut self, row: &Row) -> RowData {
        let mut intervals = Vec::with_capacity(row.intervals.len() * COLUMNS);
        for interval in &row.intervals {
            if let Some(part) = interval.part.and_then(|part| self.parts.get(&part)) {
                let (kind, cause) = self.kind(interval);
                let (from, length) = (number(interval.from - self.start), number(interval.length()));
                intervals.extend([from, length, kind as i64, *part, cause, interval.ending as i64]);
            }
        }
        let mut spans = Vec::with_capacity(row.spans.len() * 5);
        for span in &row.spans {
            if let Some(part) = self.parts.get(&span.part) {
                let name = self.names.position(span.name.clone());
                let bytes = span.bytes.map_or(-1, number);
                spans.extend([
                    number(span.from - self.start),
                    number(span.to - span.from),
                    name,
                    *part,
                    bytes,
                ]);
            }
        }
        RowData { device: row.device, index: row.index, intervals, spans }
    }

    fn kind(&mut self, interval: &Interval) -> (usize, i64) {
        let kind = match interval.doing {
            Doing::Phase { phase: PhaseName::Prepare, .. } => 0,
            Doing::Phase { phase: PhaseName::Stage, .. } => 1,
            Doing::Phase { phase: PhaseName::Compute, path: Path::Fast } => 2,
            Doing::Phase { phase: PhaseName::Compute, path: Path::Slow } => 3,
            Doing::Phase { phase: PhaseName::Finish, .. } => 4,
            Doing::Drop | Doing::Idle => 5,
            Doing::Synthesis => 6,
            Doing::Wait { phase, cause } => {
                let phase = interlock_strategies::Phase::from(phase).name();
                let text = format!("waits for {phase}: {cause}");
                return (KINDS.len() + cause.index(), self.causes.position(text));
            }
        };
        (kind, -1)
    }
}

/// Times and bytes beyond 2^63 do not come from anywhere.
fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

impl<'a> Data<'a> {
    pub(crate) fn new(model: &'a Model) -> Self {
        let intervals = || model.rows().flat_map(|row| &row.intervals);
        let order: BTreeSet<PartId> = intervals().filter_map(|interval| interval.part).collect();
        let parts = order.iter().map(|id| {
            let story = model.parts.get(id);
            Part {
                name: crate::cause::Name(*id).to_string(),
                fallbacks: story.map_or(0, |story| story.fallbacks),
                revoked: story.map_or(0, |story| story.revoked),
                set_aside: story.map_or(0, |story| story.set_aside),
                failures: story.map_or(&[][..], |story| story.failures.as_slice()),
            }
        });
        let parts: Vec<_> = parts.collect();
        let positions = order.into_iter().zip(0..).collect();
        let mut columns = Columns {
            start: model.start,
            parts: &positions,
            causes: Texts::default(),
            names: Texts::default(),
        };
        let rows = model.rows().map(|row| columns.row(row)).collect();
        let devices = model.header.devices.iter().zip(&model.memory).map(|(info, points)| DeviceData {
            name: &info.name,
            budget: info.budget,
            memory: points
                .iter()
                .flat_map(|point| [point.t - model.start, point.bytes, point.reserved, point.budget])
                .collect(),
        });
        let waits = Cause::NAMES.iter().map(|name| format!("wait-{name}"));
        Self {
            wall: model.wall(),
            kinds: KINDS.iter().map(|kind| (*kind).to_owned()).chain(waits).collect(),
            endings: Ending::NAMES,
            parts,
            causes: columns.causes.list,
            names: columns.names.list,
            rows,
            devices: devices.collect(),
        }
    }
}
