//! Groth16: the prover and the verifier.
//!
//! ```text
//! witness ─► A·w, B·w ─► c = a∘b ─► 3 inverse, 3 coset transforms ─► quotient scalars ─► MSM over H
//!         └► MSMs over A, B1, B2, L
//! five sums ─► blinding r, s ─► assembly ─► pairing self-check ─► proof
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`resident`] | a key on a device, and the five sums for a witness |
//! | [`quotient`] | from the witness to the scalars of the H query, both conventions |
//! | [`blinding`] | r and s: from the operating system, or from a seed |
//! | [`mod@assemble`] | from sums and blinding to a proof |
//! | [`mod@prove`] | a proof, checked: retry, fallback, comparison with a second backend, and a diagnosis |
//! | `run` | one proof's steps, for whoever drives them |
//! | [`prover`] | a key and an opened backend, for any number of proofs: start here |
//! | [`mod@verify`] | the pairing equation |
//! | [`batch`] | many proofs under one key, by a random linear combination |
//! | [`trace`] | results of single operations, by which two backends are compared |
//! | [`progress`] | phases, their times, and cancellation |

pub mod assemble;
pub mod batch;
pub mod blinding;
pub mod error;
pub mod progress;
pub mod prove;
pub mod prover;
pub mod quotient;
pub mod resident;
pub(crate) mod run;
pub mod trace;
pub mod verify;

pub use assemble::{PartialSums, assemble};
pub use batch::{BatchError, verify_batch};
pub use blinding::Blinding;
pub use error::{FirstDifference, ProveError};
pub use progress::{CancelFlag, Observer, Phase, Timing, Watch};
pub use prove::{Attempt, Comparison, ProveOptions, Proved, prove};
pub use prover::Prover;
pub use resident::{Footprint, ResidentKey};
pub use verify::{WrongSignalCount, verify};
