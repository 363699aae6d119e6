//! Small circuits with witnesses that satisfy them, made in memory.

use ark_ff::{One, PrimeField, Zero};
use interlock_core::format::{R1cs, Witness};
use interlock_curves::ProvingCurve;
use rand_chacha::ChaCha20Rng;

use super::Fr;
use super::scalars::{mostly_bits, scalar};
use crate::outcome::{Stop, failed};

/// A circuit and the values of its wires.
pub(crate) struct Circuit<E: ProvingCurve> {
    pub(crate) r1cs: R1cs,
    pub(crate) values: Vec<Fr<E>>,
}

impl<E: ProvingCurve> Circuit<E> {
    pub(crate) fn witness(&self) -> Witness {
        Witness::from_scalars::<E>(&self.values)
    }

    fn new(r1cs: Result<R1cs, impl std::fmt::Display>, values: Vec<Fr<E>>) -> Result<Self, Stop> {
        let r1cs = r1cs.map_err(|error| failed("a built-in circuit", "a circuit", error))?;
        let circuit = Self { r1cs, values };
        match circuit.r1cs.first_unsatisfied(&circuit.witness()) {
            Ok(None) => Ok(circuit),
            other => {
                Err(failed("a built-in circuit", "a witness that satisfies it", format_args!("{other:?}")))
            }
        }
    }
}

/// A chain of `rows` squarings with one public output, from a random start.
pub(crate) fn squarings<E: ProvingCurve>(rows: u32, rng: &mut ChaCha20Rng) -> Result<Circuit<E>, Stop> {
    let mut builder = R1cs::builder(E::CURVE, 1, 0, 1);
    let mut values = vec![Fr::<E>::one(), Fr::<E>::zero(), scalar(rng)];
    let mut last = 2;
    for row in 0..rows {
        let square = values[last as usize] * values[last as usize];
        let next = if row + 1 == rows { 1 } else { builder.wire() };
        builder.constraint(&[(last, 1)], &[(last, 1)], &[(next, 1)]);
        if next == 1 {
            values[1] = square;
        } else {
            values.push(square);
        }
        last = next;
    }
    Circuit::new(builder.build(), values)
}

/// `bits` boolean wires, most of them 0 or 1 by a row of their own, and their sum, weighted by powers of 2, as output.
pub(crate) fn booleans<E: ProvingCurve>(bits: u32, rng: &mut ChaCha20Rng) -> Result<Circuit<E>, Stop> {
    let mut builder = R1cs::builder(E::CURVE, 1, 0, bits);
    let mut values = vec![Fr::<E>::one(), Fr::<E>::zero()];
    values.extend(mostly_bits::<Fr<E>>(bits as usize, 100, rng));
    let mut weighted = Vec::new();
    for i in 0..bits {
        let wire = 2 + i;
        builder.constraint(&[(wire, 1)], &[(wire, 1), (0, -1)], &[] as &[(u32, i64)]);
        let weight = 1_i64 << (i % 62);
        let term = values[wire as usize] * Fr::<E>::from(weight as u64);
        values[1] += term;
        weighted.push((wire, weight));
    }
    builder.constraint(&weighted, &[(0, 1)], &[(1, 1)]);
    Circuit::new(builder.build(), values)
}

/// −1, r − 2, 2^64 and their like as signals; some wires in A only, some in B only, one nowhere; an empty row.
pub(crate) fn wide_values<E: ProvingCurve>() -> Result<Circuit<E>, Stop> {
    let two64 = Fr::<E>::from(u64::MAX) + Fr::<E>::one();
    let mut values = vec![
        Fr::<E>::one(),
        Fr::<E>::zero(),
        -Fr::<E>::one(),
        -Fr::<E>::from(2_u64),
        two64,
        Fr::<E>::from(u64::MAX),
        two64 * two64 - Fr::<E>::one(),
        Fr::<E>::from_le_bytes_mod_order(&[0xff; 31]),
        Fr::<E>::from(99_u64),
    ];
    let mut builder = R1cs::builder(E::CURVE, 1, 0, 7);
    let mut products = Vec::new();
    for wire in 2..8_u32 {
        let product = builder.wire();
        let other = if wire == 7 { 2 } else { wire + 1 };
        builder.constraint(&[(wire, 3)], &[(other, -1), (0, 5)], &[(product, 1)]);
        let (a, b) = (values[wire as usize], values[other as usize]);
        values.push(a * Fr::<E>::from(3_u64) * (Fr::<E>::from(5_u64) - b));
        products.push((product, 1_i64));
    }
    let total = values[9..].iter().sum();
    values[1] = total;
    builder.constraint::<i64>(&[], &[], &[]);
    builder.constraint(&products, &[(0, 1)], &[(1, 1)]);
    Circuit::new(builder.build(), values)
}
