//! Keys and proofs as arkworks serialises them (`CanonicalSerialize`, crate `ark-groth16`).
//!
//! The encoding has no magic word, no version, no field names and no curve: the caller says what a file is, or
//! [`candidates`] tries all possibilities. Values follow one another without padding; a list is its length (u64,
//! little-endian), then its items.
//!
//! | file | parts |
//! |---|---|
//! | verification key | α (G1), β (G2), γ (G2), δ (G2), list of IC points (G1): the constant one's, then one per public signal |
//! | proving key | a verification key, β (G1), δ (G1), then the lists A (G1), B (G1), B (G2), H (G1), L (G1) |
//! | proof | A (G1), B (G2), C (G1): 128 bytes on BN254 compressed, 192 on BLS12-381; twice that uncompressed |
//!
//! A and B have a point per signal, infinities included; L has one per private signal; H has N − 1 for a domain of N.
//! The encoding of a point is described at [`Encoding`].
//!
//! Nothing is allocated from a length before the bytes that it announces are known to be there.

mod detect;
mod encoding;
mod head;
mod list;
mod parts;
mod point;
mod proof;
mod proving_key;
mod verifying_key;

pub use detect::{Candidate, candidates};
pub use encoding::{Compressed, Encoding, Group};
pub use head::HeadPoints;
pub(crate) use head::unfinished;
pub use list::PointList;
pub use proof::{read_proof, write_proof};
pub use proving_key::ArkProvingKey;
pub use verifying_key::{read_verifying_key, write_verifying_key};

pub(super) use head::HeadField;
pub(super) use parts::Parts;
