//! The two free constants of the published machine, found from two rows alone.
//!
//! Narrow's time grows with the contention, which slows the first syntheses; whole's, beyond that, with what a call has
//! besides its kernels, which its lock covers and narrow's does not. So each is bisected on its own row, in turns, until
//! both stand still.

use crate::error::Error;
use crate::machine::Machine;
use crate::published::{Role, Row, Rows};

/// The greatest contention that is tried, in parts per million.
const MOST_CONTENTION: u64 = 100_000;
/// The longest rest of a call that is tried, in microseconds.
const MOST_REST: u64 = 5_000_000;
/// Rests are found in these steps, in microseconds.
const STEP: u64 = 1_000;
const ROUNDS: usize = 16;

/// The free constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Free {
    /// How much slower a task of the CPU gets by each other one, in parts per million.
    pub contention: u64,
    /// What a call has besides, in microseconds, a multiple of 1000.
    pub rest: u64,
}

/// Finds the free constants of a machine, whatever they are in its file.
///
/// # Errors
/// A row cannot be simulated, or no value gives its figure.
pub fn fit(rows: &Rows, machine: &Machine) -> Result<Free, Error> {
    let row = |interlock: &str| -> Result<&Row, Error> {
        let found = rows.rows.iter().find(|row| row.role == Role::Fit && row.interlock == interlock);
        found.ok_or_else(|| {
            Error::value("published", "row", format!("no row of {interlock} is to be fitted on"))
        })
    };
    let (whole, narrow) = (row("whole")?, row("narrow")?);
    let mut free = Free { contention: 0, rest: 0 };
    for _ in 0..ROUNDS {
        let rest = free.rest;
        let contention = solve(rows, narrow, "cpu.contention", MOST_CONTENTION, |contention| {
            with(machine, Free { contention, rest })
        })?;
        let steps = solve(rows, whole, "finish: fitted seconds", MOST_REST / STEP, |steps| {
            with(machine, Free { contention, rest: steps * STEP })
        })?;
        let next = Free { contention, rest: steps * STEP };
        if next == free {
            return Ok(free);
        }
        free = next;
    }
    Ok(free)
}

/// The machine with these constants.
pub fn with(machine: &Machine, free: Free) -> Machine {
    let mut machine = machine.clone();
    machine.set_free(free.contention, free.rest);
    machine
}

/// The value from 0 to `most` with which a row comes nearest to its figure; its time grows with the value.
fn solve(
    rows: &Rows,
    row: &Row,
    constant: &'static str,
    most: u64,
    with: impl Fn(u64) -> Machine,
) -> Result<u64, Error> {
    let published = row.published.unwrap_or(0.0);
    let seconds = |value: u64| Ok::<f64, Error>(rows.simulate(&with(value), row)?.seconds_per_proof());
    let (least, greatest) = (seconds(0)?, seconds(most)?);
    if !(least..=greatest).contains(&published) {
        return Err(Error::Fit { constant, row: row.name.clone(), published, least, most: greatest });
    }
    let (mut low, mut high) = (0, most);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if seconds(middle)? <= published { low = middle } else { high = middle }
    }
    let off = |value: u64| Ok::<f64, Error>((seconds(value)? - published).abs());
    Ok(if off(high)? < off(low)? { high } else { low })
}
