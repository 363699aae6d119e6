//! Proofs by bellperson on the CPU, from its own parameters, a circuit and a witness; BLS12-381 only.
//!
//! - `--curve bls12-381 --r1cs F --wtns F --make KEY`: generates parameters and writes them.
//! - `--curve bls12-381 --r1cs F --wtns F --key KEY --threads N`: proves and verifies. bellperson has no prover that takes
//!   matrices: each proof begins with the circuit's synthesis, which is in its time. The points of the key are not checked
//!   when it is read.

use std::fs;
use std::io::{BufWriter, Write};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use bellpepper_core::{Circuit as Synthesis, ConstraintSystem, LinearCombination, SynthesisError};
use bellperson::groth16::{
    Parameters, create_random_proof, generate_random_parameters, prepare_verifying_key, verify_proof,
};
use blstrs::{Bls12, Scalar};
use ff::PrimeField;
use interlock_core::format::r1cs::LinearCombination as Combination;
use interlock_curves::Curve;
use peers_common::{Args, Circuit, Meter};
use rand::rngs::OsRng;
use serde_json::json;

fn main() -> Result<()> {
    let args = Args::from_env()?;
    ensure!(args.curve()? == Curve::Bls12_381, "bellperson has no other curve than bls12-381");
    match args.optional("make") {
        Some(path) => make(&args, path),
        None => prove(&args),
    }
}

/// A circuit in the scalars of bellperson, so that no conversion is in a proof's time.
struct Prepared {
    values: Vec<Scalar>,
    n_public: usize,
    /// A, B and C of every constraint.
    rows: Vec<[Vec<(u32, Scalar)>; 3]>,
}

impl Prepared {
    fn open(args: &Args) -> Result<Self> {
        let circuit = Circuit::open(args)?;
        ensure!(circuit.r1cs.curve() == Curve::Bls12_381, "the circuit is for another curve");
        let scalar = |bytes: &[u8; 32]| {
            Scalar::from_repr_vartime(*bytes).context("a value is not below the field's modulus")
        };
        let terms = |combination: Combination<'_>| -> Result<Vec<(u32, Scalar)>> {
            combination.terms().map(|(wire, value)| Ok((wire, scalar(value)?))).collect()
        };
        let value = |wire| scalar(circuit.value(wire)?);
        let row = |[a, b, c]: [Combination<'_>; 3]| Ok([terms(a)?, terms(b)?, terms(c)?]);
        Ok(Self {
            values: (0..circuit.r1cs.n_wires()).map(value).collect::<Result<_>>()?,
            n_public: circuit.r1cs.n_public() as usize,
            rows: circuit.r1cs.constraints().map(row).collect::<Result<_>>()?,
        })
    }
}

impl Synthesis<Scalar> for &Prepared {
    fn synthesize<CS: ConstraintSystem<Scalar>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        let mut wires = vec![CS::one()];
        for (wire, value) in self.values.iter().enumerate().skip(1) {
            wires.push(match wire <= self.n_public {
                true => cs.alloc_input(|| "", || Ok(*value))?,
                false => cs.alloc(|| "", || Ok(*value))?,
            });
        }
        let combine = |terms: &[(u32, Scalar)]| {
            terms
                .iter()
                .fold(LinearCombination::zero(), |sum, (wire, value)| sum + (*value, wires[*wire as usize]))
        };
        for [a, b, c] in &self.rows {
            cs.enforce(|| "", |_| combine(a), |_| combine(b), |_| combine(c));
        }
        Ok(())
    }
}

fn make(args: &Args, path: &str) -> Result<()> {
    let circuit = Prepared::open(args)?;
    let params: Parameters<Bls12> = generate_random_parameters(&circuit, &mut OsRng)?;
    let mut out = BufWriter::new(fs::File::create(path).with_context(|| path.to_owned())?);
    params.write(&mut out)?;
    out.flush().with_context(|| path.to_owned())
}

fn prove(args: &Args) -> Result<()> {
    let meter = Meter::new(args)?;
    let (circuit, params) = meter.measure("load", || {
        let circuit = Prepared::open(args)?;
        let bytes = fs::read(args.get("key")?).context("--key")?;
        Ok((circuit, Parameters::<Bls12>::read(bytes.as_slice(), false)?))
    })?;
    let verifier = prepare_verifying_key(&params.vk);
    meter.work(|| {
        let start = Instant::now();
        let proof = create_random_proof(&circuit, &params, &mut OsRng)?;
        let time = start.elapsed();
        let start = Instant::now();
        let public = &circuit.values[1..=circuit.n_public];
        ensure!(verify_proof(&verifier, &proof, public)?, "the proof does not verify");
        meter.tell("prove", time, json!({ "verify_seconds": start.elapsed().as_secs_f64() }))
    })
}
