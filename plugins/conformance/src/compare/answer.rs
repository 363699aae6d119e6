//! What a backend answers, in a form in which equal results are equal.

use serde::{Deserialize, Serialize};

use super::hex::Hex;

/// What came of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Answer {
    /// A result: scalars, an affine point, or a proof with what led to it.
    Result {
        /// Scalars of 32 bytes, one affine point, or the proof's three points.
        bytes: Hex,
        /// Of a proof, each operation with the SHA-256 of its result, in order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        steps: Vec<(String, Hex)>,
    },
    /// A sum that is no point of the curve.
    NoPoint {
        /// The coordinates as they came.
        bytes: Hex,
        /// What is wrong with them.
        problem: String,
    },
    /// An error.
    Error {
        /// Its kind.
        kind: String,
        /// What the backend says.
        message: String,
    },
    /// Scalars that were uploaded did not come back as they went, so that nothing was computed with them.
    Altered {
        /// Position of the first one.
        index: usize,
        /// It, as it went.
        sent: Hex,
        /// As it came back.
        came: Hex,
    },
    /// The process in which the backend ran ended, or did not answer.
    Ended {
        /// How.
        how: String,
    },
}

/// Where two answers differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// Position of the first scalar that differs, of a result of scalars.
    pub index: Option<usize>,
    /// The first operation of a proof whose result differs, or the transfer of an input.
    pub step: Option<String>,
    /// What the reference has there.
    pub expected: String,
    /// What the backend has there.
    pub got: String,
}

impl Answer {
    /// Where the backend's answer, `self`, differs from the reference's. Errors of one kind are alike, whatever they say.
    pub fn differs_from(&self, reference: &Self) -> Option<Mismatch> {
        if self == reference {
            return None;
        }
        let plain = |expected, got| Some(Mismatch { index: None, step: None, expected, got });
        if let Self::Altered { index, sent, came } = self {
            let step = Some("scalars_upload or scalars_download".to_owned());
            let (expected, got) = (sent.to_string(), came.to_string());
            return Some(Mismatch { index: Some(*index), step, expected, got });
        }
        match (reference, self) {
            (Self::Error { kind, .. }, Self::Error { kind: other, .. }) if kind == other => None,
            (Self::Result { bytes, steps }, Self::Result { bytes: other, steps: others }) => {
                let step = steps.iter().zip(others).find(|(ours, theirs)| ours != theirs);
                if let Some(((name, digest), (_, other))) = step {
                    let (expected, got) = (format!("SHA-256 {digest}"), format!("SHA-256 {other}"));
                    return Some(Mismatch { index: None, step: Some(name.clone()), expected, got });
                }
                if bytes.0.len() != other.0.len() || !bytes.0.len().is_multiple_of(32) || !steps.is_empty() {
                    return plain(bytes.to_string(), other.to_string());
                }
                let pairs = bytes.0.chunks(32).zip(other.0.chunks(32));
                let index = pairs.clone().position(|(ours, theirs)| ours != theirs)?;
                let (ours, theirs) = (&bytes.0[32 * index..][..32], &other.0[32 * index..][..32]);
                let [expected, got] = [ours, theirs].map(|bytes| Hex(bytes.to_vec()).to_string());
                Some(Mismatch { index: Some(index), step: None, expected, got })
            }
            (reference, got) => plain(reference.in_words(), got.in_words()),
        }
    }

    /// Short.
    pub fn in_words(&self) -> String {
        match self {
            Self::Result { bytes, .. } if bytes.0.len() <= 256 => bytes.to_string(),
            Self::Result { bytes, .. } => format!("{} bytes", bytes.0.len()),
            Self::NoPoint { bytes, problem } => format!("no point ({problem}): {bytes}"),
            Self::Error { kind, message } => format!("an error of kind {kind}: {message}"),
            Self::Altered { index, .. } => format!("scalar {index} of an input came back another"),
            Self::Ended { how } => how.clone(),
        }
    }
}
