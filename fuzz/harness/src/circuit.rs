//! Circuits and witnesses.

use ark_ff::Zero;
use interlock_core::format::r1cs::LinearCombination;
use interlock_core::format::{R1cs, Witness};
use interlock_core::key::CircuitRows;
use interlock_curves::{ProvingCurve, with_curve};

use crate::written;

/// Reads a witness, takes its values apart, and writes it.
pub fn wtns(data: &[u8]) {
    let Ok(witness) = Witness::from_bytes("fuzz.wtns", data.to_vec()) else { return };
    assert_eq!(witness.values().len(), 32 * witness.len());
    assert!(witness.value(witness.len()).is_none());
    with_curve!(witness.curve(), E => {
        let scalars = witness.scalars::<E>().expect("every value was checked");
        assert_eq!(scalars.len(), witness.len());
        assert!(Witness::from_scalars::<E>(&scalars) == witness, "the scalars are others");
    });
    let again = Witness::from_bytes("again.wtns", written(|out| witness.write(out)));
    assert!(again.expect("what was written is read") == witness, "the witness changed");
}

/// Reads a circuit, walks over it, tries a witness, makes rows of it, and writes it.
pub fn r1cs(data: &[u8]) {
    let Ok(circuit) = R1cs::from_bytes("fuzz.r1cs", data) else { return };
    assert!(circuit.n_public() < circuit.n_wires());
    let combinations = || circuit.constraints().flatten();
    assert_eq!(combinations().count(), 3 * circuit.n_constraints());
    assert_eq!(combinations().map(|combination| combination.len()).sum::<usize>(), circuit.n_terms());
    assert!(combinations().flat_map(|terms| terms.terms()).all(|(wire, _)| wire < circuit.n_wires()));
    assert!(circuit.constraint(circuit.n_constraints()).is_none());
    with_curve!(circuit.curve(), E => satisfied::<E>(&circuit));
    CircuitRows::from_r1cs(&circuit).expect("a circuit in memory fits a domain");
    let again = R1cs::from_bytes("again.r1cs", &written(|out| circuit.write(out)));
    assert!(again.expect("what was written is read") == circuit, "the circuit changed");
}

/// Compares the search for an unsatisfied constraint with a plain one.
fn satisfied<E: ProvingCurve>(circuit: &R1cs) {
    // One, then small numbers: enough to satisfy some constraints of a fuzzer's and not others.
    let scalars: Vec<_> = (0..u64::from(circuit.n_wires()))
        .map(|i| E::ScalarField::from(if i == 0 { 1 } else { i % 5 }))
        .collect();
    let value = |combination: LinearCombination<'_>| {
        combination.terms().fold(E::ScalarField::zero(), |sum, (wire, coefficient)| {
            let coefficient = E::scalar_from_canonical(coefficient).expect("every value was checked");
            sum + scalars[wire as usize] * coefficient
        })
    };
    let plain = circuit.constraints().position(|[a, b, c]| value(a) * value(b) != value(c));
    let found = circuit.first_unsatisfied(&Witness::from_scalars::<E>(&scalars));
    assert_eq!(found.expect("curve and length are the circuit's"), plain);
    let mut longer = scalars;
    longer.push(E::ScalarField::zero());
    assert!(circuit.first_unsatisfied(&Witness::from_scalars::<E>(&longer)).is_err());
}
