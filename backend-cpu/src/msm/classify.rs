//! Sorting an MSM's terms by the size of their scalars.

use ark_ff::Field;
use interlock_curves::WireField;
use interlock_sdk::Form;
use rayon::prelude::*;
use zeroize::Zeroizing;

use crate::device::canonical_limbs;

/// Terms per parallel piece.
const PIECE: usize = 8192;

/// Terms whose scalars have one length: which bases, and the packed little-endian scalars.
#[derive(Default)]
pub(super) struct Terms {
    pub(super) chosen: Vec<u32>,
    pub(super) scalars: Zeroizing<Vec<u8>>,
}

/// The terms of an MSM; those with scalar 0 or base infinity are gone.
#[derive(Default)]
pub(super) struct Classes {
    /// Bases whose scalar is 1.
    pub(super) ones: Vec<u32>,
    /// Scalars in 2..2^64, 8 bytes each.
    pub(super) short: Terms,
    /// All others, 32 bytes each.
    pub(super) full: Terms,
}

/// Classifies `scalars[index[i]]` for the `finite` bases out of `count`.
pub(super) fn classify<F: Field + WireField>(
    scalars: &[F],
    form: Form,
    count: usize,
    finite: Option<&[u32]>,
    index: Option<&[u32]>,
) -> Classes {
    let terms = finite.map_or(count, <[u32]>::len);
    let pieces: Vec<Classes> = (0..terms.div_ceil(PIECE))
        .into_par_iter()
        .map(|piece| {
            let mut classes = Classes::default();
            for term in piece * PIECE..terms.min((piece + 1) * PIECE) {
                let base = finite.map_or(term as u32, |finite| finite[term]);
                let position = index.map_or(base, |index| index[base as usize]);
                let scalar = &scalars[position as usize];
                // Zero is zero in both forms, and most scalars of many witnesses are.
                if !scalar.is_zero() {
                    classes.push(base, canonical_limbs(scalar, form));
                }
            }
            classes
        })
        .collect();
    Classes::concat(&pieces)
}

impl Classes {
    fn push(&mut self, base: u32, limbs: [u64; 4]) {
        match limbs {
            [1, 0, 0, 0] => self.ones.push(base),
            [low, 0, 0, 0] => self.short.push(base, &[low]),
            _ => self.full.push(base, &limbs),
        }
    }

    fn concat(pieces: &[Self]) -> Self {
        Self {
            ones: pieces.iter().flat_map(|piece| &piece.ones).copied().collect(),
            short: Terms::concat(pieces.iter().map(|piece| &piece.short)),
            full: Terms::concat(pieces.iter().map(|piece| &piece.full)),
        }
    }
}

impl Terms {
    fn push(&mut self, base: u32, limbs: &[u64]) {
        if self.chosen.is_empty() {
            // Reserved at once: a growing vector would leave copies of secrets behind in freed memory.
            self.scalars.reserve_exact(PIECE * 8 * limbs.len());
            self.chosen.reserve_exact(PIECE);
        }
        self.chosen.push(base);
        for limb in limbs {
            self.scalars.extend_from_slice(&limb.to_le_bytes());
        }
    }

    fn concat<'a>(pieces: impl Iterator<Item = &'a Self> + Clone) -> Self {
        let mut all = Self::default();
        all.chosen.reserve_exact(pieces.clone().map(|piece| piece.chosen.len()).sum());
        all.scalars.reserve_exact(pieces.clone().map(|piece| piece.scalars.len()).sum());
        for piece in pieces {
            all.chosen.extend_from_slice(&piece.chosen);
            all.scalars.extend_from_slice(&piece.scalars);
        }
        all
    }
}
