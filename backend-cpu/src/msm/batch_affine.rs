//! Sums of affine points, many at a time.
//!
//! Adding two affine points takes one inversion and three multiplications. Montgomery's trick shares one inversion
//! among a whole batch at three multiplications each, so an addition costs six: two thirds of a mixed addition in the
//! best projective coordinates. The points of many sums are laid out segment after segment; a round adds neighbours in
//! pairs, halving every segment, until each holds one point. A segment may hold all points (all scalars equal) or one:
//! the work is the same.

use ark_ec::AffineRepr;
use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ff::{AdditiveGroup, Field, Zero};

/// Pairs that share an inversion: enough to make it cheap, few enough for their intermediates to stay in the cache.
const BATCH: usize = 512;

/// Segments of points, one after another; a segment's points are to be added up.
pub(super) struct Segments<P: SWCurveConfig> {
    points: Vec<Affine<P>>,
    /// Where each segment ends in `points`.
    ends: Vec<u32>,
}

impl<P: SWCurveConfig> Segments<P> {
    /// `ends` is ascending and its last is the number of points.
    pub(super) fn new(points: Vec<Affine<P>>, ends: Vec<u32>) -> Self {
        Self { points, ends }
    }

    /// The sum of each segment; infinity for an empty one.
    pub(super) fn sums(mut self) -> impl DoubleEndedIterator<Item = Affine<P>> + ExactSizeIterator {
        let mut batch = Batch::new();
        while self.longest() > 1 {
            self.round(&mut batch);
        }
        let mut start = 0;
        let ranges: Vec<(u32, u32)> =
            self.ends.iter().map(|&end| (std::mem::replace(&mut start, end), end)).collect();
        ranges.into_iter().map(move |(start, end)| match end - start {
            0 => Affine::identity(),
            _ => self.points[start as usize],
        })
    }

    fn longest(&self) -> u32 {
        let mut start = 0;
        self.ends.iter().map(|&end| end - std::mem::replace(&mut start, end)).max().unwrap_or(0)
    }

    /// Adds neighbours within each segment. Results move to the front; a result's place never lies behind its pair, and
    /// a batch is read whole before its results are written.
    fn round(&mut self, batch: &mut Batch<P>) {
        let (mut start, mut out) = (0_usize, 0_usize);
        for end in &mut self.ends {
            let stop = *end as usize;
            while start < stop {
                let pair = (start + 1 < stop).then(|| self.points[start + 1]);
                batch.push(self.points[start], pair);
                start += 2;
                if batch.len() == BATCH {
                    out = batch.flush(&mut self.points, out);
                }
            }
            start = stop;
            *end = (out + batch.len()) as u32;
        }
        out = batch.flush(&mut self.points, out);
        self.points.truncate(out);
    }
}

/// Pairs of a batch with the denominators of their slopes.
struct Batch<P: SWCurveConfig> {
    pairs: Vec<(Affine<P>, Case<P::BaseField>)>,
    denominators: Vec<P::BaseField>,
    products: Vec<P::BaseField>,
}

/// What becomes of a pair.
enum Case<F> {
    /// The first point is the result already: the second is infinity or missing.
    Keep,
    /// A line through the first point, whose slope is this over the denominator, and x of the second point.
    Line(F, F),
}

impl<P: SWCurveConfig> Batch<P> {
    fn new() -> Self {
        Self {
            pairs: Vec::with_capacity(BATCH),
            denominators: Vec::with_capacity(BATCH),
            products: Vec::with_capacity(BATCH),
        }
    }

    fn len(&self) -> usize {
        self.pairs.len()
    }

    #[inline]
    fn push(&mut self, a: Affine<P>, b: Option<Affine<P>>) {
        let keep = |point| (point, Case::Keep, P::BaseField::ONE);
        let (point, case, denominator) = match b {
            None => keep(a),
            Some(b) if b.is_zero() => keep(a),
            Some(b) if a.is_zero() => keep(b),
            Some(b) => {
                let dx = b.x - a.x;
                if !dx.is_zero() {
                    (a, Case::Line(b.y - a.y, b.x), dx)
                } else if a.y == b.y && !a.y.is_zero() {
                    let square = a.x.square();
                    (a, Case::Line(square.double() + square + P::COEFF_A, a.x), a.y.double())
                } else {
                    // P − P. (A damaged key's points need not be on the curve; what comes of those does not matter.)
                    keep(Affine::identity())
                }
            }
        };
        self.pairs.push((point, case));
        self.denominators.push(denominator);
    }

    /// Writes the results to `points[out..]` and gives the place behind them.
    fn flush(&mut self, points: &mut [Affine<P>], out: usize) -> usize {
        // Products of the denominators up to each one; none is zero.
        let mut product = P::BaseField::ONE;
        self.products.clear();
        self.products.extend(self.denominators.iter().map(|denominator| {
            let before = product;
            product *= denominator;
            before
        }));
        let mut inverse = product.inverse().unwrap_or(P::BaseField::ONE);
        let end = out + self.pairs.len();
        let results =
            points[out..end].iter_mut().zip(&self.pairs).zip(&self.denominators).zip(&self.products);
        for (((result, (point, case)), denominator), before) in results.rev() {
            let own = inverse * before;
            inverse *= denominator;
            *result = match case {
                Case::Keep => *point,
                Case::Line(rise, other_x) => {
                    let slope = *rise * own;
                    let x = slope.square() - point.x - other_x;
                    let y = slope * (point.x - x) - point.y;
                    Affine::new_unchecked(x, y)
                }
            };
        }
        self.pairs.clear();
        self.denominators.clear();
        end
    }
}
