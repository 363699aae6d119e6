//! The base fields, in limbs of 52 bits.
//!
//! Inside the vector kernels a number x is held as x·2^(52·L) mod p, L limbs of 52 bits. On the wire it is x·2^(64·W), W
//! words. Read as the former, the wire's number is that of x/2^D with D = 52·L − 64·W. Points therefore keep their words and
//! move to an isomorphic curve, where (x, y) is (u²·x, u³·y) with u = 2^(−D/2): the affine formulas of curves with a = 0
//! hold on all of those. Only y has to be multiplied, by 2^(−D/2), on the way in, and by its inverse on the way out.

use ark_ff::{Field, MontConfig, PrimeField};
use interlock_curves::WireField;

/// Bits of a limb.
pub(super) const LIMB_BITS: u32 = 52;
pub(super) const LIMB_MASK: u64 = (1 << LIMB_BITS) - 1;

/// A prime with L limbs.
pub(crate) trait Modulus<const L: usize>: Copy + Send + Sync + 'static {
    /// arkworks' field.
    type Ark: PrimeField + WireField;
    /// Words of an element on the wire.
    const WORDS: usize;
    /// p, 2·p, 3·p, 4·p.
    const MULTIPLES: [[u64; L]; 4];
    /// −1/p mod 2^52.
    const NEGATIVE_INVERSE: u64;
    /// 1 in the kernels' form.
    const ONE: [u64; L];
    /// 2^(−D/2) in the kernels' form.
    const Y_IN: [u64; L];
    /// By which the inverse must be multiplied that arkworks computes from a number's limbs as if they were its own.
    const AFTER_INVERSE: [u64; L];
    /// D/2.
    const HALF_SHIFT: u32;
}

/// The low limbs of words.
const fn limbs<const W: usize, const L: usize>(words: [u64; W]) -> [u64; L] {
    let mut out = [0; L];
    let mut i = 0;
    while i < L {
        let bit = i * LIMB_BITS as usize;
        let (word, shift) = (bit / 64, bit % 64);
        let low = if word < W { words[word] >> shift } else { 0 };
        let high = if shift > 12 && word + 1 < W { words[word + 1] << (64 - shift) } else { 0 };
        out[i] = (low | high) & LIMB_MASK;
        i += 1;
    }
    out
}

/// `a + b`, which must fit.
const fn sum<const L: usize>(a: [u64; L], b: [u64; L]) -> [u64; L] {
    let mut out = [0; L];
    let (mut i, mut carry) = (0, 0);
    while i < L {
        let limb = a[i] + b[i] + carry;
        out[i] = limb & LIMB_MASK;
        carry = limb >> LIMB_BITS;
        i += 1;
    }
    out
}

/// `a − p` if that is not negative.
const fn reduce_once<const L: usize>(a: [u64; L], p: [u64; L]) -> [u64; L] {
    let mut out = [0; L];
    let (mut i, mut borrow) = (0, 0);
    while i < L {
        let limb = a[i].wrapping_sub(p[i]).wrapping_sub(borrow);
        borrow = limb >> 63;
        out[i] = limb & LIMB_MASK;
        i += 1;
    }
    if borrow == 1 { a } else { out }
}

/// 2^k mod p.
const fn power_of_two<const L: usize>(k: u32, p: [u64; L]) -> [u64; L] {
    let mut power = [0; L];
    power[0] = 1;
    let mut i = 0;
    while i < k {
        power = reduce_once(sum(power, power), p);
        i += 1;
    }
    power
}

/// −1/p mod 2^52, by Newton's iteration.
const fn negative_inverse(p: u64) -> u64 {
    let mut inverse = p;
    let mut i = 0;
    while i < 5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(p.wrapping_mul(inverse)));
        i += 1;
    }
    inverse.wrapping_neg() & LIMB_MASK
}

macro_rules! modulus {
    ($(#[$doc:meta])* $name:ident, $config:ty, $ark:ty, words $w:literal, limbs $l:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name;

        impl Modulus<$l> for $name {
            type Ark = $ark;
            const WORDS: usize = $w;
            const MULTIPLES: [[u64; $l]; 4] = {
                let p: [u64; $l] = limbs(<$config as MontConfig<$w>>::MODULUS.0);
                let twice = sum(p, p);
                [p, twice, sum(twice, p), sum(twice, twice)]
            };
            const NEGATIVE_INVERSE: u64 = negative_inverse(Self::MULTIPLES[0][0]);
            const ONE: [u64; $l] = power_of_two(LIMB_BITS * $l, Self::MULTIPLES[0]);
            const HALF_SHIFT: u32 = (LIMB_BITS * $l - 64 * $w) / 2;
            const Y_IN: [u64; $l] = power_of_two(LIMB_BITS * $l - Self::HALF_SHIFT, Self::MULTIPLES[0]);
            // With R = 2^(52·L), S = 2^(64·W): arkworks gives S²/v for v = x·R; R²/v = R/x is wanted, and a
            // multiplication divides by R.
            const AFTER_INVERSE: [u64; $l] =
                power_of_two(3 * LIMB_BITS * $l - 2 * 64 * $w, Self::MULTIPLES[0]);
        }
    };
}

modulus! {
    /// The base field of BN254.
    Bn254Base, ark_bn254::FqConfig, ark_bn254::Fq, words 4, limbs 5
}
modulus! {
    /// The base field of BLS12-381.
    Bls12Base, ark_bls12_381::FqConfig, ark_bls12_381::Fq, words 6, limbs 8
}

/// 2^HALF_SHIFT, by which a y is multiplied that leaves the kernels.
pub(super) fn y_out<M: Modulus<L>, const L: usize>() -> M::Ark {
    M::Ark::from(2_u64).pow([u64::from(M::HALF_SHIFT)])
}
