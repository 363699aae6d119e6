//! Small circuits with their witnesses, built in memory.

use std::path::Path;

use ark_ff::{One, PrimeField, Zero};
use interlock_core::format::r1cs::Coefficient;
use interlock_core::format::{R1cs, Witness};
use interlock_core::setup::{ToxicWaste, setup_zkey};
use interlock_curves::{ProvingCurve, with_curve};

/// A circuit with a witness that satisfies it.
#[derive(Debug)]
pub struct Sample {
    /// What is special about it.
    pub name: &'static str,
    /// The circuit.
    pub r1cs: R1cs,
    /// A satisfying witness.
    pub witness: Witness,
}

impl Sample {
    /// Writes `circuit.zkey` (by a single-party set-up from a fixed seed) and `witness.wtns` to a folder.
    ///
    /// # Panics
    /// Something cannot be written.
    pub fn write(&self, folder: &Path) {
        let mut key = Vec::new();
        with_curve!(self.r1cs.curve(), E => {
            setup_zkey::<E>(&self.r1cs, &ToxicWaste::from_seed([7; 32]), &mut key).expect("the set-up succeeds");
        });
        std::fs::write(folder.join("circuit.zkey"), key).expect("the key is written");
        let mut witness = Vec::new();
        self.witness.write(&mut witness).expect("memory does not fail");
        std::fs::write(folder.join("witness.wtns"), witness).expect("the witness is written");
    }
}

/// The edge cases of circuits that real users have met.
pub fn edge_cases<E: ProvingCurve>() -> Vec<Sample> {
    vec![
        no_public::<E>(),
        one_constraint::<E>(),
        only_linear::<E>(),
        squarings::<E>("domain exactly full", 14),
        squarings::<E>("domain one over", 15),
        unused_variables::<E>(),
        repeated_bases::<E>(),
        wide_values::<E>(),
    ]
}

fn scalars<E: ProvingCurve>(values: &[i64]) -> Vec<E::ScalarField> {
    values
        .iter()
        .map(|&value| {
            let size = E::ScalarField::from(value.unsigned_abs());
            if value < 0 { -size } else { size }
        })
        .collect()
}

fn sample<E: ProvingCurve>(name: &'static str, r1cs: R1cs, values: &[E::ScalarField]) -> Sample {
    let witness = Witness::from_scalars::<E>(values);
    assert_eq!(r1cs.first_unsatisfied(&witness).expect("they belong together"), None, "{name}");
    Sample { name, r1cs, witness }
}

/// 3 · 5 = 15, all private.
fn no_public<E: ProvingCurve>() -> Sample {
    let mut builder = R1cs::builder(E::CURVE, 0, 0, 2);
    let product = builder.wire();
    builder.constraint(&[(1, 1)], &[(2, 1)], &[(product, 1)]);
    builder.constraint(&[(product, 1)], &[(product, 1)], &[(0, 225)]);
    sample::<E>("no public input", builder.build().expect("valid"), &scalars::<E>(&[1, 3, 5, 15]))
}

/// One row: out = x · x.
fn one_constraint<E: ProvingCurve>() -> Sample {
    let mut builder = R1cs::builder(E::CURVE, 1, 0, 1);
    builder.constraint(&[(2, 1)], &[(2, 1)], &[(1, 1)]);
    sample::<E>("one constraint", builder.build().expect("valid"), &scalars::<E>(&[1, 49, 7]))
}

/// Rows with empty A and B, as circom leaves linear constraints: 0 = out − x − y.
fn only_linear<E: ProvingCurve>() -> Sample {
    let mut builder = R1cs::builder(E::CURVE, 1, 1, 1);
    builder.constraint(&[], &[], &[(1, 1), (2, -1), (3, -1)]);
    sample::<E>("no non-linear constraint", builder.build().expect("valid"), &scalars::<E>(&[1, 9, 4, 5]))
}

/// A chain of squarings with one public output: `rows` rows, plus one row for each of the two public wires.
fn squarings<E: ProvingCurve>(name: &'static str, rows: u32) -> Sample {
    let mut builder = R1cs::builder(E::CURVE, 1, 0, 1);
    let mut values = vec![E::ScalarField::one(), E::ScalarField::zero(), E::ScalarField::from(3_u64)];
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
    sample::<E>(name, builder.build().expect("valid"), &values)
}

/// x occurs in A only, y in B only, z in C only, and u nowhere.
fn unused_variables<E: ProvingCurve>() -> Sample {
    let mut builder = R1cs::builder(E::CURVE, 0, 1, 4);
    builder.constraint(&[(2, 1)], &[(3, 1)], &[(4, 1)]);
    builder.constraint(&[(0, 1)], &[(0, 1)], &[(1, 1)]);
    sample::<E>(
        "variables unused in A or B",
        builder.build().expect("valid"),
        &scalars::<E>(&[1, 1, 6, 7, 42, 99]),
    )
}

/// Signals that occur in the same rows with the same coefficients have equal bases.
fn repeated_bases<E: ProvingCurve>() -> Sample {
    let mut builder = R1cs::builder(E::CURVE, 1, 0, 6);
    let twins: Vec<(u32, i64)> = (2..8).map(|wire| (wire, 2)).collect();
    builder.constraint(&twins, &twins, &[(1, 1)]);
    sample::<E>(
        "repeated bases",
        builder.build().expect("valid"),
        &scalars::<E>(&[1, 1764, 1, 2, 3, 4, 5, 6]),
    )
}

/// −1, r − 2, 2^64 and their like: the edges between classes of scalars.
fn wide_values<E: ProvingCurve>() -> Sample {
    let two64 = E::ScalarField::from(u64::MAX) + E::ScalarField::one();
    let mut values = vec![
        E::ScalarField::one(),
        E::ScalarField::zero(),
        -E::ScalarField::one(),
        -E::ScalarField::from(2_u64),
        two64,
        E::ScalarField::from(u64::MAX),
        two64 * two64 - E::ScalarField::one(),
        E::ScalarField::from_le_bytes_mod_order(&[0xff; 31]),
    ];
    let mut builder = R1cs::builder(E::CURVE, 1, 0, 6);
    let mut products = Vec::new();
    for wire in 2..8_u32 {
        let product = builder.wire();
        builder.constraint(&[(wire, 3)], &[(wire, -1), (0, 5)], &[(product, 1)]);
        let value = values[wire as usize];
        values.push(value * E::ScalarField::from(3_u64) * (E::ScalarField::from(5_u64) - value));
        products.push((product, 1));
    }
    values[1] = values[8..].iter().sum();
    builder.constraint::<Coefficient>(&[], &[], &[]);
    let sum: Vec<(u32, i64)> = products;
    builder.constraint(&sum, &[(0, 1)], &[(1, 1)]);
    sample::<E>("wide values", builder.build().expect("valid"), &values)
}
