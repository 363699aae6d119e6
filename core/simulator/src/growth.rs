//! How a cost grows with the size of a partition.

use serde::Deserialize;

/// How a cost grows; a machine file gives it for one size, its reference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Growth {
    /// Not at all.
    Fixed,
    /// As the number of constraints.
    #[default]
    Linear,
    /// As the domain, the next power of two.
    Domain,
    /// As the domain times its logarithm: transforms.
    Nlogn,
}

impl Growth {
    /// The cost at `size` constraints over that at `reference`.
    pub fn factor(self, size: u64, reference: u64) -> f64 {
        let domain = |size: u64| size.max(2).next_power_of_two();
        let ratio = |a: u64, b: u64| a as f64 / b as f64;
        match self {
            Self::Fixed => 1.0,
            Self::Linear => ratio(size, reference),
            Self::Domain => ratio(domain(size), domain(reference)),
            Self::Nlogn => {
                let (a, b) = (domain(size), domain(reference));
                ratio(a, b) * f64::from(a.ilog2()) / f64::from(b.ilog2())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Growth;

    #[test]
    fn factors() {
        for growth in [Growth::Fixed, Growth::Linear, Growth::Domain, Growth::Nlogn] {
            assert_eq!(growth.factor(1000, 1000), 1.0);
        }
        assert_eq!(Growth::Fixed.factor(4096, 1024), 1.0);
        assert_eq!(Growth::Linear.factor(3072, 1024), 3.0);
        assert_eq!(Growth::Domain.factor(3072, 1024), 4.0);
        assert_eq!(Growth::Nlogn.factor(3072, 1024), 4.0 * 1.2);
    }
}
