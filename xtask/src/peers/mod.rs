//! Interlock against other provers, in one run: `cargo xtask bench-peers`.
//!
//! A *comparison* is one of our programs and one of a peer's on the same circuit and witness (or points and scalars).
//! After a run of each that is not counted, both run in turn, and who begins alternates. A pair of runs gives a ratio of
//! times; what is reported is the median of the ratios, with the smallest and the largest.
//!
//! | module | holds |
//! |---|---|
//! | [`options`] | the arguments |
//! | [`plan`] | which comparisons there are |
//! | [`prepare`] | programs, circuits, keys and points, made once and kept in `target/peers` |
//! | [`invoke`] | the command lines |
//! | [`child`] | a process that runs to its end; its time and peak memory; the CPUs it may use |
//! | [`resident`] | a process that has everything loaded and works when told |
//! | [`measure`] | pairs in turn |
//! | [`machine`] | what the figures belong to |
//! | [`results`] | every sample, as JSON |
//! | [`stats`] | medians and ratios |
//! | [`table`] | `docs/performance.md`, from the JSON |
//! | [`svg`], [`series`], [`scale`] | `docs/peers.svg`, from the JSON |
//! | [`figures`] | figures and names as they are shown |

mod child;
mod figures;
mod invoke;
mod machine;
mod measure;
mod options;
mod plan;
mod prepare;
mod resident;
mod results;
mod scale;
mod series;
mod stats;
mod svg;
mod table;

use std::fs;

use anyhow::{Context, Result, ensure};

use crate::paths;
use crate::step::step;
use machine::Machine;
use options::Options;
use results::Results;

/// Measures, or renders what was measured.
pub(crate) fn run(args: &[&str]) -> Result<()> {
    let options = Options::parse(args)?;
    if options.render {
        return render(&Results::read()?);
    }
    let comparisons = plan::all(&options)?;
    ensure!(!comparisons.is_empty(), "no comparison has such a name; `--list` shows them");
    if options.list {
        comparisons
            .iter()
            .for_each(|comparison| println!("{:3} pairs  {}", comparison.pairs, comparison.name()));
        return Ok(());
    }
    // Before hours are spent on what could not be written.
    table::inserted(&log()?, "")?;
    let shop = prepare::Shop::open(!options.no_build)?;
    for comparison in &comparisons {
        shop.inputs(comparison)?;
    }
    // Only now: what was prepared could use the whole machine. Every process started from here on inherits it.
    let threads = child::bind(options.threads)?;
    let machine = Machine::look(threads)?;
    let mut results = Results::begin(machine, options.add)?;
    for comparison in &comparisons {
        let measured = step(&comparison.name(), || measure::compare(&shop, comparison, threads))?;
        println!("    {}", measured.summary()?);
        results.put(measured)?;
    }
    render(&results)
}

/// The performance log.
const LOG: &str = "docs/performance.md";

fn log() -> Result<String> {
    fs::read_to_string(paths::at(LOG)).context(LOG)
}

/// Writes the generated part of the performance log, and the picture.
fn render(results: &Results) -> Result<()> {
    let text = table::inserted(&log()?, &table::section(results)?)?;
    let log = paths::at(LOG);
    fs::write(&log, text).with_context(|| paths::shown(&log))?;
    println!("wrote {}", paths::shown(&log));
    let picture = paths::at("docs/peers.svg");
    match svg::draw(results)? {
        Some(text) => {
            fs::write(&picture, text).with_context(|| paths::shown(&picture))?;
            println!("wrote {}", paths::shown(&picture));
        }
        None => println!("no picture: the series over sizes was not measured"),
    }
    Ok(())
}
