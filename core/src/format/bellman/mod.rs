//! Parameters, verification keys and proofs of bellman, bellperson and Zcash, all BLS12-381.
//!
//! Points are Zcash's: big-endian, in G2 `c1` before `c0`, uncompressed in keys and compressed in proofs (see
//! [`Encoding`](super::arkworks::Encoding)). Numbers are u32, *big*-endian.
//!
//! | file | parts |
//! |---|---|
//! | `.vk` | α (G1), β (G1), β (G2), γ (G2), δ (G1), δ (G2), then the list of IC points (G1) |
//! | `.params` | a `.vk`, then the lists H (G1), L (G1), A (G1), B (G1), B (G2) |
//! | proof | A (G1), B (G2), C (G1): 192 bytes |
//!
//! H has N − 1 points for a domain of N, L one per private signal. A and B hold no infinities: a signal whose
//! polynomial is zero has no point, so the circuit is needed to tell which signal a point belongs to. Neither magic word
//! nor end mark: what follows the last list is reported, not refused. (Sapling's files end in 52,836 bytes of their
//! ceremony's transcript.)
//!
//! Nothing is allocated from a length before the bytes that it announces are known to be there.

mod params;
mod proof;
mod verifying_key;

pub use params::BellmanParams;
pub use proof::{PROOF_BYTES, read_proof, write_proof};
pub use verifying_key::BellmanVerifyingKey;
