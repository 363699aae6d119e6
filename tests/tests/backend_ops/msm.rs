//! MSM against the sum of single multiplications.

use std::sync::Arc;

use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{Field, One, PrimeField, Zero};
use interlock_core::backend::{Bases, Form, Group, MsmTerm, Plugin, Scalars};
use interlock_core::format::{MappedFile, Section};
use interlock_curves::ProvingCurve;
use interlock_tests::random::{g1_points, g2_points, generator, scalar};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;

use crate::{Fr, canonical, montgomery, on_every_backend, open};

#[test]
fn lengths() {
    on_every_backend!(each_length);
}

#[test]
fn scalars() {
    on_every_backend!(each_kind_of_scalar);
}

#[test]
fn points() {
    on_every_backend!(each_kind_of_point);
}

#[test]
fn ranges_and_indices() {
    on_every_backend!(range_and_index);
}

#[test]
fn unaligned_points() {
    on_every_backend!(points_at_odd_addresses);
}

#[test]
fn repeated_runs_give_the_same_bytes() {
    on_every_backend!(repeated);
}

/// Packed points as a section of a file; `odd` bytes stand before them.
fn section(points: &[u8], odd: usize) -> Section {
    let mut bytes = vec![0xff; odd];
    bytes.extend_from_slice(points);
    bytes.push(0xff);
    let file = MappedFile::from_bytes("points", bytes).unwrap();
    Section::new(file, odd..odd + points.len()).unwrap()
}

fn g1_bytes<E: ProvingCurve>(points: &[E::G1Affine]) -> Vec<u8> {
    let size = E::CURVE.g1_bytes();
    let mut bytes = vec![0; size * points.len()];
    points.iter().zip(bytes.chunks_exact_mut(size)).for_each(|(point, out)| E::write_g1(point, out));
    bytes
}

fn g2_bytes<E: ProvingCurve>(points: &[E::G2Affine]) -> Vec<u8> {
    let size = E::CURVE.g2_bytes();
    let mut bytes = vec![0; size * points.len()];
    points.iter().zip(bytes.chunks_exact_mut(size)).for_each(|(point, out)| E::write_g2(point, out));
    bytes
}

fn naive<G: AffineRepr>(points: &[G], scalars: &[G::ScalarField]) -> G {
    let terms = points.iter().zip(scalars);
    terms
        .fold(G::Group::zero(), |sum, (point, scalar)| sum + point.mul_bigint(scalar.into_bigint()))
        .into_affine()
}

/// Checks both groups in both forms.
fn check<E: ProvingCurve>(
    plugin: &Arc<Plugin>,
    what: &str,
    g1: &[E::G1Affine],
    g2: &[E::G2Affine],
    scalars: &[Fr<E>],
) {
    let (device, lane) = open::<E>(plugin);
    let g1_bases = Bases::load(&device, Group::G1, section(&g1_bytes::<E>(g1), 0), None).unwrap();
    let g2_bases = Bases::load(&device, Group::G2, section(&g2_bytes::<E>(g2), 0), None).unwrap();
    let mut buffer = Scalars::alloc(&device, scalars.len()).unwrap();
    for (form, bytes) in
        [(Form::Canonical, canonical::<E>(scalars)), (Form::Montgomery, montgomery::<E>(scalars))]
    {
        lane.upload(&mut buffer, 0, &bytes, form).unwrap();
        let terms = [&g1_bases, &g2_bases].map(|bases| MsmTerm { bases, first: 0 });
        let sums = lane.msm(&buffer, &terms).unwrap();
        let place = format!("{} {} {what} {form:?}", plugin.origin(), E::CURVE);
        assert_eq!(E::read_g1_jacobian(&sums[0]).unwrap().into_affine(), naive(g1, scalars), "G1 {place}");
        assert_eq!(E::read_g2_jacobian(&sums[1]).unwrap().into_affine(), naive(g2, scalars), "G2 {place}");
    }
}

fn random_scalars<E: ProvingCurve>(n: usize, rng: &mut ChaCha20Rng) -> Vec<Fr<E>> {
    (0..n).map(|_| scalar(rng)).collect()
}

fn each_length<E: ProvingCurve>(plugin: &Arc<Plugin>) {
    let mut rng = generator(1);
    let (g1, g2) = (g1_points::<E>(1025, &mut rng), g2_points::<E>(1025, &mut rng));
    for n in [0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 127, 128, 129, 1023, 1024, 1025] {
        check::<E>(plugin, &format!("length {n}"), &g1[..n], &g2[..n], &random_scalars::<E>(n, &mut rng));
    }
}

fn each_kind_of_scalar<E: ProvingCurve>(plugin: &Arc<Plugin>) {
    const N: usize = 300;
    let mut rng = generator(2);
    let (g1, g2) = (g1_points::<E>(N, &mut rng), g2_points::<E>(N, &mut rng));
    let one = Fr::<E>::one();
    let small = Fr::<E>::from(200_u64);
    let edge = Fr::<E>::from(u64::MAX);
    let random: Fr<E> = scalar(&mut rng);
    let bits = |percent: u32, rng: &mut ChaCha20Rng| -> Vec<Fr<E>> {
        let mut value = || match rng.next_u32() % 100 {
            dice if dice >= percent => scalar(rng),
            dice => Fr::<E>::from(u64::from(dice % 2)),
        };
        (0..N).map(|_| value()).collect()
    };
    let rows = [
        ("all zero", vec![Fr::<E>::zero(); N]),
        ("all one", vec![one; N]),
        ("all r − 1", vec![-one; N]),
        ("all equal", vec![random; N]),
        ("all tiny", (0..N).map(|i| Fr::<E>::from(i as u64 % 5)).collect()),
        ("all 200", vec![small; N]),
        ("around 2^64", (0..N).map(|i| edge + Fr::<E>::from(i as u64 % 3)).collect()),
        ("powers of two", (0..N).map(|i| Fr::<E>::from(2_u64).pow([i as u64 % 255])).collect()),
        ("70 % bits", bits(70, &mut rng)),
        ("99 % bits", bits(99, &mut rng)),
        ("one, then zeros", std::iter::once(one).chain(vec![Fr::<E>::zero(); N - 1]).collect()),
    ];
    for (what, scalars) in rows {
        check::<E>(plugin, what, &g1, &g2, &scalars);
    }
}

fn each_kind_of_point<E: ProvingCurve>(plugin: &Arc<Plugin>) {
    const N: usize = 64;
    let mut rng = generator(3);
    let (g1, g2) = (g1_points::<E>(N, &mut rng), g2_points::<E>(N, &mut rng));
    let scalars = random_scalars::<E>(N, &mut rng);
    let equal = vec![scalars[0]; N];
    let ones = vec![Fr::<E>::one(); N];

    let infinite = (vec![E::G1Affine::zero(); N], vec![E::G2Affine::zero(); N]);
    check::<E>(plugin, "all infinity", &infinite.0, &infinite.1, &scalars);
    let some = |i: usize| i.is_multiple_of(3);
    let sparse1: Vec<_> =
        g1.iter().enumerate().map(|(i, &p)| if some(i) { E::G1Affine::zero() } else { p }).collect();
    let sparse2: Vec<_> =
        g2.iter().enumerate().map(|(i, &p)| if some(i) { E::G2Affine::zero() } else { p }).collect();
    check::<E>(plugin, "a third infinity", &sparse1, &sparse2, &scalars);
    check::<E>(plugin, "a third infinity, ones", &sparse1, &sparse2, &ones);

    for (what, scalars) in [("ones", &ones), ("equal scalars", &equal), ("random scalars", &scalars)] {
        check::<E>(plugin, &format!("one point N times, {what}"), &[g1[0]; N], &[g2[0]; N], scalars);
        let turned = |i: usize| i % 2 == 1;
        let pairs1: Vec<_> =
            (0..N).map(|i| if turned(i) { (-g1[i - 1].into_group()).into() } else { g1[i] }).collect();
        let pairs2: Vec<_> =
            (0..N).map(|i| if turned(i) { (-g2[i - 1].into_group()).into() } else { g2[i] }).collect();
        check::<E>(plugin, &format!("P and −P, {what}"), &pairs1, &pairs2, scalars);
    }
}

fn range_and_index<E: ProvingCurve>(plugin: &Arc<Plugin>) {
    let mut rng = generator(4);
    let points = g1_points::<E>(10, &mut rng);
    let scalars = random_scalars::<E>(40, &mut rng);
    let (device, lane) = open::<E>(plugin);
    let mut buffer = Scalars::alloc(&device, scalars.len()).unwrap();
    lane.upload(&mut buffer, 0, &canonical::<E>(&scalars), Form::Canonical).unwrap();
    let index: Vec<u32> = vec![0, 1, 5, 6, 7, 11, 19, 20, 28, 29];
    let bytes = g1_bytes::<E>(&points);
    let bases = Bases::load(&device, Group::G1, section(&bytes, 0), Some(index.clone().into())).unwrap();
    for first in [0, 1, 10] {
        let sums = lane.msm(&buffer, &[MsmTerm { bases: &bases, first }]).unwrap();
        let chosen: Vec<_> = index.iter().map(|&i| scalars[first + i as usize]).collect();
        assert_eq!(
            E::read_g1_jacobian(&sums[0]).unwrap().into_affine(),
            naive(&points, &chosen),
            "first {first}"
        );
    }
    // Position 29 of a range that begins at 11 is one beyond the buffer.
    assert!(lane.msm(&buffer, &[MsmTerm { bases: &bases, first: 11 }]).is_err());
    assert!(lane.msm(&buffer, &[]).unwrap().is_empty());
}

fn points_at_odd_addresses<E: ProvingCurve>(plugin: &Arc<Plugin>) {
    let mut rng = generator(5);
    let points = g1_points::<E>(50, &mut rng);
    let scalars = random_scalars::<E>(50, &mut rng);
    let (device, lane) = open::<E>(plugin);
    let mut buffer = Scalars::alloc(&device, scalars.len()).unwrap();
    lane.upload(&mut buffer, 0, &canonical::<E>(&scalars), Form::Canonical).unwrap();
    for odd in [1, 4, 7] {
        let bases = Bases::load(&device, Group::G1, section(&g1_bytes::<E>(&points), odd), None).unwrap();
        let sums = lane.msm(&buffer, &[MsmTerm { bases: &bases, first: 0 }]).unwrap();
        assert_eq!(
            E::read_g1_jacobian(&sums[0]).unwrap().into_affine(),
            naive(&points, &scalars),
            "offset {odd}"
        );
    }
}

fn repeated<E: ProvingCurve>(plugin: &Arc<Plugin>) {
    let mut rng = generator(6);
    let points = g1_points::<E>(2000, &mut rng);
    let scalars = random_scalars::<E>(2000, &mut rng);
    let (device, lane) = open::<E>(plugin);
    let mut buffer = Scalars::alloc(&device, scalars.len()).unwrap();
    lane.upload(&mut buffer, 0, &canonical::<E>(&scalars), Form::Canonical).unwrap();
    let bases = Bases::load(&device, Group::G1, section(&g1_bytes::<E>(&points), 0), None).unwrap();
    let affine = || {
        let sums = lane.msm(&buffer, &[MsmTerm { bases: &bases, first: 0 }]).unwrap();
        E::read_g1_jacobian(&sums[0]).unwrap().into_affine()
    };
    let first = affine();
    for _ in 0..3 {
        assert_eq!(affine(), first);
    }
}
