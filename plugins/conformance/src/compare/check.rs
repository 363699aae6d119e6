//! That a case is one: it may come from a file that somebody sent.

use super::case::{Case, GroupName, Operation};

/// log2 of the largest domain of a case.
const MOST_LOG: u32 = 24;
/// Rows of the largest circuit.
const MOST_CONSTRAINTS: u32 = 1 << 22;
/// Scalars, points, entries of a case: its text then has some GiB.
const MOST: usize = 1 << 24;

impl Case {
    /// Checks lengths against each other and against bounds, so that nothing is sized by what was not looked at. Values are
    /// the backend's matter.
    ///
    /// # Errors
    /// What is wrong, where.
    pub fn check(&self) -> Result<(), String> {
        let scalars = |what: &str, bytes: usize| {
            if !bytes.is_multiple_of(32) {
                return Err(format!("{what}: {bytes} bytes are no whole number of 32-byte scalars"));
            }
            bounded(what, bytes / 32)
        };
        let one = |what: &str, bytes: usize| match bytes {
            32 => Ok(()),
            _ => Err(format!("{what}: {bytes} bytes, a scalar has 32")),
        };
        let same = |what: &str, found: usize, wanted: usize| match found == wanted {
            true => Ok(()),
            false => Err(format!("{what}: {found} scalars, {wanted} are needed")),
        };
        match &self.operation {
            Operation::Transfer { scalars: data, .. } => scalars("scalars", data.0.len()).map(drop),
            Operation::Ntt { log_size, generator, shift, data, .. } => {
                one("generator", generator.0.len())?;
                one("shift", shift.0.len())?;
                if *log_size > MOST_LOG {
                    return Err(format!("log_size: {log_size}, the most is {MOST_LOG}"));
                }
                same("data", scalars("data", data.0.len())?, 1 << log_size)
            }
            Operation::Pointwise { dst, a, b } => {
                let n = scalars("a", a.0.len())?;
                same("b", scalars("b", b.0.len())?, n)?;
                match dst {
                    Some(dst) => same("dst", scalars("dst", dst.0.len())?, n),
                    None => Ok(()),
                }
            }
            Operation::Scale { data, factor, .. } => {
                one("factor", factor.0.len())?;
                scalars("data", data.0.len()).map(drop)
            }
            Operation::Spmv { row_offsets, columns, values, x } => {
                let (entries, cols) = (scalars("values", values.0.len())?, scalars("x", x.0.len())?);
                bounded("row_offsets", row_offsets.len())?;
                same("columns", columns.len(), entries)?;
                let whole = row_offsets.first() == Some(&0)
                    && row_offsets.is_sorted()
                    && row_offsets.last() == Some(&(entries as u64));
                if !whole {
                    return Err(format!(
                        "row_offsets: they must ascend from 0 to {entries}, the number of entries"
                    ));
                }
                match columns.iter().position(|column| *column as usize >= cols) {
                    Some(at) => Err(format!("columns[{at}]: {}, x has {cols} scalars", columns[at])),
                    None => Ok(()),
                }
            }
            Operation::Msm { group, points, index, scalars: data, .. } => {
                let n = scalars("scalars", data.0.len())?;
                let size = match group {
                    GroupName::G1 => self.curve.g1_bytes(),
                    GroupName::G2 => self.curve.g2_bytes(),
                };
                if !points.0.len().is_multiple_of(size) {
                    return Err(format!(
                        "points: {} bytes are no whole number of points of {size}",
                        points.0.len()
                    ));
                }
                let count = bounded("points", points.0.len() / size)?;
                let Some(index) = index else {
                    return match count <= n {
                        true => Ok(()),
                        false => Err(format!("points: {count} for {n} scalars")),
                    };
                };
                same("index", index.len(), count)?;
                if !index.is_sorted_by(|a, b| a < b) {
                    return Err("index: it must ascend strictly".into());
                }
                match index.last() {
                    Some(last) if *last as usize >= n => Err(format!("index: {last}, there are {n} scalars")),
                    _ => Ok(()),
                }
            }
            Operation::Files { .. } => Ok(()),
            Operation::Proof { constraints, .. } => match constraints {
                1..=MOST_CONSTRAINTS => Ok(()),
                _ => Err(format!("constraints: {constraints}, from 1 to {MOST_CONSTRAINTS} are possible")),
            },
        }
    }
}

fn bounded(what: &str, count: usize) -> Result<usize, String> {
    if count > MOST { Err(format!("{what}: {count}, the most is {MOST}")) } else { Ok(count) }
}
