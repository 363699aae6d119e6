//! A constraint system that records: circuits written for bellman or bellperson become an [`R1cs`] and a [`Witness`].
//!
//! Wires are numbered as keys of that family have them: the constant one, inputs, auxiliary variables. A linear
//! combination stays as the circuit's library hands it over: bellman keeps repeated terms, bellpepper has merged them.

use bls12_381::Scalar;
use interlock_core::format::r1cs::{BuildError, Coefficient};
use interlock_core::format::{R1cs, Witness};
use interlock_curves::{Bls12_381, Curve, ProvingCurve};

/// A scalar, canonical little-endian.
type Canonical = [u8; 32];

/// A variable of either library.
#[derive(Clone, Copy, Debug)]
enum Index {
    Input(usize),
    Aux(usize),
}

/// What has been synthesised so far, with values: a circuit whose values are unknown fails.
#[derive(Debug)]
pub struct Recorder {
    inputs: Vec<Canonical>,
    aux: Vec<Canonical>,
    constraints: Vec<[Vec<(Index, Canonical)>; 3]>,
}

impl Recorder {
    fn begin() -> Self {
        let mut one = [0; 32];
        one[0] = 1;
        Self { inputs: vec![one], aux: Vec::new(), constraints: Vec::new() }
    }

    fn finish(&self) -> Result<(R1cs, Witness), BuildError> {
        let count = |n: usize| u32::try_from(n).map_err(|_| BuildError::TooManyWires);
        let inputs = count(self.inputs.len())?;
        let mut builder = R1cs::builder(Curve::Bls12_381, 0, inputs - 1, count(self.aux.len())?);
        for constraint in &self.constraints {
            let [a, b, c] = constraint.each_ref().map(|terms| {
                let wire = |index| match index {
                    Index::Input(input) => input as u32,
                    Index::Aux(aux) => inputs + aux as u32,
                };
                terms.iter().map(|(index, value)| (wire(*index), Coefficient::Canonical(*value))).collect()
            });
            let [a, b, c]: [Vec<_>; 3] = [a, b, c];
            builder.constraint(&a, &b, &c);
        }
        let scalar = |value| Bls12_381::scalar_from_canonical(value).expect("a field element is reduced");
        let values: Vec<_> = self.inputs.iter().chain(&self.aux).map(scalar).collect();
        Ok((builder.build()?, Witness::from_scalars::<Bls12_381>(&values)))
    }
}

/// Synthesises a circuit of bellman's.
///
/// # Panics
/// The circuit fails, or is too large for an `R1cs`.
pub fn from_bellman(circuit: impl bellman::Circuit<Scalar>) -> (R1cs, Witness) {
    let mut recorder = Recorder::begin();
    circuit.synthesize(&mut recorder).expect("the circuit is synthesised");
    recorder.finish().expect("wires and coefficients are the recorder's own")
}

/// Synthesises a circuit of bellperson's.
///
/// # Panics
/// The circuit fails, or is too large for an `R1cs`.
pub fn from_bellpepper(circuit: impl bellpepper_core::Circuit<blstrs::Scalar>) -> (R1cs, Witness) {
    let mut recorder = Recorder::begin();
    circuit.synthesize(&mut recorder).expect("the circuit is synthesised");
    recorder.finish().expect("wires and coefficients are the recorder's own")
}

/// The two traits differ in their names and in how a combination's terms are had.
macro_rules! record {
    ($library:ident, $scalar:ty, $to_bytes:expr, $terms:expr) => {
        impl $library::ConstraintSystem<$scalar> for Recorder {
            type Root = Self;

            fn alloc<F, A, AR>(
                &mut self,
                _: A,
                value: F,
            ) -> Result<$library::Variable, $library::SynthesisError>
            where
                F: FnOnce() -> Result<$scalar, $library::SynthesisError>,
                A: FnOnce() -> AR,
                AR: Into<String>,
            {
                self.aux.push($to_bytes(&value()?));
                Ok($library::Variable::new_unchecked($library::Index::Aux(self.aux.len() - 1)))
            }

            fn alloc_input<F, A, AR>(
                &mut self,
                _: A,
                value: F,
            ) -> Result<$library::Variable, $library::SynthesisError>
            where
                F: FnOnce() -> Result<$scalar, $library::SynthesisError>,
                A: FnOnce() -> AR,
                AR: Into<String>,
            {
                self.inputs.push($to_bytes(&value()?));
                Ok($library::Variable::new_unchecked($library::Index::Input(self.inputs.len() - 1)))
            }

            fn enforce<A, AR, LA, LB, LC>(&mut self, _: A, a: LA, b: LB, c: LC)
            where
                A: FnOnce() -> AR,
                AR: Into<String>,
                LA: FnOnce($library::LinearCombination<$scalar>) -> $library::LinearCombination<$scalar>,
                LB: FnOnce($library::LinearCombination<$scalar>) -> $library::LinearCombination<$scalar>,
                LC: FnOnce($library::LinearCombination<$scalar>) -> $library::LinearCombination<$scalar>,
            {
                let zero = $library::LinearCombination::<$scalar>::zero;
                let [a, b, c] = [a(zero()), b(zero()), c(zero())];
                self.constraints.push([&a, &b, &c].map(|combination| {
                    let term = |variable: $library::Variable, value: &$scalar| {
                        let index = match variable.get_unchecked() {
                            $library::Index::Input(input) => Index::Input(input),
                            $library::Index::Aux(aux) => Index::Aux(aux),
                        };
                        (index, $to_bytes(value))
                    };
                    $terms(combination).map(|(variable, value)| term(variable, value)).collect()
                }));
            }

            fn push_namespace<NR, N>(&mut self, _: N)
            where
                NR: Into<String>,
                N: FnOnce() -> NR,
            {
            }

            fn pop_namespace(&mut self) {}

            fn get_root(&mut self) -> &mut Self {
                self
            }
        }
    };
}

fn bellman_terms(
    combination: &bellman::LinearCombination<Scalar>,
) -> impl Iterator<Item = (bellman::Variable, &Scalar)> {
    combination.as_ref().iter().map(|(variable, value)| (*variable, value))
}

fn bellpepper_terms(
    combination: &bellpepper_core::LinearCombination<blstrs::Scalar>,
) -> impl Iterator<Item = (bellpepper_core::Variable, &blstrs::Scalar)> {
    combination.iter()
}

record!(bellman, Scalar, Scalar::to_bytes, bellman_terms);
record!(bellpepper_core, blstrs::Scalar, blstrs::Scalar::to_bytes_le, bellpepper_terms);
