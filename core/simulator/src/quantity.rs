//! Numbers of files: strict, and of a size that somebody has.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::error::Error;

/// The longest text of a file.
pub(crate) const MAX_FILE: u64 = 1 << 20;
/// The most bytes that a quantity may be: a pebibyte.
const MAX_BYTES: u64 = 1 << 50;
/// The longest time of one step, in seconds: a week.
const MAX_SECONDS: f64 = 7.0 * 86_400.0;

/// Parses a file; an unknown key is an error that names it and its line.
pub(crate) fn parse<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, Error> {
    toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        let problem = error.message().replace('\n', " ");
        Error::Syntax { file: file.to_owned(), line, problem }
    })
}

/// A number of bytes: `1024`, or `"12GiB"`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Size {
    Number(u64),
    Text(String),
}

impl Size {
    pub(crate) fn bytes(&self, file: &str, key: &str) -> Result<u64, Error> {
        let problem = || Error::value(file, key, "must be bytes, or as \"512MiB\", \"12GiB\", up to 1024TiB");
        let bytes = match self {
            Self::Number(bytes) => Some(*bytes),
            Self::Text(text) => parse_bytes(text),
        };
        bytes.filter(|bytes| *bytes <= MAX_BYTES).ok_or_else(problem)
    }

    pub(crate) fn positive(&self, file: &str, key: &str) -> Result<u64, Error> {
        match self.bytes(file, key)? {
            0 => Err(Error::value(file, key, "must be more than 0 bytes")),
            bytes => Ok(bytes),
        }
    }
}

/// `12GiB`, `1.5 GiB`, `16GB`, `1024`; none when it is no size.
pub fn parse_bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let scale: u64 = match unit.trim() {
        "" | "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        "TiB" => 1 << 40,
        "kB" | "KB" => 1_000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        "TB" => 1_000_000_000_000,
        _ => return None,
    };
    if !number.contains('.') {
        return number.parse::<u64>().ok()?.checked_mul(scale);
    }
    let bytes = number.parse::<f64>().ok()? * scale as f64;
    // Beyond 2^53 a float is no longer exact.
    (0.0..9e15).contains(&bytes).then_some(bytes as u64)
}

/// Seconds as microseconds.
pub(crate) fn micros(file: &str, key: &str, seconds: f64) -> Result<u64, Error> {
    if (0.0..=MAX_SECONDS).contains(&seconds) {
        return Ok((seconds * 1e6).round() as u64);
    }
    Err(Error::value(file, key, format!("must be seconds from 0 to {MAX_SECONDS}, not {seconds}")))
}

/// A rate in GB/s (10^9 bytes) as bytes per millisecond.
pub(crate) fn rate(file: &str, key: &str, gigabytes: f64) -> Result<u64, Error> {
    if (0.001..=100_000.0).contains(&gigabytes) {
        return Ok((gigabytes * 1e6).round() as u64);
    }
    Err(Error::value(file, key, format!("must be GB/s from 0.001 to 100000, not {gigabytes}")))
}

/// A share, such as 0.01, in parts per million.
pub(crate) fn ppm(file: &str, key: &str, share: f64) -> Result<u64, Error> {
    if (0.0..=1.0).contains(&share) {
        return Ok((share * 1e6).round() as u64);
    }
    Err(Error::value(file, key, format!("must be from 0 to 1, not {share}")))
}

/// A count within bounds.
pub(crate) fn count(file: &str, key: &str, value: u64, least: u64, most: u64) -> Result<u64, Error> {
    if (least..=most).contains(&value) {
        return Ok(value);
    }
    Err(Error::value(file, key, format!("must be from {least} to {most}, not {value}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(parse_bytes("12GiB"), Some(12 << 30));
        assert_eq!(parse_bytes("1.5 MiB"), Some(3 << 19));
        assert_eq!(parse_bytes("16GB"), Some(16_000_000_000));
        assert_eq!(parse_bytes("1024"), Some(1024));
        for bad in ["", "GiB", "-1", "1.2.3", "12 gib", "99999999999TiB", "nan", "inf", "1e9"] {
            assert_eq!(parse_bytes(bad), None, "{bad}");
        }
        assert!(Size::Number(u64::MAX).bytes("f", "k").is_err());
        assert!(Size::Number(0).positive("f", "k").is_err());
    }

    #[test]
    fn only_numbers_that_somebody_has() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.1, 1e12] {
            assert!(micros("f", "k", bad).is_err(), "{bad}");
            assert!(rate("f", "k", bad).is_err(), "{bad}");
            assert!(ppm("f", "k", bad).is_err(), "{bad}");
        }
        assert!(rate("f", "k", 0.0).is_err());
        assert_eq!(micros("f", "k", 1.5).unwrap(), 1_500_000);
        assert_eq!(rate("f", "k", 50.0).unwrap(), 50_000_000);
        assert_eq!(ppm("f", "k", 0.0025).unwrap(), 2_500);
        let error = count("f.toml", "count", 0, 1, 9).unwrap_err().to_string();
        assert_eq!(error, "f.toml: count: must be from 1 to 9, not 0");
    }
}
