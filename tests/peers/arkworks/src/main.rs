//! Proofs by ark-groth16, from its own uncompressed key, a circuit and a witness.
//!
//! - `--curve C --r1cs F --make KEY`: generates a key and writes it.
//! - `--curve C --r1cs F --wtns F --key KEY --threads N`: proves and verifies. The circuit's matrices are at hand when the
//!   prover is called (`create_proof_with_reduction_and_matrices`), so no synthesis is in its time. The points of the key
//!   are not checked when it is read.

mod synthesis;

use std::fs;
use std::io::{BufWriter, Write};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use ark_ff::PrimeField;
use ark_groth16::{Groth16, PreparedVerifyingKey, ProvingKey, prepare_verifying_key};
use ark_relations::utils::matrix::Matrix;
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use ark_std::UniformRand;
use interlock_core::format::R1cs;
use interlock_core::format::r1cs::LinearCombination;
use interlock_curves::{ProvingCurve, with_curve};
use peers_common::{Args, Circuit, Meter};
use rand::rngs::OsRng;
use serde_json::json;

use crate::synthesis::Synthesis;

type Fr<E> = <E as ark_ec::pairing::Pairing>::ScalarField;

fn main() -> Result<()> {
    let args = Args::from_env()?;
    with_curve!(args.curve()?, E => match args.optional("make") {
        Some(key) => make::<E>(&args, key),
        None => prove::<E>(&args),
    })
}

fn make<E: ProvingCurve>(args: &Args, path: &str) -> Result<()> {
    let r1cs = R1cs::open(args.get("r1cs")?)?;
    let key = Groth16::<E>::generate_random_parameters_with_reduction(Synthesis(&r1cs), &mut OsRng)?;
    let mut out = BufWriter::new(fs::File::create(path).with_context(|| path.to_owned())?);
    key.serialize_uncompressed(&mut out)?;
    out.flush().with_context(|| path.to_owned())
}

/// Everything that the prover takes, in its own types.
struct Loaded<E: ProvingCurve> {
    key: ProvingKey<E>,
    verifier: PreparedVerifyingKey<E>,
    matrices: Vec<Matrix<Fr<E>>>,
    assignment: Vec<Fr<E>>,
    inputs: usize,
    constraints: usize,
}

fn load<E: ProvingCurve>(args: &Args) -> Result<Loaded<E>> {
    let circuit = Circuit::open(args)?;
    let bytes = fs::read(args.get("key")?).context("--key")?;
    let key = ProvingKey::<E>::deserialize_uncompressed_unchecked(bytes.as_slice())?;
    drop(bytes);
    let matrix = |part: usize| -> Matrix<Fr<E>> {
        let row = |combination: LinearCombination<'_>| {
            combination.terms().map(|(wire, value)| (scalar::<E>(value), wire as usize)).collect()
        };
        circuit.r1cs.constraints().map(|combinations| row(combinations[part])).collect()
    };
    let value = |wire| Ok(scalar::<E>(circuit.value(wire)?));
    Ok(Loaded {
        verifier: prepare_verifying_key(&key.vk),
        key,
        matrices: vec![matrix(0), matrix(1), matrix(2)],
        assignment: (0..circuit.r1cs.n_wires()).map(value).collect::<Result<_>>()?,
        inputs: circuit.n_inputs(),
        constraints: circuit.r1cs.n_constraints(),
    })
}

fn prove<E: ProvingCurve>(args: &Args) -> Result<()> {
    let meter = Meter::new(args)?;
    let loaded = meter.measure("load", || load::<E>(args))?;
    meter.work(|| {
        let start = Instant::now();
        let proof = Groth16::<E>::create_proof_with_reduction_and_matrices(
            &loaded.key,
            Fr::<E>::rand(&mut OsRng),
            Fr::<E>::rand(&mut OsRng),
            &loaded.matrices,
            loaded.inputs,
            loaded.constraints,
            &loaded.assignment,
        )?;
        let time = start.elapsed();
        let start = Instant::now();
        let public = &loaded.assignment[1..loaded.inputs];
        ensure!(Groth16::<E>::verify_proof(&loaded.verifier, &proof, public)?, "the proof does not verify");
        meter.tell("prove", time, json!({ "verify_seconds": start.elapsed().as_secs_f64() }))
    })
}

fn scalar<E: ProvingCurve>(canonical: &[u8; 32]) -> Fr<E> {
    Fr::<E>::from_le_bytes_mod_order(canonical)
}
