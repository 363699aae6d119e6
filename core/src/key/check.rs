//! Are all bases of a key points of the group?
//!
//! The curve is checked point by point. The subgroup would take a multiplication by a long scalar each; where many points
//! are to be checked, they are first put into [`BUCKETS`] buckets at random and added up, and the sums are checked. A
//! sum of points of the subgroup lies in it. If some points do not, take the last of them: whatever the others have put into
//! the buckets, at most one bucket can be set right by it, and it gets there with probability 1/BUCKETS. So a set with bad
//! points passes [`ROUNDS`] rounds with probability BUCKETS^−ROUNDS = 2^−40 at most, and one with a single bad point never.
//! The points of a bad bucket are then checked one by one.

use std::fmt;

use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::Zero;
use interlock_curves::{Curve, PointError, ProvingCurve};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use super::{BaseSet, ProvingKey};

/// Points that a thread looks at before it asks whether it should go on.
const CHUNK: usize = 1024;

/// Buckets of a round, a power of two.
const BUCKETS: usize = 1 << 10;

/// Rounds with buckets chosen anew.
const ROUNDS: usize = 4;

/// Up to so many points are checked one by one: the buckets of all rounds are as many.
const FEW: usize = ROUNDS * BUCKETS;

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
    /// Uses all threads of the current rayon pool. A point costs a few additions; a bad one is found for certain when it is
    /// alone, and with probability 1 − 2^−40 at least when there are several: the module's source has the argument.
    ///
    /// # Errors
    /// A base that is not.
    pub fn check_bases<E: ProvingCurve>(&self) -> Result<(), BadBase> {
        let (g1, g2) = groups::<E>();
        for (query, set) in self.g1_sets() {
            // G1 of BN254 is the whole curve: nothing is left to be checked.
            let whole_curve = E::CURVE == Curve::Bn254;
            g1.check(query, set, self.curve.g1_bytes(), whole_curve)?;
        }
        g2.check("B2", &self.b_g2, self.curve.g2_bytes(), false)
    }

    /// As [`check_bases`](Self::check_bases), without the subgroup: a microsecond for each base.
    ///
    /// # Errors
    /// A base that is no point of its curve.
    pub fn check_bases_on_curve<E: ProvingCurve>(&self) -> Result<(), BadBase> {
        let (g1, g2) = groups::<E>();
        let bad = |query, found: Option<_>| {
            found.map_or(Ok(()), |(index, problem)| Err(BadBase { query, index, problem }))
        };
        for (query, set) in self.g1_sets() {
            bad(query, g1.first_off_the_curve(set, self.curve.g1_bytes()))?;
        }
        bad("B2", g2.first_off_the_curve(&self.b_g2, self.curve.g2_bytes()))
    }
}

/// Both groups' checks.
fn groups<E: ProvingCurve>() -> (Checked<E::G1Affine>, Checked<E::G2Affine>) {
    let g1 = Checked { read: E::read_g1, in_subgroup: E::g1_in_subgroup };
    let g2 = Checked { read: E::read_g2, in_subgroup: E::g2_in_subgroup };
    (g1, g2)
}

/// A group by its two checks.
#[derive(Clone, Copy)]
struct Checked<A> {
    read: fn(&[u8]) -> Result<A, PointError>,
    in_subgroup: fn(&A) -> bool,
}

impl<A: AffineRepr> Checked<A> {
    fn check(
        self,
        query: &'static str,
        set: &BaseSet,
        size: usize,
        whole_curve: bool,
    ) -> Result<(), BadBase> {
        let bad = |(index, problem)| BadBase { query, index, problem };
        let finite =
            set.points.chunks_exact(size).filter(|point| point.iter().any(|byte| *byte != 0)).count();
        if whole_curve || finite <= FEW {
            return self.one_by_one(set, size, |_| true).map_or(Ok(()), |found| Err(bad(found)));
        }
        if let Some(found) = self.first_off_the_curve(set, size) {
            return Err(bad(found));
        }
        let rounds: Vec<Option<[u8; 32]>> = (0..ROUNDS).map(|_| seed()).collect();
        for seed in rounds {
            // Without randomness there are no buckets to trust.
            let Some(seed) = seed else {
                return self.one_by_one(set, size, |_| true).map_or(Ok(()), |found| Err(bad(found)));
            };
            let sums = self.bucket_sums(set, size, &seed);
            let wrong: Vec<bool> = sums.par_iter().map(|sum| !(self.in_subgroup)(sum)).collect();
            if wrong.contains(&true) {
                let chosen = |index: usize| wrong[bucket_of(&seed, index)];
                // It is there: its bucket's sum says so.
                return self.one_by_one(set, size, chosen).map_or(Ok(()), |found| Err(bad(found)));
            }
        }
        Ok(())
    }

    fn first_off_the_curve(self, set: &BaseSet, size: usize) -> Option<(usize, BaseProblem)> {
        first(set, size, |_, bytes| (self.read)(bytes).err().map(BaseProblem::Point))
    }

    fn one_by_one(
        self,
        set: &BaseSet,
        size: usize,
        chosen: impl Fn(usize) -> bool + Sync,
    ) -> Option<(usize, BaseProblem)> {
        first(set, size, |index, bytes| {
            if !chosen(index) {
                return None;
            }
            match (self.read)(bytes) {
                Err(error) => Some(BaseProblem::Point(error)),
                Ok(point) => (!(self.in_subgroup)(&point)).then_some(BaseProblem::Subgroup),
            }
        })
    }

    fn bucket_sums(self, set: &BaseSet, size: usize, seed: &[u8; 32]) -> Vec<A> {
        // As many pieces as threads: each has buckets of its own.
        let piece =
            (set.points.len() / size).div_ceil(rayon::current_num_threads()).next_multiple_of(PER_BLOCK);
        let sums = set
            .points
            .par_chunks(piece * size)
            .enumerate()
            .map(|(i, points)| {
                let mut sums = vec![A::Group::zero(); BUCKETS];
                for (block, points) in points.chunks(PER_BLOCK * size).enumerate() {
                    let buckets = block_of(seed, (i * piece) / PER_BLOCK + block);
                    for (point, bucket) in points.chunks_exact(size).zip(buckets) {
                        if let Ok(point) = (self.read)(point) {
                            sums[bucket] += point;
                        }
                    }
                }
                sums
            })
            .reduce(
                || vec![A::Group::zero(); BUCKETS],
                |mut sums, more| {
                    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
                    sums
                },
            );
        A::Group::normalize_batch(&sums)
    }
}

/// The first point about which `problem` has something to say.
fn first(
    set: &BaseSet,
    size: usize,
    problem: impl Fn(usize, &[u8]) -> Option<BaseProblem> + Sync,
) -> Option<(usize, BaseProblem)> {
    set.points.par_chunks(size * CHUNK).enumerate().find_map_first(|(chunk, points)| {
        points
            .chunks_exact(size)
            .zip(chunk * CHUNK..)
            .find_map(|(point, index)| Some((index, problem(index, point)?)))
    })
}

/// Randomness of the operating system.
fn seed() -> Option<[u8; 32]> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).ok().map(|()| seed)
}

/// Points whose buckets are drawn together.
const PER_BLOCK: usize = 1024;

/// The buckets of a block of points.
fn block_of(seed: &[u8; 32], block: usize) -> [usize; PER_BLOCK] {
    let mut rng = ChaCha20Rng::from_seed(*seed);
    rng.set_stream(block as u64);
    std::array::from_fn(|_| rng.next_u32() as usize % BUCKETS)
}

/// The bucket of a point.
fn bucket_of(seed: &[u8; 32], index: usize) -> usize {
    block_of(seed, index / PER_BLOCK)[index % PER_BLOCK]
}

#[cfg(test)]
mod tests {
    use ark_ec::PrimeGroup;
    use interlock_curves::Bls12_381;

    use super::*;
    use crate::format::{MappedFile, Section};

    type G1 = <Bls12_381 as ark_ec::pairing::Pairing>::G1Affine;

    fn set(points: &[G1]) -> BaseSet {
        let mut bytes = vec![0; 96 * points.len()];
        bytes.chunks_exact_mut(96).zip(points).for_each(|(out, point)| Bls12_381::write_g1(point, out));
        let range = 0..bytes.len();
        let file = MappedFile::from_bytes("points", bytes).unwrap();
        BaseSet { points: Section::new(file, range).unwrap(), index: None }
    }

    fn check(points: &[G1]) -> Result<(), BadBase> {
        let group = Checked { read: Bls12_381::read_g1, in_subgroup: Bls12_381::g1_in_subgroup };
        group.check("A", &set(points), 96, false)
    }

    #[test]
    fn a_bad_point_among_many_is_named() {
        let mut point = <Bls12_381 as ark_ec::pairing::Pairing>::G1::generator();
        let many: Vec<_> = (0..3 * FEW)
            .map(|_| {
                point += point;
                point
            })
            .collect();
        let mut points = CurveGroup::normalize_batch(&many);
        points[77] = G1::zero();
        assert_eq!(check(&points), Ok(()));

        // On the curve y² = x³ + 4, outside the subgroup: x = 4 has a point.
        let outside = G1::get_point_from_x_unchecked(4_u64.into(), true).unwrap();
        assert!(!Bls12_381::g1_in_subgroup(&outside));
        for places in [vec![0], vec![3 * FEW - 1], vec![1025, 1026], vec![5, 4000, 9000]] {
            let mut spoilt = points.clone();
            // Two that cancel out when they meet.
            for (i, place) in places.iter().enumerate() {
                spoilt[*place] = if i % 2 == 0 { outside } else { -outside };
            }
            let found = check(&spoilt).unwrap_err();
            assert!(places.contains(&found.index) && found.problem == BaseProblem::Subgroup, "{found}");
        }
        let few = &mut points[..100];
        few[99] = outside;
        assert_eq!(check(few).unwrap_err().index, 99);
    }

    #[test]
    fn a_point_off_the_curve_among_many_is_named() {
        let generator = G1::generator();
        let mut points = vec![generator; 2 * FEW];
        points[5000] = G1::new_unchecked(generator.x, generator.x);
        let found = check(&points).unwrap_err();
        assert_eq!(found.index, 5000);
        assert!(matches!(found.problem, BaseProblem::Point(_)), "{found}");
    }
}
