//! Values that do not satisfy their circuit: which constraint, and what the framework calls it.

#![allow(clippy::mem_forget, reason = "arkworks' own macro for namespaces forgets its spans")]

use ::bellman::gadgets::test::TestConstraintSystem;
use ark_ff::One;
use ark_groth16::Groth16;
use ark_relations::gr1cs::{
    ConstraintLayer, ConstraintSynthesizer, ConstraintSystemRef, SynthesisError, TracingMode,
};
use ark_std::rand::SeedableRng;
use ark_std::rand::rngs::StdRng;
use ff::Field;
use groth16::{Parameters, generate_random_parameters};
use interlock_core::format::bellman::BellmanParams;
use interlock_curves::Bn254;
use interlock_frontends::{FrontendError, arkworks, bellman, bellpepper};
use interlock_tests::linked;
use interlock_tests::random::generator;
use tracing_subscriber::layer::SubscriberExt;

use crate::Fr;
use crate::gadgets::{of_bellman, of_bellpepper};

fn unsatisfied(error: FrontendError) -> (usize, Option<String>) {
    match error {
        FrontendError::Unsatisfied { constraint, name } => (constraint, name),
        other => panic!("{other}"),
    }
}

#[test]
fn bellmans_names() {
    use bls12_381::{Bls12, Scalar};
    let shape = of_bellman::Gadgets { x: None, lie: Scalar::ZERO };
    let liar = of_bellman::Gadgets { x: Some(Scalar::from(12)), lie: Scalar::ONE };
    let mut test = TestConstraintSystem::<Scalar>::new();
    ::bellman::Circuit::synthesize(liar, &mut test).unwrap();
    let wanted = test.which_is_unsatisfied().unwrap();
    assert_eq!(wanted, "claim/x^2 + 1/is right");

    // The squaring has a constraint, and x none.
    let (constraint, name) = unsatisfied(bellman::check::<Scalar, _>(liar).unwrap_err());
    assert_eq!((constraint, name.as_deref()), (1, Some(wanted)));

    let params: Parameters<Bls12> = generate_random_parameters(shape, &mut generator(4)).unwrap();
    let mut bytes = Vec::new();
    params.write(&mut bytes).unwrap();
    let params = BellmanParams::from_bytes("some.params", bytes).unwrap();
    let prover = bellman::open::<Scalar, _>(&linked(), &params, shape).unwrap();
    let error = bellman::create_random_proof(liar, &prover).unwrap_err();
    assert!(error.to_string().contains("constraint 1 (from 0), claim/x^2 + 1/is right"), "{error}");
    assert_eq!(unsatisfied(error), (1, Some(wanted.to_owned())));
}

#[test]
fn bellpeppers_names() {
    use blstrs::Scalar;
    use ff_013::Field as _;
    let liar = of_bellpepper::Gadgets { x: Some(Scalar::from(12)), lie: Scalar::ONE };
    let mut test = ::bellpepper_core::test_cs::TestConstraintSystem::<Scalar>::new();
    ::bellpepper_core::Circuit::synthesize(liar, &mut test).unwrap();
    let wanted = test.which_is_unsatisfied().unwrap().to_owned();
    assert_eq!(unsatisfied(bellpepper::check::<Scalar, _>(liar).unwrap_err()), (1, Some(wanted)));
}

/// Squarings in namespaces; the one of index `lie` is wrong.
#[derive(Clone, Copy)]
struct Squarings {
    lie: Option<usize>,
}

impl ConstraintSynthesizer<Fr<Bn254>> for Squarings {
    fn generate_constraints(self, cs: ConstraintSystemRef<Fr<Bn254>>) -> Result<(), SynthesisError> {
        let outer = ark_relations::ns!(cs, "outer");
        let cs = outer.cs();
        let mut value = Fr::<Bn254>::from(3_u64);
        let mut last = cs.new_witness_variable(|| Ok(value))?;
        for i in 0..5 {
            let inner = ark_relations::ns!(cs, "squaring");
            let cs = inner.cs();
            value = value * value
                + if self.lie == Some(i) { Fr::<Bn254>::one() } else { Fr::<Bn254>::from(0_u64) };
            let square = cs.new_witness_variable(|| Ok(value))?;
            cs.enforce_r1cs_constraint(|| last.into(), || last.into(), || square.into())?;
            last = square;
        }
        Ok(())
    }
}

#[test]
fn arkworks_numbers_and_names() {
    let rng = &mut StdRng::seed_from_u64(3);
    let shape = Squarings { lie: None };
    let pk = Groth16::<Bn254>::generate_random_parameters_with_reduction(shape, rng).unwrap();
    let prover = arkworks::open::<Bn254, _>(&linked(), &pk, shape).unwrap();
    arkworks::prove(&prover, shape).unwrap();
    for lie in [0, 3, 4] {
        let liar = Squarings { lie: Some(lie) };
        assert_eq!(unsatisfied(arkworks::prove(&prover, liar).unwrap_err()), (lie, None));
        let layer = ConstraintLayer::new(TracingMode::OnlyConstraints);
        let subscriber = tracing_subscriber::Registry::default().with(layer);
        let error =
            tracing::subscriber::with_default(subscriber, || arkworks::prove(&prover, liar).unwrap_err());
        assert_eq!(unsatisfied(error), (lie, Some("outer/squaring".to_owned())));
    }
}
