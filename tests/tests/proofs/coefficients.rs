//! The coefficient convention (arkworks, bellman): with the same r and s our proof is arkworks' own.

use std::sync::Arc;

use ark_ff::{FftField, Field, One};
use ark_groth16::Groth16;
use ark_relations::gr1cs::{
    ConstraintSynthesizer, ConstraintSystem, ConstraintSystemRef, LinearCombination, Matrix,
    OptimizationGoal, R1CS_PREDICATE_LABEL, SynthesisError, Variable,
};
use ark_std::rand::SeedableRng;
use ark_std::rand::rngs::StdRng;
use interlock_core::backend::DomainSpec;
use interlock_core::format::{Csr, MappedFile, Section, Witness};
use interlock_core::groth16::Blinding;
use interlock_core::key::{BaseSet, Head, ProvingKey, Quotient};
use interlock_curves::roots::{RootFamily, root_of_unity};
use interlock_curves::{Bls12_381, Bn254, ProvingCurve};
use interlock_tests::random::{generator, scalar};
use interlock_tests::{linked, loaded};

use crate::prove_on;

type Fr<E> = <E as ark_ec::pairing::Pairing>::ScalarField;

#[test]
fn arkworks_keys_give_arkworks_proofs() {
    for rounds in [1, 2, 5, 6, 40] {
        same_proof::<Bn254>(rounds);
        same_proof::<Bls12_381>(rounds);
    }
}

/// x_{i+1} = x_i · (x_i + i), the last one public.
#[derive(Clone, Copy)]
struct Chain<F> {
    start: F,
    rounds: u64,
}

impl<F: Field> ConstraintSynthesizer<F> for Chain<F> {
    fn generate_constraints(self, cs: ConstraintSystemRef<F>) -> Result<(), SynthesisError> {
        let values: Vec<F> = (0..self.rounds)
            .scan(self.start, |x, i| {
                *x *= *x + F::from(i);
                Some(*x)
            })
            .collect();
        let result =
            cs.new_input_variable(|| values.last().copied().ok_or(SynthesisError::AssignmentMissing))?;
        let mut x = cs.new_witness_variable(|| Ok(self.start))?;
        for (i, value) in values.into_iter().enumerate() {
            let last = i as u64 + 1 == self.rounds;
            let next = if last { result } else { cs.new_witness_variable(|| Ok(value))? };
            let sum = LinearCombination(vec![(F::from(i as u64), Variable::One), (F::one(), x)]);
            cs.enforce_r1cs_constraint(
                || LinearCombination::from(x),
                || sum.clone(),
                || LinearCombination::from(next),
            )?;
            x = next;
        }
        Ok(())
    }
}

fn same_proof<E: ProvingCurve>(rounds: u64) {
    let mut rng = generator(rounds);
    let circuit = Chain::<Fr<E>> { start: scalar(&mut rng), rounds };
    let pk =
        Groth16::<E>::generate_random_parameters_with_reduction(circuit, &mut StdRng::seed_from_u64(rounds))
            .unwrap();
    let (r, s): (Fr<E>, Fr<E>) = (scalar(&mut rng), scalar(&mut rng));
    let wanted = Groth16::<E>::create_proof_with_reduction(circuit, &pk, r, s).unwrap();

    let cs = ConstraintSystem::new_ref();
    cs.set_optimization_goal(OptimizationGoal::Constraints);
    circuit.generate_constraints(cs.clone()).unwrap();
    cs.finalize();
    let matrices = &cs.to_matrices().unwrap()[R1CS_PREDICATE_LABEL];
    let assignment = [cs.instance_assignment().unwrap(), cs.witness_assignment().unwrap()].concat();
    let inputs = cs.num_instance_variables();
    let key = Arc::new(our_key::<E>(&pk, matrices, inputs, assignment.len()));
    let witness = Witness::from_scalars::<E>(&assignment);
    for backend in [linked(), loaded()] {
        let proved = prove_on(&[backend], &key, &witness, &Blinding::<E>::from_scalars(r, s), None).unwrap();
        let ours = (proved.proof.a, proved.proof.b, proved.proof.c);
        assert_eq!(ours, (wanted.a, wanted.b, wanted.c), "{} rounds on {}", rounds, E::CURVE);
    }
}

fn our_key<E: ProvingCurve>(
    pk: &ark_groth16::ProvingKey<E>,
    matrices: &[Matrix<Fr<E>>],
    inputs: usize,
    n_vars: usize,
) -> ProvingKey {
    let constraints = matrices[0].len();
    let log_size = (constraints + inputs).next_power_of_two().ilog2();
    let rows = 1 << log_size;
    // arkworks appends a row A = input i, B = 0 for each input, the constant one included.
    let mut a = matrices[0].clone();
    a.extend((0..inputs).map(|i| vec![(Fr::<E>::one(), i)]));
    let root = root_of_unity::<E>(log_size, RootFamily::Arkworks).unwrap();
    let g1 = |points: &[E::G1Affine]| -> Vec<u8> {
        let mut bytes = vec![0; points.len() * E::CURVE.g1_bytes()];
        bytes
            .chunks_exact_mut(E::CURVE.g1_bytes())
            .zip(points)
            .for_each(|(out, point)| E::write_g1(point, out));
        bytes
    };
    let g2 = |points: &[E::G2Affine]| -> Vec<u8> {
        let mut bytes = vec![0; points.len() * E::CURVE.g2_bytes()];
        bytes
            .chunks_exact_mut(E::CURVE.g2_bytes())
            .zip(points)
            .for_each(|(out, point)| E::write_g2(point, out));
        bytes
    };
    ProvingKey {
        curve: E::CURVE,
        n_vars,
        n_public: inputs - 1,
        domain: DomainSpec {
            log_size,
            generator: E::scalar_to_montgomery(&root),
            shift: E::scalar_to_montgomery(&Fr::<E>::GENERATOR),
        },
        quotient: Quotient::Coefficients,
        a_matrix: Arc::new(csr::<E>(&a, rows, n_vars)),
        b_matrix: Arc::new(csr::<E>(&matrices[1], rows, n_vars)),
        a: set(g1(&pk.a_query)),
        b_g1: set(g1(&pk.b_g1_query)),
        b_g2: set(g2(&pk.b_g2_query)),
        l: set(g1(&pk.l_query)),
        h: set(g1(&pk.h_query)),
        head: Head {
            alpha_g1: g1(&[pk.vk.alpha_g1]),
            beta_g1: g1(&[pk.beta_g1]),
            beta_g2: g2(&[pk.vk.beta_g2]),
            gamma_g2: g2(&[pk.vk.gamma_g2]),
            delta_g1: g1(&[pk.delta_g1]),
            delta_g2: g2(&[pk.vk.delta_g2]),
            ic: g1(&pk.vk.gamma_abc_g1),
        },
        warning: None,
        label: "arkworks".into(),
    }
}

fn set(points: Vec<u8>) -> BaseSet {
    // A file is never empty, a query can be.
    let length = points.len();
    let file = MappedFile::from_bytes("points", [points, vec![0]].concat()).unwrap();
    BaseSet { points: Section::new(file, 0..length).unwrap(), index: None }
}

fn csr<E: ProvingCurve>(matrix: &Matrix<Fr<E>>, rows: usize, cols: usize) -> Csr {
    let mut csr = Csr { rows, cols, row_offsets: vec![0], col_indices: Vec::new(), values: Vec::new() };
    for row in 0..rows {
        for (coefficient, column) in matrix.get(row).into_iter().flatten() {
            csr.col_indices.push(*column as u32);
            // Montgomery form of the Montgomery form: coefficient · R².
            let montgomery = E::scalar_to_montgomery(coefficient);
            let doubled = E::scalar_from_canonical(&montgomery).unwrap();
            csr.values.extend_from_slice(&E::scalar_to_montgomery(&doubled));
        }
        csr.row_offsets.push(csr.col_indices.len() as u64);
    }
    csr
}
