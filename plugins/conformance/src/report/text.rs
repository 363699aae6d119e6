//! A report for a person.

use std::fmt::Write as _;

use super::Report;

/// Failed rows that are shown in full; a backend of which more fail has a cause that the first ones show.
const SHOWN: usize = 40;

pub(super) fn report(report: &Report) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write(report, &mut out);
    out
}

fn write(report: &Report, out: &mut String) -> std::fmt::Result {
    if let Some(subject) = &report.subject {
        writeln!(
            out,
            "backend  {} {}, ABI {} ({})",
            subject.name, subject.version, subject.abi, subject.origin
        )?;
        if let Some(sha256) = &subject.sha256 {
            writeln!(out, "sha256   {sha256}")?;
        }
        let uuid = if subject.uuid.is_empty() { String::new() } else { format!(", {}", subject.uuid) };
        writeln!(out, "device   {}: {}{uuid} ({})", subject.device_index, subject.device, subject.driver)?;
        if !subject.not_offered.is_empty() {
            writeln!(out, "without  {}", subject.not_offered.join(", "))?;
        }
    } else if let Some((path, sha256)) = &report.file {
        writeln!(out, "file     {path}\nsha256   {sha256}")?;
    }
    writeln!(out, "level    {}, seed {}", report.level.name(), report.seed)?;
    if let Some(reason) = &report.refused {
        writeln!(out, "\nREFUSED  {reason}")?;
    }
    for row in report.failed.iter().take(SHOWN) {
        let word = if row.expected_because.is_some() { "expected" } else { "FAILED" };
        writeln!(out, "\n{word}   {} (seed {})", row.id, row.id.seed)?;
        let failure = &row.failure;
        writeln!(
            out,
            "  input     {}\n  expected  {}\n  got       {}",
            failure.input, failure.expected, failure.got
        )?;
        if let Some(reason) = &row.expected_because {
            writeln!(out, "  known     {reason}")?;
        }
    }
    if let Some(more) = report.failed.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        writeln!(out, "\nand {more} more rows that failed; --json has them all")?;
    }
    for id in &report.passed_unexpectedly {
        writeln!(out, "\nPASSED   {id}, although it is expected to fail: take it out of the table")?;
    }
    for ended in &report.ended {
        let place = ended
            .row
            .as_ref()
            .map_or_else(|| "while it was being loaded".to_owned(), |id| format!("in {id}"));
        writeln!(out, "\nENDED    {place}: {}", ended.how)?;
        for line in ended.stderr.lines() {
            writeln!(out, "  | {line}")?;
        }
    }
    let counts = &report.counts;
    write!(out, "\n{} rows passed, {} failed", counts.passed, counts.failed)?;
    for (count, what) in [
        (counts.failed_as_expected, "failed as expected"),
        (counts.passed_unexpectedly, "passed unexpectedly"),
        (counts.not_offered, "are about operations that it does not offer"),
    ] {
        if count > 0 {
            write!(out, ", {count} {what}")?;
        }
    }
    writeln!(out, "; {:.1} s", report.seconds)?;
    let verdict =
        if report.conforms { "It conforms, as far as these rows go." } else { "It does not conform." };
    writeln!(out, "{verdict}")
}
