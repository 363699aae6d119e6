//! A proof from the trapdoor of its set-up: the only one that there is for given r and s.
//!
//! With τ, α, β, δ known (γ = 1), A and B are known multiples of the generators, and C is what the verifier's equation
//! leaves it to be (Groth16, section 3): `A = α + a(τ) + r·δ`, `B = β + b(τ) + s·δ`, `C = (A·B − α·β − x)/δ`, x being the
//! public part. Nothing of the prover is in this: no transform, no sum over bases, no quotient.

use ark_ec::{CurveGroup, PrimeGroup};
use ark_ff::{Field, One, Zero};
use interlock_core::backend::DomainSpec;
use interlock_core::format::{R1cs, Zkey};
use interlock_core::key::{BaseSet, ProvingKey, Quotient};
use interlock_core::setup::{ToxicWaste, setup_zkey};
use interlock_core::types::Proof;
use interlock_curves::ProvingCurve;
use interlock_curves::roots::{RootFamily, root_of_unity};
use rand_chacha::ChaCha20Rng;

use super::Fr;
use super::circuits::Circuit;
use super::points::section;
use super::scalars::scalar;
use crate::outcome::{Stop, failed};

/// Secrets of a set-up.
pub(crate) struct Trapdoor<E: ProvingCurve> {
    tau: Fr<E>,
    alpha: Fr<E>,
    beta: Fr<E>,
    delta: Fr<E>,
}

impl<E: ProvingCurve> Trapdoor<E> {
    pub(crate) fn random(rng: &mut ChaCha20Rng) -> Self {
        Self { tau: scalar(rng), alpha: scalar(rng), beta: scalar(rng), delta: scalar(rng) }
    }

    /// A key for a circuit, made with these secrets.
    pub(crate) fn key(&self, r1cs: &R1cs) -> Result<ProvingKey, Stop> {
        let mut bytes = Vec::new();
        let toxic = ToxicWaste::<E>::new(self.tau, self.alpha, self.beta, self.delta);
        setup_zkey(r1cs, &toxic, &mut bytes)
            .map_err(|error| failed("the set-up of a built-in circuit", "a key", error))?;
        let zkey = Zkey::from_bytes("built-in.zkey", bytes)
            .map_err(|error| failed("the set-up of a built-in circuit", "a key", error))?;
        ProvingKey::from_zkey(&zkey).map_err(|error| failed("a built-in key", "a key", error))
    }

    /// The same key with the quotient's coefficients instead of its values, as arkworks and bellman have it: the bases of H
    /// are `τ^i·Z(τ)/δ` for `i < N − 1`.
    pub(crate) fn with_coefficients(&self, mut key: ProvingKey) -> Result<ProvingKey, Stop> {
        let n = key.domain_size();
        let over_delta = self.delta.inverse().ok_or_else(|| failed("a set-up", "δ ≠ 0", "δ = 0"))?;
        let mut factor = (self.tau.pow([n as u64]) - Fr::<E>::one()) * over_delta;
        let mut powers = Vec::with_capacity(n - 1);
        for _ in 0..n - 1 {
            powers.push(E::G1::generator() * factor);
            factor *= self.tau;
        }
        let size = E::CURVE.g1_bytes();
        let mut bytes = vec![0; size * powers.len()];
        let affine = E::G1::normalize_batch(&powers);
        affine.iter().zip(bytes.chunks_exact_mut(size)).for_each(|(point, out)| E::write_g1(point, out));
        key.h = BaseSet { points: section(&bytes, 0)?, index: None };
        key.quotient = Quotient::Coefficients;
        Ok(key)
    }

    /// The proof for blinding factors r and s.
    pub(crate) fn proof(
        &self,
        circuit: &Circuit<E>,
        domain: &DomainSpec,
        r: Fr<E>,
        s: Fr<E>,
    ) -> Result<Proof<E>, Stop> {
        let basis = self.lagrange(domain.log_size)?;
        let public = circuit.r1cs.n_public();
        let mut totals = [Fr::<E>::zero(); 3];
        let mut public_totals = [Fr::<E>::zero(); 3];
        let mut add = |side: usize, wire: u32, coefficient: Fr<E>, row: usize| {
            let term = circuit.values[wire as usize] * coefficient * basis[row];
            totals[side] += term;
            if wire <= public {
                public_totals[side] += term;
            }
        };
        for (row, sides) in circuit.r1cs.constraints().enumerate() {
            for (side, combination) in sides.into_iter().enumerate() {
                for (wire, coefficient) in combination.terms() {
                    let coefficient = E::scalar_from_canonical(coefficient).ok_or_else(|| {
                        failed("a built-in circuit", "coefficients below r", "one that is not")
                    })?;
                    add(side, wire, coefficient, row);
                }
            }
        }
        // A row `wᵢ · 0 = 0` for the constant and each public signal.
        let rows = circuit.r1cs.n_constraints();
        for wire in 0..=public {
            add(0, wire, Fr::<E>::one(), rows + wire as usize);
        }
        let a = self.alpha + totals[0] + r * self.delta;
        let b = self.beta + totals[1] + s * self.delta;
        let x = self.beta * public_totals[0] + self.alpha * public_totals[1] + public_totals[2];
        let over_delta = self.delta.inverse().ok_or_else(|| failed("a set-up", "δ ≠ 0", "δ = 0"))?;
        let c = (a * b - self.alpha * self.beta - x) * over_delta;
        let g1 = |factor: Fr<E>| (E::G1::generator() * factor).into_affine();
        Ok(Proof { a: g1(a), b: (E::G2::generator() * b).into_affine(), c: g1(c) })
    }

    /// `L_j(τ) = ω^j·(τ^N − 1)/(N·(τ − ω^j))` over the domain of `.zkey` files.
    fn lagrange(&self, log_size: u32) -> Result<Vec<Fr<E>>, Stop> {
        let unlucky = || failed("a set-up", "τ outside the domain", "τ inside it");
        let root = root_of_unity::<E>(log_size, RootFamily::Snarkjs).ok_or_else(unlucky)?;
        let n = 1_u64 << log_size;
        let scale = (self.tau.pow([n]) - Fr::<E>::one()) * Fr::<E>::from(n).inverse().ok_or_else(unlucky)?;
        let mut power = Fr::<E>::one();
        let mut value = || {
            let value = power * scale * (self.tau - power).inverse().ok_or_else(unlucky)?;
            power *= root;
            Ok(value)
        };
        (0..n).map(|_| value()).collect()
    }
}
