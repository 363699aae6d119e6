//! Transforms by their definition.

use ark_ff::{Field, PrimeField};
use interlock_core::backend::DomainSpec;
use interlock_curves::ProvingCurve;
use interlock_curves::roots::{RootFamily, root_of_unity};

use super::Fr;
use crate::outcome::{Stop, failed};

/// A domain of a family of roots, and its generator.
pub(crate) fn domain<E: ProvingCurve>(
    log_size: u32,
    family: RootFamily,
    shift: Fr<E>,
) -> Result<(DomainSpec, Fr<E>), Stop> {
    let root = root_of_unity::<E>(log_size, family)
        .ok_or_else(|| failed(format_args!("a domain of 2^{log_size}"), "a root of unity", "none"))?;
    let (generator, shift) = (E::scalar_to_montgomery(&root), E::scalar_to_montgomery(&shift));
    Ok((DomainSpec { log_size, generator, shift }, root))
}

/// `Σ c_j·x^j` at `x = shift·root^i`, each value by Horner's rule: the definition.
pub(crate) fn by_evaluation<F: PrimeField>(coefficients: &[F], root: F, shift: F) -> Vec<F> {
    let at = |x: F| coefficients.iter().rev().fold(F::ZERO, |sum, c| sum * x + c);
    let mut x = shift;
    let mut value = || {
        let value = at(x);
        x *= root;
        value
    };
    coefficients.iter().map(|_| value()).collect()
}

/// The same by halves: `p(x) = even(x²) + x·odd(x²)` (Cooley and Tukey 1965).
pub(crate) fn by_halves<F: PrimeField>(coefficients: &[F], root: F, shift: F) -> Vec<F> {
    let n = coefficients.len();
    if n <= 1 {
        return coefficients.to_vec();
    }
    let part = |first: usize| -> Vec<F> { coefficients[first..].iter().step_by(2).copied().collect() };
    let square = |x: F| Field::square(&x);
    let even = by_halves(&part(0), square(root), square(shift));
    let odd = by_halves(&part(1), square(root), square(shift));
    let mut x = shift;
    let mut value = |i: usize| {
        let value = even[i % (n / 2)] + x * odd[i % (n / 2)];
        x *= root;
        value
    };
    (0..n).map(&mut value).collect()
}

#[cfg(test)]
mod tests {
    use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};
    use interlock_curves::{Bls12_381, Bn254};
    use rand_chacha::ChaCha20Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;
    use crate::reference::scalars::{scalar, vector};

    /// The recursion is the definition, and arkworks' transform.
    fn agree<E: ProvingCurve>() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        for log in [0, 1, 2, 5, 8] {
            let coefficients: Vec<Fr<E>> = vector(1 << log, &mut rng);
            let shift = scalar(&mut rng);
            for family in [RootFamily::Snarkjs, RootFamily::Arkworks] {
                let root = root_of_unity::<E>(log, family).unwrap();
                let values = by_halves(&coefficients, root, shift);
                assert_eq!(values, by_evaluation(&coefficients, root, shift));
                if family == RootFamily::Arkworks {
                    let domain = Radix2EvaluationDomain::<Fr<E>>::new(1 << log).unwrap();
                    assert_eq!(values, domain.get_coset(shift).unwrap().fft(&coefficients));
                }
            }
        }
    }

    #[test]
    fn three_ways_agree() {
        agree::<Bn254>();
        agree::<Bls12_381>();
    }
}
