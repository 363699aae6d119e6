//! Are all bases of a key points of the group?

use std::fmt;

use interlock_curves::{PointError, ProvingCurve};
use rayon::prelude::*;

use super::{BaseSet, ProvingKey};

/// Points that a thread looks at before it asks whether it should go on.
const CHUNK: usize = 1024;

/// A base that does not belong in a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{query}[{index}]: {problem}")]
pub struct BadBase {
    /// The query: `A`, `B1`, `L`, `H` or `B2`.
    pub query: &'static str,
    /// The base's position among the query's bases, from 0.
    pub index: usize,
    /// What is wrong with it.
    pub problem: BaseProblem,
}

/// What is wrong with a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaseProblem {
    /// It is no point of the curve.
    Point(PointError),
    /// It is a point of the curve outside the subgroup of order r.
    Subgroup,
}

impl fmt::Display for BaseProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Point(error) => error.fmt(f),
            Self::Subgroup => f.write_str("the point is not in the subgroup of order r"),
        }
    }
}

impl ProvingKey {
    /// Number of bases, infinities included: what [`check_bases`](Self::check_bases) looks at.
    pub fn n_bases(&self) -> usize {
        let (g1, g2) = (self.curve.g1_bytes(), self.curve.g2_bytes());
        let in_g1: usize = self.g1_sets().iter().map(|(_, set)| set.points.len()).sum();
        in_g1 / g1 + self.b_g2.points.len() / g2
    }

    fn g1_sets(&self) -> [(&'static str, &BaseSet); 4] {
        [("A", &self.a), ("B1", &self.b_g1), ("L", &self.l), ("H", &self.h)]
    }

    /// Checks that every base is a point of its curve and lies in the subgroup of order r; infinity does. The head was
    /// checked when the key was read.
    ///
    /// Uses all threads of the current rayon pool. On BLS12-381 some 50 µs a point and thread; on BN254, where G1 is the
    /// whole curve, much less.
    ///
    /// # Errors
    /// A base that is not: the first of its query.
    pub fn check_bases<E: ProvingCurve>(&self) -> Result<(), BadBase> {
        let g1 = |bytes: &[u8]| {
            let point = E::read_g1(bytes).map_err(BaseProblem::Point)?;
            if E::g1_in_subgroup(&point) { Ok(()) } else { Err(BaseProblem::Subgroup) }
        };
        for (query, set) in self.g1_sets() {
            check(query, set, self.curve.g1_bytes(), g1)?;
        }
        check("B2", &self.b_g2, self.curve.g2_bytes(), |bytes| {
            let point = E::read_g2(bytes).map_err(BaseProblem::Point)?;
            if E::g2_in_subgroup(&point) { Ok(()) } else { Err(BaseProblem::Subgroup) }
        })
    }
}

fn check(
    query: &'static str,
    set: &BaseSet,
    size: usize,
    one: impl Fn(&[u8]) -> Result<(), BaseProblem> + Sync,
) -> Result<(), BadBase> {
    let bad = set.points.par_chunks(size * CHUNK).enumerate().find_map_first(|(chunk, points)| {
        points.chunks_exact(size).enumerate().find_map(|(i, point)| {
            let problem = one(point).err()?;
            Some(BadBase { query, index: chunk * CHUNK + i, problem })
        })
    });
    bad.map_or(Ok(()), Err)
}
