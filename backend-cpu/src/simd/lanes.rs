//! Eight 64-bit lanes (AVX-512), and the proof that this machine has them.
//!
//! The one place with vector instructions. A [`Lanes`] exists only where an [`Ifma`] was made, and that is made only on a
//! processor that has every instruction used here: so everything outside is safe code. What calls it must be inlined into a
//! function with their [features](with_lanes) to be fast, so that there are no closures here; it is right anyway.

use std::arch::x86_64::{
    __m512i, __mmask8, _mm512_add_epi64, _mm512_and_si512, _mm512_cmpeq_epi64_mask, _mm512_loadu_si512,
    _mm512_madd52hi_epu64, _mm512_madd52lo_epu64, _mm512_mask_blend_epi64, _mm512_or_si512,
    _mm512_set1_epi64, _mm512_shuffle_i64x2, _mm512_slli_epi64, _mm512_srai_epi64, _mm512_srli_epi64,
    _mm512_storeu_si512, _mm512_sub_epi64, _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
};

/// The features that functions around loops over lanes are compiled with.
macro_rules! with_lanes {
    ($(#[$meta:meta])* $vis:vis fn $($rest:tt)*) => {
        $(#[$meta])*
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512ifma,bmi2")]
        $vis fn $($rest)*
    };
}
pub(super) use with_lanes;

/// Proof that the processor multiplies 52-bit lanes (AVX-512 IFMA), and that the operating system saves its registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ifma(());

impl Ifma {
    /// `None` on other machines.
    pub(crate) fn detect() -> Option<Self> {
        let found = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512ifma")
            && is_x86_feature_detected!("bmi2");
        found.then_some(Self(()))
    }

    /// The same number in all lanes.
    #[inline(always)]
    pub(crate) fn splat(self, x: u64) -> Lanes {
        // SAFETY: the token says that the processor has AVX-512F.
        Lanes(unsafe { _mm512_set1_epi64(x.cast_signed()) })
    }

    /// Eight numbers.
    #[inline(always)]
    pub(crate) fn load(self, words: &[u64; 8]) -> Lanes {
        // SAFETY: as above; 64 bytes are readable, and no alignment is needed.
        Lanes(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }
}

/// Eight unsigned numbers.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Lanes(__m512i);

/// A choice of lanes, one bit each.
pub(crate) type Mask = __mmask8;

macro_rules! lane_by_lane {
    ($($(#[$doc:meta])* $name:ident => $instruction:ident;)*) => {
        impl Lanes {$(
            $(#[$doc])*
            #[inline(always)]
            pub(crate) fn $name(self, other: Self) -> Self {
                // SAFETY: the lanes exist, so the processor has the instruction.
                Self(unsafe { $instruction(self.0, other.0) })
            }
        )*}
    };
}

lane_by_lane! {
    /// Sum modulo 2^64.
    add => _mm512_add_epi64;
    /// Difference modulo 2^64.
    sub => _mm512_sub_epi64;
    /// Bits of both.
    and => _mm512_and_si512;
    /// Bits of either.
    or => _mm512_or_si512;
    /// Lanes 0, 2, 4, 6 of both, alternating.
    low_pairs => _mm512_unpacklo_epi64;
    /// Lanes 1, 3, 5, 7 of both, alternating.
    high_pairs => _mm512_unpackhi_epi64;
}

impl Lanes {
    /// `self + (a·b mod 2^52)`, of the low 52 bits of `a` and `b`.
    #[inline(always)]
    pub(crate) fn add_low_product(self, a: Self, b: Self) -> Self {
        // SAFETY: the lanes exist, so the processor has IFMA.
        Self(unsafe { _mm512_madd52lo_epu64(self.0, a.0, b.0) })
    }

    /// `self + ⌊a·b / 2^52⌋`, of the low 52 bits of `a` and `b`.
    #[inline(always)]
    pub(crate) fn add_high_product(self, a: Self, b: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_madd52hi_epu64(self.0, a.0, b.0) })
    }

    /// Shifted towards higher bits.
    #[inline(always)]
    pub(crate) fn shl<const BITS: u32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_slli_epi64::<BITS>(self.0) })
    }

    /// Shifted towards lower bits, zeros coming in.
    #[inline(always)]
    pub(crate) fn shr<const BITS: u32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_srli_epi64::<BITS>(self.0) })
    }

    /// Shifted towards lower bits, the sign coming in.
    #[inline(always)]
    pub(crate) fn shr_signed<const BITS: u32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_srai_epi64::<BITS>(self.0) })
    }

    /// Where both are equal.
    #[inline(always)]
    pub(crate) fn equal(self, other: Self) -> Mask {
        // SAFETY: as above.
        unsafe { _mm512_cmpeq_epi64_mask(self.0, other.0) }
    }

    /// `other` where the mask is set.
    #[inline(always)]
    pub(crate) fn or_where(self, mask: Mask, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_mask_blend_epi64(mask, self.0, other.0) })
    }

    /// The eight numbers.
    #[inline(always)]
    pub(crate) fn store(self, words: &mut [u64; 8]) {
        // SAFETY: as above; 64 bytes are writable, and no alignment is needed.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) }
    }

    /// Blocks of two lanes: two of `self`, then two of `other`, chosen by the immediate's four two-bit fields.
    #[inline(always)]
    fn blocks<const CHOICE: i32>(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_shuffle_i64x2::<CHOICE>(self.0, other.0) })
    }
}

/// Rows become columns: lane `i` of result `j` is lane `j` of `rows[i]`.
#[inline(always)]
pub(crate) fn transpose(r: [Lanes; 8]) -> [Lanes; 8] {
    // Pairs of rows, then blocks of two lanes by fours and by eights.
    let e = columns(r[0].low_pairs(r[1]), r[2].low_pairs(r[3]), r[4].low_pairs(r[5]), r[6].low_pairs(r[7]));
    let o =
        columns(r[0].high_pairs(r[1]), r[2].high_pairs(r[3]), r[4].high_pairs(r[5]), r[6].high_pairs(r[7]));
    [e[0], o[0], e[1], o[1], e[2], o[2], e[3], o[3]]
}

#[inline(always)]
fn columns(p: Lanes, q: Lanes, r: Lanes, s: Lanes) -> [Lanes; 4] {
    // 0x88: blocks 0 and 2 of each, 0xdd: blocks 1 and 3.
    let (a, b) = (p.blocks::<0x88>(q), p.blocks::<0xdd>(q));
    let (c, d) = (r.blocks::<0x88>(s), r.blocks::<0xdd>(s));
    [a.blocks::<0x88>(c), b.blocks::<0x88>(d), a.blocks::<0xdd>(c), b.blocks::<0xdd>(d)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_columns() {
        let Some(ifma) = Ifma::detect() else { return };
        let rows: [[u64; 8]; 8] = std::array::from_fn(|i| std::array::from_fn(|j| (10 * i + j) as u64));
        let columns = transpose(rows.map(|row| ifma.load(&row)));
        for (j, column) in columns.into_iter().enumerate() {
            let mut words = [0; 8];
            column.store(&mut words);
            assert_eq!(words, std::array::from_fn(|i| (10 * i + j) as u64));
        }
    }
}
