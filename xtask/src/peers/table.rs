//! The generated part of `docs/performance.md`.

use std::fmt::Write;

use anyhow::{Context, Result, ensure};

use super::figures::{bytes, curve_name, digits, seconds};
use super::plan::Kind;
use super::results::{Measured, Results};

const BEGIN: &str = "<!-- peers:begin -->";
const END: &str = "<!-- peers:end -->";

/// The log with the text between its two marks replaced.
pub(super) fn inserted(log: &str, section: &str) -> Result<String> {
    let missing = |mark: &str| format!("docs/performance.md has no line {mark}");
    let (before, rest) = log.split_once(BEGIN).with_context(|| missing(BEGIN))?;
    let (_, after) = rest.split_once(END).with_context(|| missing(END))?;
    ensure!(!after.contains(BEGIN) && !after.contains(END), "docs/performance.md has a mark twice");
    Ok(format!("{before}{BEGIN}\n{}\n{END}{after}", section.trim()))
}

/// Everything between the marks.
pub(super) fn section(results: &Results) -> Result<String> {
    let mut out = String::new();
    preamble(&mut out, results)?;
    let of = |kind| results.measured.iter().filter(move |m| m.comparison.kind == kind).collect::<Vec<_>>();
    files(&mut out, &of(Kind::Files))?;
    memory(&mut out, &of(Kind::Memory))?;
    sums(&mut out, &of(Kind::Sum))?;
    sizes(&mut out, &of(Kind::Sizes))?;
    Ok(out)
}

fn preamble(out: &mut String, results: &Results) -> Result<()> {
    let machine = &results.machine;
    let unique = |values: Vec<&str>| {
        let mut values = values;
        values.sort_unstable();
        values.dedup();
        values.join(", ")
    };
    let dates = unique(results.measured.iter().map(|m| m.date.as_str()).collect());
    let commits = unique(results.measured.iter().map(|m| m.commit.as_str()).collect());
    let versions: Vec<String> =
        machine.versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
    writeln!(
        out,
        "*Measured* {dates} at commit {commits}, {} threads for everybody, by `cargo xtask bench-peers`.\n\
         *Machine*: {} ({}), {:.1} GiB, {}, {}, Node.js {}.\n\
         *Peers*: {}. Release builds with thin LTO, for the default CPU.\n",
        machine.threads,
        machine.processor,
        machine.features.join(", "),
        machine.memory_bytes as f64 / f64::from(1 << 30),
        machine.system,
        machine.rustc,
        machine.node,
        versions.join(", "),
    )?;
    Ok(())
}

/// The cells of our seconds, the peer's, and the ratio.
fn times(measured: &Measured) -> Result<String> {
    let (ours, peer, ratio) = (measured.ours()?.median, measured.peer()?.median, measured.ratio()?);
    let words = match ratio.median {
        r if r <= 1.0 => format!("{} × as fast", digits(1.0 / r)),
        r => format!("{} × as long", digits(r)),
    };
    Ok(format!(
        "{} | {} | {}, **{}**, {} ({words})",
        seconds(ours),
        seconds(peer),
        digits(ratio.min),
        digits(ratio.median),
        digits(ratio.max)
    ))
}

/// A table's title, explanation and head.
fn heading(out: &mut String, title: &str, text: &str, columns: &[&str]) -> Result<()> {
    let rule = "---|".repeat(columns.len());
    writeln!(out, "### {title}\n\n{text}\n\n| {} |\n|{rule}", columns.join(" | "))?;
    Ok(())
}

const RATIO: &str = "ours / peer: min, **median**, max";

fn files(out: &mut String, all: &[&Measured]) -> Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    heading(
        out,
        "A whole proof from files",
        "A process reads key and witness, proves and ends: its whole time, and its peak memory with mapped files in it. Ours is\n\
         `interlock prove`, self-check on. snarkjs reads the same files. arkworks and bellperson read their own keys, unchecked,\n\
         and the circuit, whose rows their keys do not hold; they verify their proof, as we do ours. *Bound*: one and a half\n\
         times our key file and six vectors over the domain.",
        &[
            "circuit",
            "curve",
            "peer",
            "pairs",
            "ours",
            "peer",
            RATIO,
            "our peak (bound)",
            "its peak",
            "its reading + proving",
        ],
    )?;
    for measured in all {
        let parts = match (measured.peer_part("load"), measured.peer_part("prove")) {
            (Some(load), Some(prove)) => format!("{} + {}", seconds(load), seconds(prove)),
            _ => "–".into(),
        };
        row(
            out,
            &[
                measured.comparison.input.clone(),
                curve_name(measured.comparison.curve).into(),
                measured.comparison.peer.name().into(),
                measured.samples.len().to_string(),
                times(measured)?,
                format!("{} ({})", bytes(measured.our_peak()), bytes(measured.memory_bound())),
                bytes(measured.peer_peak()),
                parts,
            ],
        )?;
    }
    out.push('\n');
    Ok(())
}

fn memory(out: &mut String, all: &[&Measured]) -> Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    heading(
        out,
        "A proof from memory",
        "Two processes have loaded key and witness, and prove in turn. Ours calls `groth16::Prover` of `interlock-core`, whose key is\n\
         with the CPU backend, loaded from its library; the self-check is in its time. arkworks gets the\n\
         matrices and the assignment ready; bellperson, which has no such call, synthesises the circuit. Neither verifies in its time.",
        &["circuit", "curve", "peer", "pairs", "ours", "peer", RATIO, "of ours: self-check"],
    )?;
    for measured in all {
        let check = measured.our_part("self-check").map_or_else(|| "–".into(), seconds);
        row(
            out,
            &[
                measured.comparison.input.clone(),
                curve_name(measured.comparison.curve).into(),
                measured.comparison.peer.name().into(),
                measured.samples.len().to_string(),
                times(measured)?,
                check,
            ],
        )?;
    }
    out.push('\n');
    Ok(())
}

fn sums(out: &mut String, all: &[&Measured]) -> Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    heading(
        out,
        "Sums of multiples of points",
        "Uniform scalars of BLS12-381, points loaded before, the same sum required of both. Ours is called through the ABI, the\n\
         scalars' upload included; the peer is blst's own Pippenger with its own threads.",
        &["group", "points", "pairs", "ours", "blst", RATIO],
    )?;
    for measured in all {
        let group = measured.comparison.input.split('_').next().unwrap_or_default().to_uppercase();
        let points = format!("2^{}", measured.comparison.log_size);
        row(out, &[group, points, measured.samples.len().to_string(), times(measured)?])?;
    }
    out.push('\n');
    Ok(())
}

fn sizes(out: &mut String, all: &[&Measured]) -> Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    let mut all = all.to_vec();
    all.sort_by_key(|m| (m.comparison.curve, m.comparison.peer, m.comparison.log_size));
    heading(
        out,
        "Against the size of the circuit",
        "As above, from files. The circuits are SHA-256 with as many rounds as fill the domain, made by\n\
         `tests/peers/ours/src/sha256.rs`.\n\n![Time and memory against size](peers.svg)",
        &["curve", "peer", "domain", "pairs", "ours", "peer", RATIO, "our peak (bound)", "its peak"],
    )?;
    for measured in all {
        row(
            out,
            &[
                curve_name(measured.comparison.curve).into(),
                measured.comparison.peer.name().into(),
                format!("2^{}", measured.comparison.log_size),
                measured.samples.len().to_string(),
                times(measured)?,
                format!("{} ({})", bytes(measured.our_peak()), bytes(measured.memory_bound())),
                bytes(measured.peer_peak()),
            ],
        )?;
    }
    Ok(())
}

fn row(out: &mut String, cells: &[String]) -> Result<()> {
    Ok(writeln!(out, "| {} |", cells.join(" | "))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let log = format!("# Log\n{BEGIN}\nold\n{END}\n\n## By hand\n");
        let new = inserted(&log, "\nnew\n\n").unwrap();
        assert_eq!(new, format!("# Log\n{BEGIN}\nnew\n{END}\n\n## By hand\n"));
        assert_eq!(inserted(&new, "new").unwrap(), new);
        assert!(inserted("# Log\n", "new").is_err());
        assert!(inserted(&format!("{BEGIN}{END}{END}"), "new").is_err());
    }
}
