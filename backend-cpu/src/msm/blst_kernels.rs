//! BLS12-381: blst's single-threaded window kernel, tiled over our own pool, where the processor has no vector instructions
//! for it.

use blst::{
    blst_p1, blst_p1_add_or_double, blst_p1_affine, blst_p1_double, blst_p1_mult, blst_p1s_add,
    blst_p1s_mult_pippenger_scratch_sizeof, blst_p1s_tile_pippenger, blst_p2, blst_p2_add_or_double,
    blst_p2_affine, blst_p2_double, blst_p2_mult, blst_p2s_add, blst_p2s_mult_pippenger_scratch_sizeof,
    blst_p2s_tile_pippenger,
};
#[cfg(target_arch = "x86_64")]
use interlock_curves::{Bls12_381, ProvingCurve};
use interlock_sdk::{BackendError, CancelToken};
use rayon::prelude::*;

use crate::msm::group::MsmGroup;
#[cfg(target_arch = "x86_64")]
use crate::msm::vector;
#[cfg(target_arch = "x86_64")]
use crate::simd::{Bls12Base, Fp, Fp2};

/// G1 of BLS12-381.
#[derive(Debug)]
pub struct BlsG1;

/// G2 of BLS12-381.
#[derive(Debug)]
pub struct BlsG2;

/// Bits of a scalar below r.
const SCALAR_BITS: usize = 255;

/// A window of the scalars times a range of the points.
struct Tile {
    first: usize,
    count: usize,
    bit: usize,
}

/// Bits per window for `n` points: blst's own choice, by which a window's additions outweigh the summing of its buckets.
fn window_bits(n: usize) -> usize {
    match n.max(1).ilog2() as usize {
        log @ 13.. => log - 3,
        log @ 9.. => log - 2,
        log @ 5.. => log - 1,
        log @ 1.. => log.min(2),
        _ => 1,
    }
}

/// Windows that scalars of `bits` bits take: signed digits carry, so there is one more than the bits need when they fill
/// their windows exactly.
fn rows(bits: usize, window: usize) -> usize {
    bits / window + 1
}

/// Cuts the work into tiles of one window each, and the points into as many columns as keep every thread busy. blst's
/// tile always reads two points, so `n` is at least 2, and so is each tile.
fn tiles(n: usize, scalar_bits: usize, threads: usize) -> (usize, Vec<Tile>) {
    // Three tiles per thread even out their ends; a column below 256 points would spend its time on its buckets.
    let columns = (3 * threads).div_ceil(rows(scalar_bits, window_bits(n))).clamp(1, (n / 256).max(1));
    let window = window_bits(n / columns);
    let tiles = (0..rows(scalar_bits, window)).flat_map(|row| {
        (0..columns).map(move |column| {
            let (first, end) = (n * column / columns, n * (column + 1) / columns);
            Tile { first, count: end - first, bit: row * window }
        })
    });
    (window, tiles.collect())
}

macro_rules! blst_group {
    ($group:ty, $field:ty, $write:path, $affine:ty, $sum:ty, $add:ident, $double:ident, $mult:ident, $sum_points:ident, $scratch:ident, $tile:ident) => {
        impl MsmGroup for $group {
            const POINT_BYTES: usize = size_of::<$affine>();
            type Sum = $sum;

            fn zero() -> $sum {
                <$sum>::default()
            }

            fn add(a: $sum, b: $sum) -> $sum {
                let mut sum = <$sum>::default();
                // SAFETY: three valid points; the output is distinct.
                unsafe { $add(&raw mut sum, &raw const a, &raw const b) };
                sum
            }

            fn sum(points: &[u8], chosen: &[u32]) -> $sum {
                #[cfg(target_arch = "x86_64")]
                if let Some(ifma) = vector::takes(chosen.len()) {
                    return Self::from_arkworks(|bytes| {
                        $write(&vector::sum::<$field, _>(points, chosen, ifma), bytes);
                    });
                }
                let mut sum = <$sum>::default();
                let pointers = Self::pointers(points, chosen);
                if !chosen.is_empty() {
                    // SAFETY: `chosen.len()` pointers to aligned points, and a NULL behind them.
                    unsafe { $sum_points(&raw mut sum, pointers.as_ptr(), chosen.len()) };
                }
                sum
            }

            fn multiply(
                points: &[u8],
                chosen: &[u32],
                scalars: &[u8],
                scalar_bytes: usize,
                cancel: &CancelToken,
            ) -> Result<$sum, BackendError> {
                if chosen.is_empty() {
                    return Ok(<$sum>::default());
                }
                assert_eq!(scalars.len(), chosen.len() * scalar_bytes, "one scalar per point");
                if chosen.len() == 1 {
                    return Ok(Self::multiply_one(points, chosen, scalars));
                }
                let bits = if scalar_bytes == 32 { SCALAR_BITS } else { 8 * scalar_bytes };
                #[cfg(target_arch = "x86_64")]
                if let Some(ifma) = vector::takes(chosen.len()) {
                    let scalars = (scalars, scalar_bytes, bits);
                    let sum = vector::multiply::<$field, _>(points, chosen, scalars, ifma, cancel)?;
                    return Ok(Self::from_arkworks(|bytes| $write(&sum, bytes)));
                }
                // blst takes a pointer's address as given; the table is shared by all tiles.
                let pointers = Self::pointers(points, chosen);
                let pointers = Pointers(&pointers);
                let (window, tiles) = tiles(chosen.len(), bits, rayon::current_num_threads());
                // SAFETY: a pure function of its argument.
                let point_words = unsafe { $scratch(0) } / 8;
                let sums: Vec<Result<$sum, BackendError>> = tiles
                    .par_iter()
                    .map_init(
                        || vec![0_u64; point_words << (window - 1)],
                        |scratch, tile| {
                            cancel.check()?;
                            let mut sum = <$sum>::default();
                            let scalars = [scalars[tile.first * scalar_bytes..].as_ptr(), std::ptr::null()];
                            // SAFETY: `count` pointers from `first` on lie inside the table, which ends with a NULL;
                            // the scalars are contiguous (NULL second pointer) and as many; the scratch has
                            // 2^(window−1) buckets.
                            unsafe {
                                $tile(
                                    &raw mut sum,
                                    pointers.from(tile.first),
                                    tile.count,
                                    scalars.as_ptr(),
                                    bits,
                                    scratch.as_mut_ptr(),
                                    tile.bit,
                                    window,
                                );
                            }
                            Ok(sum)
                        },
                    )
                    .collect();
                // Horner's rule over the windows, the highest first.
                let mut total = <$sum>::default();
                let mut row = tiles.last().map_or(0, |tile| tile.bit);
                for (tile, sum) in tiles.iter().zip(sums).rev() {
                    while row > tile.bit {
                        let point = total;
                        // SAFETY: two valid points; the output is distinct.
                        unsafe { $double(&raw mut total, &raw const point) };
                        row -= 1;
                    }
                    total = Self::add(total, sum?);
                }
                Ok(total)
            }

            fn encode(sum: &$sum) -> Vec<u8> {
                // SAFETY: a blst point is an array of 64-bit limbs without padding: X, Y, Z in Montgomery form, the
                // wire's encoding on a little-endian machine (the crate refuses to build on others).
                unsafe { std::slice::from_raw_parts(std::ptr::from_ref(sum).cast::<u8>(), size_of::<$sum>()) }
                    .to_vec()
            }
        }

        impl $group {
            /// A point in Jacobian coordinates of the wire encoding, which are blst's own.
            #[cfg(target_arch = "x86_64")]
            fn from_arkworks(write: impl FnOnce(&mut [u8])) -> $sum {
                let mut sum = <$sum>::default();
                // SAFETY: a blst point is an array of 64-bit limbs without padding, for which any bytes are valid.
                write(unsafe {
                    std::slice::from_raw_parts_mut((&raw mut sum).cast::<u8>(), size_of::<$sum>())
                });
                sum
            }

            /// One point times one scalar.
            fn multiply_one(points: &[u8], chosen: &[u32], scalar: &[u8]) -> $sum {
                let point = Self::sum(points, chosen);
                let mut product = <$sum>::default();
                // SAFETY: a valid point, and a scalar of the bytes that its bits say.
                unsafe { $mult(&raw mut product, &raw const point, scalar.as_ptr(), 8 * scalar.len()) };
                product
            }

            /// Addresses of the chosen points, and a NULL: blst looks one entry ahead.
            fn pointers(points: &[u8], chosen: &[u32]) -> Vec<*const $affine> {
                assert!(points.as_ptr().addr() % 8 == 0, "points are aligned to their limbs");
                let point = |&i: &u32| {
                    let at = i as usize * Self::POINT_BYTES;
                    points[at..at + Self::POINT_BYTES].as_ptr().cast::<$affine>()
                };
                chosen.iter().map(point).chain([std::ptr::null()]).collect()
            }
        }
    };
}

blst_group!(
    BlsG1,
    Fp<Bls12Base, 8>,
    Bls12_381::write_g1_jacobian,
    blst_p1_affine,
    blst_p1,
    blst_p1_add_or_double,
    blst_p1_double,
    blst_p1_mult,
    blst_p1s_add,
    blst_p1s_mult_pippenger_scratch_sizeof,
    blst_p1s_tile_pippenger
);
blst_group!(
    BlsG2,
    Fp2<Bls12Base, 8>,
    Bls12_381::write_g2_jacobian,
    blst_p2_affine,
    blst_p2,
    blst_p2_add_or_double,
    blst_p2_double,
    blst_p2_mult,
    blst_p2s_add,
    blst_p2s_mult_pippenger_scratch_sizeof,
    blst_p2s_tile_pippenger
);

/// A table of addresses that the tiles of several threads read.
struct Pointers<'a, T>(&'a [*const T]);

impl<T> Pointers<'_, T> {
    fn from(&self, first: usize) -> *const *const T {
        self.0[first..].as_ptr()
    }
}

// SAFETY: the addresses are of points that nobody writes.
unsafe impl<T> Sync for Pointers<'_, T> {}

#[cfg(not(target_endian = "little"))]
compile_error!("the wire encoding is little-endian; this backend relies on the machine being so");
