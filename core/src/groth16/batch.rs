//! Many proofs under one verifying key, verified together by a random linear combination.
//!
//! Proof `i` is good if `v_i = e(A_i, B_i)·e(α, β)^-1·e(X_i, γ)^-1·e(C_i, δ)^-1` is one, where
//! `X_i = IC_0 + Σ_j x_ij·IC_j`. For a set `S` of proofs and weights `z_i` the product of all `v_i^z_i` is
//!
//! ```text
//! v(S) = Π e(z_i·A_i, B_i) · e(−Z·α, β) · e(−Z·IC_0 − Σ_j (Σ z_i·x_ij)·IC_j, γ) · e(−Σ z_i·C_i, δ),   Z = Σ z_i
//! ```
//!
//! (Bellare, Garay and Rabin, *Fast batch verification for modular exponentiation and digital signatures*, 1998, small
//! exponents test; for Groth16 see the Zcash protocol specification, appendix B.2). That is one Miller loop for each
//! proof, three for the set, and one final exponentiation, where one by one each proof has four and one.
//!
//! # Soundness
//!
//! The weights are uniform in `1 ..= 2^128 − 1`, drawn from the operating system after the proofs are known. A good proof
//! has `v_i = 1` and is never called bad. A set with exactly one bad proof never passes, since `v_i^z_i ≠ 1` in a group of
//! prime order. A set with several passes if they happen to cancel: for every choice of the other weights at most one value
//! of the last does that, so a batch with bad proofs is called good with probability at most `1/(2^128 − 1)`. When bad
//! ones are searched for, the same holds for each set that is looked at; those are nodes of a binary tree that is fixed
//! by the number of proofs, not by the weights, so the probability that any bad proof is missed is at most `n/(2^128 − 1)`.
//!
//! All this takes that points are in the subgroup of prime order, as readers of keys and proofs check: elements of small
//! order would cancel more often.
//!
//! # Finding the bad ones
//!
//! When a set fails, `v` of its first half is computed; that of the second half is the quotient. So `k` bad proofs among
//! `n` take at most about `k·log2(n)` evaluations and never more than `n`, each with three or four Miller loops, a final
//! exponentiation and the sum of the `z_i·C_i`. The Miller loops of the proofs themselves are kept.

use std::ops::Range;

use ark_ec::pairing::{MillerLoopOutput, PairingOutput};
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup, VariableBaseMSM};
use ark_ff::Zero;
use interlock_curves::ProvingCurve;
use rayon::prelude::*;

use crate::groth16::verify::WrongSignalCount;
use crate::types::{Proof, PublicSignals, VerifyingKey};

/// Proofs whose Miller loops are run, and kept, together. They share the squarings; arkworks' loop takes four at a time.
const BLOCK: usize = 4;

/// Why a batch could not be verified. That a proof is bad is an answer, not an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// A proof comes with a number of public signals that is not the key's.
    #[error("proof {index} of the batch: {source}")]
    Signals {
        /// Its place in the batch, from 0. Others may have the same problem.
        index: usize,
        /// The numbers.
        source: WrongSignalCount,
    },
    /// No randomness for the weights.
    #[error("the operating system's random generator failed: {reason}")]
    Randomness {
        /// What it said.
        reason: String,
    },
    /// The threads cannot be started.
    #[error("the threads of the verification cannot be started")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Verifies many proofs under one key on `threads` threads (0 counts as 1). Returns the indices of the bad ones in
/// ascending order; none means that all are good. Soundness and cost: see the [module](self).
///
/// All points are taken as given: readers of keys and proofs check curve and subgroup.
///
/// # Errors
/// See [`BatchError`]. Counts of signals are checked before anything is computed.
pub fn verify_batch<E: ProvingCurve>(
    key: &VerifyingKey<E>,
    batch: &[(PublicSignals<E>, Proof<E>)],
    threads: usize,
) -> Result<Vec<usize>, BatchError> {
    if let Some((index, source)) = first_wrong_count(key, batch) {
        return Err(BatchError::Signals { index, source });
    }
    if batch.is_empty() {
        return Ok(Vec::new());
    }
    let weights = weights(batch.len())?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build()?;
    Ok(pool.install(|| {
        let weighted = Weighted::new(key, batch, weights);
        let all = 0..batch.len();
        weighted.bad(all.clone(), weighted.value(all))
    }))
}

fn first_wrong_count<E: ProvingCurve>(
    key: &VerifyingKey<E>,
    batch: &[(PublicSignals<E>, Proof<E>)],
) -> Option<(usize, WrongSignalCount)> {
    let wanted = key.n_public();
    let fits = |got: usize| !key.ic.is_empty() && got == wanted;
    let index = batch.iter().position(|(signals, _)| !fits(signals.0.len()))?;
    Some((index, WrongSignalCount { wanted, got: batch[index].0.0.len() }))
}

/// `n` uniform weights in `1 ..= 2^128 − 1`.
fn weights(n: usize) -> Result<Vec<u128>, BatchError> {
    let mut bytes = vec![0; 16 * n];
    let failed = |error: getrandom::Error| BatchError::Randomness { reason: error.to_string() };
    loop {
        getrandom::fill(&mut bytes).map_err(failed)?;
        let weights: Vec<u128> =
            bytes.as_chunks().0.iter().map(|chunk| u128::from_le_bytes(*chunk)).collect();
        // Once in 2^128 draws; drawing all again keeps the rest uniform.
        if !weights.contains(&0) {
            return Ok(weights);
        }
    }
}

const fn low(weight: u128) -> u64 {
    weight as u64
}

const fn high(weight: u128) -> u64 {
    (weight >> 64) as u64
}

/// A batch with its weights, and what does not depend on the set that is looked at.
struct Weighted<'a, E: ProvingCurve> {
    key: &'a VerifyingKey<E>,
    batch: &'a [(PublicSignals<E>, Proof<E>)],
    weights: Vec<u128>,
    /// z_i·A_i
    a: Vec<E::G1Affine>,
    /// The product of the Miller loops of e(z_i·A_i, B_i) over each block.
    blocks: Vec<E::TargetField>,
    /// β, γ, δ
    fixed: [E::G2Prepared; 3],
}

impl<'a, E: ProvingCurve> Weighted<'a, E> {
    fn new(key: &'a VerifyingKey<E>, batch: &'a [(PublicSignals<E>, Proof<E>)], weights: Vec<u128>) -> Self {
        let products: Vec<E::G1> = batch
            .par_iter()
            .zip(&weights)
            .map(|((_, proof), &weight)| proof.a.mul_bigint([low(weight), high(weight)]))
            .collect();
        let a = E::G1::normalize_batch(&products);
        let blocks =
            a.par_chunks(BLOCK).zip(batch.par_chunks(BLOCK)).map(|(a, proofs)| miller(a, proofs)).collect();
        let fixed = [key.beta_g2, key.gamma_g2, key.delta_g2].map(Into::into);
        Self { key, batch, weights, a, blocks, fixed }
    }

    /// The bad proofs of a set whose value is known.
    fn bad(&self, set: Range<usize>, value: Option<PairingOutput<E>>) -> Vec<usize> {
        if value.is_some_and(|value| value.is_zero()) {
            return Vec::new();
        }
        if set.len() == 1 {
            return vec![set.start];
        }
        let middle = middle(&set);
        let (first, second) = (set.start..middle, middle..set.end);
        let first_value = self.value(first.clone());
        let second_value = match (value, first_value) {
            (Some(both), Some(first)) => Some(both - first),
            _ => self.value(second.clone()),
        };
        let (mut bad, rest) = rayon::join(|| self.bad(first, first_value), || self.bad(second, second_value));
        bad.extend(rest);
        bad
    }

    /// v(S), written additively as arkworks writes the target group: zero if all proofs of the set are good. `None` when
    /// a Miller loop gives 0, which only points that are not on the curve can bring about; then the set is not good.
    fn value(&self, set: Range<usize>) -> Option<PairingOutput<E>> {
        let (proofs, rest) = rayon::join(|| self.proofs(set.clone()), || self.rest(set.clone()));
        E::final_exponentiation(MillerLoopOutput(proofs * rest))
    }

    /// The Miller loops of e(z_i·A_i, B_i) over a set: from the kept blocks as far as they lie in it.
    fn proofs(&self, set: Range<usize>) -> E::TargetField {
        let of_block = |block: usize| {
            let whole = block * BLOCK..((block + 1) * BLOCK).min(self.batch.len());
            let part = set.start.max(whole.start)..set.end.min(whole.end);
            if part == whole { self.blocks[block] } else { miller(&self.a[part.clone()], &self.batch[part]) }
        };
        (set.start / BLOCK..set.end.div_ceil(BLOCK)).map(of_block).product()
    }

    /// The Miller loops of the other three pairs.
    fn rest(&self, set: Range<usize>) -> E::TargetField {
        let (c, (z, x)) =
            rayon::join(|| self.sum_of_c(set.clone()), || rayon::join(|| self.z(&set), || self.x(&set)));
        let x = x + self.key.ic[0] * z;
        let points = E::G1::normalize_batch(&[-(self.key.alpha_g1 * z), -x, -c]);
        E::multi_miller_loop(points, self.fixed.iter().cloned()).0
    }

    /// Σ z_i
    fn z(&self, set: &Range<usize>) -> E::ScalarField {
        self.weights[set.clone()].iter().map(|&weight| E::ScalarField::from(weight)).sum()
    }

    /// Σ_j (Σ z_i·x_ij)·IC_j without the constant one, j = 0.
    fn x(&self, set: &Range<usize>) -> E::G1 {
        let column = |j: usize| -> E::ScalarField {
            let rows = self.batch[set.clone()].iter().zip(&self.weights[set.clone()]);
            rows.map(|((signals, _), &weight)| signals.0[j] * E::ScalarField::from(weight)).sum()
        };
        let scalars: Vec<_> = (0..self.key.n_public()).into_par_iter().map(column).collect();
        E::G1::msm_unchecked(&self.key.ic[1..], &scalars)
    }

    /// Σ z_i·C_i as (Σ low_i·C_i) + 2^64·(Σ high_i·C_i): arkworks' sum for general scalars would go over 256 bits.
    fn sum_of_c(&self, set: Range<usize>) -> E::G1 {
        let points: Vec<_> = self.batch[set.clone()].iter().map(|(_, proof)| proof.c).collect();
        let weights = &self.weights[set];
        let half = |half: fn(u128) -> u64| {
            let scalars: Vec<_> = weights.iter().map(|&weight| half(weight)).collect();
            E::G1::msm_u64(&points, &scalars)
        };
        let (low, high) = rayon::join(|| half(low), || half(high));
        low + high.mul_bigint([0, 1])
    }
}

fn miller<E: ProvingCurve>(a: &[E::G1Affine], proofs: &[(PublicSignals<E>, Proof<E>)]) -> E::TargetField {
    E::multi_miller_loop(a.iter().copied(), proofs.iter().map(|(_, proof)| proof.b)).0
}

/// Where a set of at least two is split: at the end of a block as long as it has several.
fn middle(set: &Range<usize>) -> usize {
    let half = set.len() / 2;
    set.start + if set.len() > BLOCK { half.next_multiple_of(BLOCK) } else { half }
}
