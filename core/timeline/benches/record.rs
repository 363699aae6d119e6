//! What recording costs: microseconds of [`Writer`] for each record, to be compared with what a proof takes.
//!
//! `cargo bench -p interlock-timeline --bench record`; a quiet machine, some seconds. The records are those of jobs of four
//! partitions on three workers with the strategy `ledger`, in the mix in which a scheduler makes them. They are spelled into
//! nothing, and into a file of the folder for temporary files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::time::Instant;

use interlock_strategies::stock;
use interlock_timeline::{Header, Record, What, Writer};
use sample::Scenario;

#[path = "../tests/sample/mod.rs"]
mod sample;

const JOBS: u64 = 2_000;
const PARTITIONS: u64 = 4 * JOBS;
const RUNS: usize = 7;

#[allow(clippy::print_stdout, reason = "the result of a measurement")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (header, records) = Scenario::many(stock::LEDGER, JOBS).records();
    let mut counted = Counted::default();
    write(&header, &records, &mut counted)?;
    let count = records.len() as u64;
    println!(
        "{count} records of {PARTITIONS} partitions: {:.1} records and {:.0} bytes for each partition",
        count as f64 / PARTITIONS as f64,
        counted.bytes as f64 / PARTITIONS as f64
    );

    let path = std::env::temp_dir().join(format!("interlock-record-{}.ndjson", std::process::id()));
    let spelled = median(|| write(&header, &records, io::sink()))?;
    let written = median(|| write(&header, &records, File::create(&path)?))?;
    std::fs::remove_file(&path)?;
    for (what, seconds) in [("into nothing", spelled), ("into a file", written)] {
        println!(
            "{what}: {:.3} µs for each record, {:.2} µs for each partition",
            1e6 * seconds / count as f64,
            1e6 * seconds / PARTITIONS as f64
        );
    }

    let mut kinds: BTreeMap<String, Vec<Record>> = BTreeMap::new();
    for record in records {
        kinds.entry(kind(&record)).or_default().push(record);
    }
    println!("{:<18}{:>10}{:>12}", "kind", "records", "µs each");
    for (kind, records) in kinds {
        let seconds = median(|| write(&header, &records, io::sink()))?;
        println!("{kind:<18}{:>10}{:>12.3}", records.len(), 1e6 * seconds / records.len() as f64);
    }
    Ok(())
}

fn write(header: &Header, records: &[Record], out: impl Write) -> io::Result<()> {
    let mut writer = Writer::new(out, header).map_err(io::Error::other)?;
    for record in records {
        writer.record(record).map_err(io::Error::other)?;
    }
    writer.flush().map_err(io::Error::other)
}

/// Seconds, the median of several runs.
fn median(mut work: impl FnMut() -> io::Result<()>) -> io::Result<f64> {
    let mut seconds = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        work()?;
        seconds.push(start.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    Ok(seconds[RUNS / 2])
}

/// `event: ended`, `action: run`, `span`, `memory`.
fn kind(record: &Record) -> String {
    let text = serde_json::to_value(record).unwrap_or_default();
    let named = ["event", "action"].iter().find_map(|field| Some((field, text[field].as_str()?)));
    match (&record.what, named) {
        (What::Span(_), _) => "span".to_owned(),
        (What::Memory(_), _) => "memory".to_owned(),
        (_, Some((field, name))) => format!("{field}: {name}"),
        _ => "other".to_owned(),
    }
}

#[derive(Default)]
struct Counted {
    bytes: u64,
}

impl Write for &mut Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
