// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sums of multiples of points, by buckets.

use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ff::AdditiveGroup;
use interlock_sdk::{BackendError, CancelToken, Form};
use zeroize::Zeroizing;

use super::PIECE;
use crate::element::{self, Element, Scalar, ScalarField};

/// What is summed: `scalars[index[i]] · points[i]`.
pub struct Terms<'a> {
    /// Affine points, none of them infinity.
    pub points: &'a [u8],
    /// The scalar of each point.
    pub index: &'a [[u8; 4]],
    /// The scalars.
    pub scalars: &'a [Scalar],
    /// Their form.
    pub form: Form,
}

impl Terms<'_> {
    fn point<P: SWCurveConfig<BaseField: Element>>(&self, i: usize) -> Affine<P> {
        let bytes = P::BaseField::BYTES;
        let (x, y) = self.points[2 * bytes * i..2 * bytes * (i + 1)].split_at(bytes);
        Affine::new_unchecked(P::BaseField::load(x), P::BaseField::load(y))
    }

    /// The integer that a point is multiplied with, in limbs.
    fn integer<F: ScalarField>(&self, i: usize) -> [u64; 4] {
        let scalar = &self.scalars[u32::from_le_bytes(self.index[i]) as usize];
        match self.form {
            Form::Canonical => element::limbs(scalar).0,
            Form::Montgomery => F::load(scalar).into_bigint().0,
        }
    }
}

/// `Σ scalars[index[i]] · points[i]`
///
/// Scalars are cut into windows of c bits, the highest first. In each window, points with the same digit d meet in bucket
/// d, and `Σ d · bucket[d]` takes two additions for each bucket. Points may be equal or opposite, and many scalars are 0 or 1.
pub fn sum<P: SWCurveConfig<BaseField: Element>, F: ScalarField>(
    terms: &Terms<'_>,
    cancel: &CancelToken,
) -> Result<Projective<P>, BackendError> {
    let bits = window_bits(terms.index.len());
    // What is in the buckets follows from a witness: overwritten when it is dropped.
    let mut buckets = Zeroizing::new(vec![Projective::<P>::ZERO; (1 << bits) - 1]);
    let mut total = Projective::ZERO;
    for window in (0..256_usize.div_ceil(bits)).rev() {
        buckets.fill(Projective::ZERO);
        for i in 0..terms.index.len() {
            if i % PIECE == 0 {
                cancel.check()?;
            }
            let digit = digit(&terms.integer::<F>(i), window * bits, bits);
            if digit != 0 {
                buckets[digit - 1] += terms.point::<P>(i);
            }
        }
        for _ in 0..bits {
            total.double_in_place();
        }
        let mut running = Projective::ZERO;
        for bucket in buckets.iter().rev() {
            running += bucket;
            total += running;
        }
    }
    Ok(total)
}

/// Bits per window, by the additions that all windows take.
fn window_bits(points: usize) -> usize {
    let additions = |bits: usize| 256_usize.div_ceil(bits) * (points + (2 << bits));
    (1..=14).min_by_key(|&bits| additions(bits)).unwrap_or(1)
}

/// `bits` bits from `first` on. Bits beyond the last limb are 0.
fn digit(limbs: &[u64; 4], first: usize, bits: usize) -> usize {
    let (limb, shift) = (first / 64, first % 64);
    let low = limbs[limb] >> shift;
    let high = if shift == 0 { 0 } else { limbs.get(limb + 1).map_or(0, |limb| limb << (64 - shift)) };
    ((low | high) & ((1 << bits) - 1)) as usize
}

#[cfg(test)]
mod tests {
    use ark_ec::AffineRepr;

    use super::*;
    use crate::curve::{Bls12_381, Bn254, Curve};

    /// Multiples of the generator, which are known: kᵢ·G, so that the sum is (Σ sᵢ·kᵢ)·G.
    fn known_multiples<P: SWCurveConfig<BaseField: Element, ScalarField = F>, F: ScalarField>() {
        for n in [0, 1, 2, 33, 200] {
            let multiples: Vec<F> = (0..n).map(|i| F::from(i % 7 + 1)).collect();
            let edge = [F::ZERO, F::ONE, -F::ONE, F::from(u64::MAX)];
            let scalars: Vec<F> = (0..n)
                .map(|i| edge.get(i as usize % 6).copied().unwrap_or_else(|| F::from(i + 9).pow([i + 77])))
                .collect();
            let mut points = vec![0; multiples.len() * 2 * P::BaseField::BYTES];
            for (multiple, place) in multiples.iter().zip(points.chunks_exact_mut(2 * P::BaseField::BYTES)) {
                let point: Affine<P> = (P::GENERATOR * *multiple).into();
                let (x, y) = place.split_at_mut(P::BaseField::BYTES);
                point.x.store(x);
                point.y.store(y);
            }
            // From the last scalar to the first, to see the index obeyed.
            let index: Vec<[u8; 4]> = (0..n as u32).rev().map(u32::to_le_bytes).collect();
            for form in [Form::Canonical, Form::Montgomery] {
                let stored = |scalar: &F| {
                    let mut bytes = [0; 32];
                    match form {
                        Form::Montgomery => scalar.store(&mut bytes),
                        Form::Canonical => {
                            for (place, limb) in bytes.chunks_exact_mut(8).zip(scalar.into_bigint().0) {
                                place.copy_from_slice(&limb.to_le_bytes());
                            }
                        }
                    }
                    bytes
                };
                let scalars: Vec<Scalar> = scalars.iter().rev().map(stored).collect();
                let terms = Terms { points: &points, index: &index, scalars: &scalars, form };
                let got = sum::<P, F>(&terms, &CancelToken::default()).unwrap();
                let log: F = multiples.iter().zip(scalars_of(&terms)).map(|(k, s): (&F, F)| *k * s).sum();
                assert_eq!(got, Affine::<P>::generator() * log, "{n} {form:?}");
            }
        }
    }

    /// The scalars in the order of the points.
    fn scalars_of<F: ScalarField>(terms: &Terms<'_>) -> Vec<F> {
        (0..terms.index.len())
            .map(|i| {
                let bytes = &terms.scalars[u32::from_le_bytes(terms.index[i]) as usize];
                match terms.form {
                    Form::Montgomery => F::load(bytes),
                    Form::Canonical => F::from_le_bytes_mod_order(bytes),
                }
            })
            .collect()
    }

    fn both_groups<C: Curve>()
    where
        C::G1: SWCurveConfig<ScalarField = C::Scalar>,
        C::G2: SWCurveConfig<ScalarField = C::Scalar>,
    {
        known_multiples::<C::G1, C::Scalar>();
        known_multiples::<C::G2, C::Scalar>();
    }

    #[test]
    fn both_curves() {
        both_groups::<Bn254>();
        both_groups::<Bls12_381>();
    }

    #[test]
    fn digits() {
        let limbs = [0x8000_0000_0000_0001, 3, 0, 1 << 63];
        assert_eq!([digit(&limbs, 0, 4), digit(&limbs, 63, 2), digit(&limbs, 64, 7)], [1, 3, 3]);
        // The last window reaches beyond the last limb.
        assert_eq!((digit(&limbs, 252, 7), digit(&limbs, 255, 1)), (8, 1));
    }

    #[test]
    fn a_cancelled_sum_ends() {
        let cancel = CancelToken::default();
        cancel.cancel();
        let terms = Terms { points: &[0; 64], index: &[[0; 4]], scalars: &[[0; 32]], form: Form::Canonical };
        let answer = sum::<<Bn254 as Curve>::G1, ark_bn254::Fr>(&terms, &cancel);
        assert_eq!(answer.unwrap_err().kind, interlock_sdk::ErrorKind::Cancelled);
    }
}
