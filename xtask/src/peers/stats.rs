//! Medians and ratios.

use anyhow::{Result, ensure};

/// The smallest, the middle and the largest of some values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spread {
    pub(super) min: f64,
    pub(super) median: f64,
    pub(super) max: f64,
}

impl Spread {
    /// # Errors
    /// There are no values, or one is no number.
    pub(super) fn of(values: impl IntoIterator<Item = f64>) -> Result<Self> {
        let mut values: Vec<f64> = values.into_iter().collect();
        ensure!(!values.is_empty(), "no samples");
        ensure!(values.iter().all(|value| value.is_finite()), "a sample is no number");
        values.sort_unstable_by(f64::total_cmp);
        let (last, middle) = (values.len() - 1, values.len() / 2);
        // Of an even number of values the mean of the two in the middle.
        let median = match values.len() % 2 {
            1 => values[middle],
            _ => (values[middle - 1] + values[middle]) / 2.0,
        };
        Ok(Self { min: values[0], median, max: values[last] })
    }

    /// Of the quotients of values that were measured together.
    ///
    /// # Errors
    /// As for [`of`](Self::of); a divisor is not positive.
    pub(super) fn of_ratios(pairs: impl IntoIterator<Item = (f64, f64)>) -> Result<Self> {
        let pairs: Vec<(f64, f64)> = pairs.into_iter().collect();
        ensure!(pairs.iter().all(|&(_, divisor)| divisor > 0.0), "a time is not positive");
        Self::of(pairs.iter().map(|(value, divisor)| value / divisor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_and_even_numbers_of_values() {
        assert_eq!(Spread::of([3.0, 1.0, 2.0]).unwrap(), Spread { min: 1.0, median: 2.0, max: 3.0 });
        assert_eq!(Spread::of([4.0, 1.0, 2.0, 3.0]).unwrap(), Spread { min: 1.0, median: 2.5, max: 4.0 });
        assert_eq!(Spread::of([7.0]).unwrap(), Spread { min: 7.0, median: 7.0, max: 7.0 });
        assert!(Spread::of([]).is_err());
        assert!(Spread::of([1.0, f64::NAN]).is_err());
    }

    #[test]
    fn ratios_are_taken_pair_by_pair() {
        // The median of the ratios is not the ratio of the medians: 2 against 1.
        let ratios = Spread::of_ratios([(1.0, 1.0), (2.0, 1.0), (10.0, 2.0)]).unwrap();
        assert_eq!(ratios, Spread { min: 1.0, median: 2.0, max: 5.0 });
        let ratios = Spread::of_ratios([(1.0, 4.0), (6.0, 2.0), (8.0, 16.0)]).unwrap();
        assert_eq!(ratios.median, 0.5);
        assert!(Spread::of_ratios([(1.0, 0.0)]).is_err());
    }
}
