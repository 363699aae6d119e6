//! Crate `groth16`'s own parameters: with the same r and s, its own proofs.

use std::sync::atomic::{AtomicUsize, Ordering};

use ::bellman::gadgets::boolean::{AllocatedBit, Boolean};
use ::bellman::gadgets::{multipack, sha256::sha256};
use ::bellman::{Circuit, ConstraintSystem, Index, SynthesisError, Variable};
use bls12_381::{Bls12, Scalar};
use ff::{Field, PrimeField, PrimeFieldBits};
use groth16::{
    Parameters, Proof, create_proof, generate_random_parameters, prepare_verifying_key, verify_proof,
};
use interlock_core::format::FormatErrorKind;
use interlock_core::format::bellman::BellmanParams;
use interlock_core::groth16::Blinding;
use interlock_curves::{Bls12_381, ProvingCurve};
use interlock_frontends::{FrontendError, bellman};
use interlock_tests::linked;
use interlock_tests::random::generator;

use crate::gadgets::of_bellman::Gadgets;
use crate::r_and_s;

/// SHA-256 of eight private bytes, packed into public inputs.
#[derive(Clone, Copy)]
struct Preimage(Option<[u8; 8]>);

impl<F: PrimeField + PrimeFieldBits> Circuit<F> for Preimage {
    fn synthesize<CS: ConstraintSystem<F>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        let bit = |i: usize| self.0.map(|bytes| bytes[i / 8] >> (7 - i % 8) & 1 == 1);
        let bits = (0..64)
            .map(|i| AllocatedBit::alloc(cs.namespace(|| format!("bit {i}")), bit(i)).map(Boolean::from))
            .collect::<Result<Vec<_>, _>>()?;
        let hash = sha256(cs.namespace(|| "hash"), &bits)?;
        multipack::pack_into_inputs(cs.namespace(|| "pack"), &hash)
    }
}

/// Two public inputs that no constraint mentions. (The generator of crate `groth16` panics without any private variable.)
#[derive(Clone, Copy)]
struct Idle;

impl<F: PrimeField> Circuit<F> for Idle {
    fn synthesize<CS: ConstraintSystem<F>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        cs.alloc_input(|| "p", || Ok(F::from(5)))?;
        cs.alloc_input(|| "q", || Ok(F::ZERO))?;
        let x = cs.alloc(|| "x", || Ok(F::ONE))?;
        cs.enforce(|| "a bit", |lc| lc + x, |lc| lc + CS::one() - x, |lc| lc);
        Ok(())
    }
}

#[test]
fn their_parameters_give_their_proofs() {
    let x = Scalar::from(0x1234_5678_9abc_def1).square();
    let lie = Scalar::ZERO;
    same_proof(Gadgets { x: None, lie }, Gadgets { x: Some(x), lie });
    same_proof(Preimage(None), Preimage(Some(*b"preimage")));
    same_proof(Idle, Idle);
}

fn opened(params: &Parameters<Bls12>) -> BellmanParams {
    let mut bytes = Vec::new();
    params.write(&mut bytes).unwrap();
    BellmanParams::from_bytes("some.params", bytes).unwrap()
}

fn same_proof<C: Circuit<Scalar> + Copy>(shape: C, circuit: C) {
    let params: Parameters<Bls12> = generate_random_parameters(shape, &mut generator(4)).unwrap();
    let prover = bellman::open::<Scalar, _>(&linked(), &opened(&params), shape).unwrap();

    let (r, s) = r_and_s::<Bls12_381>();
    let [their_r, their_s] =
        [r, s].map(|scalar| Scalar::from_repr(Bls12_381::scalar_to_canonical(&scalar)).unwrap());
    let mut theirs = Vec::new();
    create_proof(circuit, &params, their_r, their_s).unwrap().write(&mut theirs).unwrap();
    let ours = bellman::create_proof(circuit, &prover, &Blinding::from_scalars(r, s)).unwrap();
    assert_eq!(ours.to_bytes().as_slice(), theirs);

    let random = bellman::create_random_proof(circuit, &prover).unwrap();
    assert_ne!(random, ours);
    let witness = bellman::witness::<Scalar, _>(circuit).unwrap();
    let inputs: Vec<Scalar> = (1..=prover.key().n_public)
        .map(|signal| Scalar::from_repr(*witness.value(signal).unwrap()).unwrap())
        .collect();
    let verifier = prepare_verifying_key(&params.vk);
    let read = Proof::<Bls12>::read(random.to_bytes().as_slice()).unwrap();
    verify_proof(&verifier, &read, &inputs).unwrap();
    let mut wrong = inputs;
    wrong[0] += Scalar::ONE;
    assert!(verify_proof(&verifier, &read, &wrong).is_err());

    let rows = bellman::circuit::<Scalar, _>(shape).unwrap();
    assert_eq!(bellman::synthesize::<Scalar, _>(circuit).unwrap(), (rows.clone(), witness.clone()));
    assert_eq!(rows.first_unsatisfied(&witness).unwrap(), None);
    assert!(bellman::check::<Scalar, _>(circuit).is_ok());
}

/// Counts which of its closures are called.
#[derive(Clone, Copy)]
struct Counting<'a> {
    values: &'a AtomicUsize,
    combinations: &'a AtomicUsize,
    names: &'a AtomicUsize,
}

impl<F: PrimeField> Circuit<F> for Counting<'_> {
    fn synthesize<CS: ConstraintSystem<F>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        let count = |counter: &AtomicUsize| counter.fetch_add(1, Ordering::SeqCst);
        let name = || {
            count(self.names);
            "name"
        };
        let mut cs = cs.namespace(name);
        let value = || {
            count(self.values);
            Ok(F::ONE)
        };
        let (x, y) = (cs.alloc(name, value)?, cs.alloc_input(name, value)?);
        let combine = |variable: Variable| {
            move |lc: ::bellman::LinearCombination<F>| {
                count(self.combinations);
                lc + variable
            }
        };
        cs.enforce(name, combine(x), combine(y), combine(x));
        Ok(())
    }
}

#[test]
fn nothing_is_computed_that_is_not_needed() {
    let [values, combinations, names] = [(); 3].map(|()| AtomicUsize::new(0));
    let counting = Counting { values: &values, combinations: &combinations, names: &names };
    let taken = || [&values, &combinations, &names].map(|counter| counter.swap(0, Ordering::SeqCst));
    bellman::circuit::<Scalar, _>(counting).unwrap();
    assert_eq!(taken(), [0, 3, 0]);
    bellman::witness::<Scalar, _>(counting).unwrap();
    assert_eq!(taken(), [2, 0, 0]);
    bellman::synthesize::<Scalar, _>(counting).unwrap();
    assert_eq!(taken(), [2, 3, 0]);
}

/// A variable that the circuit never allocated.
#[derive(Clone, Copy)]
struct Unknown(usize);

impl<F: PrimeField> Circuit<F> for Unknown {
    fn synthesize<CS: ConstraintSystem<F>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        let x = cs.alloc(|| "x", || Ok(F::ONE))?;
        cs.enforce(|| "one", |lc| lc + x, |lc| lc + x, |lc| lc + x);
        let far = Variable::new_unchecked(Index::Aux(self.0));
        cs.enforce(|| "two", |lc| lc + x, |lc| lc + far, |lc| lc + x);
        Ok(())
    }
}

#[test]
fn what_cannot_be_proved_is_refused() {
    let error = bellman::circuit::<Scalar, _>(Unknown(1)).unwrap_err();
    assert!(matches!(error, FrontendError::UnknownVariable { constraint: 1 }), "{error}");
    let error = bellman::circuit::<Scalar, _>(Unknown(1 << 31)).unwrap_err();
    assert!(matches!(error, FrontendError::TooManyVariables), "{error}");
    let missing = Gadgets { x: None, lie: Scalar::ZERO };
    let error = bellman::witness::<Scalar, _>(missing).unwrap_err();
    assert!(
        matches!(error, FrontendError::Synthesis(_)) && error.to_string().contains("assignment"),
        "{error}"
    );

    let params: Parameters<Bls12> = generate_random_parameters(Idle, &mut generator(4)).unwrap();
    let error = bellman::open::<Scalar, _>(&linked(), &opened(&params), missing).unwrap_err();
    let FrontendError::Format(error) = error else { panic!("{error}") };
    assert!(matches!(error.kind(), FormatErrorKind::Count { .. }), "{error}");
}
