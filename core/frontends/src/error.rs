//! Why a circuit has no rows, no witness or no proof.

use std::error::Error;

use interlock_core::format::FormatError;
use interlock_core::format::r1cs::BuildError;
use interlock_core::groth16::ProveError;

/// Why a circuit has no rows, no witness or no proof.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FrontendError {
    /// The circuit's own synthesis failed.
    #[error("the circuit cannot be synthesised: {0}")]
    Synthesis(#[source] Box<dyn Error + Send + Sync>),
    /// The circuit is over a field that is no supported curve's scalar field.
    #[error(
        "the circuit's field, of modulus {modulus}, is the scalar field of no supported curve (bn254, bls12-381), or encodes its elements in another way than canonical little-endian"
    )]
    Field {
        /// As the field's own implementation writes it.
        modulus: String,
    },
    /// The circuit has constraints that are not of the form a · b = c.
    #[error(
        "the circuit has {constraints} constraints of the predicate {label:?}; Groth16 proves R1CS constraints (a · b = c) only"
    )]
    Predicate {
        /// Its name.
        label: String,
        /// How many it has.
        constraints: usize,
    },
    /// A constraint refers to a variable that was never allocated.
    #[error("constraint {constraint} (from 0) refers to a variable that the circuit never allocated")]
    UnknownVariable {
        /// The constraint, from 0.
        constraint: usize,
    },
    /// More variables than a circuit can have.
    #[error("the circuit has too many variables: at most 2^31 are public, and 2^31 private")]
    TooManyVariables,
    /// The framework's constraint system contradicts itself.
    #[error("the framework's constraint system is inconsistent: {0}")]
    Inconsistent(&'static str),
    /// The circuit as it was collected is not acceptable.
    #[error("the circuit is not acceptable: {0}")]
    Circuit(#[from] BuildError),
    /// The values that the circuit was given do not satisfy it.
    #[error("the circuit's values do not satisfy its constraint {constraint} (from 0){}", named(name.as_deref()))]
    Unsatisfied {
        /// The first such constraint, from 0.
        constraint: usize,
        /// Its name, if the framework gives names.
        name: Option<String>,
    },
    /// Key and circuit do not belong together, or the circuit is too large.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The prover failed.
    #[error(transparent)]
    Prove(#[from] ProveError),
}

impl FrontendError {
    #[cfg(any(feature = "arkworks", feature = "bellman", feature = "bellpepper"))]
    pub(crate) fn synthesis(error: impl Error + Send + Sync + 'static) -> Self {
        Self::Synthesis(Box::new(error))
    }

    /// Whether a look at the circuit may tell more: the proof that was made did not verify.
    #[cfg(any(feature = "arkworks", feature = "bellman", feature = "bellpepper"))]
    pub(crate) fn is_about_the_proof(error: &ProveError) -> bool {
        matches!(error, ProveError::Unsatisfied { .. } | ProveError::SelfCheck { .. })
    }
}

fn named(name: Option<&str>) -> String {
    name.map_or_else(String::new, |name| format!(", {name}"))
}
