use super::*;

fn shape(curve: Curve, constraints: u32, public: u32) -> Shape {
    Shape { curve, constraints, public, rounds: 1 }
}

#[test]
fn witnesses_satisfy_the_circuit_and_two_thirds_of_them_are_bits() {
    for (curve, constraints, public) in
        [(Curve::Bn254, 1, 0), (Curve::Bn254, 3000, 1), (Curve::Bls12_381, 1000, 5)]
    {
        let shape = shape(curve, constraints, public);
        let circuit = shape.circuit().unwrap();
        assert_eq!(circuit.n_constraints(), constraints as usize);
        assert_eq!((circuit.n_public(), circuit.n_wires()), (public, public + 4 + constraints));
        let witness = |number| shape.witness(number, &CancelFlag::default()).unwrap();
        for number in 0..3 {
            assert_eq!(circuit.first_unsatisfied(&witness(number)).unwrap(), None, "{shape:?}");
        }
        assert_ne!(witness(0).values(), witness(1).values());
        assert_eq!(witness(1).values(), witness(1).values());
        let made = witness(2);
        let rows = made.values().as_chunks::<32>().0.iter().skip(shape.first() as usize);
        let bits = rows.filter(|value| value[0] < 2 && value[1..] == [0; 31]).count();
        // Products are bits by an accident that does not happen.
        assert_eq!(bits as u32, constraints - constraints / 3, "{shape:?}");
    }
}

#[test]
fn a_wrong_value_is_noticed_and_a_cancellation_heard() {
    let shape = shape(Curve::Bn254, 500, 1);
    let witness = shape.witness(0, &CancelFlag::default()).unwrap();
    let mut values = witness.values().to_vec();
    let last = values.len() - 32;
    values[last] ^= 1;
    let changed = Witness::from_canonical(Curve::Bn254, values.into()).unwrap();
    assert_eq!(shape.circuit().unwrap().first_unsatisfied(&changed).unwrap(), Some(499));
    let cancelled = CancelFlag::default();
    cancelled.cancel();
    assert!(shape.witness(0, &cancelled).unwrap_err().is_cancelled());
}

#[test]
fn sizes_are_bounded() {
    let new = |constraints, public| {
        let args = ShapeArgs { constraints, public, curve: None, witness_rounds: None };
        Shape::new(&args).map(|shape| (shape.constraints, shape.public))
    };
    assert_eq!(new(None, None), Ok((65_536, 1)));
    assert_eq!(new(Some((1 << 24) - 2), Some(1)), Ok(((1 << 24) - 2, 1)));
    for (constraints, public) in
        [((1 << 24) - 1, 1), (u64::MAX, 0), (1 << 32, u32::MAX), (1, u32::MAX), (1 << 24, 0)]
    {
        let said = new(Some(constraints), Some(public)).unwrap_err().0;
        assert!(said.contains("more than 16,777,216 rows") && said.contains("memory"), "{said}");
    }
}
