//! A key's circuit, and whether a witness satisfies it.

use std::path::Path;

use interlock_core::files::{KeyFile, MissingCircuit};
use interlock_core::format::{R1cs, Witness};
use interlock_core::groth16::ProveError;

use super::files::{Role, explain};
use crate::errors::{UnsatisfiedConstraint, WrongCircuit};

/// That the circuit of a key is there if it is needed.
///
/// # Errors
/// It is not.
pub(super) fn expect(key: &KeyFile, circuit: Option<&Path>) -> Result<(), MissingCircuit> {
    if key.needs_circuit() && circuit.is_none() {
        return Err(MissingCircuit { key: key.file().path().display().to_string(), family: key.family() });
    }
    Ok(())
}

/// Opens the circuit of a key, as far as counts tell that it is this one.
///
/// # Errors
/// It cannot be read, or is not the key's.
pub(super) fn open(path: &Path, key: &KeyFile, order: &str) -> anyhow::Result<R1cs> {
    let circuit = R1cs::open(path).map_err(|error| explain(error, path, Role::Circuit, order))?;
    let differ = |problem: String| {
        let key = key.file().path().to_owned();
        Err(WrongCircuit { circuit: path.to_owned(), key, problem }.into())
    };
    if circuit.curve() != key.curve() {
        return differ(format!("it is for {}, the key for {}", circuit.curve(), key.curve()));
    }
    let rows = (circuit.n_constraints() + circuit.n_public() as usize + 1).next_power_of_two();
    // snarkjs has no smaller domain.
    let rows = if matches!(key, KeyFile::Zkey(_)) { rows.max(2) } else { rows };
    for (what, found, wanted) in [
        ("signals", circuit.n_wires() as usize, key.n_vars()),
        ("public signals", circuit.n_public() as usize, key.n_public()),
        ("rows in its domain", rows, domain_size(key)),
    ] {
        if found != wanted {
            return differ(format!("it has {found} {what}, the key {wanted}"));
        }
    }
    Ok(circuit)
}

/// Rows of a key's domain.
pub(super) fn domain_size(key: &KeyFile) -> usize {
    match key {
        KeyFile::Zkey(key) => key.domain_size() as usize,
        KeyFile::Arkworks(key) => key.domain_size(),
        KeyFile::Bellman(key) => key.domain_size(),
        // A family that this program does not know yet.
        _ => 0,
    }
}

/// That a number of constraints which the key tells is the circuit's.
///
/// # Errors
/// It is another.
pub(super) fn expect_constraints(
    circuit: &R1cs,
    path: &Path,
    key: &Path,
    wanted: Option<u64>,
) -> Result<(), WrongCircuit> {
    let found = circuit.n_constraints() as u64;
    match wanted {
        Some(wanted) if wanted != found => {
            let problem = format!("it has {found} constraints, the key {wanted}");
            Err(WrongCircuit { circuit: path.to_owned(), key: key.to_owned(), problem })
        }
        _ => Ok(()),
    }
}

/// That a witness satisfies a circuit of its length and curve.
///
/// # Errors
/// A constraint does not hold: the first one.
pub(super) fn satisfy(
    circuit: &R1cs,
    path: &Path,
    witness: &Witness,
    witness_path: &Path,
) -> anyhow::Result<()> {
    let mut one = [0; 32];
    one[0] = 1;
    if witness.value(0) != Some(&one) {
        return Err(ProveError::NotOne.into());
    }
    match circuit.first_unsatisfied(witness)? {
        None => Ok(()),
        Some(index) => Err(UnsatisfiedConstraint {
            witness: witness_path.to_owned(),
            circuit: path.to_owned(),
            index,
            constraints: circuit.n_constraints() as u64,
        }
        .into()),
    }
}
