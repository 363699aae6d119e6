//! Figures and names as they are shown.

use crate::fixtures::Curve;

/// A curve as people write it.
pub(super) fn curve_name(curve: Curve) -> &'static str {
    match curve {
        Curve::Bn254 => "BN254",
        Curve::Bls12_381 => "BLS12-381",
    }
}

/// A time in two or three digits.
pub(super) fn seconds(value: f64) -> String {
    match value {
        v if v < 0.00995 => format!("{:.1} ms", v * 1e3),
        v if v < 0.9995 => format!("{:.0} ms", v * 1e3),
        v if v < 9.995 => short(v, 2, "s"),
        v if v < 99.95 => short(v, 1, "s"),
        v => format!("{v:.0} s"),
    }
}

/// Memory in two or three digits.
pub(super) fn mebibytes(value: f64) -> String {
    match value {
        v if v < 1000.0 => format!("{v:.0} MiB"),
        v => short(v / 1024.0, 1, "GiB"),
    }
}

/// Without the zeros of a whole number.
fn short(value: f64, digits: usize, unit: &str) -> String {
    let digits = if (value - value.round()).abs() < 1e-6 { 0 } else { digits };
    format!("{value:.digits$} {unit}")
}

/// Three digits that count.
pub(super) fn digits(value: f64) -> String {
    match value {
        v if v < 0.0995 => format!("{v:.4}"),
        v if v < 0.9995 => format!("{v:.3}"),
        v if v < 9.995 => format!("{v:.2}"),
        v if v < 99.95 => format!("{v:.1}"),
        v => format!("{v:.0}"),
    }
}

/// Bytes, as [`mebibytes`].
pub(super) fn bytes(value: u64) -> String {
    mebibytes(value as f64 / f64::from(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short() {
        for (value, text) in [
            (0.0041, "4.1 ms"),
            (0.01, "10 ms"),
            (0.3951, "395 ms"),
            (1.0, "1 s"),
            (3.5449, "3.54 s"),
            (42.04, "42.0 s"),
            (120.0, "120 s"),
        ] {
            assert_eq!(seconds(value), text);
        }
        assert_eq!(
            (mebibytes(73.6), mebibytes(1024.0), mebibytes(1500.0)),
            ("74 MiB".into(), "1 GiB".into(), "1.5 GiB".into())
        );
    }

    #[test]
    fn three_digits() {
        let found = [0.01234, 0.114, 0.99961, 1.031, 12.34, 250.4].map(digits);
        assert_eq!(found, ["0.0123", "0.114", "1.00", "1.03", "12.3", "250"]);
    }
}
