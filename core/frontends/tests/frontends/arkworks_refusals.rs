//! What the front end of arkworks does not take.

use ark_ff::{One, Zero};
use ark_groth16::Groth16;
use ark_relations::gr1cs::predicate::PredicateConstraintSystem;
use ark_relations::gr1cs::predicate::polynomial_constraint::{R1CS_PREDICATE_LABEL, SR1CS_PREDICATE_LABEL};
use ark_relations::gr1cs::{
    ConstraintSynthesizer, ConstraintSystemRef, LinearCombination, SynthesisError, SynthesisMode, Variable,
};
use ark_std::rand::SeedableRng;
use ark_std::rand::rngs::StdRng;
use interlock_core::format::FormatErrorKind;
use interlock_core::groth16::{ProveError, Prover};
use interlock_curves::{Bls12_381, Bn254};
use interlock_frontends::{FrontendError, arkworks};
use interlock_tests::linked;

use crate::Fr;
use crate::zoo::{Kind, Zoo};

type F = Fr<Bn254>;

/// A circuit that is a function.
#[derive(Clone, Copy)]
struct Does(fn(ConstraintSystemRef<F>) -> Result<(), SynthesisError>);

impl ConstraintSynthesizer<F> for Does {
    fn generate_constraints(self, cs: ConstraintSystemRef<F>) -> Result<(), SynthesisError> {
        (self.0)(cs)
    }
}

fn refused(circuit: fn(ConstraintSystemRef<F>) -> Result<(), SynthesisError>) -> FrontendError {
    arkworks::circuit::<Bn254, _>(Does(circuit)).unwrap_err()
}

#[test]
fn other_predicates() {
    let squares = refused(|cs| {
        cs.register_predicate(SR1CS_PREDICATE_LABEL, PredicateConstraintSystem::new_sr1cs_predicate()?)?;
        let (x, y) = (cs.new_witness_variable(|| Ok(F::one()))?, cs.new_witness_variable(|| Ok(F::one()))?);
        cs.enforce_sr1cs_constraint(|| x.into(), || y.into())
    });
    assert!(matches!(&squares, FrontendError::Predicate { constraints: 1, .. }), "{squares}");
    assert!(squares.to_string().contains(SR1CS_PREDICATE_LABEL), "{squares}");

    // Another predicate under R1CS's label: a + b = c.
    let disguised = refused(|cs| {
        let terms = vec![(F::one(), vec![(0, 1)]), (F::one(), vec![(1, 1)]), (-F::one(), vec![(2, 1)])];
        let sum = PredicateConstraintSystem::new_polynomial_predicate_cs(3, terms);
        cs.register_predicate(R1CS_PREDICATE_LABEL, sum)?;
        let x = cs.new_witness_variable(|| Ok(F::zero()))?;
        cs.enforce_r1cs_constraint(|| x.into(), || x.into(), || x.into())
    });
    assert!(matches!(&disguised, FrontendError::Predicate { constraints: 1, .. }), "{disguised}");

    // Registered and not used is nothing to refuse.
    let unused = Does(|cs| {
        cs.register_predicate(SR1CS_PREDICATE_LABEL, PredicateConstraintSystem::new_sr1cs_predicate()?)
    });
    assert_eq!(arkworks::circuit::<Bn254, _>(unused).unwrap().n_constraints(), 0);
    let removed = Does(|cs| {
        cs.remove_predicate(R1CS_PREDICATE_LABEL);
        Ok(())
    });
    assert_eq!(arkworks::circuit::<Bn254, _>(removed).unwrap().n_constraints(), 0);
}

#[test]
fn systems_that_contradict_themselves() {
    let unknown = refused(|cs| {
        let x = cs.new_witness_variable(|| Ok(F::one()))?;
        cs.enforce_r1cs_constraint(|| x.into(), || x.into(), || x.into())?;
        cs.enforce_r1cs_constraint(|| x.into(), || Variable::witness(1).into(), || x.into())
    });
    assert!(matches!(unknown, FrontendError::UnknownVariable { constraint: 1 }), "{unknown}");
    let huge = refused(|cs| {
        let far = LinearCombination::from(Variable::instance(1 << 40));
        cs.enforce_r1cs_constraint(|| far.clone(), || far.clone(), || far.clone())
    });
    assert!(matches!(huge, FrontendError::TooManyVariables), "{huge}");
    let unrecorded = refused(|cs| {
        cs.set_mode(SynthesisMode::Prove { construct_matrices: false, generate_lc_assignments: false });
        let sum = cs.new_lc(|| LinearCombination(vec![(F::from(3_u64), Variable::One)]))?;
        cs.set_mode(SynthesisMode::Setup);
        cs.enforce_r1cs_constraint(|| sum.into(), || sum.into(), || sum.into())
    });
    assert!(matches!(unrecorded, FrontendError::Inconsistent(_)), "{unrecorded}");
    // Values that were never asked for.
    let valueless = Does(|cs| {
        cs.set_mode(SynthesisMode::Setup);
        cs.new_witness_variable(|| Ok(F::one())).map(|_| ())
    });
    let error = arkworks::witness::<Bn254, _>(valueless).unwrap_err();
    assert!(matches!(error, FrontendError::Synthesis(_)), "{error}");
    let partly = Does(|cs| {
        cs.set_mode(SynthesisMode::Setup);
        let _ = cs.new_witness_variable(|| Ok(F::one()))?;
        cs.set_mode(SynthesisMode::Prove { construct_matrices: true, generate_lc_assignments: false });
        Ok(())
    });
    let error = arkworks::witness::<Bn254, _>(partly).unwrap_err();
    assert!(matches!(error, FrontendError::Inconsistent(_)), "{error}");
    let error = arkworks::witness::<Bn254, _>(Zoo { kind: Kind::Nothing, x: None }).unwrap_err();
    assert!(
        matches!(error, FrontendError::Synthesis(_)) && error.to_string().contains("assignment"),
        "{error}"
    );
}

#[test]
fn keys_of_other_circuits() {
    let shape = |kind| Zoo::<F> { kind, x: None };
    let rng = &mut StdRng::seed_from_u64(3);
    let mut pk =
        Groth16::<Bn254>::generate_random_parameters_with_reduction(shape(Kind::Chain(3)), rng).unwrap();
    let error = arkworks::open::<Bn254, _>(&linked(), &pk, shape(Kind::Chain(2))).unwrap_err();
    let FrontendError::Format(error) = error else { panic!("{error}") };
    assert!(matches!(error.kind(), FormatErrorKind::Count { .. }), "{error}");

    // The rows are the key's, the values another circuit's.
    let prover = arkworks::open::<Bn254, _>(&linked(), &pk, shape(Kind::Chain(3))).unwrap();
    let other = Zoo { kind: Kind::Unused, x: Some(F::one()) };
    let error = arkworks::prove(&prover, other).unwrap_err();
    assert!(matches!(error, FrontendError::Prove(ProveError::WitnessLength { .. })), "{error}");

    let key = arkworks::key::<Bn254, _>(&pk, shape(Kind::Chain(3))).unwrap();
    let error = Prover::<Bls12_381>::new(&linked(), key).unwrap_err();
    assert!(matches!(error, ProveError::KeyCurve { .. }), "{error}");

    pk.vk.delta_g2 = Default::default();
    let error = arkworks::key::<Bn254, _>(&pk, shape(Kind::Chain(3))).unwrap_err();
    assert!(error.to_string().contains("delta (G2)"), "{error}");
    pk.vk.delta_g2 = pk.vk.gamma_g2;
    let key = arkworks::key::<Bn254, _>(&pk, shape(Kind::Chain(3))).unwrap();
    assert!(key.warning.is_some_and(|warning| warning.contains("INSECURE")));
    pk.h_query.pop();
    let error = arkworks::key::<Bn254, _>(&pk, shape(Kind::Chain(3))).unwrap_err();
    assert!(error.to_string().contains("H points"), "{error}");
}
