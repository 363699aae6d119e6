//! Circuits of bellpepper's gadgets, and small ones about what a linear combination may hold.

use bellpepper::gadgets::multipack::pack_into_inputs;
use bellpepper::gadgets::sha256::sha256;
use bellpepper_core::boolean::{AllocatedBit, Boolean};
use bellpepper_core::num::{AllocatedNum, Num};
use bellpepper_core::{Circuit, ConstraintSystem, LinearCombination, SynthesisError, Variable};
use blstrs::Scalar;

/// A circuit with its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// SHA-256 of 24 secret bits, as two inputs.
    Digest,
    /// Numbers, their bits, and booleans.
    Numbers,
    /// `(x − x + y)·y = square`; x is in C, elsewhere.
    Cancelled,
    /// The input and the constant cancel out in B: `y·(y + square − 1 − square + 1) = square`.
    CancelledInput,
    /// `(0·x + y)·y = square`.
    ZeroCoefficient,
    /// Variables that occur in C only.
    OnlyInC,
    /// `(x + 2y + 4x)·(y + y) = …`.
    Repeated,
    /// No input but the constant.
    NoInput,
    /// Every constraint is linear: B is the constant, or A and B are empty.
    Linear,
    /// So many squarings. With the rows for inputs, 6 fill a domain of 8, and 7 are one too many for it.
    Rows(usize),
}

impl Case {
    pub(crate) const ALL: [Self; 11] = [
        Self::Digest,
        Self::Numbers,
        Self::Cancelled,
        Self::CancelledInput,
        Self::ZeroCoefficient,
        Self::OnlyInC,
        Self::Repeated,
        Self::NoInput,
        Self::Linear,
        Self::Rows(6),
        Self::Rows(7),
    ];

    /// Inputs besides the constant.
    pub(crate) fn inputs(self) -> usize {
        match self {
            Self::NoInput => 0,
            Self::Digest | Self::Linear => 2,
            _ => 1,
        }
    }
}

impl Circuit<Scalar> for Case {
    fn synthesize<CS: ConstraintSystem<Scalar>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        match self {
            Self::Digest => digest(cs),
            Self::Numbers => numbers(cs),
            Self::Cancelled => square_of(cs, |lc, x, y, _| (lc.clone() + x - x + y, lc + y)),
            Self::CancelledInput => square_of(cs, |lc, _, y, square| {
                (lc.clone() + y, lc + y + square - CS::one() - square + CS::one())
            }),
            Self::ZeroCoefficient => {
                square_of(cs, |lc, x, y, _| (lc.clone() + (Scalar::from(0), x) + y, lc + y))
            }
            Self::OnlyInC => only_in_c(cs),
            Self::Repeated => repeated(cs),
            Self::NoInput => no_input(cs),
            Self::Linear => linear(cs),
            Self::Rows(rows) => chain(cs, rows),
        }
    }
}

/// A variable that no combination holds.
pub(crate) struct Unconstrained;

impl Circuit<Scalar> for Unconstrained {
    fn synthesize<CS: ConstraintSystem<Scalar>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        cs.alloc(|| "nowhere", || Ok(Scalar::from(1)))?;
        no_input(cs)
    }
}

type Combination = LinearCombination<Scalar>;

fn digest<CS: ConstraintSystem<Scalar>>(cs: &mut CS) -> Result<(), SynthesisError> {
    let mut bits = Vec::new();
    for (i, value) in (0..24).map(|i| (i, (0x00b7_e151_u32 >> i) & 1 == 1)) {
        let bit = AllocatedBit::alloc(cs.namespace(|| format!("bit {i}")), Some(value))?;
        bits.push(Boolean::from(bit));
    }
    let digest = sha256(cs.namespace(|| "digest"), &bits)?;
    pack_into_inputs(cs.namespace(|| "pack"), &digest)
}

fn numbers<CS: ConstraintSystem<Scalar>>(cs: &mut CS) -> Result<(), SynthesisError> {
    let x = AllocatedNum::alloc(cs.namespace(|| "x"), || Ok(-Scalar::from(12_345)))?;
    let bits = x.to_bits_le_strict(cs.namespace(|| "bits of x"))?;
    let both = Boolean::and(cs.namespace(|| "and"), &bits[0], &bits[1])?;
    let either = Boolean::xor(cs.namespace(|| "xor"), &both, &bits[200].not())?;
    let square = x.square(cs.namespace(|| "x²"))?;
    let cube = square.mul(cs.namespace(|| "x³"), &x)?;
    cube.assert_nonzero(cs.namespace(|| "x³ is not 0"))?;
    let (first, second) =
        AllocatedNum::conditionally_reverse(cs.namespace(|| "reverse"), &square, &cube, &either)?;
    let sum = Num::zero()
        .add_bool_with_coeff(CS::one(), &either.not(), Scalar::from(3))
        .add(&Num::from(first))
        .add(&Num::from(second).scale(Scalar::from(7)));
    let value = sum.get_value().ok_or(SynthesisError::AssignmentMissing);
    let result = AllocatedNum::alloc(cs.namespace(|| "result"), || value)?;
    let one = CS::one();
    let is_sum = |lc: Combination| lc + &sum.lc(Scalar::from(1));
    cs.enforce(|| "is the sum", is_sum, |lc| lc + one, |lc| lc + result.get_variable());
    result.inputize(cs.namespace(|| "public"))
}

/// `a · b = square`, with x = 5 and y = 7, and `0 = x − 5`: x is in C if nowhere else.
fn square_of<CS, F>(cs: &mut CS, factors: F) -> Result<(), SynthesisError>
where
    CS: ConstraintSystem<Scalar>,
    F: FnOnce(Combination, Variable, Variable, Variable) -> (Combination, Combination),
{
    let square = cs.alloc_input(|| "square", || Ok(Scalar::from(49)))?;
    let x = cs.alloc(|| "x", || Ok(Scalar::from(5)))?;
    let y = cs.alloc(|| "y", || Ok(Scalar::from(7)))?;
    let (a, b) = factors(Combination::zero(), x, y, square);
    cs.enforce(|| "square", |_| a, |_| b, |lc| lc + square);
    cs.enforce(|| "x", |lc| lc, |lc| lc, |lc| lc + x - (Scalar::from(5), CS::one()));
    Ok(())
}

fn only_in_c<CS: ConstraintSystem<Scalar>>(cs: &mut CS) -> Result<(), SynthesisError> {
    let x = cs.alloc(|| "x", || Ok(Scalar::from(6)))?;
    let hidden = cs.alloc(|| "hidden", || Ok(Scalar::from(30)))?;
    let rest = cs.alloc(|| "rest", || Ok(-Scalar::from(4)))?;
    let difference = cs.alloc_input(|| "difference", || Ok(Scalar::from(10)))?;
    cs.enforce(|| "product", |lc| lc + x, |lc| lc + x, |lc| lc + hidden + difference + rest);
    Ok(())
}

fn repeated<CS: ConstraintSystem<Scalar>>(cs: &mut CS) -> Result<(), SynthesisError> {
    let x = cs.alloc(|| "x", || Ok(Scalar::from(3)))?;
    let y = cs.alloc(|| "y", || Ok(Scalar::from(10)))?;
    let z = cs.alloc_input(|| "z", || Ok(Scalar::from(35 * 20)))?;
    let two = Scalar::from(2);
    let a = |lc: Combination| lc + x + (two, y) + (two + two, x);
    cs.enforce(|| "z", a, |lc| lc + y + y, |lc| lc + z + z - z);
    Ok(())
}

fn no_input<CS: ConstraintSystem<Scalar>>(cs: &mut CS) -> Result<(), SynthesisError> {
    let [x, y, z] =
        [("x", 3), ("y", 5), ("z", 15)].map(|(name, value)| cs.alloc(|| name, || Ok(Scalar::from(value))));
    let (x, y, z) = (x?, y?, z?);
    cs.enforce(|| "z", |lc| lc + x, |lc| lc + y, |lc| lc + z);
    cs.enforce(|| "225", |lc| lc + z, |lc| lc + z, |lc| lc + (Scalar::from(225), CS::one()));
    Ok(())
}

fn linear<CS: ConstraintSystem<Scalar>>(cs: &mut CS) -> Result<(), SynthesisError> {
    let x = cs.alloc(|| "x", || Ok(Scalar::from(4)))?;
    let y = cs.alloc(|| "y", || Ok(Scalar::from(5)))?;
    let p = cs.alloc_input(|| "p", || Ok(Scalar::from(14)))?;
    let q = cs.alloc_input(|| "q", || Ok(Scalar::from(15)))?;
    let one = CS::one();
    cs.enforce(|| "p", |lc| lc + x + (Scalar::from(2), y), |lc| lc + one, |lc| lc + p);
    cs.enforce(|| "q", |lc| lc, |lc| lc, |lc| lc + q - p - one);
    Ok(())
}

fn chain<CS: ConstraintSystem<Scalar>>(cs: &mut CS, squarings: usize) -> Result<(), SynthesisError> {
    let mut value = Scalar::from(3);
    let mut last = cs.alloc(|| "start", || Ok(value))?;
    for i in 1..=squarings {
        value *= value;
        let end = i == squarings;
        let next =
            if end { cs.alloc_input(|| "end", || Ok(value))? } else { cs.alloc(|| "next", || Ok(value))? };
        cs.enforce(|| "square", |lc| lc + last, |lc| lc + last, |lc| lc + next);
        last = next;
    }
    Ok(())
}
