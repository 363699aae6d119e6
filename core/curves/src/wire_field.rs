//! Limb copies between bytes and field elements.

use ark_ff::{BigInt, Field, Fp, Fp2, Fp2Config, MontBackend, MontConfig, PrimeField};

/// A field whose elements are little-endian 64-bit limbs on the wire, in memory in the same (Montgomery) form.
///
/// An element of a quadratic extension is `c0` then `c1`.
pub trait WireField: Field {
    /// Bytes of one element on the wire.
    const BYTES: usize;

    /// Copies limbs without any check. Limbs not below the modulus give an element whose arithmetic is wrong, but
    /// nothing worse; bytes missing from a short slice count as zero, extra ones are ignored.
    fn from_montgomery_unchecked(bytes: &[u8]) -> Self;

    /// Copies limbs; `None` when the slice is not [`BYTES`](Self::BYTES) long or a limb vector is not below the
    /// modulus.
    fn from_montgomery(bytes: &[u8]) -> Option<Self>;

    /// Writes the Montgomery limbs into the first [`BYTES`](Self::BYTES) bytes of `out`.
    ///
    /// # Panics
    /// When `out` is shorter.
    fn write_montgomery(&self, out: &mut [u8]);

    /// The element whose integer value is `bytes`, little-endian; `None` as for
    /// [`from_montgomery`](Self::from_montgomery).
    fn from_canonical(bytes: &[u8]) -> Option<Self>;

    /// Writes the integer value, little-endian, into the first [`BYTES`](Self::BYTES) bytes of `out`.
    ///
    /// # Panics
    /// When `out` is shorter.
    fn write_canonical(&self, out: &mut [u8]);
}

#[inline(always)]
fn limbs<const N: usize>(bytes: &[u8]) -> BigInt<N> {
    let mut out = [0u64; N];
    for (limb, chunk) in out.iter_mut().zip(bytes.chunks_exact(8)) {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        *limb = u64::from_le_bytes(word);
    }
    BigInt::new(out)
}

#[inline(always)]
fn write_limbs<const N: usize>(limbs: &BigInt<N>, out: &mut [u8]) {
    let out = &mut out[..8 * N];
    for (chunk, limb) in out.chunks_exact_mut(8).zip(limbs.0) {
        chunk.copy_from_slice(&limb.to_le_bytes());
    }
}

impl<T: MontConfig<N>, const N: usize> WireField for Fp<MontBackend<T, N>, N> {
    const BYTES: usize = 8 * N;

    #[inline(always)]
    fn from_montgomery_unchecked(bytes: &[u8]) -> Self {
        Self::new_unchecked(limbs(bytes))
    }

    #[inline(always)]
    fn from_montgomery(bytes: &[u8]) -> Option<Self> {
        let limbs = limbs(bytes);
        (bytes.len() == Self::BYTES && limbs < Self::MODULUS).then(|| Self::new_unchecked(limbs))
    }

    #[inline(always)]
    fn write_montgomery(&self, out: &mut [u8]) {
        write_limbs(&self.0, out);
    }

    #[inline(always)]
    fn from_canonical(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != Self::BYTES {
            return None;
        }
        Self::from_bigint(limbs(bytes))
    }

    #[inline(always)]
    fn write_canonical(&self, out: &mut [u8]) {
        write_limbs(&self.into_bigint(), out);
    }
}

impl<P: Fp2Config> WireField for Fp2<P>
where
    P::Fp: WireField,
{
    const BYTES: usize = 2 * P::Fp::BYTES;

    #[inline(always)]
    fn from_montgomery_unchecked(bytes: &[u8]) -> Self {
        let (c0, c1) = bytes.split_at(P::Fp::BYTES.min(bytes.len()));
        Self::new(P::Fp::from_montgomery_unchecked(c0), P::Fp::from_montgomery_unchecked(c1))
    }

    #[inline(always)]
    fn from_montgomery(bytes: &[u8]) -> Option<Self> {
        let (c0, c1) = bytes.split_at_checked(P::Fp::BYTES)?;
        Some(Self::new(P::Fp::from_montgomery(c0)?, P::Fp::from_montgomery(c1)?))
    }

    #[inline(always)]
    fn write_montgomery(&self, out: &mut [u8]) {
        self.c0.write_montgomery(out);
        self.c1.write_montgomery(&mut out[P::Fp::BYTES..]);
    }

    fn from_canonical(bytes: &[u8]) -> Option<Self> {
        let (c0, c1) = bytes.split_at_checked(P::Fp::BYTES)?;
        Some(Self::new(P::Fp::from_canonical(c0)?, P::Fp::from_canonical(c1)?))
    }

    fn write_canonical(&self, out: &mut [u8]) {
        self.c0.write_canonical(out);
        self.c1.write_canonical(&mut out[P::Fp::BYTES..]);
    }
}
