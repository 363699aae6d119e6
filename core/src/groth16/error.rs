//! Why there is no proof.

use interlock_curves::{Curve, PointError};

use crate::backend::BackendError;
use crate::groth16::blinding::NoRandomness;
use crate::groth16::progress::Cancelled;
use crate::groth16::prove::Attempt;

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProveError {
    /// Witness and key are for different curves.
    #[error("the witness is for {witness}, the key for {key}: they belong to different circuits")]
    WrongCurve {
        /// The witness's.
        witness: Curve,
        /// The key's.
        key: Curve,
    },
    /// The key is for another curve than the prover.
    #[error("the prover is for {expected}, the key for {found}: name the key's curve")]
    KeyCurve {
        /// The prover's.
        expected: Curve,
        /// The key's.
        found: Curve,
    },
    /// Witness and key have different numbers of signals.
    #[error(
        "the witness has {witness} signals, the key {key}: they belong to different circuits or versions of one"
    )]
    WitnessLength {
        /// The witness's.
        witness: usize,
        /// The key's.
        key: usize,
    },
    /// Signal 0 is not one.
    #[error(
        "signal 0 of the witness is not 1, as the circuit's constant must be: the witness was not made by a calculator"
    )]
    NotOne,
    /// The witness does not satisfy the circuit.
    #[error(
        "the witness does not satisfy the circuit of this key, or the key's contents are wrong: {evidence}. Check the witness against the circuit's .r1cs, and that key and witness come from the same version of the circuit"
    )]
    Unsatisfied {
        /// Why this is known.
        evidence: String,
    },
    /// A base of the key is no point of its curve.
    #[error(
        "the key is damaged: base {index} of its query {query} is not on the curve; get a fresh copy of the key"
    )]
    DamagedKey {
        /// A, B1, B2, L or H.
        query: &'static str,
        /// Which base.
        index: usize,
    },
    /// A base of the key is on its curve, but outside the subgroup.
    #[error(
        "the key is damaged or hostile: base {index} of its query {query} is outside its curve's subgroup; get the key from its maker"
    )]
    OutsideSubgroup {
        /// A, B1, B2, L or H.
        query: &'static str,
        /// Which base.
        index: usize,
    },
    /// A point of the key's head is not on the curve.
    #[error("the key is damaged: a point of its head is wrong: {0}")]
    DamagedHead(#[from] PointError),
    /// A backend call failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// A backend answered what cannot be a result.
    #[error(
        "backend {backend}: {what}: the result is no point of the curve ({reason}); the device or its backend is faulty"
    )]
    Nonsense {
        /// Which backend.
        backend: String,
        /// Which operation.
        what: &'static str,
        /// Why it cannot be a result.
        reason: String,
    },
    /// The proof does not verify, and no backend could do better.
    #[error(
        "backend {backend}: the proof failed its own verification {times} times; it was not released. {}",
        reason(differs.as_ref())
    )]
    SelfCheck {
        /// Which backend.
        backend: String,
        /// How often it was tried.
        times: u32,
        /// What a comparison found, if one was asked for.
        differs: Option<FirstDifference>,
    },
    /// Two backends disagree.
    #[error(
        "backend {backend} disagrees with {reference}: the first operation whose result differs is {operation}; the proof was not released"
    )]
    Disagreement {
        /// The backend that proved.
        backend: String,
        /// The backend that it was compared with.
        reference: String,
        /// Where.
        operation: &'static str,
    },
    /// Several backends were tried, and each one failed.
    #[error("no backend could prove it: {}", list(attempts))]
    Exhausted {
        /// All of them, with their failures.
        attempts: Vec<Attempt>,
        /// The last one's.
        last: Box<ProveError>,
    },
    /// No randomness.
    #[error(transparent)]
    Randomness(#[from] NoRandomness),
    /// Told to end.
    #[error("cancelled")]
    Cancelled,
}

/// The first operation of a proof whose result is another one on a second backend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstDifference {
    /// The second backend.
    pub reference: String,
    /// Which operation.
    pub operation: &'static str,
}

/// Why a proof does not verify, as far as it is known.
fn reason(differs: Option<&FirstDifference>) -> String {
    match differs {
        Some(FirstDifference { reference, operation }) => {
            format!("The first operation whose result differs from that of {reference} is {operation}")
        }
        None => "The backend computes wrong results, or the witness does not satisfy the key's circuit: the circuit (`R1cs::first_unsatisfied`) or a reference backend (`Prover::with_reference`) can tell".into(),
    }
}

fn list(attempts: &[Attempt]) -> String {
    let lines = attempts.iter().map(|attempt| attempt.failure.as_deref().unwrap_or("no failure"));
    lines.collect::<Vec<_>>().join("; ")
}

impl ProveError {
    /// Whether the backends computed right, and the proof does not verify all the same: the witness does not satisfy the
    /// key's circuit, or the key is wrong.
    pub fn is_unsatisfied(&self) -> bool {
        match self {
            Self::Unsatisfied { .. } => true,
            Self::Exhausted { last, .. } => last.is_unsatisfied(),
            _ => false,
        }
    }
}

impl From<Cancelled> for ProveError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}
