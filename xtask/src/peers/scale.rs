//! From values to places in a picture.

/// A logarithmic axis: a value's place is linear in its logarithm.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogScale {
    /// The values at both ends.
    pub(super) values: (f64, f64),
    /// Their places.
    pub(super) places: (f64, f64),
}

impl LogScale {
    /// The place of a value.
    pub(super) fn at(&self, value: f64) -> f64 {
        let (low, high) = (self.values.0.ln(), self.values.1.ln());
        let (from, to) = self.places;
        from + (to - from) * (value.ln() - low) / (high - low)
    }
}

/// The nearest number of the row … 1, 2, 5, 10, 20, 50 … that is not above a value.
pub(super) fn step_below(value: f64) -> f64 {
    let decade = 10_f64.powf(value.log10().floor());
    let found =
        [5.0, 2.0, 1.0].map(|digit| digit * decade).into_iter().find(|step| *step <= value * 1.000_001);
    found.unwrap_or(decade)
}

/// The nearest number of that row that is not below a value.
pub(super) fn step_above(value: f64) -> f64 {
    let decade = 10_f64.powf(value.log10().floor());
    let found =
        [1.0, 2.0, 5.0].map(|digit| digit * decade).into_iter().find(|step| *step >= value * 0.999_999);
    found.unwrap_or(10.0 * decade)
}

/// The multiples of powers of ten, by 1 to 9, from one value to another, both included; and whether each is a power itself.
pub(super) fn ticks(low: f64, high: f64) -> Vec<(f64, bool)> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let all = (first..=last).flat_map(|e| (1..10).map(move |d| (f64::from(d) * 10_f64.powi(e), d == 1)));
    all.filter(|(value, _)| (low * 0.999_999..=high * 1.000_001).contains(value)).collect()
}

/// Moves places apart until they are `gap` away from each other, as little as possible and in their order, between `from`
/// and `to`. Returns them in the order they came in.
pub(super) fn apart(places: &[f64], gap: f64, from: f64, to: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|&a, &b| places[a].total_cmp(&places[b]));
    // Groups of labels that touch: where the group would like to begin, on average, and how many there are.
    let mut groups: Vec<(f64, usize)> = Vec::new();
    for &i in &order {
        groups.push((places[i], 1));
        while let [.., (first, n), (second, m)] = groups.as_slice() {
            if first + gap * *n as f64 <= *second {
                break;
            }
            let (n_, m_) = (*n as f64, *m as f64);
            let merged = ((n_ * first + m_ * (second - gap * n_)) / (n_ + m_), n + m);
            groups.truncate(groups.len() - 2);
            groups.push(merged);
        }
    }
    let mut sorted: Vec<f64> =
        groups.iter().flat_map(|&(first, n)| (0..n).map(move |i| first + gap * i as f64)).collect();
    // Back inside, from both ends.
    let mut floor = from;
    for place in &mut sorted {
        *place = place.max(floor);
        floor = *place + gap;
    }
    let mut ceiling = to;
    for place in sorted.iter_mut().rev() {
        *place = place.min(ceiling);
        ceiling = *place - gap;
    }
    let mut moved = vec![0.0; places.len()];
    order.iter().zip(sorted).for_each(|(&i, place)| moved[i] = place);
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_factors_are_equal_distances() {
        let scale = LogScale { values: (0.01, 100.0), places: (400.0, 0.0) };
        for (value, place) in [(0.01, 400.0), (0.1, 300.0), (1.0, 200.0), (100.0, 0.0)] {
            assert!((scale.at(value) - place).abs() < 1e-9, "{value}");
        }
        let scale = LogScale { values: (1024.0, 65536.0), places: (0.0, 60.0) };
        assert!((scale.at(2048.0) - 10.0).abs() < 1e-9);
    }

    #[test]
    fn ends_are_round() {
        let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
        for (value, below, above) in
            [(0.034, 0.02, 0.05), (7.0, 5.0, 10.0), (120.0, 100.0, 200.0), (1.0, 1.0, 1.0)]
        {
            assert!(close(step_below(value), below) && close(step_above(value), above), "{value}");
        }
        let found = ticks(0.02, 20.0);
        assert_eq!(found.len(), 8 + 9 + 9 + 2);
        let powers: Vec<f64> = found.iter().filter(|(_, power)| *power).map(|(value, _)| *value).collect();
        assert!(
            powers.len() == 3 && powers.iter().zip([0.1, 1.0, 10.0]).all(|(a, b)| close(*a, b)),
            "{powers:?}"
        );
    }

    #[test]
    fn labels_do_not_touch() {
        assert_eq!(apart(&[10.0, 50.0], 15.0, 0.0, 100.0), [10.0, 50.0]);
        // Both give way by the same, and keep their order.
        assert_eq!(apart(&[52.0, 50.0], 10.0, 0.0, 100.0), [56.0, 46.0]);
        // At an end nobody leaves.
        assert_eq!(apart(&[99.0, 98.0, 97.0], 10.0, 0.0, 100.0), [100.0, 90.0, 80.0]);
        let many = apart(&[5.0, 5.0, 5.0, 30.0], 10.0, 0.0, 100.0);
        assert!(many.windows(2).all(|pair| pair[1] - pair[0] >= 10.0 - 1e-9), "{many:?}");
    }
}
