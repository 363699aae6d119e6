//! bellpepper's circuits: the same rows and values as their twins in bellman, whose prover is the judge here.

use ::bellpepper_core::test_cs::TestConstraintSystem;
use ::bellpepper_core::{Circuit, ConstraintSystem, SynthesisError, Variable};
use ark_groth16::Groth16;
use blstrs::Scalar;
use ff::PrimeField as _;
use ff_013::{Field, PrimeField};
use groth16::{Parameters, create_proof, generate_random_parameters};
use interlock_core::format::bellman::BellmanParams;
use interlock_core::groth16::Blinding;
use interlock_curves::{Bls12_381, ProvingCurve};
use interlock_frontends::{arkworks, bellman, bellpepper};
use interlock_tests::linked;
use interlock_tests::random::generator;

use crate::gadgets::{of_bellman, of_bellpepper};
use crate::r_and_s;

fn canonical(seed: u64) -> [u8; 32] {
    (Scalar::from(seed).square() * Scalar::from(seed)).to_repr()
}

/// The circuit in both frameworks, with the same values.
fn twins(x: Option<[u8; 32]>) -> (of_bellman::Gadgets<bls12_381::Scalar>, of_bellpepper::Gadgets<Scalar>) {
    let theirs = x.map(|x| bls12_381::Scalar::from_repr(x).unwrap());
    let ours = x.map(|x| Scalar::from_repr(x).unwrap());
    let lie = <bls12_381::Scalar as ff::Field>::ZERO;
    (of_bellman::Gadgets { x: theirs, lie }, of_bellpepper::Gadgets { x: ours, lie: Scalar::ZERO })
}

#[test]
fn rows_and_values_are_those_of_the_twin_in_bellman() {
    let (theirs, ours) = twins(None);
    let rows = bellpepper::circuit::<Scalar, _>(ours).unwrap();
    assert_eq!(rows, bellman::circuit::<bls12_381::Scalar, _>(theirs).unwrap());
    for seed in [0x1234_5678_9abc_def1, 3, u64::MAX] {
        let (theirs, ours) = twins(Some(canonical(seed)));
        let witness = bellpepper::witness::<Scalar, _>(ours).unwrap();
        assert_eq!(witness, bellman::witness::<bls12_381::Scalar, _>(theirs).unwrap());
        assert_eq!(rows.first_unsatisfied(&witness).unwrap(), None);
        assert_eq!(bellpepper::synthesize::<Scalar, _>(ours).unwrap(), (rows.clone(), witness.clone()));

        // bellpepper's own idea of the circuit.
        let mut test = TestConstraintSystem::<Scalar>::new();
        ours.synthesize(&mut test).unwrap();
        assert!(test.is_satisfied());
        assert_eq!(test.num_constraints(), rows.n_constraints());
        let theirs: Vec<[u8; 32]> =
            test.scalar_inputs().iter().chain(&test.scalar_aux()).map(PrimeField::to_repr).collect();
        assert_eq!(witness.values(), theirs.concat());
    }
}

#[test]
fn proofs_are_those_of_the_twin_in_bellman() {
    let (their_shape, our_shape) = twins(None);
    let (theirs, ours) = twins(Some(canonical(77)));
    let params: Parameters<bls12_381::Bls12> =
        generate_random_parameters(their_shape, &mut generator(4)).unwrap();
    let mut bytes = Vec::new();
    params.write(&mut bytes).unwrap();
    let opened = BellmanParams::from_bytes("some.params", bytes).unwrap();
    let prover = bellpepper::open::<Scalar, _>(&linked(), &opened, our_shape).unwrap();

    let (r, s) = r_and_s::<Bls12_381>();
    let [their_r, their_s] =
        [r, s].map(|s| bls12_381::Scalar::from_repr(Bls12_381::scalar_to_canonical(&s)).unwrap());
    let mut their_proof = Vec::new();
    create_proof(theirs, &params, their_r, their_s).unwrap().write(&mut their_proof).unwrap();
    let proof = bellpepper::create_proof(ours, &prover, &Blinding::from_scalars(r, s)).unwrap();
    assert_eq!(proof.to_bytes().as_slice(), their_proof);

    // A random one, by our verifier and by arkworks'.
    let proof = bellpepper::create_random_proof(ours, &prover).unwrap();
    let witness = bellpepper::witness::<Scalar, _>(ours).unwrap();
    let signals = prover.prove(&witness).unwrap().signals;
    assert!(prover.verify(&signals, proof.points()).unwrap());
    let key = prover.verifying_key();
    let key = ark_groth16::VerifyingKey::<Bls12_381> {
        alpha_g1: key.alpha_g1,
        beta_g2: key.beta_g2,
        gamma_g2: key.gamma_g2,
        delta_g2: key.delta_g2,
        gamma_abc_g1: key.ic.clone(),
    };
    let prepared = ark_groth16::prepare_verifying_key(&key);
    let proof = arkworks::proof(proof.points());
    let accepts = |inputs: &[_]| Groth16::<Bls12_381>::verify_proof(&prepared, &proof, inputs).unwrap();
    assert!(accepts(&signals.0));
    let mut wrong = signals.0;
    wrong.swap(0, 1);
    assert!(!accepts(&wrong));
}

/// Sixteen chains of squarings, each ending in a public input, all beginning at one private variable; in parts that are
/// joined, where the constraint system can do that.
#[derive(Clone, Copy)]
struct Parts {
    joined: bool,
}

impl Parts {
    fn chain<CS: ConstraintSystem<Scalar>>(cs: &mut CS, part: u64) -> Result<(), SynthesisError> {
        let mut value = Scalar::from(part + 2);
        let mut last = cs.alloc(|| "start", || Ok(value))?;
        for step in 0..part % 3 + 1 {
            let square = value.square() + Scalar::from(step);
            let ends = step == part % 3;
            let next = match ends {
                true => cs.alloc_input(|| "end", || Ok(square))?,
                false => cs.alloc(|| "next", || Ok(square))?,
            };
            Self::square(cs, last, next, step);
            (value, last) = (square, next);
        }
        Ok(())
    }

    fn square<CS: ConstraintSystem<Scalar>>(cs: &mut CS, x: Variable, square: Variable, step: u64) {
        let constant = Scalar::from(step);
        cs.enforce(
            || format!("step {step}"),
            |lc| lc + x,
            |lc| lc + x,
            |lc| lc + square - (constant, CS::one()),
        );
    }
}

impl Circuit<Scalar> for Parts {
    fn synthesize<CS: ConstraintSystem<Scalar>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        let head = cs.alloc_input(|| "head", || Ok(Scalar::from(9)))?;
        let root = cs.alloc(|| "root", || Ok(Scalar::from(3)))?;
        Self::square(cs, root, head, 0);
        for part in 0..16 {
            if self.joined && CS::is_extensible() {
                let mut alone = CS::new();
                alone.alloc_input(|| "temporary one", || Ok(Scalar::ONE))?;
                Self::chain(&mut alone, part)?;
                cs.extend(&alone);
            } else {
                Self::chain(cs, part)?;
            }
        }
        Ok(())
    }
}

#[test]
fn parts_that_are_joined_are_the_whole() {
    let in_one = bellpepper::synthesize::<Scalar, _>(Parts { joined: false }).unwrap();
    let joined = Parts { joined: true };
    assert_eq!(bellpepper::synthesize::<Scalar, _>(joined).unwrap(), in_one);
    assert_eq!(bellpepper::circuit::<Scalar, _>(joined).unwrap(), in_one.0);
    assert_eq!(bellpepper::witness::<Scalar, _>(joined).unwrap(), in_one.1);
    assert_eq!(in_one.0.first_unsatisfied(&in_one.1).unwrap(), None);
    assert_eq!(in_one.0.n_public(), 17);
}
