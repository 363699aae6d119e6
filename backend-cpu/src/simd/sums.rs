//! What an MSM needs: points in the kernels' form, sums of buckets, and sums of buckets with their weights.

use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ff::AdditiveGroup;
use rayon::prelude::*;

use super::adder::{Adder, NEGATIVE, NOWHERE, load, store};
use super::fp::Field;
use super::lanes::{Ifma, with_lanes};

/// Points that one thread converts at a time.
const PIECE: usize = 4096;

/// Eights of pairs in a batch: their intermediates (ten field elements each) are to stay in the second-level cache.
const fn capacity<F: Field>() -> usize {
    if F::WORDS > 6 { 96 } else { 192 }
}

/// A sum of at most so many points is left to scalar code.
const FEW: usize = 32;

/// Points in the kernels' form, packed.
pub(crate) struct Points<F> {
    words: Vec<u64>,
    ifma: Ifma,
    field: std::marker::PhantomData<fn() -> F>,
}

impl<F: Field> Points<F> {
    /// The `chosen` of packed affine points in the wire encoding, on the current rayon pool.
    pub(crate) fn new(wire: &[u64], chosen: &[u32], ifma: Ifma) -> Self {
        let size = Adder::<F>::point_words();
        let mut words = vec![0; chosen.len() * size];
        words.par_chunks_mut(PIECE * size).zip(chosen.par_chunks(PIECE)).for_each(|(out, chosen)| {
            // SAFETY: an `Ifma` exists, so the processor has the features.
            unsafe { convert::<F>(wire, chosen, out, ifma) }
        });
        Self { words, ifma, field: std::marker::PhantomData }
    }

    /// Memory for sums of these points.
    pub(crate) fn scratch(&self) -> Scratch<F> {
        Scratch::new(self.ifma)
    }
}

with_lanes! {
    fn convert<F: Field>(wire: &[u64], chosen: &[u32], out: &mut [u64], ifma: Ifma) {
        for (first, eight) in (0_u32..).step_by(8).zip(chosen.chunks(8)) {
            let mut from = [NOWHERE; 8];
            let mut places = [NOWHERE; 8];
            for (lane, index) in eight.iter().enumerate() {
                from[lane] = *index;
                places[lane] = first + lane as u32;
            }
            let (x, y) = load::<F>(wire, &from, ifma);
            // Whoever lays down limbs that are not below p in a key gets a wrong sum, and a canonical one.
            let y = y.canonical(ifma).y_in(ifma).canonical(ifma);
            store(out, &places, &x.canonical(ifma), &y, ifma);
        }
    }
}

/// Memory that one thread uses again and again: fresh pages cost as much as the additions that fill them.
pub(crate) struct Scratch<F> {
    adder: Adder<F>,
    /// Points of segments.
    words: Vec<u64>,
    /// Buckets and running sums.
    work: Vec<u64>,
}

impl<F: Field> Scratch<F> {
    /// No memory yet.
    pub(crate) fn new(ifma: Ifma) -> Self {
        Self { adder: Adder::new(capacity::<F>(), ifma), words: Vec::new(), work: Vec::new() }
    }
}

/// Room for `count` points, with whatever is there.
fn reserve<F: Field>(words: &mut Vec<u64>, count: usize) {
    let needed = count * Adder::<F>::point_words();
    if words.len() < needed {
        words.resize(needed, 0);
    }
}

/// Segments of points, one after another; a segment's points are to be added up.
pub(crate) struct Segments<'a, F> {
    scratch: &'a mut Scratch<F>,
    /// Where each segment ends.
    ends: Vec<u32>,
}

impl<'a, F: Field> Segments<'a, F> {
    /// Segments of `order`, which names points by their indices, with [`OPPOSITE`] for their opposites. `ends` is ascending
    /// and its last is the length of `order`. Adds neighbours on the way: segments are half as long as was asked for.
    pub(crate) fn new(
        points: &Points<F>,
        order: &[u32],
        mut ends: Vec<u32>,
        scratch: &'a mut Scratch<F>,
    ) -> Self {
        let mut start = 0;
        let length = |end: u32| (end - std::mem::replace(&mut start, end)) as usize;
        let halves: usize = ends.iter().copied().map(length).map(|length| length.div_ceil(2)).sum();
        reserve::<F>(&mut scratch.words, halves);
        let Scratch { adder, words, .. } = scratch;
        let (mut start, mut place) = (0, 0);
        for end in &mut ends {
            let own = &order[start as usize..*end as usize];
            start = *end;
            for pair in own.chunks(2) {
                match *pair {
                    [left, right] => adder.push(&points.words, left, right, place),
                    [alone] if alone & NEGATIVE == 0 => adder.move_one(&points.words, alone, place),
                    [alone] => adder.push(&points.words, alone, NOWHERE, place),
                    _ => {}
                }
                place += 1;
                if adder.is_full() {
                    adder.finish(words);
                }
            }
            *end = place;
        }
        adder.take(&points.words);
        adder.finish(words);
        Self { scratch, ends }
    }

    /// The sum of all points, for a single segment.
    pub(crate) fn total<P: SWCurveConfig<BaseField = F::Ark>>(mut self) -> Projective<P> {
        let Scratch { adder, words, .. } = self.scratch;
        total(words, &mut self.ends, adder)
    }

    /// `Σ (k + 1)·S_k` of the segments' sums S_k.
    pub(crate) fn weighted<P: SWCurveConfig<BaseField = F::Ark>>(mut self) -> Projective<P> {
        let Scratch { adder, words, work, .. } = self.scratch;
        while longest(&self.ends) > 1 {
            round(words, &mut self.ends, adder);
        }
        let size = Adder::<F>::point_words();
        work.clear();
        let mut start = 0;
        for &end in &self.ends {
            if end > start {
                let at = start as usize * size;
                work.extend_from_slice(&words[at..at + size]);
            } else {
                work.resize(work.len() + size, 0);
            }
            start = end;
        }
        let (plain, by_index) = weighted_by_index::<F, P>(work, adder);
        plain + by_index
    }
}

fn longest(ends: &[u32]) -> u32 {
    let mut start = 0;
    ends.iter().map(|&end| end - std::mem::replace(&mut start, end)).max().unwrap_or(0)
}

/// Adds neighbours within each segment. Results move to the front; a result's place never lies behind its pair, and a batch
/// is read whole before its results are written.
fn round<F: Field>(words: &mut [u64], ends: &mut [u32], adder: &mut Adder<F>) {
    let (mut start, mut place) = (0, 0);
    for end in ends {
        let stop = *end;
        while start < stop {
            if start + 1 < stop {
                adder.push(words, start, start + 1, place);
                if adder.is_full() {
                    adder.finish(words);
                }
            } else {
                adder.move_one(words, start, place);
            }
            start += 2;
            place += 1;
        }
        start = stop;
        *end = place;
    }
    adder.take(words);
    adder.finish(words);
}

/// The sum of a single segment.
fn total<F: Field, P: SWCurveConfig<BaseField = F::Ark>>(
    words: &mut [u64],
    ends: &mut [u32],
    adder: &mut Adder<F>,
) -> Projective<P> {
    while longest(ends) as usize > FEW {
        round(words, ends, adder);
    }
    let points = words.chunks_exact(Adder::<F>::point_words()).take(longest(ends) as usize);
    points.fold(Projective::ZERO, |sum, words| sum + affine::<F, P>(words))
}

/// `Σ B_k` and `Σ k·B_k` of packed points, which are lost.
///
/// Cut into `s` strips of `m` points, point i of strip j has the weight j·m + i. From the top of every strip at once, running
/// sums R_j = Σ_i B_(j·m+i) and T_j = Σ_i i·B_(j·m+i) take two additions a point, in batches of 2·s; then it is Σ_j T_j + m·Σ_j
/// j·R_j, and the latter is the same problem with `s` points.
fn weighted_by_index<F: Field, P: SWCurveConfig<BaseField = F::Ark>>(
    work: &mut Vec<u64>,
    adder: &mut Adder<F>,
) -> (Projective<P>, Projective<P>) {
    let size = Adder::<F>::point_words();
    let count = work.len() / size;
    if count <= FEW {
        // From the top: what is above k is added once for each step down.
        let (mut running, mut total) = (Projective::<P>::ZERO, Projective::<P>::ZERO);
        for point in work.chunks_exact(size).rev() {
            total += running;
            running += affine::<F, P>(point);
        }
        return (running, total);
    }
    // Sixteen points a strip, so that the strips are many, and their steps few.
    let m = 16.min(count / 16).max(2);
    let strips = count.div_ceil(m);
    // The buckets, then R, then T.
    work.resize((count + 2 * strips) * size, 0);
    let (r, t) = (count as u32, (count + strips) as u32);
    for step in (0..m).rev() {
        for strip in 0..strips {
            let bucket = strip * m + step;
            let (r, t) = (r + strip as u32, t + strip as u32);
            // T takes R as it was: pairs are read by eights, so these two are read together.
            adder.push(work, t, r, t);
            adder.push(work, r, if bucket < count { bucket as u32 } else { NOWHERE }, r);
            if adder.is_full() {
                adder.finish(work);
            }
        }
        adder.take(work);
        adder.finish(work);
    }
    let own = total::<F, P>(&mut work[(count + strips) * size..], &mut [strips as u32], adder);
    work.truncate((count + strips) * size);
    work.drain(..count * size);
    let (plain, by_strip) = weighted_by_index::<F, P>(work, adder);
    let mut scaled = Projective::<P>::ZERO;
    for bit in (0..usize::BITS - m.leading_zeros()).rev() {
        scaled += scaled;
        if m >> bit & 1 == 1 {
            scaled += by_strip;
        }
    }
    (plain, own + scaled)
}

/// A packed point as arkworks', back on its own curve.
fn affine<F: Field, P: SWCurveConfig<BaseField = F::Ark>>(words: &[u64]) -> Affine<P> {
    if words.iter().all(|word| *word == 0) {
        return Affine::identity();
    }
    let (x, y) = words.split_at(F::WORDS);
    Affine::new_unchecked(F::to_ark(x, false), F::to_ark(y, true))
}

/// The mark of a point's opposite in an order.
pub(crate) const OPPOSITE: u32 = NEGATIVE;

#[cfg(test)]
mod tests;
