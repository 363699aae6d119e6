//! One operation with its input.

use std::fmt;
use std::path::PathBuf;

use interlock_core::backend::{Form, Group, NttOp};
use interlock_curves::Curve;
use serde::{Deserialize, Serialize};

use super::hex::Hex;

/// The form of a scalar buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScalarForm {
    /// The integer itself.
    Canonical,
    /// value · 2^256 mod r.
    Montgomery,
}

impl From<ScalarForm> for Form {
    fn from(form: ScalarForm) -> Self {
        match form {
            ScalarForm::Canonical => Self::Canonical,
            ScalarForm::Montgomery => Self::Montgomery,
        }
    }
}

/// G1 or G2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GroupName {
    /// The group over the prime field.
    G1,
    /// The group over its quadratic extension.
    G2,
}

impl From<GroupName> for Group {
    fn from(group: GroupName) -> Self {
        match group {
            GroupName::G1 => Self::G1,
            GroupName::G2 => Self::G2,
        }
    }
}

/// Which transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transform {
    /// Coefficients to values on the domain.
    Forward,
    /// Values on the domain to coefficients.
    Inverse,
    /// Coefficients to values on the coset.
    CosetForward,
    /// Values on the coset to coefficients.
    CosetInverse,
}

impl Transform {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Forward, Self::Inverse, Self::CosetForward, Self::CosetInverse];
}

impl From<Transform> for NttOp {
    fn from(transform: Transform) -> Self {
        match transform {
            Transform::Forward => Self::Forward,
            Transform::Inverse => Self::Inverse,
            Transform::CosetForward => Self::CosetForward,
            Transform::CosetInverse => Self::CosetInverse,
        }
    }
}

/// An operation with its input. Scalars are 32 bytes each, points affine, both in the encodings of the ABI.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "operation", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Operation {
    /// Scalars go to the device and come back.
    Transfer {
        /// Their form.
        form: ScalarForm,
        /// The scalars.
        scalars: Hex,
    },
    /// A transform.
    Ntt {
        /// Which.
        transform: Transform,
        /// log2 of the domain's size.
        log_size: u32,
        /// Its generator, Montgomery form.
        generator: Hex,
        /// The coset's shift, Montgomery form.
        shift: Hex,
        /// The data's form.
        form: ScalarForm,
        /// As many scalars as the domain has elements.
        data: Hex,
    },
    /// `a·b`, or `a·b − dst` when there is a `dst`; Montgomery form.
    Pointwise {
        /// What is subtracted.
        dst: Option<Hex>,
        /// The first factors.
        a: Hex,
        /// The second ones.
        b: Hex,
    },
    /// `factor · data`.
    Scale {
        /// The data's form.
        form: ScalarForm,
        /// The scalars.
        data: Hex,
        /// The factor, Montgomery form.
        factor: Hex,
    },
    /// Matrix × vector.
    Spmv {
        /// Rows + 1 offsets.
        row_offsets: Vec<u64>,
        /// The column of each entry.
        columns: Vec<u32>,
        /// coefficient · R² of each entry.
        values: Hex,
        /// The vector, canonical.
        x: Hex,
    },
    /// A sum over bases.
    Msm {
        /// The bases' group.
        group: GroupName,
        /// The scalars' form.
        form: ScalarForm,
        /// Affine points.
        points: Hex,
        /// Which scalar each point belongs to; without it point i to scalar i.
        index: Option<Vec<u32>>,
        /// The scalars.
        scalars: Hex,
    },
    /// A proof of a circuit that follows from a seed, with its key, witness and blinding.
    Proof {
        /// Rows of the circuit.
        constraints: u32,
        /// Whether its quotient is one of coefficients (arkworks, bellman) instead of values on a coset (snarkjs).
        coefficients: bool,
        /// What circuit, witness, key and blinding are made from.
        seed: u64,
    },
    /// A proof of a witness under a key, both in files, with fixed blinding.
    Files {
        /// The key's path: one that needs no circuit beside it.
        key: PathBuf,
        /// The witness's.
        witness: PathBuf,
    },
}

/// An operation on a curve.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// The curve.
    pub curve: Curve,
    /// What is done.
    #[serde(flatten)]
    pub operation: Operation,
}

impl Case {
    /// The operation's name, as the ABI has it.
    pub fn name(&self) -> &'static str {
        match &self.operation {
            Operation::Transfer { .. } => "scalars_upload and scalars_download",
            Operation::Ntt { .. } => "ntt",
            Operation::Pointwise { .. } => "pointwise",
            Operation::Scale { .. } => "scale",
            Operation::Spmv { .. } => "spmv",
            Operation::Msm { .. } => "msm",
            Operation::Proof { .. } | Operation::Files { .. } => "proof",
        }
    }

    /// How much there is of it: scalars, rows, entries, points. What is smaller is easier to look at.
    pub fn size(&self) -> usize {
        match &self.operation {
            Operation::Transfer { scalars, .. } => scalars.0.len() / 32,
            Operation::Ntt { data, .. } | Operation::Scale { data, .. } => data.0.len() / 32,
            Operation::Pointwise { a, .. } => a.0.len() / 32,
            Operation::Spmv { row_offsets, columns, x, .. } => {
                row_offsets.len() + columns.len() + x.0.len() / 32
            }
            Operation::Msm { points, scalars, .. } => points.0.len() / 64 + scalars.0.len() / 32,
            Operation::Proof { constraints, .. } => *constraints as usize,
            Operation::Files { .. } => 0,
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let curve = self.curve;
        let scalars = |hex: &Hex| hex.0.len() / 32;
        match &self.operation {
            Operation::Transfer { form, scalars: data } => {
                write!(f, "upload and download of {} {form:?} scalars, {curve}", scalars(data))
            }
            Operation::Ntt { transform, log_size, form, .. } => {
                write!(f, "ntt {transform:?} of 2^{log_size} {form:?} scalars, {curve}")
            }
            Operation::Pointwise { dst, a, .. } => {
                let what = if dst.is_some() { "a·b − dst" } else { "a·b" };
                write!(f, "pointwise {what} of {} scalars, {curve}", scalars(a))
            }
            Operation::Scale { form, data, .. } => {
                write!(f, "scale of {} {form:?} scalars, {curve}", scalars(data))
            }
            Operation::Spmv { row_offsets, columns, x, .. } => write!(
                f,
                "spmv of {} rows, {} columns, {} entries, {curve}",
                row_offsets.len().saturating_sub(1),
                scalars(x),
                columns.len()
            ),
            Operation::Msm { group, form, scalars: data, points, index } => {
                let points = points.0.len() / Group::from(*group).point_bytes(curve);
                let index = if index.is_some() { ", with an index" } else { "" };
                write!(
                    f,
                    "msm {group:?} of {points} points and {} {form:?} scalars{index}, {curve}",
                    scalars(data)
                )
            }
            Operation::Proof { constraints, coefficients, seed } => {
                let quotient = if *coefficients { "coefficients" } else { "values on a coset" };
                write!(f, "proof of {constraints} constraints (quotient of {quotient}, seed {seed}), {curve}")
            }
            Operation::Files { key, witness } => {
                write!(f, "proof of {} under {}, {curve}", witness.display(), key.display())
            }
        }
    }
}

/// Bytes of affine points.
trait PointBytes {
    fn point_bytes(self, curve: Curve) -> usize;
}

impl PointBytes for Group {
    fn point_bytes(self, curve: Curve) -> usize {
        match self {
            Self::G1 => curve.g1_bytes(),
            Self::G2 => curve.g2_bytes(),
        }
    }
}
