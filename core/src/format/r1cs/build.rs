//! Making a circuit in memory.

use interlock_curves::{Curve, ProvingCurve, with_curve};

use super::R1cs;

/// A coefficient of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coefficient {
    /// A small integer; negative ones stand for `r − |x|`.
    Small(i64),
    /// A scalar, canonical little-endian.
    Canonical([u8; 32]),
}

impl From<i64> for Coefficient {
    fn from(value: i64) -> Self {
        Self::Small(value)
    }
}

impl From<[u8; 32]> for Coefficient {
    fn from(value: [u8; 32]) -> Self {
        Self::Canonical(value)
    }
}

/// Why a circuit cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// A term names a wire that was never made.
    #[error(
        "constraint {constraint} names wire {wire}, but there are only {wires}; make it with `wire()` first"
    )]
    Wire {
        /// The constraint, from 0.
        constraint: usize,
        /// The wire.
        wire: u32,
        /// How many wires there are.
        wires: u32,
    },
    /// A coefficient is not below the field's modulus.
    #[error("constraint {constraint} has a coefficient that is not below the field's modulus")]
    Coefficient {
        /// The constraint, from 0.
        constraint: usize,
    },
    /// The lists of a circuit in flat storage contradict each other.
    #[error("{what} is {found}, but {limit_of} {limit}")]
    Lengths {
        /// Which number.
        what: &'static str,
        /// Its value.
        found: usize,
        /// What it should be, with a verb.
        limit_of: &'static str,
        /// The value that it should have, or not exceed.
        limit: usize,
    },
    /// More than 2^32 − 1 wires.
    #[error("too many wires: a circuit has at most 2^32 - 1")]
    TooManyWires,
}

/// Collects constraints. Wires 0 to `n_pub_out + n_pub_in + n_prv_in` exist from the start; [`wire`](Self::wire)
/// makes more.
#[derive(Clone, Debug)]
pub struct R1csBuilder {
    circuit: R1cs,
    error: Option<BuildError>,
}

impl R1cs {
    /// Begins a circuit with these numbers of public outputs, public inputs and private inputs.
    pub fn builder(curve: Curve, n_pub_out: u32, n_pub_in: u32, n_prv_in: u32) -> R1csBuilder {
        let wires = 1 + u64::from(n_pub_out) + u64::from(n_pub_in) + u64::from(n_prv_in);
        let n_wires = u32::try_from(wires).ok();
        let circuit = Self {
            curve,
            n_wires: n_wires.unwrap_or(u32::MAX),
            n_pub_out,
            n_pub_in,
            n_prv_in,
            ends: Vec::new(),
            wires: Vec::new(),
            values: Vec::new(),
        };
        R1csBuilder { circuit, error: n_wires.is_none().then_some(BuildError::TooManyWires) }
    }
}

impl R1csBuilder {
    /// Makes an internal wire and returns its number.
    pub fn wire(&mut self) -> u32 {
        let wire = self.circuit.n_wires;
        match wire.checked_add(1) {
            Some(next) => self.circuit.n_wires = next,
            None => self.fail(BuildError::TooManyWires),
        }
        wire
    }

    /// Adds the constraint `⟨a, w⟩ · ⟨b, w⟩ = ⟨c, w⟩`, each a list of wires and coefficients. What is wrong with it
    /// is reported by [`build`](Self::build).
    pub fn constraint<T: Into<Coefficient> + Copy>(
        &mut self,
        a: &[(u32, T)],
        b: &[(u32, T)],
        c: &[(u32, T)],
    ) -> &mut Self {
        let constraint = self.circuit.n_constraints();
        for terms in [a, b, c] {
            for (wire, coefficient) in terms {
                if *wire >= self.circuit.n_wires {
                    let wires = self.circuit.n_wires;
                    self.fail(BuildError::Wire { constraint, wire: *wire, wires });
                }
                match canonical(self.circuit.curve, (*coefficient).into()) {
                    Some(value) => self.circuit.values.extend_from_slice(&value),
                    None => {
                        self.circuit.values.extend_from_slice(&[0; 32]);
                        self.fail(BuildError::Coefficient { constraint });
                    }
                }
                self.circuit.wires.push(*wire);
            }
            self.circuit.ends.push(self.circuit.wires.len());
        }
        self
    }

    /// Finishes the circuit.
    ///
    /// # Errors
    /// The first thing that was wrong.
    pub fn build(self) -> Result<R1cs, BuildError> {
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.circuit),
        }
    }

    fn fail(&mut self, error: BuildError) {
        self.error.get_or_insert(error);
    }
}

fn canonical(curve: Curve, coefficient: Coefficient) -> Option<[u8; 32]> {
    with_curve!(curve, E => {
        let scalar = match coefficient {
            Coefficient::Small(value) => <E as ark_ec::pairing::Pairing>::ScalarField::from(value),
            Coefficient::Canonical(bytes) => E::scalar_from_canonical(&bytes)?,
        };
        Some(E::scalar_to_canonical(&scalar))
    })
}
