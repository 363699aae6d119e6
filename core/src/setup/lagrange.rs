//! Lagrange bases of a domain, evaluated at a point.

use ark_ff::{Field, Zero, batch_inversion};
use interlock_curves::ProvingCurve;

/// `ℓᵢ(τ)` for `i = first, first + step, …`, all below `2^log_n`; `ℓ` is the Lagrange basis of the domain `⟨ω⟩` of
/// size `n = 2^log_n`:
///
/// ```text
/// ℓᵢ(τ) = ωⁱ · (τⁿ − 1) / (n · (τ − ωⁱ))
/// ```
///
/// `None` when τ lies in the domain.
pub(super) fn lagrange<E: ProvingCurve>(
    log_n: u32,
    omega: E::ScalarField,
    tau: E::ScalarField,
    first: usize,
    step: usize,
) -> Option<Vec<E::ScalarField>> {
    let n = 1u64.checked_shl(log_n)?;
    let one = E::ScalarField::from(1u64);
    let vanishing = tau.pow([n]) - one;
    if vanishing.is_zero() {
        return None;
    }
    let factor = vanishing * E::ScalarField::from(n).inverse()?;
    let count = (n as usize).checked_sub(first)?.div_ceil(step);
    let stride = omega.pow([step as u64]);
    let mut root = omega.pow([first as u64]);
    let mut roots = Vec::with_capacity(count);
    for _ in 0..count {
        roots.push(root);
        root *= stride;
    }
    let mut values: Vec<_> = roots.iter().map(|root| tau - root).collect();
    batch_inversion(&mut values);
    for (value, root) in values.iter_mut().zip(&roots) {
        *value *= factor * root;
    }
    Some(values)
}
