//! Eight elements of a quadratic extension by i, i² = −1: the field of both curves' G2.

use ark_ff::{QuadExtConfig, QuadExtField};

use super::fp::{Field, Fp};
use super::lanes::{Ifma, Lanes, Mask};
use super::modulus::{Bls12Base, Bn254Base, Modulus};

/// c0 + c1·i.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fp2<M: Modulus<L>, const L: usize> {
    c0: Fp<M, L>,
    c1: Fp<M, L>,
}

/// The base fields with arkworks' types of their extensions.
pub(crate) trait Extended<const L: usize>: Modulus<L> {
    /// arkworks' configuration of the extension.
    type Config: QuadExtConfig<BaseField = Self::Ark, BasePrimeField = Self::Ark>;
}

impl Extended<5> for Bn254Base {
    type Config = ark_ff::Fp2ConfigWrapper<ark_bn254::Fq2Config>;
}

impl Extended<8> for Bls12Base {
    type Config = ark_ff::Fp2ConfigWrapper<ark_bls12_381::Fq2Config>;
}

impl<M: Extended<L>, const L: usize> Field for Fp2<M, L> {
    const WORDS: usize = 2 * M::WORDS;
    type Ark = QuadExtField<M::Config>;

    #[inline(always)]
    fn from_words(words: &[Lanes], ifma: Ifma) -> Self {
        let (c0, c1) = words.split_at(M::WORDS);
        Self { c0: Fp::from_words(c0, ifma), c1: Fp::from_words(c1, ifma) }
    }

    #[inline(always)]
    fn to_words(&self, words: &mut [Lanes]) {
        let (c0, c1) = words.split_at_mut(M::WORDS);
        self.c0.to_words(c0);
        self.c1.to_words(c1);
    }

    #[inline(always)]
    fn zero(ifma: Ifma) -> Self {
        Self { c0: Fp::zero(ifma), c1: Fp::zero(ifma) }
    }

    #[inline(always)]
    fn one(ifma: Ifma) -> Self {
        Self { c0: Fp::one(ifma), c1: Fp::zero(ifma) }
    }

    /// Karatsuba. For components below 5·p the products are below 1.3·p and 2.2·p, so the results below 5.2·p and 3.3·p.
    #[inline(always)]
    fn mul(&self, other: &Self, ifma: Ifma) -> Self {
        let low = self.c0.mul(&other.c0, ifma);
        let high = self.c1.mul(&other.c1, ifma);
        let crossed = self.c0.plus(&self.c1, ifma).mul(&other.c0.plus(&other.c1, ifma), ifma);
        let both = low.plus(&high, ifma);
        Self { c0: low.minus_up_to(&high, 2, ifma), c1: crossed.minus_up_to(&both, 3, ifma) }
    }

    #[inline(always)]
    fn minus(&self, other: &Self, ifma: Ifma) -> Self {
        Self { c0: self.c0.minus(&other.c0, ifma), c1: self.c1.minus(&other.c1, ifma) }
    }

    #[inline(always)]
    fn plus(&self, other: &Self, ifma: Ifma) -> Self {
        Self { c0: self.c0.plus(&other.c0, ifma), c1: self.c1.plus(&other.c1, ifma) }
    }

    #[inline(always)]
    fn canonical(&self, ifma: Ifma) -> Self {
        Self { c0: self.c0.canonical(ifma), c1: self.c1.canonical(ifma) }
    }

    #[inline(always)]
    fn equal(&self, other: &Self) -> Mask {
        self.c0.equal(&other.c0) & self.c1.equal(&other.c1)
    }

    #[inline(always)]
    fn is_zero(&self, ifma: Ifma) -> Mask {
        self.c0.is_zero(ifma) & self.c1.is_zero(ifma)
    }

    #[inline(always)]
    fn or_where(&self, mask: Mask, other: &Self) -> Self {
        Self { c0: self.c0.or_where(mask, &other.c0), c1: self.c1.or_where(mask, &other.c1) }
    }

    /// (c0 − c1·i)/(c0² + c1²).
    fn inverse(&self, ifma: Ifma) -> Self {
        let norm = self.c0.mul(&self.c0, ifma).plus(&self.c1.mul(&self.c1, ifma), ifma);
        let inverse = norm.inverse(ifma);
        let negative = Fp::zero(ifma).minus(&self.c1.canonical(ifma), ifma);
        Self { c0: self.c0.mul(&inverse, ifma), c1: negative.mul(&inverse, ifma) }
    }

    #[inline(always)]
    fn y_in(&self, ifma: Ifma) -> Self {
        Self { c0: self.c0.y_in(ifma), c1: self.c1.y_in(ifma) }
    }

    fn to_ark(words: &[u64], is_y: bool) -> Self::Ark {
        let (c0, c1) = words.split_at(M::WORDS);
        QuadExtField::new(Fp::<M, L>::to_ark(c0, is_y), Fp::<M, L>::to_ark(c1, is_y))
    }
}
