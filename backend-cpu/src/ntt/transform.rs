//! The butterflies.

use ark_ff::Field;
use rayon::prelude::*;

/// Below this length a block is transformed by one thread, stage after stage, inside its cache.
const SERIAL: usize = 1 << 11;

/// Butterflies per parallel piece of a stage that is wider than one block.
const PIECE: usize = 1 << 10;

/// Natural order in, bit-reversed order out. `twiddles` are those of the domain of `data`'s length.
///
/// Recursive, so that each half becomes cache-resident as early as possible, whatever the cache sizes are.
pub(super) fn decimate_in_frequency<F: Field>(data: &mut [F], twiddles: &[F]) {
    if data.len() <= SERIAL {
        return serial(data, twiddles);
    }
    let half = data.len() / 2;
    let (stage, deeper) = twiddles.split_at(half);
    let (low, high) = data.split_at_mut(half);
    low.par_chunks_mut(PIECE)
        .zip(high.par_chunks_mut(PIECE))
        .zip(stage.par_chunks(PIECE))
        .for_each(|((low, high), stage)| butterflies(low, high, stage));
    rayon::join(|| decimate_in_frequency(low, deeper), || decimate_in_frequency(high, deeper));
}

fn serial<F: Field>(data: &mut [F], mut twiddles: &[F]) {
    let mut half = data.len() / 2;
    while half > 0 {
        let (stage, deeper) = twiddles.split_at(half);
        for block in data.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            butterflies(low, high, stage);
        }
        twiddles = deeper;
        half /= 2;
    }
}

#[inline(always)]
fn butterflies<F: Field>(low: &mut [F], high: &mut [F], twiddles: &[F]) {
    for ((low, high), twiddle) in low.iter_mut().zip(high).zip(twiddles) {
        let difference = (*low - *high) * twiddle;
        *low += *high;
        *high = difference;
    }
}

/// Swaps each element with the one at the bit-reversed index.
pub(super) fn bit_reverse<F>(data: &mut [F], log_size: u32) {
    if log_size == 0 {
        return;
    }
    for i in 0..data.len() {
        let j = i.reverse_bits() >> (usize::BITS - log_size);
        if i < j {
            data.swap(i, j);
        }
    }
}
