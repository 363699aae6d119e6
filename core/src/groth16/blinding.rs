//! The blinding factors r and s.

use ark_ff::{PrimeField, Zero};
use interlock_curves::ProvingCurve;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use zeroize::{Zeroize, Zeroizing};

/// r and s, zeroised when dropped and never shown. They make a proof zero-knowledge: who learns them learns about the
/// witness, and two proofs with the same ones do the same.
pub struct Blinding<E: ProvingCurve> {
    pub(crate) r: E::ScalarField,
    pub(crate) s: E::ScalarField,
}

/// The operating system has no randomness to give.
#[derive(Debug, thiserror::Error)]
#[error("the operating system's random generator failed: {0}")]
pub struct NoRandomness(getrandom::Error);

impl<E: ProvingCurve> Blinding<E> {
    /// From the operating system's generator, the only source for proofs that are to be zero-knowledge.
    ///
    /// # Errors
    /// The generator fails.
    pub fn random() -> Result<Self, NoRandomness> {
        let mut bytes = Zeroizing::new([0; 128]);
        getrandom::fill(bytes.as_mut_slice()).map_err(NoRandomness)?;
        Ok(Self::from_bytes(&bytes))
    }

    /// From a seed: reproducible and therefore **insecure**. For tests, and for comparing backends.
    ///
    /// ChaCha20 keyed with the seed gives 128 bytes: r then s, each 64 bytes little-endian mod r.
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        let mut bytes = Zeroizing::new([0; 128]);
        ChaCha20Rng::from_seed(*seed).fill_bytes(bytes.as_mut_slice());
        Self::from_bytes(&bytes)
    }

    /// No blinding at all: **not zero-knowledge**. For comparing with provers that offer the same.
    pub fn none() -> Self {
        Self { r: E::ScalarField::zero(), s: E::ScalarField::zero() }
    }

    /// Given factors, for comparing with another prover that was given the same: **insecure** unless they are random
    /// and used once.
    pub fn from_scalars(r: E::ScalarField, s: E::ScalarField) -> Self {
        Self { r, s }
    }

    /// 64 bytes for a 255-bit field make the bias negligible (below 2^-256).
    fn from_bytes(bytes: &[u8; 128]) -> Self {
        let (r, s) = bytes.split_at(64);
        Self { r: E::ScalarField::from_le_bytes_mod_order(r), s: E::ScalarField::from_le_bytes_mod_order(s) }
    }
}

impl<E: ProvingCurve> Drop for Blinding<E> {
    fn drop(&mut self) {
        self.r.zeroize();
        self.s.zeroize();
    }
}

impl<E: ProvingCurve> std::fmt::Debug for Blinding<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Blinding(…)")
    }
}

#[cfg(test)]
mod tests {
    use interlock_curves::{Bls12_381, Bn254};

    use super::*;

    #[test]
    fn seeds_reproduce_and_the_system_does_not() {
        let seeded = |seed| Blinding::<Bn254>::from_seed(&[seed; 32]);
        assert_eq!((seeded(1).r, seeded(1).s), (seeded(1).r, seeded(1).s));
        assert_ne!(seeded(1).r, seeded(2).r);
        assert_ne!(seeded(1).r, seeded(1).s);
        let random = || Blinding::<Bls12_381>::random().unwrap();
        assert_ne!(random().r, random().r);
        assert_ne!(random().r, random().s);
    }

    #[test]
    fn debug_shows_nothing() {
        assert_eq!(format!("{:?}", Blinding::<Bn254>::from_seed(&[1; 32])), "Blinding(…)");
    }
}
