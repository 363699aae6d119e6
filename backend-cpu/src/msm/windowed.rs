//! A windowed (Pippenger) multiplication over [`batch_affine`](super::batch_affine) sums.

use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ff::AdditiveGroup;
use interlock_sdk::{BackendError, CancelToken};
use rayon::prelude::*;
use zeroize::Zeroizing;

use crate::msm::batch_affine::Segments;

/// Sums of points in buckets.
pub(super) trait Kernel<P: SWCurveConfig>: Sync {
    /// Multiplications that a bucket takes beside those of its points, six each.
    const BUCKET_COST: usize;
    /// Memory that a thread takes from one tile to the next.
    type Scratch;

    /// No memory yet.
    fn scratch(&self) -> Self::Scratch;

    /// `Σ (k + 1)·Σ ±point(i)` over the buckets k: `order` names the points bucket after bucket, by their indices from 0;
    /// `ends` says where each bucket ends. A point that is `opposite` counts negatively. `order` may be changed.
    fn weighted(
        &self,
        order: &mut [u32],
        opposite: impl Fn(u32) -> bool,
        ends: Vec<u32>,
        scratch: &mut Self::Scratch,
    ) -> Projective<P>;
}

/// Scalar code, over points from a function.
pub(super) struct Scalar<T>(pub(super) T);

impl<P: SWCurveConfig, T: Fn(usize) -> Affine<P> + Sync> Kernel<P> for Scalar<T> {
    /// A mixed and a full addition.
    const BUCKET_COST: usize = 25;
    type Scratch = ();

    fn scratch(&self) {}

    fn weighted(
        &self,
        order: &mut [u32],
        opposite: impl Fn(u32) -> bool,
        ends: Vec<u32>,
        (): &mut (),
    ) -> Projective<P> {
        let points = order.iter().map(|&i| {
            let point = (self.0)(i as usize);
            if opposite(i) { -point } else { point }
        });
        let sums = Segments::new(points.collect(), ends).sums();
        // Σ k·B_k from the top: the running sum of the buckets is added once for each step down.
        let (mut running, mut total) = (Projective::<P>::ZERO, Projective::<P>::ZERO);
        for bucket in sums.rev() {
            running += bucket;
            total += running;
        }
        total
    }
}

/// A window of the scalars times a range of the points.
struct Tile {
    window: usize,
    first: usize,
    end: usize,
}

/// `Σ scalars[i] · point(i)` for i < n, with scalars of `bits` bits packed in `scalar_bytes` little-endian bytes each.
///
/// Digits are signed, in −2^(c−1) ..= 2^(c−1), so a window of c bits has 2^(c−1) buckets.
pub(super) fn multiply<P: SWCurveConfig, K: Kernel<P>>(
    n: usize,
    kernel: &K,
    scalars: &[u8],
    scalar_bytes: usize,
    bits: usize,
    cancel: &CancelToken,
) -> Result<Projective<P>, BackendError> {
    let c = window_bits(n, bits, K::BUCKET_COST);
    let windows = bits / c + 1;
    let columns = (3 * rayon::current_num_threads()).div_ceil(windows).clamp(1, (n / 512).max(1));
    let tiles: Vec<Tile> = (0..windows)
        .flat_map(|window| {
            (0..columns).map(move |i| Tile { window, first: n * i / columns, end: n * (i + 1) / columns })
        })
        .collect();
    let digits = Digits { scalars, scalar_bytes, offset: offset(c, windows), c, windows };
    let sums: Vec<Result<Projective<P>, BackendError>> = tiles
        .par_iter()
        .map_init(
            || kernel.scratch(),
            |scratch, tile| {
                cancel.check()?;
                Ok(tile_sum(tile, kernel, &digits, scratch))
            },
        )
        .collect();
    // Horner's rule over the windows, the highest first.
    let mut total = Projective::ZERO;
    let mut window = windows - 1;
    for (tile, sum) in tiles.iter().zip(sums).rev() {
        while window > tile.window {
            for _ in 0..c {
                total.double_in_place();
            }
            window -= 1;
        }
        total += sum?;
    }
    Ok(total)
}

/// Bits per window, by the multiplications that a window takes.
fn window_bits(n: usize, bits: usize, bucket_cost: usize) -> usize {
    let cost = |c: usize| (bits / c + 1) * (6 * n + (bucket_cost << (c - 1)));
    (2..=16).min_by_key(|&c| cost(c)).unwrap_or(2)
}

/// Reads signed digits. Adding 2^(c−1) to every window but the highest makes the digits independent of each other: what a
/// window then holds, less 2^(c−1), is its signed digit.
struct Digits<'a> {
    scalars: &'a [u8],
    scalar_bytes: usize,
    offset: [u64; 4],
    c: usize,
    windows: usize,
}

fn offset(c: usize, windows: usize) -> [u64; 4] {
    let mut limbs = [0; 4];
    for window in 0..windows - 1 {
        let bit = window * c + c - 1;
        limbs[bit / 64] |= 1 << (bit % 64);
    }
    limbs
}

impl Digits<'_> {
    #[inline]
    fn get(&self, i: usize, window: usize) -> i32 {
        let bytes = &self.scalars[i * self.scalar_bytes..(i + 1) * self.scalar_bytes];
        let mut limbs = [0_u64; 4];
        let mut carry = false;
        for (j, limb) in limbs.iter_mut().enumerate() {
            let word = bytes.as_chunks::<8>().0.get(j).map_or(0, |word| u64::from_le_bytes(*word));
            let (sum, over) = word.overflowing_add(self.offset[j]);
            let (sum, more) = sum.overflowing_add(u64::from(carry));
            (*limb, carry) = (sum, over | more);
        }
        let bit = window * self.c;
        let (limb, shift) = (bit / 64, bit % 64);
        let low = limbs[limb] >> shift;
        let high = if shift == 0 { 0 } else { limbs.get(limb + 1).map_or(0, |limb| limb << (64 - shift)) };
        let raw = (low | high) & ((1 << self.c) - 1);
        let half = 1 << (self.c - 1);
        // The highest digit of a scalar below r is at most that. Others, whose sum nobody needs, must not leave the buckets.
        if window + 1 == self.windows { (raw as i32).min(half) } else { raw as i32 - half }
    }
}

/// Sorts a tile's points by digit, adds up each bucket, and sums the buckets with their weights.
fn tile_sum<P: SWCurveConfig, K: Kernel<P>>(
    tile: &Tile,
    kernel: &K,
    digits: &Digits<'_>,
    scratch: &mut K::Scratch,
) -> Projective<P> {
    let buckets = 1_usize << (digits.c - 1);
    let own: Zeroizing<Vec<i32>> =
        Zeroizing::new((tile.first..tile.end).map(|i| digits.get(i, tile.window)).collect());
    // Counting sort. Digit 0 is dropped; bucket k holds weight k + 1.
    let mut ends = vec![0_u32; buckets + 1];
    for digit in own.iter().filter(|&&digit| digit != 0) {
        ends[digit.unsigned_abs() as usize] += 1;
    }
    for k in 1..=buckets {
        ends[k] += ends[k - 1];
    }
    let mut sorted = vec![0_u32; ends[buckets] as usize];
    // `ends[k]` moves from where bucket k begins to where it ends, which is where it is wanted.
    let mut place: Vec<u32> = ends[..buckets].to_vec();
    for (i, digit) in own.iter().enumerate().filter(|(_, digit)| **digit != 0) {
        let at = &mut place[digit.unsigned_abs() as usize - 1];
        sorted[*at as usize] = (tile.first + i) as u32;
        *at += 1;
    }
    kernel.weighted(&mut sorted, |i| own[i as usize - tile.first] < 0, place, scratch)
}
