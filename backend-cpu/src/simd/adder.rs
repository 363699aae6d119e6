//! Additions of affine points, many at a time.
//!
//! Montgomery's trick, as in [`batch_affine`](crate::msm), with eight independent chains: pair `k` of a batch belongs to
//! chain `k mod 8`. Six multiplications an addition, and one inversion for a whole batch.
//!
//! Points are `2·F::WORDS` words, x before y, canonical, y in the kernels' form ([`modulus`](super::modulus)); infinity is all
//! zero. Infinities, doublings and opposite points are treated in their lanes: no pair is an exception.

use super::fp::Field;
use super::lanes::{Ifma, Mask, transpose, with_lanes};

/// The sign of an index: the point's negative is meant.
pub(super) const NEGATIVE: u32 = 1 << 31;
/// The index of infinity.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Words of the largest point (BLS12-381's G2).
const MOST_WORDS: usize = 24;

/// Eight pairs on their way.
struct Pairs<F> {
    x1: F,
    y1: F,
    x2: F,
    /// Rise and run of the line through both points.
    rise: F,
    run: F,
    /// Product of the runs of the chain before this one.
    before: F,
    places: [u32; 8],
    /// Where the result is the second point, the first, or infinity.
    special: Option<[Mask; 3]>,
}

/// A batch of additions.
pub(super) struct Adder<F> {
    ifma: Ifma,
    /// Indices of both points and of the result.
    waiting: [[u32; 8]; 3],
    n_waiting: usize,
    pairs: Vec<Pairs<F>>,
    product: F,
    capacity: usize,
    /// Points that only move: their words, read when they were given, and their places.
    moved: (Vec<u64>, Vec<u32>),
}

impl<F: Field> Adder<F> {
    /// A batch of `8·capacity` pairs.
    pub(super) fn new(capacity: usize, ifma: Ifma) -> Self {
        Self {
            ifma,
            waiting: [[NOWHERE; 8]; 3],
            n_waiting: 0,
            pairs: Vec::with_capacity(capacity),
            product: F::one(ifma),
            capacity,
            moved: (Vec::new(), Vec::new()),
        }
    }

    /// Words of a point.
    pub(super) const fn point_words() -> usize {
        2 * F::WORDS
    }

    /// Whether the next pair would begin a batch that is full.
    pub(super) fn is_full(&self) -> bool {
        self.pairs.len() == self.capacity
    }

    /// Takes a pair of points of `from`; the sum goes to `place` when the batch is finished.
    pub(super) fn push(&mut self, from: &[u64], left: u32, right: u32, place: u32) {
        let at = self.n_waiting;
        self.waiting[0][at] = left;
        self.waiting[1][at] = right;
        self.waiting[2][at] = place;
        self.n_waiting += 1;
        if self.n_waiting == 8 {
            self.take(from);
        }
    }

    /// Takes a point of `from` that goes to `place` as it is.
    pub(super) fn move_one(&mut self, from: &[u64], index: u32, place: u32) {
        let size = Self::point_words();
        let at = index as usize * size;
        self.moved.0.extend_from_slice(&from[at..at + size]);
        self.moved.1.push(place);
    }

    /// Takes the pairs that wait, whatever their number.
    pub(super) fn take(&mut self, from: &[u64]) {
        for at in self.n_waiting..8 {
            self.waiting.iter_mut().for_each(|indices| indices[at] = NOWHERE);
        }
        if self.n_waiting > 0 {
            // SAFETY: an `Ifma` exists, so the processor has the features.
            unsafe { self.forward(from) };
        }
        self.n_waiting = 0;
    }

    /// Writes the sums of all pairs that were taken.
    pub(super) fn finish(&mut self, to: &mut [u64]) {
        debug_assert_eq!(self.n_waiting, 0, "pairs that wait are taken first");
        if !self.pairs.is_empty() {
            // SAFETY: an `Ifma` exists, so the processor has the features.
            unsafe { self.backward(to) };
        }
        self.pairs.clear();
        self.product = F::one(self.ifma);
        let size = Self::point_words();
        for (words, place) in self.moved.0.chunks_exact(size).zip(&self.moved.1) {
            let at = *place as usize * size;
            to[at..at + size].copy_from_slice(words);
        }
        self.moved.0.clear();
        self.moved.1.clear();
    }

    with_lanes! {
        fn forward(&mut self, from: &[u64]) {
            let ifma = self.ifma;
            let [left, right, places] = self.waiting;
            let (x1, y1) = load::<F>(from, &left, ifma);
            let (x2, y2) = load::<F>(from, &right, ifma);
            let mut rise = y2.minus(&y1, ifma);
            let mut run = x2.minus(&x1, ifma);
            let first_is_zero = x1.is_zero(ifma) & y1.is_zero(ifma);
            let second_is_zero = x2.is_zero(ifma) & y2.is_zero(ifma);
            let same_x = x1.equal(&x2);
            let any = first_is_zero | second_is_zero | same_x;
            let special = if any == 0 {
                None
            } else {
                let finite_pair = same_x & !first_is_zero & !second_is_zero;
                // A point of order two, which no subgroup has and a damaged key may, is its own opposite.
                let double = finite_pair & y1.equal(&y2) & !y1.is_zero(ifma);
                run = run.or_where(any, &F::one(ifma));
                if double != 0 {
                    let square = x1.mul(&x1, ifma).canonical(ifma);
                    rise = rise.or_where(double, &square.plus(&square, ifma).plus(&square, ifma));
                    run = run.or_where(double, &y1.plus(&y1, ifma));
                }
                Some([first_is_zero, second_is_zero & !first_is_zero, finite_pair & !double])
            };
            let before = self.product;
            self.product = before.mul(&run, ifma);
            self.pairs.push(Pairs { x1, y1, x2, rise, run, before, places, special });
        }
    }

    with_lanes! {
        fn backward(&mut self, to: &mut [u64]) {
            let ifma = self.ifma;
            let mut inverse = self.product.inverse(ifma);
            for pairs in self.pairs.iter().rev() {
                let own = inverse.mul(&pairs.before, ifma);
                inverse = inverse.mul(&pairs.run, ifma);
                let slope = pairs.rise.mul(&own, ifma);
                let square = slope.mul(&slope, ifma);
                let mut x = square.minus(&pairs.x1, ifma).minus(&pairs.x2, ifma).canonical(ifma);
                let rise = slope.mul(&pairs.x1.minus(&x, ifma), ifma);
                let mut y = rise.minus(&pairs.y1, ifma).canonical(ifma);
                if let Some([second, first, infinity]) = pairs.special {
                    // The rise is y2 − y1 + p where the first point is infinity.
                    let y2 = pairs.rise.plus(&pairs.y1, ifma).canonical(ifma);
                    x = x.or_where(second, &pairs.x2).or_where(first, &pairs.x1);
                    y = y.or_where(second, &y2).or_where(first, &pairs.y1);
                    x = x.or_where(infinity, &F::zero(ifma));
                    y = y.or_where(infinity, &F::zero(ifma));
                }
                store(to, &pairs.places, &x, &y, ifma);
            }
        }
    }
}

/// Eight points, by their indices; the negatives of those with a sign.
#[inline(always)]
pub(super) fn load<F: Field>(from: &[u64], indices: &[u32; 8], ifma: Ifma) -> (F, F) {
    let size = 2 * F::WORDS;
    let none = [0; MOST_WORDS];
    let mut negative: Mask = 0;
    let mut points: [&[u64]; 8] = [&none[..size]; 8];
    for lane in 0..8 {
        let index = indices[lane];
        if index != NOWHERE {
            negative |= ((index >> 31) as Mask) << lane;
            let at = (index & !NEGATIVE) as usize * size;
            points[lane] = &from[at..at + size];
        }
    }
    let mut words = [ifma.splat(0); MOST_WORDS];
    let mut rows = [ifma.splat(0); 8];
    let mut first = 0;
    while first < size {
        // The last eight overlap those before when a point is not a multiple of eight.
        let at = first.min(size - 8);
        for lane in 0..8 {
            if let Some(chunk) = points[lane][at..].first_chunk() {
                rows[lane] = ifma.load(chunk);
            }
        }
        let columns = transpose(rows);
        for i in 0..8 {
            words[at + i] = columns[i];
        }
        first += 8;
    }
    let (x, y) = (F::from_words(&words[..F::WORDS], ifma), F::from_words(&words[F::WORDS..size], ifma));
    if negative == 0 {
        return (x, y);
    }
    // Infinity stays what it is, and so does y = 0.
    let zero = y.is_zero(ifma);
    let opposite = F::zero(ifma).minus(&y, ifma);
    (x, y.or_where(negative & !zero, &opposite))
}

/// Writes eight points to their places.
#[inline(always)]
pub(super) fn store<F: Field>(to: &mut [u64], places: &[u32; 8], x: &F, y: &F, ifma: Ifma) {
    let size = 2 * F::WORDS;
    let mut words = [ifma.splat(0); MOST_WORDS];
    x.to_words(&mut words[..F::WORDS]);
    y.to_words(&mut words[F::WORDS..size]);
    let mut first = 0;
    while first < size {
        let at = first.min(size - 8);
        let mut rows = [words[at]; 8];
        for i in 0..8 {
            rows[i] = words[at + i];
        }
        let columns = transpose(rows);
        for lane in 0..8 {
            if places[lane] == NOWHERE {
                continue;
            }
            let place = places[lane] as usize * size + at;
            if let Some(chunk) = to[place..].first_chunk_mut() {
                columns[lane].store(chunk);
            }
        }
        first += 8;
    }
}
