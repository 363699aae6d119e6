//! From a circuit's rows to its signals' polynomials, evaluated at τ.

use ark_ff::{Field, Zero};
use interlock_curves::{
    ProvingCurve,
    roots::{RootFamily, root_of_unity},
};
use zeroize::Zeroizing;

use super::{SetupError, ToxicWaste, lagrange::lagrange};
use crate::format::{R1cs, zkey::layout::COEFFICIENT_BYTES};

/// A vector of field elements that depend on the secrets.
pub(super) type Scalars<E> = Zeroizing<Vec<<E as ark_ec::pairing::Pairing>::ScalarField>>;

/// Everything of a key that is not a point yet.
pub(super) struct Qap<E: ProvingCurve> {
    pub(super) log_domain: u32,
    /// `Aᵢ(τ)`, `Bᵢ(τ)`, `Cᵢ(τ)`, one for each wire.
    pub(super) a: Scalars<E>,
    pub(super) b: Scalars<E>,
    pub(super) c: Scalars<E>,
    /// `ℓ₂ⱼ₊₁(τ)` over the domain of twice the size, one for each row.
    pub(super) odd: Scalars<E>,
    /// Section 4 of the key.
    pub(super) coefficients: Vec<u8>,
}

/// The domain of a key: the constraints, and one row `wᵢ · 0 = 0` for the constant and each public signal, which makes
/// their polynomials independent. At least 2, as snarkjs has it.
pub(super) fn log_domain(r1cs: &R1cs) -> Result<u32, SetupError> {
    let rows = r1cs.n_constraints() as u64 + u64::from(r1cs.n_public()) + 1;
    let log_domain = rows.next_power_of_two().trailing_zeros().max(1);
    // The quotient's points need a domain of twice the size.
    let max = r1cs.curve().scalar_two_adicity() - 1;
    if log_domain > max {
        return Err(SetupError::TooManyRows { rows, log_domain, max, curve: r1cs.curve() });
    }
    Ok(log_domain)
}

impl<E: ProvingCurve> Qap<E> {
    pub(super) fn new(r1cs: &R1cs, toxic: &ToxicWaste<E>) -> Result<Self, SetupError> {
        let log_domain = log_domain(r1cs)?;
        // Presence of both roots follows from the bound on log_domain.
        let omega =
            root_of_unity::<E>(log_domain, RootFamily::Snarkjs).ok_or(SetupError::DegenerateSecrets)?;
        let omega_2n =
            root_of_unity::<E>(log_domain + 1, RootFamily::Snarkjs).ok_or(SetupError::DegenerateSecrets)?;
        let basis = lagrange::<E>(log_domain, omega, toxic.tau, 0, 1).ok_or(SetupError::DegenerateSecrets)?;
        let basis = Zeroizing::new(basis);

        // A·B − C has degree at most 2N − 2 and vanishes on the domain, the even half of the one of size 2N. So it
        // is the sum of its values on the odd half times these, and the prover needs no division by the vanishing
        // polynomial.
        let odd =
            lagrange::<E>(log_domain + 1, omega_2n, toxic.tau, 1, 2).ok_or(SetupError::DegenerateSecrets)?;

        let wires = r1cs.n_wires() as usize;
        let zeros = || Zeroizing::new(vec![E::ScalarField::zero(); wires]);
        let mut qap = Self {
            log_domain,
            a: zeros(),
            b: zeros(),
            c: zeros(),
            odd: Zeroizing::new(odd),
            coefficients: Vec::new(),
        };
        qap.accumulate(r1cs, &basis);
        Ok(qap)
    }

    fn accumulate(&mut self, r1cs: &R1cs, basis: &[E::ScalarField]) {
        let r = E::ScalarField::from(2u64).pow([256u64]);
        let mut push = |matrix: u32, row: usize, wire: u32, coefficient: E::ScalarField| {
            // Rows were bounded by the domain, so they fit.
            for word in [matrix, row as u32, wire] {
                self.coefficients.extend_from_slice(&word.to_le_bytes());
            }
            // The Montgomery form of coefficient · R is coefficient · R² mod r.
            self.coefficients.extend_from_slice(&E::scalar_to_montgomery(&(coefficient * r)));
        };
        for (row, (combinations, at_tau)) in r1cs.constraints().zip(basis).enumerate() {
            for (matrix, combination) in combinations.into_iter().enumerate() {
                let sums = match matrix {
                    0 => &mut self.a,
                    1 => &mut self.b,
                    _ => &mut self.c,
                };
                for (wire, coefficient) in combination.terms() {
                    // Wires and coefficients were checked when the circuit was made.
                    let (Some(sum), Some(coefficient)) =
                        (sums.get_mut(wire as usize), E::scalar_from_canonical(coefficient))
                    else {
                        continue;
                    };
                    *sum += coefficient * at_tau;
                    if matrix < 2 {
                        push(matrix as u32, row, wire, coefficient);
                    }
                }
            }
        }
        let first = r1cs.n_constraints();
        for (wire, at_tau) in (0..=r1cs.n_public()).zip(basis.iter().skip(first)) {
            if let Some(sum) = self.a.get_mut(wire as usize) {
                *sum += at_tau;
                push(0, first + wire as usize, wire, E::ScalarField::from(1u64));
            }
        }
        debug_assert_eq!(self.coefficients.len() % COEFFICIENT_BYTES, 0);
    }
}
