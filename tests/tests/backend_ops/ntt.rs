//! Transforms against the evaluation of a polynomial, for both families of roots.

use std::sync::Arc;

use ark_ff::{Field, One};
use ark_poly::univariate::DensePolynomial;
use ark_poly::{DenseUVPolynomial, EvaluationDomain, Polynomial, Radix2EvaluationDomain};
use interlock_core::backend::{BackendErrorKind, Domain, DomainSpec, Form, NttOp, Plugin, Scalars};
use interlock_curves::ProvingCurve;
use interlock_curves::roots::{RootFamily, root_of_unity};
use interlock_tests::random::{generator, scalar};

use crate::{Fr, canonical, from_montgomery, montgomery, on_every_backend, open};

#[test]
fn small_sizes_by_evaluation() {
    on_every_backend!(by_evaluation);
}

#[test]
fn large_sizes_against_arkworks() {
    on_every_backend!(against_arkworks);
}

#[test]
fn wrong_domains() {
    on_every_backend!(refused);
}

fn spec<E: ProvingCurve>(log_size: u32, family: RootFamily, shift: Fr<E>) -> (DomainSpec, Fr<E>) {
    let root = root_of_unity::<E>(log_size, family).unwrap();
    let (generator, shift) = (E::scalar_to_montgomery(&root), E::scalar_to_montgomery(&shift));
    (DomainSpec { log_size, generator, shift }, root)
}

fn by_evaluation<E: ProvingCurve>(plugin: &Arc<Plugin>) {
    let mut rng = generator(10);
    let (device, lane) = open::<E>(plugin);
    for (log_size, family) in
        (0..=6).flat_map(|log| [(log, RootFamily::Snarkjs), (log, RootFamily::Arkworks)])
    {
        let n = 1_usize << log_size;
        let shift: Fr<E> = scalar(&mut rng);
        let (spec, root) = spec::<E>(log_size, family, shift);
        let domain = Domain::load(&device, &spec).unwrap();
        let coefficients: Vec<Fr<E>> = (0..n).map(|_| scalar(&mut rng)).collect();
        let polynomial = DensePolynomial::from_coefficients_slice(&coefficients);
        let values = |shift: Fr<E>| -> Vec<Fr<E>> {
            (0..n).map(|i| polynomial.evaluate(&(shift * root.pow([i as u64])))).collect()
        };
        let mut buffer = Scalars::alloc(&device, n).unwrap();
        let mut transform = |input: &[Fr<E>], op, form| {
            let bytes = if form == Form::Montgomery { montgomery::<E>(input) } else { canonical::<E>(input) };
            lane.upload(&mut buffer, 0, &bytes, form).unwrap();
            lane.ntt(&domain, &mut buffer, op).unwrap();
            let (bytes, got) = lane.download(&buffer, 0, n).unwrap();
            assert_eq!(got, form, "a transform keeps the form");
            match form {
                Form::Montgomery => from_montgomery::<E>(&bytes),
                Form::Canonical => bytes
                    .as_chunks::<32>()
                    .0
                    .iter()
                    .map(|bytes| E::scalar_from_canonical(bytes).unwrap())
                    .collect(),
            }
        };
        let (plain, coset) = (values(Fr::<E>::one()), values(shift));
        for form in [Form::Montgomery, Form::Canonical] {
            let place = format!("{} {family:?} 2^{log_size} {form:?}", E::CURVE);
            assert_eq!(transform(&coefficients, NttOp::Forward, form), plain, "forward {place}");
            assert_eq!(transform(&plain, NttOp::Inverse, form), coefficients, "inverse {place}");
            assert_eq!(transform(&coefficients, NttOp::CosetForward, form), coset, "coset {place}");
            assert_eq!(transform(&coset, NttOp::CosetInverse, form), coefficients, "coset inverse {place}");
        }
    }
}

fn against_arkworks<E: ProvingCurve>(plugin: &Arc<Plugin>) {
    let mut rng = generator(11);
    let (device, lane) = open::<E>(plugin);
    for log_size in [11, 12, 13, 15] {
        let n = 1_usize << log_size;
        let reference = Radix2EvaluationDomain::<Fr<E>>::new(n).unwrap();
        let shift = scalar(&mut rng);
        let (spec, root) = spec::<E>(log_size, RootFamily::Arkworks, shift);
        assert_eq!(root, reference.group_gen());
        let domain = Domain::load(&device, &spec).unwrap();
        let coefficients: Vec<Fr<E>> = (0..n).map(|_| scalar(&mut rng)).collect();
        let mut buffer = Scalars::alloc(&device, n).unwrap();
        for (op, inverse, wanted) in [
            (NttOp::Forward, NttOp::Inverse, reference.fft(&coefficients)),
            (
                NttOp::CosetForward,
                NttOp::CosetInverse,
                reference.get_coset(shift).unwrap().fft(&coefficients),
            ),
        ] {
            lane.upload(&mut buffer, 0, &montgomery::<E>(&coefficients), Form::Montgomery).unwrap();
            lane.ntt(&domain, &mut buffer, op).unwrap();
            let (bytes, _) = lane.download(&buffer, 0, n).unwrap();
            assert!(from_montgomery::<E>(&bytes) == wanted, "{op:?} 2^{log_size}");
            lane.ntt(&domain, &mut buffer, inverse).unwrap();
            let (bytes, _) = lane.download(&buffer, 0, n).unwrap();
            assert!(from_montgomery::<E>(&bytes) == coefficients, "{inverse:?} 2^{log_size}");
        }
    }
}

fn refused<E: ProvingCurve>(plugin: &Arc<Plugin>) {
    let (device, lane) = open::<E>(plugin);
    let (good, _) = spec::<E>(4, RootFamily::Snarkjs, Fr::<E>::one());
    let kind = |spec: &DomainSpec| Domain::load(&device, spec).unwrap_err().kind;
    assert_eq!(kind(&DomainSpec { log_size: 5, ..good }), BackendErrorKind::InvalidArgument);
    assert_eq!(kind(&DomainSpec { log_size: 3, ..good }), BackendErrorKind::InvalidArgument);
    assert_eq!(kind(&DomainSpec { log_size: 60, ..good }), BackendErrorKind::InvalidArgument);
    assert_eq!(kind(&DomainSpec { shift: [0; 32], ..good }), BackendErrorKind::InvalidArgument);
    assert_eq!(kind(&DomainSpec { generator: [0xff; 32], ..good }), BackendErrorKind::InvalidArgument);
    let domain = Domain::load(&device, &good).unwrap();
    let mut short = Scalars::alloc(&device, 15).unwrap();
    assert_eq!(
        lane.ntt(&domain, &mut short, NttOp::Forward).unwrap_err().kind,
        BackendErrorKind::InvalidArgument
    );
}
