//! A program that proves with `ark-groth16`, and the call that changes: `cargo run -p interlock-frontends --example arkworks`.

use std::error::Error;

use ark_bn254::{Bn254, Fr};
use ark_groth16::Groth16;
use ark_relations::gr1cs::{ConstraintSynthesizer, ConstraintSystemRef, SynthesisError};
use ark_snark::SNARK;
use ark_std::rand::SeedableRng;
use ark_std::rand::rngs::StdRng;
use interlock_core::backend::Plugin;
use interlock_frontends::arkworks;

/// I know the cube root of a public number.
#[derive(Clone)]
struct CubeRoot {
    root: Option<Fr>,
}

impl ConstraintSynthesizer<Fr> for CubeRoot {
    fn generate_constraints(self, cs: ConstraintSystemRef<Fr>) -> Result<(), SynthesisError> {
        let value = |power: u32| {
            let root = self.root.ok_or(SynthesisError::AssignmentMissing);
            move || root.map(|root| (0..power).map(|_| root).product())
        };
        let cube = cs.new_input_variable(value(3))?;
        let root = cs.new_witness_variable(value(1))?;
        let square = cs.new_witness_variable(value(2))?;
        cs.enforce_r1cs_constraint(|| root.into(), || root.into(), || square.into())?;
        cs.enforce_r1cs_constraint(|| square.into(), || root.into(), || cube.into())
    }
}

#[allow(clippy::print_stdout, reason = "an example shows what it did")]
pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let shape = CubeRoot { root: None };
    let mut rng = StdRng::seed_from_u64(1);
    let (pk, vk) = Groth16::<Bn254>::circuit_specific_setup(shape.clone(), &mut rng)?;

    // Once: open a backend for the key.
    let backend = Plugin::linked(interlock_cpu::interlock_api())?;
    let prover = arkworks::open::<Bn254, _>(&backend, &pk, shape)?;

    for root in 3..6_u64 {
        let circuit = CubeRoot { root: Some(root.into()) };
        // Before: let proof = Groth16::<Bn254>::prove(&pk, circuit, &mut rng)?;
        let proof = arkworks::prove(&prover, circuit)?;
        if !Groth16::<Bn254>::verify(&vk, &[Fr::from(root * root * root)], &proof)? {
            return Err("ark-groth16 refuses the proof".into());
        }
        println!("ark-groth16 accepts a proof for the cube root of {}", root * root * root);
    }
    Ok(())
}
