use interlock_curves::{Bls12_381, Bn254, Curve, ProvingCurve};

use super::{parse::*, *};
use crate::format::{FormatErrorKind as Kind, Witness, damage, sections::SectionTable};

/// out = x · y, and 2·out − 1 = z, with z internal.
fn product(curve: Curve) -> R1cs {
    let mut builder = R1cs::builder(curve, 1, 0, 2);
    let z = builder.wire();
    builder.constraint(&[(2, 1)], &[(3, 1)], &[(1, 1)]);
    builder.constraint(&[(0, 1)], &[(1, 2), (0, -1)], &[(z, 1)]);
    builder.constraint::<i64>(&[], &[], &[]);
    builder.build().unwrap()
}

fn bytes(circuit: &R1cs) -> Vec<u8> {
    let mut out = Vec::new();
    circuit.write(&mut out).unwrap();
    out
}

fn witness<E: ProvingCurve>(values: &[i64]) -> Witness {
    Witness::from_scalars::<E>(&values.iter().map(|value| E::ScalarField::from(*value)).collect::<Vec<_>>())
}

#[test]
fn round_trip_and_accessors() {
    for curve in Curve::ALL {
        let circuit = product(curve);
        assert_eq!((circuit.n_wires(), circuit.n_public(), circuit.n_constraints()), (5, 1, 3));
        assert_eq!((circuit.n_pub_out(), circuit.n_pub_in(), circuit.n_prv_in()), (1, 0, 2));
        let [a, b, c] = circuit.constraint(1).unwrap();
        assert_eq!((a.len(), b.len(), c.len()), (1, 2, 1));
        let terms: Vec<_> = b.terms().collect();
        assert_eq!((terms[0].0, terms[0].1[0], terms[1].0), (1, 2, 0));
        assert!(circuit.constraint(2).unwrap()[0].is_empty() && circuit.constraint(3).is_none());
        assert_eq!(R1cs::from_bytes("c.r1cs", &bytes(&circuit)).unwrap(), circuit);
    }
}

#[test]
fn satisfied_or_not() {
    let circuit = product(Curve::Bn254);
    let first = |values: &[i64]| circuit.first_unsatisfied(&witness::<Bn254>(values)).unwrap();
    assert_eq!(first(&[1, 33, 3, 11, 65]), None);
    assert_eq!(first(&[1, 34, 3, 11, 67]), Some(0));
    assert_eq!(first(&[1, 33, 3, 11, 66]), Some(1));
    assert_eq!(first(&[2, 33, 3, 11, 65]), Some(0), "the constant is not one");
    let error = circuit.first_unsatisfied(&witness::<Bn254>(&[1, 33])).unwrap_err();
    assert!(matches!(error.kind(), Kind::WitnessLength { expected: 5, found: 2 }), "{error}");
    let error = circuit.first_unsatisfied(&witness::<Bls12_381>(&[1, 33, 3, 11, 65])).unwrap_err();
    assert!(matches!(error.kind(), Kind::CurveMismatch { .. }), "{error}");
}

#[test]
fn builder_errors() {
    let mut builder = R1cs::builder(Curve::Bn254, 0, 0, 0);
    builder.constraint(&[(1, 1)], &[], &[]);
    assert_eq!(builder.build(), Err(BuildError::Wire { constraint: 0, wire: 1, wires: 1 }));
    let mut builder = R1cs::builder(Curve::Bn254, 0, 0, 0);
    builder.constraint(&[(0, [0xff; 32])], &[], &[]);
    assert_eq!(builder.build(), Err(BuildError::Coefficient { constraint: 0 }));
    assert_eq!(R1cs::builder(Curve::Bn254, u32::MAX, 1, 0).build(), Err(BuildError::TooManyWires));
}

#[test]
fn flat_lists_are_checked() {
    let built = {
        let mut builder = R1cs::builder(Curve::Bn254, 0, 2, 0);
        builder.wire();
        builder.constraint(&[(1, 1), (3, -1)], &[], &[(2, 7)]);
        builder.constraint(&[(0, 1)], &[(1, 1)], &[(1, 1)]);
        builder.build().unwrap()
    };
    let good = FlatTerms {
        ends: built.ends.clone(),
        wires: built.wires.clone(),
        coefficients: built.values.clone(),
    };
    assert_eq!(R1cs::from_flat(Curve::Bn254, 2, 1, good.clone()).unwrap(), built);
    let spoilt = |spoil: &dyn Fn(&mut FlatTerms)| {
        let mut terms = good.clone();
        spoil(&mut terms);
        R1cs::from_flat(Curve::Bn254, 2, 1, terms).unwrap_err()
    };
    let lengths = |error: &BuildError| matches!(error, BuildError::Lengths { .. });
    assert!(lengths(&spoilt(&|terms| terms.ends.push(6))));
    assert!(lengths(&spoilt(&|terms| terms.ends[0] = 4)));
    assert!(lengths(&spoilt(&|terms| terms.wires.push(0))));
    assert!(lengths(&spoilt(&|terms| terms.coefficients.push(0))));
    assert!(lengths(&spoilt(&|terms| {
        terms.wires.push(0);
        terms.coefficients.extend([0; 32]);
    })));
    let wire = spoilt(&|terms| terms.wires[3] = 4);
    assert_eq!(wire, BuildError::Wire { constraint: 1, wire: 4, wires: 4 });
    let coefficient = spoilt(&|terms| terms.coefficients[64..96].fill(0xff));
    assert_eq!(coefficient, BuildError::Coefficient { constraint: 0 });
    let too_many = R1cs::from_flat(Curve::Bn254, u32::MAX, 0, good);
    assert_eq!(too_many, Err(BuildError::TooManyWires));
}

#[test]
fn damaged_files() {
    let good = bytes(&product(Curve::Bls12_381));
    damage::truncations(&good, |bytes| R1cs::from_bytes("c", &bytes));
    damage::flips(&good, 3000, |bytes| R1cs::from_bytes("c", &bytes));
}

/// A file with one changed section.
fn with_section(id: u32, change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let good = bytes(&product(Curve::Bn254));
    let table = SectionTable::parse("c".as_ref(), &good, &CONTAINER).unwrap();
    let mut sections: Vec<(u32, Vec<u8>)> =
        table.iter().map(|(id, range)| (id, good[range].to_vec())).collect();
    match sections.iter_mut().find(|section| section.0 == id) {
        Some(section) => change(&mut section.1),
        None => {
            let mut content = Vec::new();
            change(&mut content);
            sections.push((id, content));
        }
    }
    let parts: Vec<_> = sections.iter().map(|(id, content)| (*id, vec![content.as_slice()])).collect();
    let mut out = Vec::new();
    CONTAINER.write(&mut out, &parts).unwrap();
    out
}

#[test]
fn inconsistent_files() {
    let kind = |bytes: Vec<u8>| R1cs::from_bytes("c", &bytes).unwrap_err();
    // Offsets in the header: r ends at 36, wires, three kinds of inputs, labels (u64), constraints at 60.
    let error = kind(with_section(HEADER, |header| header[60..64].fill(0xff)));
    assert!(matches!(error.kind(), Kind::Truncated { .. }), "{error}");
    let error = kind(with_section(HEADER, |header| header[36] = 2));
    assert!(matches!(error.kind(), Kind::Count { .. }), "{error}");
    let error = kind(with_section(HEADER, |header| header[36..40].fill(0xff)));
    assert!(matches!(error.kind(), Kind::SectionLength { .. }), "{error}");
    let error = kind(with_section(CONSTRAINTS, |list| list[4] = 200));
    assert!(matches!(error.kind(), Kind::Index { entry: 0, what: "wire", index: 200, limit: 5 }), "{error}");
    assert!(error.to_string().contains("section 2 (constraints) at byte"), "{error}");
    let error = kind(with_section(CONSTRAINTS, |list| list[8..40].fill(0xff)));
    assert!(matches!(error.kind(), Kind::NotReduced { index: 0 }), "{error}");
    let error = kind(with_section(CONSTRAINTS, |list| list[..4].fill(0xff)));
    assert!(matches!(error.kind(), Kind::Truncated { .. }), "{error}");
    let error = kind(with_section(CONSTRAINTS, |list| list.push(0)));
    assert!(matches!(error.kind(), Kind::SectionLength { .. }), "{error}");
    let error = kind(with_section(4, |gates| gates.extend([1, 0, 0, 0])));
    assert!(
        matches!(error.kind(), Kind::CustomGates) && error.to_string().contains("custom gates"),
        "{error}"
    );
    assert!(R1cs::from_bytes("c", &with_section(4, |gates| gates.extend([0; 4]))).is_ok());
}

#[test]
fn the_wire_count_is_bounded_without_labels() {
    let mut builder = R1cs::builder(Curve::Bn254, 0, 0, 0);
    builder.constraint(&[(0, 1)], &[(0, 1)], &[(0, 1)]);
    let good = bytes(&builder.build().unwrap());
    let table = SectionTable::parse("c".as_ref(), &good, &CONTAINER).unwrap();
    let constraints = good[table.get(CONSTRAINTS).unwrap()].to_vec();
    let mut header = good[table.get(HEADER).unwrap()].to_vec();
    let file = |header: &[u8]| {
        let mut out = Vec::new();
        CONTAINER.write(&mut out, &[(HEADER, vec![header]), (CONSTRAINTS, vec![&constraints])]).unwrap();
        out
    };
    assert!(R1cs::from_bytes("c", &file(&header)).is_ok());
    header[36..40].fill(0xff);
    let error = R1cs::from_bytes("c", &file(&header)).unwrap_err();
    assert!(matches!(error.kind(), Kind::Count { .. }), "{error}");
}
