//! Circuits that are written in Rust, proved by Interlock.
//!
//! A program that proves with arkworks, bellman or bellperson keeps its circuits, its keys and its verifiers, and changes
//! the call that proves. One feature for each framework, none of them on by default:
//!
//! | feature | circuits | in place of | keys |
//! |---|---|---|---|
//! | `arkworks` | `ark_relations::gr1cs::ConstraintSynthesizer` 0.6 | `ark-groth16` 0.6 | `ark_groth16::ProvingKey`, BN254 and BLS12-381 |
//! | `bellman` | `bellman::Circuit` 0.15 | crate `groth16` 0.2 | `.params` of bellman, bellperson, Zcash |
//! | `bellpepper` | `bellpepper_core::Circuit` 0.2 | bellperson 0.27 | the same |
//!
//! The module of each feature, of the same name, has
//!
//! - `open`: a backend, a key and any instance of its circuit make a [`Prover`](interlock_core::groth16::Prover);
//! - `prove` (arkworks), `create_random_proof` (the others): the call to change;
//! - `circuit`, `witness`, `synthesize`: the rows as an [`R1cs`](interlock_core::format::R1cs), the values as a
//!   [`Witness`](interlock_core::format::Witness), or both;
//! - `check`: the first constraint that a circuit's values do not satisfy, by number and name.
//!
//! Every proof is verified before it is returned. When that fails, and only then, the circuit is synthesised again and the
//! error names the constraint that its values do not satisfy.
#![forbid(unsafe_code)]

#[cfg(feature = "arkworks")]
pub mod arkworks;
#[cfg(any(feature = "bellman", feature = "bellpepper"))]
mod assembly;
#[cfg(feature = "bellman")]
#[allow(clippy::duplicate_mod, reason = "the functions of both front ends of bellman's family are one file")]
pub mod bellman;
#[cfg(feature = "bellpepper")]
#[allow(clippy::duplicate_mod, reason = "the functions of both front ends of bellman's family are one file")]
pub mod bellpepper;
mod error;
#[cfg(any(feature = "bellman", feature = "bellpepper"))]
mod proof;
#[cfg(any(feature = "arkworks", feature = "bellman", feature = "bellpepper"))]
mod rows;
#[cfg(any(feature = "arkworks", feature = "bellman", feature = "bellpepper"))]
mod secret;

pub use error::FrontendError;
#[cfg(any(feature = "bellman", feature = "bellpepper"))]
pub use proof::Proof;
