//! Answers about points that a fuzzer asks again and again: most of its inputs differ from the last in a few bytes, so
//! they hold the same points, and a square root or a subgroup check costs more than all the rest of a run.
//!
//! Only built for fuzzing (`--cfg fuzzing`). An answer is returned for the very bytes for which it was worked out, so a
//! run's result does not depend on those before it.

use std::cell::RefCell;

/// The longest wire encoding: an affine point of G2 of BLS12-381.
pub(crate) const LONGEST: usize = 192;

/// Questions that are remembered; a newer one takes the place of an older one.
const SLOTS: usize = 1024;

/// The length of an encoding, and the encoding, followed by zeros. The groups differ in their lengths.
pub(crate) type Key = (usize, [u8; LONGEST]);

/// Answers to one kind of question.
pub(crate) struct Memo<V>(RefCell<Vec<Option<(Key, V)>>>);

impl<V: Clone> Memo<V> {
    pub(crate) fn new() -> Self {
        Self(RefCell::new(vec![None; SLOTS]))
    }

    /// The answer, worked out by `work` unless it is remembered.
    pub(crate) fn answer(&self, key: Key, work: impl FnOnce() -> V) -> V {
        let words = key.1.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
        // Coordinates of points are as good as random: a multiplication is enough of a hash.
        let step = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        let slot = (words.fold(key.0 as u64, step) % SLOTS as u64) as usize;
        if let Some((known, answer)) = &self.0.borrow()[slot]
            && *known == key
        {
            return answer.clone();
        }
        let answer = work();
        self.0.borrow_mut()[slot] = Some((key, answer.clone()));
        answer
    }
}

thread_local! {
    /// Whether a point is in the subgroup.
    pub(crate) static SUBGROUP: Memo<bool> = Memo::new();
    /// The smaller `y` of an `x`.
    pub(crate) static ORDINATE: Memo<Option<[u8; LONGEST]>> = Memo::new();
}
