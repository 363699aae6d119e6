// SPDX-License-Identifier: MIT OR Apache-2.0
//! Field elements in bytes.
//!
//! On the wire an element of a prime field is 64-bit limbs, the lowest first, each little-endian, in *Montgomery* form:
//! value · R mod p, with R = 2^256 for both scalar fields and BN254's base field, 2^384 for BLS12-381's. An element of the
//! quadratic extension is `c0`, then `c1`. That is how arkworks has them in memory, so reading and writing copies limbs.
//!
//! A scalar may also be *canonical*: the integer itself.

use ark_ff::{BigInt, Field, Fp, Fp2, Fp2Config, MontBackend, MontConfig, PrimeField};

/// A scalar in bytes.
pub type Scalar = [u8; 32];

/// An element of a field over which points or scalars are.
pub trait Element: Field {
    /// How many bytes it has.
    const BYTES: usize;

    /// Reads limbs as they are. Limbs that are not below the modulus give an element that computes wrongly; the host has
    /// checked its files, so that is nobody's loss but his who sends them.
    fn load(bytes: &[u8]) -> Self;

    /// Writes the limbs as they are.
    fn store(&self, bytes: &mut [u8]);
}

/// One of the two scalar fields: four limbs.
pub trait ScalarField: Element + PrimeField<BigInt = BigInt<4>> {}

impl<F: Element + PrimeField<BigInt = BigInt<4>>> ScalarField for F {}

impl<T: MontConfig<N>, const N: usize> Element for Fp<MontBackend<T, N>, N> {
    const BYTES: usize = 8 * N;

    #[inline]
    fn load(bytes: &[u8]) -> Self {
        Self::new_unchecked(limbs(bytes))
    }

    #[inline]
    fn store(&self, bytes: &mut [u8]) {
        for (place, limb) in bytes.chunks_exact_mut(8).zip(self.0.0) {
            place.copy_from_slice(&limb.to_le_bytes());
        }
    }
}

impl<P: Fp2Config<Fp: Element>> Element for Fp2<P> {
    const BYTES: usize = 2 * P::Fp::BYTES;

    #[inline]
    fn load(bytes: &[u8]) -> Self {
        let (c0, c1) = bytes.split_at(P::Fp::BYTES);
        Self::new(P::Fp::load(c0), P::Fp::load(c1))
    }

    #[inline]
    fn store(&self, bytes: &mut [u8]) {
        let (c0, c1) = bytes.split_at_mut(P::Fp::BYTES);
        self.c0.store(c0);
        self.c1.store(c1);
    }
}

/// The limbs of bytes.
#[inline]
pub fn limbs<const N: usize>(bytes: &[u8]) -> BigInt<N> {
    let mut limbs = [0; N];
    for (limb, bytes) in limbs.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *limb = u64::from_le_bytes(*bytes);
    }
    BigInt::new(limbs)
}

/// A scalar in Montgomery form; none when it is not below the modulus.
pub fn below_modulus<F: ScalarField>(bytes: &Scalar) -> Option<F> {
    (limbs(bytes) < F::MODULUS).then(|| F::load(bytes))
}
