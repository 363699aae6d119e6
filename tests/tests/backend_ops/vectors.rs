//! Element-wise operations and the matrix product.

use std::sync::Arc;

use ark_ff::Zero;
use interlock_core::backend::{BackendErrorKind, Form, Matrix, Plugin, Scalars};
use interlock_core::format::Csr;
use interlock_curves::ProvingCurve;
use interlock_tests::random::{generator, scalar};
use rand_chacha::rand_core::Rng;

use crate::{Fr, canonical, from_montgomery, montgomery, on_every_backend, open};

#[test]
fn pointwise_and_scale() {
    on_every_backend!(element_wise);
}

#[test]
fn matrix_times_witness() {
    on_every_backend!(matrix);
}

fn element_wise<E: ProvingCurve>(plugin: &Arc<Plugin>) {
    let mut rng = generator(20);
    let (device, lane) = open::<E>(plugin);
    for n in [0, 1, 2, 31, 5000] {
        let mut vector = || -> Vec<Fr<E>> { (0..n).map(|_| scalar(&mut rng)).collect() };
        let (a, b, c) = (vector(), vector(), vector());
        let upload = |values: &[Fr<E>]| {
            let mut buffer = Scalars::alloc(&device, n).unwrap();
            lane.upload(&mut buffer, 0, &montgomery::<E>(values), Form::Montgomery).unwrap();
            buffer
        };
        let read = |buffer: &Scalars| from_montgomery::<E>(&lane.download(buffer, 0, n).unwrap().0);
        let (x, y, mut z) = (upload(&a), upload(&b), upload(&c));
        let mut p = Scalars::alloc(&device, n).unwrap();
        lane.multiply(&mut p, &x, &y).unwrap();
        let product: Vec<Fr<E>> = a.iter().zip(&b).map(|(a, b)| *a * b).collect();
        assert_eq!(read(&p), product);
        lane.multiply_subtract(&mut z, &p, &y).unwrap();
        let wanted: Vec<Fr<E>> = product.iter().zip(&b).zip(&c).map(|((p, b), c)| *p * b - c).collect();
        assert_eq!(read(&z), wanted);
        let factor = scalar::<Fr<E>>(&mut generator(21));
        lane.scale(&mut z, &E::scalar_to_montgomery(&factor)).unwrap();
        assert_eq!(read(&z), wanted.iter().map(|x| *x * factor).collect::<Vec<_>>());
        let error = lane.scale(&mut z, &[0xff; 32]).unwrap_err();
        assert_eq!(error.kind, BackendErrorKind::InvalidArgument);
    }
    // The operands' form is part of the contract.
    let mut x = Scalars::alloc(&device, 1).unwrap();
    let y = Scalars::alloc(&device, 1).unwrap();
    let mut p = Scalars::alloc(&device, 1).unwrap();
    lane.upload(&mut x, 0, &[0; 32], Form::Canonical).unwrap();
    assert_eq!(lane.multiply(&mut p, &x, &y).unwrap_err().kind, BackendErrorKind::InvalidArgument);
}

fn matrix<E: ProvingCurve>(plugin: &Arc<Plugin>) {
    let mut rng = generator(22);
    let (device, lane) = open::<E>(plugin);
    let two_to_256 = E::scalar_from_canonical(&[0; 32]).unwrap() + r::<E>();
    for (rows, cols) in [(1, 1), (8, 5), (2500, 300)] {
        let witness: Vec<Fr<E>> =
            (0..cols).map(|i| if i % 3 == 0 { Fr::<E>::zero() } else { scalar(&mut rng) }).collect();
        let mut wanted = vec![Fr::<E>::zero(); rows];
        let mut csr = Csr { rows, cols, row_offsets: vec![0], col_indices: Vec::new(), values: Vec::new() };
        for sum in &mut wanted {
            // Some rows are empty, some name a column twice.
            for _ in 0..rng.next_u32() % 5 {
                let column = rng.next_u32() as usize % cols;
                let coefficient: Fr<E> = scalar(&mut rng);
                *sum += coefficient * witness[column];
                csr.col_indices.push(column as u32);
                // coefficient·R², canonical bytes: the file's form.
                let stored = coefficient * two_to_256 * two_to_256;
                csr.values.extend_from_slice(&E::scalar_to_canonical(&stored));
            }
            csr.row_offsets.push(csr.col_indices.len() as u64);
        }
        let matrix = Matrix::load(&device, Arc::new(csr)).unwrap();
        let mut x = Scalars::alloc(&device, cols).unwrap();
        let mut y = Scalars::alloc(&device, rows).unwrap();
        lane.upload(&mut x, 0, &canonical::<E>(&witness), Form::Canonical).unwrap();
        lane.multiply_matrix(&matrix, &x, &mut y).unwrap();
        let (bytes, form) = lane.download(&y, 0, rows).unwrap();
        assert_eq!(form, Form::Montgomery);
        assert_eq!(from_montgomery::<E>(&bytes), wanted, "{rows} × {cols}");
        lane.upload(&mut x, 0, &montgomery::<E>(&witness), Form::Montgomery).unwrap();
        let error = lane.multiply_matrix(&matrix, &x, &mut y).unwrap_err();
        assert_eq!(error.kind, BackendErrorKind::InvalidArgument, "a Montgomery witness");
    }
    let faults = [
        Csr { rows: 2, cols: 1, row_offsets: vec![0, 1, 1], col_indices: vec![1], values: vec![0; 32] },
        Csr { rows: 2, cols: 1, row_offsets: vec![0, 1, 0], col_indices: vec![], values: vec![] },
        Csr { rows: 2, cols: 1, row_offsets: vec![0, 1], col_indices: vec![0], values: vec![0; 32] },
        Csr { rows: 1, cols: 1, row_offsets: vec![0, 1], col_indices: vec![0], values: vec![0; 31] },
    ];
    for csr in faults {
        let error = Matrix::load(&device, Arc::new(csr)).unwrap_err();
        assert_eq!(error.kind, BackendErrorKind::InvalidArgument);
    }
}

/// R = 2^256 mod r.
fn r<E: ProvingCurve>() -> Fr<E> {
    let two128 = Fr::<E>::from(u128::MAX) + Fr::<E>::from(1_u64);
    two128 * two128
}
