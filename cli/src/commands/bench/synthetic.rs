//! A circuit of random rows that is made in memory, as `--type synthetic` proves it.
//!
//! Two thirds of the rows are exclusive ors of bits, `2a · b = a + b − c`, as hash functions consist of; the others multiply
//! sums of full-size values, `(x + αy) · (z + βb) = w`. Each row makes one wire out of earlier ones that are chosen at random,
//! so that a witness is computed row by row, and two thirds of it are bits.
//!
//! Wires: the constant one, public inputs, one private value, two private bits, then one for each row. The rows of a shape are
//! always the same; inputs are different for each proof.

use std::sync::Arc;
use std::time::Instant;

use interlock_core::files::{Family, KeyFile};
use interlock_core::format::r1cs::{BuildError, Coefficient};
use interlock_core::format::{R1cs, Witness, Zkey};
use interlock_core::groth16::{CancelFlag, ProveError};
use interlock_core::key::ProvingKey;
use interlock_core::setup::{ToxicWaste, setup_zkey};
use interlock_curves::{Curve, ProvingCurve, with_curve};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::args::{Seed, ShapeArgs};
use crate::commands::Context;
use crate::commands::inputs::About;
use crate::commands::key_check::KeyCheck;
use crate::errors::{HostMemory, Usage};
use crate::output::text;
use crate::threads;

/// Rows of the largest domain.
const MOST_ROWS: u64 = 1 << 24;
/// Bytes for each row while a key is made, roughly: circuit, key, and what the set-up computes with.
const BYTES_PER_ROW: u64 = 2 << 10;
/// Rows between two looks at whether the work is still wanted.
const LOOK: usize = 1 << 12;

/// The shape of a circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    curve: Curve,
    constraints: u32,
    public: u32,
    /// Times that a witness is computed.
    rounds: u32,
}

/// How a wire is made out of earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    /// a xor b.
    Bit { a: u32, b: u32 },
    /// (x + αy) · (z + βb).
    Product { x: u32, y: u32, z: u32, b: u32, alpha: u32, beta: u32 },
}

impl Shape {
    /// From flags.
    ///
    /// # Errors
    /// It would be too large.
    pub(super) fn new(args: &ShapeArgs) -> Result<Self, Usage> {
        let (constraints, public) = (args.constraints.unwrap_or(1 << 16), args.public.unwrap_or(1));
        let rows = constraints.saturating_add(u64::from(public)).saturating_add(1);
        let most = || {
            let memory = text::bytes(rows.saturating_mul(BYTES_PER_ROW));
            Usage(format!(
                "--constraints {constraints} --public {public} make a domain of more than {} rows, the most of a synthetic \
                 circuit: its key is made in memory, which would take about {memory}",
                text::count(MOST_ROWS)
            ))
        };
        let constraints = u32::try_from(constraints).ok().filter(|_| rows <= MOST_ROWS).ok_or_else(most)?;
        let curve = args.curve.unwrap_or(Curve::Bn254);
        Ok(Self { curve, constraints, public, rounds: args.witness_rounds.unwrap_or(1) })
    }

    /// Makes its key, all alone and in memory.
    ///
    /// # Errors
    /// There is no randomness, no memory, or no thread.
    pub(super) fn key(
        self,
        seed: Option<&Seed>,
        threads: Option<u32>,
        context: &Context,
    ) -> anyhow::Result<(Arc<ProvingKey>, About)> {
        let Self { curve, constraints, .. } = self;
        let count = text::plural(constraints.into(), "constraint");
        context.note(&format!("making a key for {count} on {curve}"));
        // Asked for once and given back: what is allocated piece by piece afterwards ends the process when it is not there.
        let bytes = (u64::from(constraints) + u64::from(self.public)).next_power_of_two() * BYTES_PER_ROW;
        let room =
            usize::try_from(bytes).ok().and_then(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).ok());
        if room.is_none() {
            return Err(HostMemory { what: format!("a key for {count}"), bytes }.into());
        }
        let start = Instant::now();
        let made = || -> anyhow::Result<ProvingKey> {
            let circuit = self.circuit()?;
            let mut bytes = Vec::new();
            with_curve!(curve, E => {
                let secrets = match seed {
                    Some(seed) => ToxicWaste::<E>::from_seed(seed.0),
                    None => ToxicWaste::random()?,
                };
                setup_zkey(&circuit, &secrets, &mut bytes)?;
            });
            drop(circuit);
            Ok(KeyFile::Zkey(Zkey::from_bytes("synthetic key", bytes)?).proving_key(None)?)
        };
        let key = threads::within(threads, made)??;
        context.note(&format!("made it in {}", text::time(start.elapsed())));
        // Its bases were computed just now.
        let (check, constraints) = (KeyCheck::Skipped, Some(constraints.into()));
        Ok((Arc::new(key), About { family: Family::Snarkjs, check, constraints }))
    }

    /// The first of its wires that is a row's.
    fn first(self) -> u32 {
        self.public + 4
    }

    fn rows(self) -> impl Iterator<Item = Row> {
        let first = self.first();
        let mut random = ChaCha8Rng::from_seed([0x1c; 32]);
        // Values and bits among the inputs.
        let mut values: Vec<u32> = (1..first - 2).collect();
        let mut bits: Vec<u32> = vec![first - 2, first - 1];
        (0..self.constraints).map(move |index| {
            let mut pick = |wires: &[u32]| wires[random.next_u32() as usize % wires.len()];
            let (wire, b) = (first + index, pick(&bits));
            if index % 3 < 2 {
                let a = pick(&bits);
                bits.push(wire);
                Row::Bit { a, b }
            } else {
                let [x, y, z] = [pick(&values), pick(&values), pick(&values)];
                let [alpha, beta] = [random.next_u32(), random.next_u32()];
                values.push(wire);
                Row::Product { x, y, z, b, alpha, beta }
            }
        })
    }

    fn circuit(self) -> Result<R1cs, BuildError> {
        let mut builder = R1cs::builder(self.curve, 0, self.public, 3);
        let term = |wire, coefficient: i64| (wire, Coefficient::Small(coefficient));
        for row in self.rows() {
            let wire = builder.wire();
            match row {
                // The same wire twice adds up.
                Row::Bit { a, b } => builder.constraint(
                    &[term(a, 2)],
                    &[term(b, 1)],
                    &[term(a, 1), term(b, 1), term(wire, -1)],
                ),
                Row::Product { x, y, z, b, alpha, beta } => builder.constraint(
                    &[term(x, 1), term(y, alpha.into())],
                    &[term(z, 1), term(b, beta.into())],
                    &[term(wire, 1)],
                ),
            };
        }
        builder.build()
    }

    /// Computes the witness of this number.
    ///
    /// # Errors
    /// It is not wanted any longer.
    pub(super) fn witness(self, number: u64, cancel: &CancelFlag) -> Result<Witness, ProveError> {
        with_curve!(self.curve, E => {
            let mut values = self.evaluate::<E>(number, cancel)?;
            for _ in 1..self.rounds {
                values = std::hint::black_box(self.evaluate::<E>(number, cancel)?);
            }
            Ok(Witness::from_scalars::<E>(&values))
        })
    }

    fn evaluate<E: ProvingCurve>(
        self,
        number: u64,
        cancel: &CancelFlag,
    ) -> Result<Vec<E::ScalarField>, ProveError> {
        let small = |value: u32| E::ScalarField::from(u64::from(value));
        let mut random = ChaCha8Rng::seed_from_u64(number);
        let word = E::ScalarField::from(u64::MAX) + small(1);
        let mut values = Vec::with_capacity((self.first() + self.constraints) as usize);
        values.push(small(1));
        // Four words, modulo r.
        values.extend(
            (0..=self.public).map(|_| {
                (0..4).fold(small(0), |sum, _| sum * word + E::ScalarField::from(random.next_u64()))
            }),
        );
        values.extend([(); 2].map(|()| small(random.next_u32() & 1)));
        for (index, row) in self.rows().enumerate() {
            if index % LOOK == 0 && cancel.is_cancelled() {
                return Err(ProveError::Cancelled);
            }
            let value = |wire: u32| values[wire as usize];
            values.push(match row {
                Row::Bit { a, b } => value(a) + value(b) - small(2) * value(a) * value(b),
                Row::Product { x, y, z, b, alpha, beta } => {
                    (value(x) + small(alpha) * value(y)) * (value(z) + small(beta) * value(b))
                }
            });
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests;
