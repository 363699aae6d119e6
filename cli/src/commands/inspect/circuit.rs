//! Circuits.

use std::path::Path;

use interlock_core::format::r1cs::LinearCombination;
use interlock_core::format::{FormatError, R1cs};

use crate::commands::description::Description;

pub(super) fn describe(path: &Path, about: &mut Description) -> Result<(), FormatError> {
    let circuit = R1cs::open(path)?;
    about.curve(circuit.curve());
    about.count("wires", circuit.n_wires().into());
    about.count("constraints", circuit.n_constraints() as u64);
    // A product with a constant is a linear equation; `circom --O2` removes those.
    let linear = circuit.constraints().filter(|[a, b, _]| is_constant(a) || is_constant(b)).count() as u64;
    about.count("linear constraints", linear);
    about.count("terms", circuit.n_terms() as u64);
    about.count("public outputs", circuit.n_pub_out().into());
    about.count("public inputs", circuit.n_pub_in().into());
    about.count("private inputs", circuit.n_prv_in().into());
    Ok(())
}

/// Whether only the constant wire occurs.
fn is_constant(combination: &LinearCombination<'_>) -> bool {
    combination.terms().all(|(wire, _)| wire == 0)
}
