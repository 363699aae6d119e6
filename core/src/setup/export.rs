//! From a proving key to its verification key.

use interlock_curves::ProvingCurve;

use crate::{
    format::{FormatError, Zkey},
    types::VerifyingKey,
};

/// The verification key that a proving key holds.
///
/// # Errors
/// When the key is for another curve than `E`.
pub fn export_vk<E: ProvingCurve>(key: &Zkey) -> Result<VerifyingKey<E>, FormatError> {
    let points = key.header_points::<E>()?;
    Ok(VerifyingKey {
        alpha_g1: points.alpha_g1,
        beta_g2: points.beta_g2,
        gamma_g2: points.gamma_g2,
        delta_g2: points.delta_g2,
        ic: key.ic_points::<E>()?,
    })
}
