//! What Ethereum needs: a verifier contract and the arguments of its call. BN254 only, the curve of the precompiles.
//!
//! | function | gives |
//! |---|---|
//! | [`solidity`] | the source of a contract that verifies proofs under one key |
//! | [`calldata`] | a proof and its signals as the contract's arguments, in snarkjs' text |
//!
//! Points go in the encoding of the precompiles (EIP-196, EIP-197): G1 is `x, y`; G2 is `x.c1, x.c0, y.c1, y.c0`, the
//! other way round than in snarkjs' JSON files; infinity is all zero.

mod calldata;
mod solidity;
mod words;

pub use calldata::calldata;
pub use solidity::{ExportError, solidity};
