//! Interlock's core: everything between a file and a proof, except the arithmetic, which backends do.
//!
//! | module | holds |
//! |---|---|
//! | [`mod@format`] | readers and writers of key, witness, circuit and proof files |
//! | [`files`] | the same files, whatever family they are of |
//! | [`export`] | a Solidity verifier, and the arguments of its call |
//! | [`types`] | verifying key, proof and public signals |
//! | [`key`] | a proving key as the prover wants it, whatever file it came from |
//! | [`groth16`] | the prover and the verifier |
//! | [`engine`] | many proofs on shared devices: jobs, interlock strategies, timelines |
//! | [`backend`] | safe wrappers over a backend's function table |
//! | [`loader`] | finding, checking and loading backends |
//! | [`setup`] | single-party key generation, insecure by nature |
//!
//! # From a key to a proof
//!
//! ```standalone_crate
//! # let home = std::path::Path::new("../tests/fixtures/bls12-381/membership").canonicalize()?;
//! # let work = std::env::temp_dir().join(format!("interlock-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&work)?;
//! # for name in ["circuit.zkey", "witness.wtns"] {
//! #     std::fs::copy(home.join(name), work.join(name))?;
//! # }
//! # std::env::set_current_dir(&work)?;
//! use interlock_core::backend::Plugin;
//! use interlock_core::format::snarkjs_json::{proof_to_json, public_to_json};
//! use interlock_core::format::{Witness, Zkey};
//! use interlock_core::groth16::Prover;
//! use interlock_core::key::ProvingKey;
//! use interlock_curves::Bls12_381;
//!
//! // Once: read a key, open a backend for it. (Linked in here; `interlock_core::loader` loads one from a file.)
//! let key = ProvingKey::from_zkey(&Zkey::open("circuit.zkey")?)?;
//! let backend = Plugin::linked(interlock_cpu::interlock_api())?;
//! let prover = Prover::<Bls12_381>::new(&backend, key)?;
//!
//! // Any number of times, from any number of threads: prove. Each proof is verified before it is returned.
//! let proved = prover.prove(&Witness::open("witness.wtns")?)?;
//! std::fs::write("proof.json", proof_to_json(&proved.proof))?;
//! std::fs::write("public.json", public_to_json(&proved.signals))?;
//!
//! assert!(prover.verify(&proved.signals, &proved.proof)?);
//! # std::fs::remove_dir_all(&work)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Other keys come through [`ProvingKey::from_arkworks`](key::ProvingKey::from_arkworks) and
//! [`from_bellman`](key::ProvingKey::from_bellman), with the circuit's rows, which their files do not hold; circuits that
//! are written in Rust, for arkworks, bellman or bellperson, through the crate `interlock-frontends`.
//! [`groth16::prove`](groth16::prove()) is the prover with everything: an order of backends to fall back on, a second one to
//! compare with, proofs without the check. [`groth16::verify_batch`] verifies many proofs at once. The examples of this crate
//! run: `prove_file`, `batch_verify`.
//!
//! # Rules
//!
//! Data flows one way: `format → key → groth16 → backend → ABI → plugin`, and back as a proof. This crate never names a
//! concrete backend: a program links one ([`backend::Plugin::linked`]) or loads one ([`loader`]).

pub mod backend;
pub mod engine;
pub mod export;
pub mod files;
pub mod format;
pub mod groth16;
pub mod key;
pub mod loader;
mod remembered;
pub mod setup;
pub mod types;
