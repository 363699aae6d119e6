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
    let seconds = time.as_secs_f64();
    match seconds {
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 100.0 => format!("{s:.1} s"),
        s => format!("{:.0} min {:02.0} s", (s / 60.0).floor(), s % 60.0),
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
    }
}
