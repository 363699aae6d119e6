//! `docs/peers.svg`: time and memory of a whole proof against the size of its circuit.
//!
//! Colours tell provers apart (Okabe and Ito's, which the colour-blind can tell apart, too), dashes tell curves. The picture
//! has a background of its own, so that it reads alike on light and dark pages.

use std::fmt::Write;

use anyhow::{Context, Result};

use super::figures::{curve_name, mebibytes, seconds};
use super::plan::Kind;
use super::results::Results;
use super::scale::{LogScale, apart, step_above, step_below, ticks};
use super::series::{self, Point, Series};
use super::stats::Spread;
use crate::fixtures::Curve;

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 800.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 784.0;
/// Top and bottom of the two panels.
const TIME: (f64, f64) = (104.0, 478.0);
const MEMORY: (f64, f64) = (532.0, 742.0);
/// Between the lines of labels.
const LABEL_GAP: f64 = 16.0;
const MIB: f64 = 1_048_576.0;

/// The picture, or nothing when no series was measured.
pub(super) fn draw(results: &Results) -> Result<Option<String>> {
    let series = series::all(results)?;
    let points = || series.iter().flat_map(|series| &series.points);
    if points().next().is_none() {
        return Ok(None);
    }
    let sizes = Spread::of(points().map(|point| point.size))?;
    // One size alone still needs an axis.
    let x = LogScale { values: (sizes.min / 1.15, sizes.max * 1.15), places: (LEFT, RIGHT) };
    let times = (
        step_below(Spread::of(points().map(|point| point.time.min))?.min),
        step_above(Spread::of(points().map(|point| point.time.max))?.max),
    );
    let memory = Spread::of(points().map(|point| point.memory))?;
    let memory = (2_f64.powf(memory.min.log2().floor()), 2_f64.powf(memory.max.log2().ceil() + 0.01));
    let time_axis = LogScale { values: times, places: (TIME.1, TIME.0) };
    let memory_axis = LogScale { values: memory, places: (MEMORY.1, MEMORY.0) };

    let mut out = String::new();
    head(&mut out, results)?;
    panel(&mut out, "time of the whole process", TIME)?;
    for (value, power) in ticks(times.0, times.1) {
        grid(&mut out, time_axis.at(value), power.then(|| seconds(value)))?;
    }
    panel(&mut out, "peak memory of the process", MEMORY)?;
    let mut value = memory.0;
    while value <= memory.1 {
        grid(&mut out, memory_axis.at(value), (value.log2() as i64 % 2 == 0).then(|| mebibytes(value)))?;
        value *= 2.0;
    }
    bottom(&mut out, &x, points().map(|point| point.size))?;
    lines(&mut out, &series, &x, &time_axis, TIME, &|point| (point.time.median, seconds(point.time.median)))?;
    lines(&mut out, &series, &x, &memory_axis, MEMORY, &|point| (point.memory, mebibytes(point.memory)))?;
    out.push_str("</svg>\n");
    Ok(Some(out))
}

fn head(out: &mut String, results: &Results) -> Result<()> {
    let machine = &results.machine;
    let dates: Vec<&str> = results
        .measured
        .iter()
        .filter(|measured| measured.comparison.kind == Kind::Sizes)
        .map(|measured| measured.date.as_str())
        .collect();
    let date = dates.iter().max().copied().unwrap_or_default();
    let pairs = results.measured.iter().filter(|m| m.comparison.kind == Kind::Sizes).map(|m| m.samples.len());
    let (fewest, most) = (pairs.clone().min().unwrap_or(0), pairs.max().unwrap_or(0));
    let pairs = if fewest == most { format!("{most}") } else { format!("{fewest} to {most}") };
    let memory = machine.memory_bytes as f64 / MIB / 1024.0;
    let title = "One Groth16 proof from files: time and memory against circuit size";
    let under =
        format!("{}, {memory:.1} GiB · {date} · medians of {pairs} interleaved runs", machine.short());
    writeln!(
        out,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" aria-labelledby="title desc" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif">
<title id="title">{title}</title>
<desc id="desc">Two panels over the number of rows of the circuit's domain, both axes logarithmic: the time of the whole process above, its peak memory below. One line per prover and curve. {}. The figures are in docs/performance.md.</desc>
<style>
.label {{ font-size: 13px }}
.tick {{ font-size: 12px; fill: #57606a }}
.name {{ font-size: 13px; fill: #24292f; font-weight: 600 }}
</style>
<rect x="0.5" y="0.5" width="{}" height="{}" rx="6" fill="#ffffff" stroke="#d0d7de"/>
<text x="24" y="36" font-size="19" font-weight="600" fill="#1f2328">{title}</text>
<text x="24" y="59" font-size="13" fill="#57606a">{}</text>"##,
        escaped(&under),
        WIDTH - 1.0,
        HEIGHT - 1.0,
        escaped(&under),
    )?;
    Ok(())
}

fn panel(out: &mut String, name: &str, (top, bottom): (f64, f64)) -> Result<()> {
    writeln!(out, r##"<text x="24" y="{}" class="name">{name}</text>"##, top - 14.0)?;
    let (width, height) = (RIGHT - LEFT, bottom - top);
    writeln!(
        out,
        r##"<rect x="{LEFT}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#d0d7de"/>"##
    )?;
    Ok(())
}

/// A horizontal line, stronger when it is labelled.
fn grid(out: &mut String, y: f64, label: Option<String>) -> Result<()> {
    let colour = if label.is_some() { "#d0d7de" } else { "#eff2f5" };
    writeln!(out, r##"<path d="M{LEFT} {y:.1}H{RIGHT}" stroke="{colour}"/>"##)?;
    if let Some(label) = label {
        let (x, y) = (LEFT - 8.0, y + 4.0);
        writeln!(out, r##"<text x="{x}" y="{y:.1}" text-anchor="end" class="tick">{label}</text>"##)?;
    }
    Ok(())
}

/// The sizes, under both panels.
fn bottom(out: &mut String, x: &LogScale, sizes: impl Iterator<Item = f64>) -> Result<()> {
    let mut exponents: Vec<u32> = sizes.map(|size| size.log2().round() as u32).collect();
    exponents.sort_unstable();
    exponents.dedup();
    for exponent in exponents {
        let at = x.at(f64::from(exponent).exp2());
        for (top, bottom) in [TIME, MEMORY] {
            writeln!(out, r##"<path d="M{at:.1} {top}V{bottom}" stroke="#eff2f5"/>"##)?;
            writeln!(
                out,
                r##"<text x="{at:.1}" y="{}" text-anchor="middle" class="tick">2<tspan dy="-5" font-size="9">{exponent}</tspan></text>"##,
                bottom + 18.0
            )?;
        }
    }
    let (middle, y) = ((LEFT + RIGHT) / 2.0, MEMORY.1 + 40.0);
    writeln!(
        out,
        r##"<text x="{middle}" y="{y}" text-anchor="middle" class="tick">rows of the circuit's domain (SHA-256, the domain full)</text>"##
    )?;
    Ok(())
}

fn lines(
    out: &mut String,
    series: &[Series],
    x: &LogScale,
    y: &LogScale,
    (top, bottom): (f64, f64),
    value: &dyn Fn(&Point) -> (f64, String),
) -> Result<()> {
    let ends: Vec<(f64, f64)> = series
        .iter()
        .map(|series| {
            let last = series.points.last().context("an empty series")?;
            Ok((x.at(last.size), y.at(value(last).0)))
        })
        .collect::<Result<_>>()?;
    let places = apart(&ends.iter().map(|end| end.1).collect::<Vec<_>>(), LABEL_GAP, top, bottom);
    // Peers first: ours lies above them.
    for series in series.iter().rev() {
        let at: Vec<(f64, f64)> =
            series.points.iter().map(|point| (x.at(point.size), y.at(value(point).0))).collect();
        let path: Vec<String> = at.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        let (colour, width) = (series.colour, series.width);
        let dash = if series.curve == Curve::Bn254 { "" } else { r##" stroke-dasharray="7 4""## };
        writeln!(
            out,
            r##"<path d="M{}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"{dash}/>"##,
            path.join("L")
        )?;
        for (point, (x, y)) in series.points.iter().zip(at) {
            // White inside for the dashed curve: the dots tell them apart, too.
            let fill = if series.curve == Curve::Bn254 { colour } else { "#ffffff" };
            writeln!(
                out,
                r##"<circle cx="{x:.1}" cy="{y:.1}" r="{}" fill="{fill}" stroke="{colour}" stroke-width="1.5"><title>{} on {}, 2^{:.0}: {}</title></circle>"##,
                width.mul_add(0.5, 1.9),
                series.name,
                curve_name(series.curve),
                point.size.log2(),
                value(point).1,
            )?;
        }
    }
    for (series, (end, place)) in series.iter().zip(ends.iter().zip(places)) {
        let (from, to) = (RIGHT + 4.0, RIGHT + 22.0);
        let colour = series.colour;
        writeln!(
            out,
            r##"<path d="M{:.1} {:.1}L{from} {:.1}L{to} {place:.1}" fill="none" stroke="{colour}" stroke-width="0.8" opacity="0.6"/>"##,
            end.0 + 5.0,
            end.1,
            end.1,
        )?;
        let weight = if series.width > 2.0 { 700 } else { 500 };
        writeln!(
            out,
            r##"<text x="{}" y="{:.1}" class="label" font-weight="{weight}" fill="{colour}">{} · {}</text>"##,
            to + 5.0,
            place + 4.5,
            series.name,
            curve_name(series.curve),
        )?;
    }
    Ok(())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_break_the_picture() {
        assert_eq!(escaped("a<b & c>"), "a&lt;b &amp; c&gt;");
    }
}
