//! The report as text.
//!
//! Times from a second on have one decimal (`32.1s`), shorter ones are in milliseconds (`812ms`), with one decimal below 100
//! (`17.3ms`). `prove` and `queue` of a job are always in milliseconds (`41381 ms`), by the same rule for the decimal.

use std::fmt;

use super::{Report, Spread};
use crate::table::plain;

/// Microseconds as milliseconds, without the unit.
struct Millis(u64);

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("0"),
            // What rounds to 100.0 has no decimal.
            us @ ..99_950 => write!(f, "{:.1}", us as f64 / 1e3),
            us => write!(f, "{:.0}", us as f64 / 1e3),
        }
    }
}

/// Microseconds in the report's units.
pub(super) struct Time(pub(super) u64);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            // What rounds to a second is one.
            us @ ..999_500 => write!(f, "{}ms", Millis(us)),
            us => write!(f, "{:.1}s", us as f64 / 1e6),
        }
    }
}

/// A value, or that there is none.
pub(super) fn or_dash(value: Option<impl fmt::Display>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

fn write_spread(f: &mut fmt::Formatter<'_>, label: &str, spread: Option<Spread>) -> fmt::Result {
    let shown = |of: fn(Spread) -> u64| or_dash(spread.map(|spread| Time(of(spread))));
    let (avg, min, max) =
        (shown(|spread| spread.avg), shown(|spread| spread.min), shown(|spread| spread.max));
    writeln!(f, "{label:<15}avg={avg} min={min} max={max}")
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "=== Batch Benchmark ===")?;
        writeln!(f, "proof type:  {}", plain(&self.proof_type))?;
        writeln!(f, "count:       {}", self.count)?;
        writeln!(f, "concurrency: {}", self.concurrency)?;
        writeln!(f)?;
        for (index, job) in self.jobs.iter().enumerate() {
            let (word, wall) = (job.outcome.word(), Time(job.wall_us));
            let (prove, queue) = (Millis(job.prove_us), Millis(job.queue_us));
            write!(f, "  [{}/{}] {word} — {wall}", index + 1, self.jobs.len())?;
            write!(f, " (prove={prove} ms, queue={queue} ms)")?;
            match &job.reason {
                Some(reason) => writeln!(f, ": {}", plain(reason))?,
                None => writeln!(f)?,
            }
        }
        if !self.jobs.is_empty() {
            writeln!(f)?;
        }
        writeln!(f, "=== Batch Summary ===")?;
        writeln!(f, "{:<15}{}", "total time:", Time(self.total_us))?;
        writeln!(f, "{:<15}{}", "completed:", self.outcomes.done)?;
        writeln!(f, "{:<15}{}", "failed:", self.outcomes.failed)?;
        let others = [
            ("cancelled:", self.outcomes.cancelled),
            ("rejected:", self.outcomes.rejected),
            ("unfinished:", self.outcomes.open),
        ];
        for (label, count) in others.into_iter().filter(|(_, count)| *count > 0) {
            writeln!(f, "{label:<15}{count}")?;
        }
        write_spread(f, "wall time:", self.wall_us)?;
        write_spread(f, "prove time:", self.prove_us)?;
        let rate = or_dash(self.proofs_per_minute.map(|rate| format!("{rate:.3}")));
        let each = or_dash(self.us_per_proof.map(Time));
        writeln!(f, "{:<15}{rate} proofs/min ({each}/proof)", "throughput:")
    }
}

#[cfg(test)]
mod tests {
    use super::{Millis, Time};

    #[test]
    fn short_times_are_in_milliseconds() {
        let times = [0, 40, 17_340, 99_949, 99_950, 244_499, 812_000, 999_499, 999_500, 32_149_999];
        let shown = times.map(|us| Time(us).to_string());
        let wanted =
            ["0ms", "0.0ms", "17.3ms", "99.9ms", "100ms", "244ms", "812ms", "999ms", "1.0s", "32.1s"];
        assert_eq!(shown, wanted);
        assert_eq!(Time(3_725_400_000).to_string(), "3725.4s");
        let millis = [0, 17_340, 244_400, 999_500, 41_381_000].map(|us| Millis(us).to_string());
        assert_eq!(millis, ["0", "17.3", "244", "1000", "41381"]);
    }
}
