//! Announcing what runs and how long it took.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// Runs one step: its name first, its time after.
pub(crate) fn step<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    eprintln!("==> {name}");
    let start = Instant::now();
    let value = work().with_context(|| format!("step \"{name}\""))?;
    eprintln!("    {name}: {}", shown(start.elapsed()));
    Ok(value)
}

/// A time for a person: three digits are enough.
pub(crate) fn shown(time: Duration) -> String {
    // What is shown is rounded before its unit is chosen: 119.7 s are 2 min, not "1 min 60 s".
    match time.as_millis() {
        ms if ms < 1000 => format!("{ms} ms"),
        ms if ms < 99_950 => format!("{:.1} s", time.as_secs_f64()),
        ms => {
            let seconds = (ms + 500) / 1000;
            format!("{} min {:02} s", seconds / 60, seconds % 60)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_well() {
        assert_eq!(shown(Duration::from_millis(41)), "41 ms");
        assert_eq!(shown(Duration::from_millis(4140)), "4.1 s");
        assert_eq!(shown(Duration::from_secs(125)), "2 min 05 s");
        assert_eq!(shown(Duration::from_millis(239_700)), "4 min 00 s");
        assert_eq!(shown(Duration::from_micros(999_900)), "999 ms");
        assert_eq!(shown(Duration::from_millis(99_949)), "99.9 s");
    }
}
