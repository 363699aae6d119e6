//! Eight elements of a prime field.

use interlock_curves::WireField;

use super::lanes::{Ifma, Lanes, Mask};
use super::modulus::{LIMB_BITS, LIMB_MASK, Modulus};

/// Limbs of the largest product, and one more.
const MOST_LIMBS: usize = 17;

/// Eight elements of a field of point coordinates.
///
/// Elements are integers modulo p that need not be below p; bounds are given in multiples of p. Limbs always have 52 bits.
/// With R/p ≥ 84, a product of factors below a·p and b·p is below (1 + a·b/84)·p.
pub(crate) trait Field: Copy {
    /// Words of one element on the wire.
    const WORDS: usize;
    /// arkworks' type of one element.
    type Ark: ark_ff::Field;

    /// From `WORDS` words per element, word by word.
    fn from_words(words: &[Lanes], ifma: Ifma) -> Self;
    /// To words, of canonical elements.
    fn to_words(&self, words: &mut [Lanes]);
    /// Zero.
    fn zero(ifma: Ifma) -> Self;
    /// One.
    fn one(ifma: Ifma) -> Self;
    /// Factors below 8.5·p give a product below 5·p; in a prime field below 1.9·p.
    fn mul(&self, other: &Self, ifma: Ifma) -> Self;
    /// `self − other + p`, for `other` ≤ p.
    fn minus(&self, other: &Self, ifma: Ifma) -> Self;
    /// `self + other`.
    fn plus(&self, other: &Self, ifma: Ifma) -> Self;
    /// Below p, for elements below 8·p.
    fn canonical(&self, ifma: Ifma) -> Self;
    /// Where canonical elements are equal.
    fn equal(&self, other: &Self) -> Mask;
    /// Where canonical elements are zero.
    fn is_zero(&self, ifma: Ifma) -> Mask;
    /// `other` where the mask is set.
    fn or_where(&self, mask: Mask, other: &Self) -> Self;
    /// Inverses of nonzero elements; what comes of zero is not said.
    fn inverse(&self, ifma: Ifma) -> Self;
    /// Each coordinate times 2^(−D/2): see [`modulus`](super::modulus).
    fn y_in(&self, ifma: Ifma) -> Self;
    /// From canonical words in memory, undoing `y_in` if `is_y`.
    fn to_ark(words: &[u64], is_y: bool) -> Self::Ark;
}

/// Eight elements of a prime field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fp<M: Modulus<L>, const L: usize> {
    limbs: [Lanes; L],
    modulus: std::marker::PhantomData<M>,
}

impl<M: Modulus<L>, const L: usize> Fp<M, L> {
    #[inline(always)]
    fn new(limbs: [Lanes; L]) -> Self {
        Self { limbs, modulus: std::marker::PhantomData }
    }

    #[inline(always)]
    pub(super) fn splat(limbs: &[u64; L], ifma: Ifma) -> Self {
        let mut lanes = [ifma.splat(0); L];
        for i in 0..L {
            lanes[i] = ifma.splat(limbs[i]);
        }
        Self::new(lanes)
    }

    /// Limbs that may have any 64-bit values, signed, of a number that is not negative: to 52 bits each.
    #[inline(always)]
    fn carried(mut limbs: [Lanes; L], ifma: Ifma) -> Self {
        let mask = ifma.splat(LIMB_MASK);
        for i in 0..L - 1 {
            limbs[i + 1] = limbs[i + 1].add(limbs[i].shr_signed::<LIMB_BITS>());
            limbs[i] = limbs[i].and(mask);
        }
        Self::new(limbs)
    }

    /// `self − k·p` where that is not negative.
    #[inline(always)]
    fn reduced_by(&self, k: usize, ifma: Ifma) -> Self {
        let mask = ifma.splat(LIMB_MASK);
        let mut less = self.limbs;
        let mut borrow = ifma.splat(0);
        for i in 0..L {
            let limb = less[i].sub(ifma.splat(M::MULTIPLES[k - 1][i])).add(borrow);
            borrow = limb.shr_signed::<LIMB_BITS>();
            less[i] = limb.and(mask);
        }
        let fits = borrow.equal(ifma.splat(0));
        self.or_where(fits, &Self::new(less))
    }

    /// `self − other + k·p`, for `other` ≤ k·p.
    #[inline(always)]
    pub(super) fn minus_up_to(&self, other: &Self, k: usize, ifma: Ifma) -> Self {
        let mut limbs = self.limbs;
        for i in 0..L {
            limbs[i] = limbs[i].sub(other.limbs[i]).add(ifma.splat(M::MULTIPLES[k - 1][i]));
        }
        Self::carried(limbs, ifma)
    }

    /// Row `I` of a Montgomery product: `t + (a·b + m·p)·2^(52·I)`, with m such that limb I becomes zero; its carry goes to
    /// the next limb. (Moving limbs down instead would keep them in memory.)
    #[inline(always)]
    fn row<const I: usize>(
        t: &mut [Lanes; MOST_LIMBS],
        a: &[Lanes; L],
        b: Lanes,
        p: &[Lanes; L],
        inverse: Lanes,
        ifma: Ifma,
    ) {
        for j in 0..L {
            t[I + j] = t[I + j].add_low_product(a[j], b);
        }
        let m = ifma.splat(0).add_low_product(t[I], inverse);
        for j in 0..L {
            t[I + j] = t[I + j].add_low_product(m, p[j]);
        }
        t[I + 1] = t[I + 1].add(t[I].shr::<LIMB_BITS>());
        for j in 0..L {
            t[I + j + 1] = t[I + j + 1].add_high_product(a[j], b);
            t[I + j + 1] = t[I + j + 1].add_high_product(m, p[j]);
        }
    }

    /// The words of each lane, for scalar code.
    #[inline(always)]
    fn lanes(&self, ifma: Ifma) -> Vec<[u64; 8]> {
        let mut rows = vec![ifma.splat(0); M::WORDS];
        self.to_words(&mut rows);
        rows.iter()
            .map(|row| {
                let mut words = [0; 8];
                row.store(&mut words);
                words
            })
            .collect()
    }
}

impl<M: Modulus<L>, const L: usize> Field for Fp<M, L> {
    const WORDS: usize = M::WORDS;
    type Ark = M::Ark;

    #[inline(always)]
    fn from_words(words: &[Lanes], ifma: Ifma) -> Self {
        let mask = ifma.splat(LIMB_MASK);
        let mut limbs = [ifma.splat(0); L];
        // A limb begins 12 bits earlier in its word each time, and runs into the next word unless it is the last.
        macro_rules! limb {
            ($($i:literal)*) => {$(
                if $i < L {
                    const BIT: u32 = 52 * $i;
                    const SHIFT: u32 = BIT % 64;
                    let word = (BIT / 64) as usize;
                    let low = words[word].shr::<SHIFT>();
                    let limb = if SHIFT > 12 && word + 1 < M::WORDS {
                        low.or(words[word + 1].shl::<{ 64 - SHIFT }>())
                    } else {
                        low
                    };
                    limbs[$i] = limb.and(mask);
                }
            )*};
        }
        limb!(0 1 2 3 4 5 6 7);
        Self::new(limbs)
    }

    #[inline(always)]
    fn to_words(&self, words: &mut [Lanes]) {
        macro_rules! word {
            ($($i:literal)*) => {$(
                if $i < M::WORDS {
                    const BIT: u32 = 64 * $i;
                    const FIRST: usize = (BIT / 52) as usize;
                    const SHIFT: u32 = BIT % 52;
                    // Two limbs, or three when the first gives less than 12 bits.
                    let mut word = self.limbs[FIRST].shr::<SHIFT>();
                    word = word.or(self.limbs[FIRST + 1].shl::<{ 52 - SHIFT }>());
                    if 104 - SHIFT < 64 && FIRST + 2 < L {
                        word = word.or(self.limbs[FIRST + 2].shl::<{ if SHIFT > 40 { 104 - SHIFT } else { 0 } }>());
                    }
                    words[$i] = word;
                }
            )*};
        }
        word!(0 1 2 3 4 5);
    }

    #[inline(always)]
    fn zero(ifma: Ifma) -> Self {
        Self::splat(&[0; L], ifma)
    }

    #[inline(always)]
    fn one(ifma: Ifma) -> Self {
        Self::splat(&M::ONE, ifma)
    }

    #[inline(always)]
    fn mul(&self, other: &Self, ifma: Ifma) -> Self {
        let p = Self::splat(&M::MULTIPLES[0], ifma).limbs;
        let inverse = ifma.splat(M::NEGATIVE_INVERSE);
        let mut t = [ifma.splat(0); MOST_LIMBS];
        // Unrolled by hand: what stays a loop keeps its limbs in memory.
        macro_rules! rows {
            ($($i:literal)*) => {$(
                if $i < L {
                    Self::row::<$i>(&mut t, &self.limbs, other.limbs[$i], &p, inverse, ifma);
                }
            )*};
        }
        rows!(0 1 2 3 4 5 6 7);
        let mut limbs = [ifma.splat(0); L];
        for i in 0..L {
            limbs[i] = t[L + i];
        }
        Self::carried(limbs, ifma)
    }

    #[inline(always)]
    fn minus(&self, other: &Self, ifma: Ifma) -> Self {
        self.minus_up_to(other, 1, ifma)
    }

    #[inline(always)]
    fn plus(&self, other: &Self, ifma: Ifma) -> Self {
        let mut limbs = self.limbs;
        for i in 0..L {
            limbs[i] = limbs[i].add(other.limbs[i]);
        }
        Self::carried(limbs, ifma)
    }

    #[inline(always)]
    fn canonical(&self, ifma: Ifma) -> Self {
        self.reduced_by(4, ifma).reduced_by(2, ifma).reduced_by(1, ifma)
    }

    #[inline(always)]
    fn equal(&self, other: &Self) -> Mask {
        let mut equal = 0xff;
        for i in 0..L {
            equal &= self.limbs[i].equal(other.limbs[i]);
        }
        equal
    }

    #[inline(always)]
    fn is_zero(&self, ifma: Ifma) -> Mask {
        let mut all = self.limbs[0];
        for i in 1..L {
            all = all.or(self.limbs[i]);
        }
        all.equal(ifma.splat(0))
    }

    #[inline(always)]
    fn or_where(&self, mask: Mask, other: &Self) -> Self {
        let mut limbs = self.limbs;
        for i in 0..L {
            limbs[i] = limbs[i].or_where(mask, other.limbs[i]);
        }
        Self::new(limbs)
    }

    /// One inversion for all eight, by scalar code: its time is shared by a whole batch.
    fn inverse(&self, ifma: Ifma) -> Self {
        let words = self.canonical(ifma).lanes(ifma);
        let mut lanes: [M::Ark; 8] = std::array::from_fn(|lane| {
            let bytes: Vec<u8> = words.iter().flat_map(|row| row[lane].to_le_bytes()).collect();
            M::Ark::from_montgomery_unchecked(&bytes)
        });
        invert_all(&mut lanes);
        let mut rows = vec![[0; 8]; M::WORDS];
        for (lane, inverse) in lanes.iter().enumerate() {
            let mut bytes = vec![0; 8 * M::WORDS];
            inverse.write_montgomery(&mut bytes);
            for (row, word) in rows.iter_mut().zip(bytes.as_chunks().0) {
                row[lane] = u64::from_le_bytes(*word);
            }
        }
        let rows: Vec<Lanes> = rows.iter().map(|row| ifma.load(row)).collect();
        Self::from_words(&rows, ifma).mul(&Self::splat(&M::AFTER_INVERSE, ifma), ifma)
    }

    #[inline(always)]
    fn y_in(&self, ifma: Ifma) -> Self {
        self.mul(&Self::splat(&M::Y_IN, ifma), ifma)
    }

    fn to_ark(words: &[u64], is_y: bool) -> M::Ark {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let x = M::Ark::from_montgomery_unchecked(&bytes);
        if is_y { x * super::modulus::y_out::<M, L>() } else { x }
    }
}

/// Montgomery's trick, on one thread. A zero spoils the others; it does not occur.
fn invert_all<F: ark_ff::Field>(lanes: &mut [F; 8]) {
    let mut product = F::ONE;
    let before = lanes.map(|lane| {
        let before = product;
        product *= lane;
        before
    });
    let mut inverse = product.inverse().unwrap_or(F::ONE);
    for (lane, before) in lanes.iter_mut().zip(before).rev() {
        let own = inverse * before;
        inverse *= *lane;
        *lane = own;
    }
}
