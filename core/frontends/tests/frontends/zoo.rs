//! Circuits of arkworks, each about something that a front end can get wrong.

use ark_ff::PrimeField;
use ark_relations::gr1cs::{
    ConstraintSynthesizer, ConstraintSystemRef, LinearCombination, SynthesisError, Variable,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// MiMC's shape: x ← (x + k + c_i)³, the last one public. The domain is full, or one over, for some lengths.
    Chain(u64),
    /// A witness variable that occurs nowhere, others in one of A, B, C only.
    Unused,
    /// A variable several times in one linear combination; some cancel out; coefficients of zero; `Variable::Zero`.
    Repeated,
    /// Symbolic linear combinations of symbolic linear combinations.
    Symbolic,
    /// Linear combinations that are a constant, and empty ones.
    Constants,
    /// Public inputs that no constraint mentions, allocated after and between witness variables.
    IdleInputs,
    /// No constraint at all, one input.
    Nothing,
    /// Neither constraint nor input.
    LessThanNothing,
}

pub(crate) const ALL: [Kind; 11] = [
    Kind::Chain(1),
    Kind::Chain(3),
    Kind::Chain(7),
    Kind::Chain(40),
    Kind::Unused,
    Kind::Repeated,
    Kind::Symbolic,
    Kind::Constants,
    Kind::IdleInputs,
    Kind::Nothing,
    Kind::LessThanNothing,
];

/// A circuit, with or without the one value that all others follow from.
#[derive(Clone, Copy)]
pub(crate) struct Zoo<F> {
    pub(crate) kind: Kind,
    pub(crate) x: Option<F>,
}

type Lc<F> = LinearCombination<F>;

struct Builder<F: PrimeField> {
    cs: ConstraintSystemRef<F>,
    x: Option<F>,
}

impl<F: PrimeField> Builder<F> {
    fn input(&self, value: impl FnOnce(F) -> F) -> Result<Variable, SynthesisError> {
        self.cs.new_input_variable(|| self.x.map(value).ok_or(SynthesisError::AssignmentMissing))
    }

    fn witness(&self, value: impl FnOnce(F) -> F) -> Result<Variable, SynthesisError> {
        self.cs.new_witness_variable(|| self.x.map(value).ok_or(SynthesisError::AssignmentMissing))
    }

    fn enforce(&self, a: Lc<F>, b: Lc<F>, c: Lc<F>) -> Result<(), SynthesisError> {
        self.cs.enforce_r1cs_constraint(|| a, || b, || c)
    }
}

fn lc<F: PrimeField>(terms: &[(i64, Variable)]) -> Lc<F> {
    LinearCombination(
        terms.iter().map(|(coefficient, variable)| (F::from(*coefficient), *variable)).collect(),
    )
}

fn small<F: PrimeField>(value: i64) -> F {
    F::from(value)
}

/// What the public inputs are, given x.
pub(crate) fn inputs<F: PrimeField>(kind: Kind, x: F) -> Vec<F> {
    match kind {
        Kind::Chain(rounds) => vec![*chain(x, rounds).last().unwrap()],
        Kind::Unused | Kind::Repeated | Kind::Nothing => vec![x],
        Kind::Symbolic => vec![x, (small::<F>(6) * x + small::<F>(4)) * (small::<F>(3) * x + small::<F>(2))],
        Kind::Constants => vec![small(42)],
        Kind::IdleInputs => vec![x + small::<F>(1), x + small::<F>(2), x + small::<F>(3)],
        Kind::LessThanNothing => vec![],
    }
}

fn chain<F: PrimeField>(x: F, rounds: u64) -> Vec<F> {
    let round = |x: &mut F, i: u64| {
        let sum = *x + F::from(i * i + 7);
        *x = sum * sum * sum;
        Some(*x)
    };
    (0..rounds).scan(x, round).collect()
}

impl<F: PrimeField> ConstraintSynthesizer<F> for Zoo<F> {
    fn generate_constraints(self, cs: ConstraintSystemRef<F>) -> Result<(), SynthesisError> {
        let one = Variable::One;
        let b = Builder { cs, x: self.x };
        match self.kind {
            Kind::Chain(rounds) => {
                let result = b.input(|x| *chain(x, rounds).last().unwrap())?;
                let mut last = b.witness(|x| x)?;
                for i in 0..rounds {
                    let before =
                        move |x: F| if i == 0 { x } else { chain(x, rounds)[i as usize - 1] } + F::from(i * i + 7);
                    let square = b.witness(|x| before(x).square())?;
                    let ends = i + 1 == rounds;
                    let next = if ends { result } else { b.witness(|x| chain(x, rounds)[i as usize])? };
                    let sum = lc(&[(i as i64 * i as i64 + 7, one), (1, last)]);
                    b.enforce(sum.clone(), sum.clone(), square.into())?;
                    b.enforce(square.into(), sum, next.into())?;
                    last = next;
                }
            }
            Kind::Unused => {
                let (p, _nowhere) = (b.input(|x| x)?, b.witness(|x| x.square())?);
                let (q, r) = (b.witness(|x| x + small::<F>(1))?, b.witness(|x| x - small::<F>(1))?);
                let product = b.witness(|x| (x + small::<F>(1)) * (x - small::<F>(1)))?;
                b.enforce(q.into(), r.into(), product.into())?;
                b.enforce(lc(&[(1, one), (1, p)]), lc(&[(1, one)]), lc(&[(1, p), (1, one)]))?;
            }
            Kind::Repeated => {
                let (p, w) = (b.input(|x| x)?, b.witness(|x| x + small::<F>(5))?);
                let out = b.witness(|x| small::<F>(5) * (x + small::<F>(5)) * small::<F>(2) * x)?;
                b.enforce(
                    lc(&[(2, w), (0, p), (3, w), (7, Variable::Zero), (1, p), (-1, p)]),
                    lc(&[(1, p), (4, out), (1, p), (-4, out)]),
                    lc(&[(1, out), (0, w)]),
                )?;
                b.enforce(lc(&[(1, w), (-1, w)]), lc(&[(1, Variable::Zero)]), lc(&[]))?;
            }
            Kind::Symbolic => {
                let p = b.input(|x| x)?;
                let result = b.input(|x| inputs(Kind::Symbolic, x)[1])?;
                let w = b.witness(|x| x + x)?;
                let first = b.cs.new_lc(|| lc(&[(1, w), (1, p), (2, one)]))?;
                let second = b.cs.new_lc(|| lc(&[(2, first), (1, w), (-2, p)]))?;
                let same = b.cs.new_lc(|| lc(&[(1, second)]))?;
                b.enforce(lc(&[(1, same)]), first.into(), result.into())?;
                b.enforce(lc(&[(1, second), (-1, same)]), lc(&[(1, first)]), lc(&[]))?;
            }
            Kind::Constants => {
                let p = b.input(|_| small(42))?;
                b.enforce(lc(&[(6, one)]), lc(&[(7, one)]), p.into())?;
                b.enforce(lc(&[]), lc(&[(5, one)]), lc(&[]))?;
                b.enforce(lc(&[(1, one)]), lc(&[(1, one)]), lc(&[(1, one)]))?;
            }
            Kind::IdleInputs => {
                let w = b.witness(|x| x)?;
                let _ = b.input(|x| x + small::<F>(1))?;
                let square = b.witness(|x| x.square())?;
                let _ = b.input(|x| x + small::<F>(2))?;
                b.enforce(w.into(), w.into(), square.into())?;
                let _ = b.input(|x| x + small::<F>(3))?;
            }
            Kind::Nothing => {
                let _ = b.input(|x| x)?;
            }
            Kind::LessThanNothing => {}
        }
        Ok(())
    }
}
