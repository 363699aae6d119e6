//! Times and bytes, for people.

use std::fmt;

/// Microseconds, in the unit that suits them: `250 µs`, `12.5 ms`, `3.25 s`, `2 min 05 s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Micros(pub u64);

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let us = self.0;
        match us {
            0..1_000 => write!(f, "{us} µs"),
            1_000..1_000_000 => write!(f, "{:.1} ms", us as f64 / 1e3),
            1_000_000..120_000_000 => write!(f, "{:.2} s", us as f64 / 1e6),
            120_000_000..7_200_000_000 => {
                write!(f, "{} min {:02} s", us / 60_000_000, us / 1_000_000 % 60)
            }
            _ => write!(f, "{} h {:02} min", us / 3_600_000_000, us / 60_000_000 % 60),
        }
    }
}

/// Bytes, in the unit that suits them: `512 B`, `1.5 MiB`, `12.0 GiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
        if self.0 < 1024 {
            return write!(f, "{} B", self.0);
        }
        let mut value = self.0 as f64 / 1024.0;
        let mut unit = 0;
        // What rounds to 1024 is 1.0 of the next unit.
        while value >= 1023.95 && unit + 1 < UNITS.len() {
            value /= 1024.0;
            unit += 1;
        }
        write!(f, "{value:.1} {}", UNITS[unit])
    }
}

#[cfg(test)]
mod tests {
    use super::{Bytes, Micros};

    #[test]
    fn units_suit() {
        let times = [0, 999, 1_000, 12_540, 999_000, 3_250_000, 125_000_000, 7_500_000_000].map(Micros);
        let times = times.map(|time| time.to_string());
        assert_eq!(
            times,
            ["0 µs", "999 µs", "1.0 ms", "12.5 ms", "999.0 ms", "3.25 s", "2 min 05 s", "2 h 05 min"]
        );
        let bytes = [512, 1024, 3 << 19, (1 << 20) - 1, 12 << 30, 3 << 50].map(Bytes);
        let bytes = bytes.map(|bytes| bytes.to_string());
        assert_eq!(bytes, ["512 B", "1.0 KiB", "1.5 MiB", "1.0 MiB", "12.0 GiB", "3072.0 TiB"]);
    }
}
