//! The secrets of a key.

use std::fmt;

use ark_ff::{PrimeField, Zero};
use interlock_curves::ProvingCurve;
use rand_chacha::{
    ChaCha20Rng,
    rand_core::{Rng, SeedableRng},
};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::SetupError;

/// τ, α, β and δ. γ is one, as in snarkjs's keys. Zeroised on drop.
pub struct ToxicWaste<E: ProvingCurve> {
    pub(super) tau: E::ScalarField,
    pub(super) alpha: E::ScalarField,
    pub(super) beta: E::ScalarField,
    pub(super) delta: E::ScalarField,
}

impl<E: ProvingCurve> ToxicWaste<E> {
    /// Secrets from 32 bytes, by ChaCha20: the same bytes always give the same key.
    pub fn from_seed(seed: [u8; 32]) -> Self {
        let seed = Zeroizing::new(seed);
        let mut rng = ChaCha20Rng::from_seed(*seed);
        Self {
            tau: sample::<E>(&mut rng),
            alpha: sample::<E>(&mut rng),
            beta: sample::<E>(&mut rng),
            delta: sample::<E>(&mut rng),
        }
    }

    /// Secrets from the operating system's generator.
    ///
    /// # Errors
    /// When it gives no randomness.
    pub fn random() -> Result<Self, SetupError> {
        let mut seed = Zeroizing::new([0; 32]);
        getrandom::fill(seed.as_mut()).map_err(SetupError::Randomness)?;
        Ok(Self::from_seed(*seed))
    }

    /// Given secrets. The caller's copies are the caller's to erase.
    pub fn new(
        tau: E::ScalarField,
        alpha: E::ScalarField,
        beta: E::ScalarField,
        delta: E::ScalarField,
    ) -> Self {
        Self { tau, alpha, beta, delta }
    }
}

/// A uniform scalar other than zero: 64 bytes reduced, so that the bias is below 2^-250.
fn sample<E: ProvingCurve>(rng: &mut ChaCha20Rng) -> E::ScalarField {
    let mut bytes = Zeroizing::new([0; 64]);
    loop {
        rng.fill_bytes(bytes.as_mut());
        let scalar = E::ScalarField::from_le_bytes_mod_order(bytes.as_ref());
        if !scalar.is_zero() {
            return scalar;
        }
    }
}

impl<E: ProvingCurve> Drop for ToxicWaste<E> {
    fn drop(&mut self) {
        for secret in [&mut self.tau, &mut self.alpha, &mut self.beta, &mut self.delta] {
            secret.zeroize();
        }
    }
}

impl<E: ProvingCurve> ZeroizeOnDrop for ToxicWaste<E> {}

impl<E: ProvingCurve> fmt::Debug for ToxicWaste<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToxicWaste").field("curve", &E::CURVE).finish_non_exhaustive()
    }
}
