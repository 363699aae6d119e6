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
//! | [`backend`] | safe wrappers over a backend's function table |
//! | [`loader`] | finding, checking and loading backends |
//! | [`setup`] | single-party key generation, insecure by nature |
//!
//! Data flows one way: `format → key → groth16 → backend → ABI → plugin`, and back as a proof. This crate never names a
//! concrete backend: a program links one ([`backend::Plugin::linked`]) or loads one ([`loader`]).

pub mod backend;
pub mod export;
pub mod files;
pub mod format;
pub mod groth16;
pub mod key;
pub mod loader;
pub mod setup;
pub mod types;
