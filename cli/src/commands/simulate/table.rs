//! Tables of several columns.

use std::fmt::Write as _;

use crate::output::clean;

/// Lines of columns, each as wide as its widest cell; the first is aligned to the left, the others to the right.
pub(super) fn columns(heads: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([heads[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let mut out = String::new();
    let heads: Vec<String> = heads.iter().map(|head| (*head).to_owned()).collect();
    for row in std::iter::once(&heads).chain(rows) {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let _ = match column {
                0 => write!(line, "{:width$}", clean::value(cell)),
                _ => write!(line, "  {:>width$}", clean::value(cell)),
            };
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// Seconds with one decimal.
pub(super) fn seconds(value: f64) -> String {
    format!("{value:.1}")
}

/// `+6.4 %`.
pub(super) fn signed(share: f64) -> String {
    // No `-0.0 %`.
    let rounded = (share * 1000.0).round() / 10.0 + 0.0;
    format!("{rounded:+.1} %")
}

/// `97.6 %`.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables() {
        let rows = vec![vec!["a".to_owned(), "1.0".to_owned()], vec!["longer".to_owned(), "-".to_owned()]];
        assert_eq!(columns(&["row", "value"], &rows), "row     value\na         1.0\nlonger      -\n");
        assert_eq!([0.0643, -0.0004, -0.15].map(signed), ["+6.4 %", "+0.0 %", "-15.0 %"]);
    }
}
