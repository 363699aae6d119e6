//! Numbers and tables for people.

use std::fmt::Write as _;
use std::time::Duration;

use crate::output::clean;

/// Two columns, the first as wide as its widest entry. A value is on one line, whatever it contains.
pub(crate) fn table<L: AsRef<str>>(rows: &[(L, String)]) -> String {
    let width = rows.iter().map(|(label, _)| label.as_ref().chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for (label, value) in rows {
        let _ = writeln!(out, "  {:width$}  {}", label.as_ref(), clean::value(value));
    }
    out
}

/// `12,345,678`.
pub(crate) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1.5 GiB`.
pub(crate) fn bytes(n: u64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if n < 1024 {
        return format!("{n} B");
    }
    let (mut value, mut unit) = (n as f64 / 1024.0, 0);
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", units[unit])
}

/// `123 ms`, `1.23 s`.
pub(crate) fn time(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s >= 10.0 => format!("{s:.1} s"),
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 0.01 => format!("{:.0} ms", s * 1e3),
        s => format!("{:.1} ms", s * 1e3),
    }
}

/// One unit for all times of a report, so that they can be compared at a glance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeUnit {
    /// `12.3 ms`
    Milliseconds,
    /// `1.234 s`
    Seconds,
}

impl TimeUnit {
    /// The unit that suits the longest time of a report.
    pub(crate) fn of(longest: Duration) -> Self {
        if longest < Duration::from_secs(10) { Self::Milliseconds } else { Self::Seconds }
    }

    /// A time in this unit.
    pub(crate) fn show(self, time: Duration) -> String {
        match self {
            Self::Milliseconds => format!("{:.1} ms", time.as_secs_f64() * 1e3),
            Self::Seconds => format!("{:.3} s", time.as_secs_f64()),
        }
    }
}

/// `1 signal`, `2 signals`.
pub(crate) fn plural(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(n), if n == 1 { "" } else { "s" })
}

/// Milliseconds with microseconds, for JSON.
pub(crate) fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// `33.3 %`.
pub(crate) fn share(part: u64, whole: u64) -> String {
    if whole == 0 { "none".into() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0, 1023, 1536, 3 << 30].map(bytes), ["0 B", "1023 B", "1.5 KiB", "3.0 GiB"]);
        assert_eq!(bytes(u64::MAX), "16.0 EiB");
        assert_eq!(time(Duration::from_micros(1234)), "1.2 ms");
        assert_eq!(time(Duration::from_millis(1234)), "1.23 s");
        let (short, long) = (Duration::from_micros(1234), Duration::from_secs(12));
        assert_eq!(TimeUnit::of(short).show(short), "1.2 ms");
        assert_eq!([short, long].map(|time| TimeUnit::of(long).show(time)), ["0.001 s", "12.000 s"]);
        assert_eq!([0, 1, 1000].map(|n| plural(n, "signal")), ["0 signals", "1 signal", "1,000 signals"]);
        assert_eq!(share(1, 3), "33.3 %");
        assert_eq!(share(0, 0), "none");
        assert_eq!(table(&[("a", "1".into()), ("long", "2".into())]), "  a     1\n  long  2\n");
        assert_eq!(table(&[("a", "1\n  b  \x1b[A".into())]), "  a  1   b   [A\n");
    }
}
