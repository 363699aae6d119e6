//! Key generation by one party, from a circuit to a `.zkey` that snarkjs reads as well.
//!
//! **Insecure by design**: whoever runs it knows the secrets and can forge proofs. It makes test fixtures, and keys
//! for trying a circuit out; keys for use come from a ceremony. The file says so itself, in a section that
//! [`Zkey::insecure_marker`](crate::format::Zkey::insecure_marker) reads and other programs ignore.

mod error;
mod export;
mod lagrange;
mod qap;
mod toxic;
mod write;

pub use error::SetupError;
pub use export::export_vk;
pub use toxic::ToxicWaste;
pub use write::{INSECURE_TEXT, setup_zkey};

#[cfg(test)]
mod tests;
