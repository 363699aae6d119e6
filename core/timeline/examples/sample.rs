//! Writes a page to look at: `cargo run -p interlock-timeline --example sample -- OUT.html [STRATEGY] [JOBS]`.
//! Beside it: the timeline (`.ndjson`) and a trace for Perfetto (`.json`).

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use interlock_strategies::stock;
use interlock_timeline::{Model, Reader, Summary, html, perfetto};
use sample::Scenario;

#[path = "../tests/sample/mod.rs"]
mod sample;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let out: PathBuf = arguments.next().ok_or("give a file for the page")?.into();
    let name = arguments.next().unwrap_or_else(|| stock::LEDGER.to_owned());
    let strategy = stock::ALL.iter().find(|strategy| strategy.name == name).ok_or("no such strategy")?;
    let scenario = match arguments.next() {
        Some(jobs) => Scenario::many(strategy.name, jobs.parse()?),
        None => Scenario::with_faults(strategy.name),
    };
    let lines = scenario.run();
    let model = Model::read(Reader::new(lines.as_slice())?)?;
    fs::write(out.with_extension("ndjson"), &lines)?;
    let mut trace = BufWriter::new(File::create(out.with_extension("json"))?);
    perfetto::write(&model, &mut trace)?;
    trace.flush()?;
    fs::write(&out, html::page(&model)?)?;
    write!(std::io::stdout(), "{}", Summary::new(&model))?;
    Ok(())
}
