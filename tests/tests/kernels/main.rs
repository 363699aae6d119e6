//! The arithmetic of the CUDA kernels, compiled as C++ for the host, against arkworks: fields, extension, points, digits.
#![cfg(target_os = "linux")]

mod library;

use ark_ec::AffineRepr;
use ark_ff::{BigInteger, Field, PrimeField};
use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};
use interlock_curves::roots::{RootFamily, root_of_unity};
use interlock_curves::{Bls12_381, Bn254, ProvingCurve, WireField};
use interlock_tests::random;
use library::{FieldOp, Sum, library};
use rand_chacha::ChaCha20Rng;

/// 0, 1, 2, −1, −2, values around 2^32 and half of p, and random ones.
fn values<F: PrimeField>(seed: u64) -> Vec<F> {
    let mut rng = random::generator(seed);
    let two32 = F::from(1_u64 << 32);
    let mut found =
        vec![F::zero(), F::one(), F::from(2_u64), -F::one(), -F::from(2_u64), two32, two32 - F::one()];
    found.push(F::from(2_u64).inverse().unwrap());
    found.push(-F::from(2_u64).inverse().unwrap());
    // Their Montgomery forms have words of zeros and ones.
    let r = F::from(2_u64).pow([F::MODULUS_BIT_SIZE.next_multiple_of(64) as u64]);
    found.extend([r.inverse().unwrap(), -r.inverse().unwrap(), r]);
    found.extend((0..40).map(|_| random::scalar::<F>(&mut rng)));
    found
}

fn wire<F: WireField>(values: &[F]) -> Vec<u8> {
    let mut bytes = vec![0; values.len() * F::BYTES];
    values.iter().zip(bytes.chunks_exact_mut(F::BYTES)).for_each(|(value, out)| value.write_montgomery(out));
    bytes
}

/// Each with each.
fn pairs<F: Copy>(values: &[F]) -> (Vec<F>, Vec<F>) {
    values.iter().flat_map(|a| values.iter().map(move |b| (*a, *b))).unzip()
}

fn field<F: PrimeField + WireField>(number: u32) {
    let (a, b) = pairs(&values::<F>(7));
    let (left, right) = (wire(&a), wire(&b));
    let expected = |op: FieldOp| -> Vec<F> {
        let result = |(a, b): (&F, &F)| match op {
            FieldOp::Add => *a + b,
            FieldOp::Sub => *a - b,
            FieldOp::Mul => *a * b,
            FieldOp::Square => a.square(),
            FieldOp::Negate => -*a,
            FieldOp::Double => a.double(),
        };
        a.iter().zip(&b).map(result).collect()
    };
    for op in FieldOp::ALL {
        let got = library().field(number, op as u32, &left, &right, F::BYTES);
        assert!(got == wire(&expected(op)), "field {number}: {op:?}");
    }
    // To the number and back.
    let canonical = library().field(number, 6, &left, &right, F::BYTES);
    let numbers: Vec<u8> = a
        .iter()
        .flat_map(|value| {
            let mut bytes = value.into_bigint().to_bytes_le();
            bytes.resize(F::BYTES, 0);
            bytes
        })
        .collect();
    assert!(canonical == numbers, "field {number}: canonical");
    assert!(
        library().field(number, 7, &canonical, &right, F::BYTES) == left,
        "field {number}: Montgomery form"
    );
}

#[test]
fn the_four_fields() {
    field::<ark_bls12_381::Fq>(0);
    field::<ark_bls12_381::Fr>(1);
    field::<ark_bn254::Fq>(2);
    field::<ark_bn254::Fr>(3);
}

/// Each with each of 0, 1, −1, u and random elements.
fn extension<F: Field + WireField>(number: u32, random: impl Iterator<Item = F>) {
    let mut values: Vec<F> = random.collect();
    values.extend([F::zero(), F::one(), -F::one(), F::from(2_u64)]);
    let (a, b) = pairs(&values);
    let (left, right) = (wire(&a), wire(&b));
    for op in FieldOp::ALL {
        let result = |(a, b): (&F, &F)| match op {
            FieldOp::Add => *a + b,
            FieldOp::Sub => *a - b,
            FieldOp::Mul => *a * b,
            FieldOp::Square => a.square(),
            FieldOp::Negate => -*a,
            FieldOp::Double => a.double(),
        };
        let expected: Vec<F> = a.iter().zip(&b).map(result).collect();
        let got = library().field(number, op as u32, &left, &right, F::BYTES);
        assert!(got == wire(&expected), "extension {number}: {op:?}");
    }
}

#[test]
fn the_extensions() {
    let bls: Vec<ark_bls12_381::Fq> = values(3);
    extension(4, bls.iter().zip(bls.iter().rev()).map(|(a, b)| ark_bls12_381::Fq2::new(*a, *b)));
    let bn: Vec<ark_bn254::Fq> = values(4);
    extension(5, bn.iter().zip(bn.iter().rev()).map(|(a, b)| ark_bn254::Fq2::new(*a, *b)));
}

/// Sums of points that are random, equal, opposite, infinity.
fn points<E: ProvingCurve>(g1: u32, g2: u32) {
    let mut rng = random::generator(11);
    let (p, q) = (random::g1_points::<E>(9, &mut rng), random::g2_points::<E>(9, &mut rng));
    // Positions; negative ones are opposites, 0 is infinity.
    let sums: [&[i32]; 14] = [
        &[],
        &[0],
        &[1],
        &[1, 1],
        &[1, -1],
        &[1, -1, 2],
        &[0, 1, 0, 2],
        &[1, 2, 3, 4, 5, 6, 7, 8],
        &[1, 1, 1, 1, 1, 1],
        &[1, 2, 1, 2],
        &[1, 2, -2, -1],
        &[1, 2, -1, -2, 5],
        &[1, 2, 2, 1],
        &[0, 0, 0],
    ];
    for chosen in sums {
        let first: Vec<E::G1Affine> = chosen.iter().map(|at| pick(&p, *at)).collect();
        let second: Vec<E::G2Affine> = chosen.iter().map(|at| pick(&q, *at)).collect();
        for in_halves in [false, true] {
            for doublings in [0, 1, 3] {
                let factor = E::ScalarField::from(1_u64 << doublings);
                let mut bytes = vec![0; first.len() * E::CURVE.g1_bytes()];
                let places = bytes.chunks_exact_mut(E::CURVE.g1_bytes());
                first.iter().zip(places).for_each(|(point, out)| E::write_g1(point, out));
                let sum = library().sum(
                    g1,
                    first.len(),
                    &bytes,
                    in_halves,
                    doublings,
                    E::CURVE.g1_jacobian_bytes(),
                );
                let expected = first.iter().map(|point| point.into_group()).sum::<E::G1>() * factor;
                assert_eq!(
                    E::read_g1_jacobian(&sum).unwrap(),
                    expected,
                    "{chosen:?} {in_halves} {doublings}"
                );

                let mut bytes = vec![0; second.len() * E::CURVE.g2_bytes()];
                let places = bytes.chunks_exact_mut(E::CURVE.g2_bytes());
                second.iter().zip(places).for_each(|(point, out)| E::write_g2(point, out));
                let sum = library().sum(
                    g2,
                    second.len(),
                    &bytes,
                    in_halves,
                    doublings,
                    E::CURVE.g2_jacobian_bytes(),
                );
                let expected = second.iter().map(|point| point.into_group()).sum::<E::G2>() * factor;
                assert_eq!(
                    E::read_g2_jacobian(&sum).unwrap(),
                    expected,
                    "{chosen:?} {in_halves} {doublings}"
                );
            }
        }
    }
}

fn pick<A: AffineRepr>(points: &[A], at: i32) -> A {
    match at {
        0 => A::zero(),
        at if at < 0 => (-points[at.unsigned_abs() as usize].into_group()).into(),
        at => points[at as usize],
    }
}

#[test]
fn points_of_both_groups() {
    points::<Bls12_381>(0, 1);
    points::<Bn254>(2, 3);
}

/// Σ dᵢ·2^(width·i) is the scalar again, and every digit is within its bounds.
fn digits<F: PrimeField>() {
    for width in 3..=24 {
        for scalar in values::<F>(5) {
            let mut words = [0_u32; 8];
            let bytes = scalar.into_bigint().to_bytes_le();
            words
                .iter_mut()
                .zip(bytes.as_chunks().0)
                .for_each(|(word, bytes)| *word = u32::from_le_bytes(*bytes));
            let digits = library().digits(&words, width);
            let half = 1_i32 << (width - 1);
            let mut sum = F::zero();
            for digit in digits.iter().rev() {
                assert!((-half..half).contains(digit), "width {width}: {digit}");
                sum *= F::from(1_u64 << width);
                sum += F::from(i64::from(*digit));
            }
            assert_eq!(sum, scalar, "width {width}: {digits:?}");
        }
    }
}

#[test]
fn signed_digits() {
    digits::<ark_bls12_381::Fr>();
    digits::<ark_bn254::Fr>();
}

/// The four transforms of every size up to 2^17 (three passes), with both families of roots of unity.
fn transforms<E: ProvingCurve>(field: u32)
where
    E::ScalarField: WireField,
{
    let mut rng = random::generator(19);
    let shift: E::ScalarField = random::scalar(&mut rng);
    for log_size in 0..=17 {
        let n = 1_usize << log_size;
        let data: Vec<E::ScalarField> = (0..n).map(|_| random::scalar(&mut rng)).collect();
        for family in [RootFamily::Snarkjs, RootFamily::Arkworks] {
            let root = root_of_unity::<E>(log_size, family).unwrap();
            let coset = |offset| Radix2EvaluationDomain::<E::ScalarField> {
                size: n as u64,
                log_size_of_group: log_size,
                size_as_field_element: E::ScalarField::from(n as u64),
                size_inv: E::ScalarField::from(n as u64).inverse().unwrap(),
                group_gen: root,
                group_gen_inv: root.inverse().unwrap(),
                offset,
                offset_inv: offset.inverse().unwrap(),
                offset_pow_size: offset.pow([n as u64]),
            };
            let one = E::ScalarField::from(1_u64);
            let inverses =
                [root, shift, E::ScalarField::from(n as u64)].map(|value| value.inverse().unwrap());
            for (op, expected) in [
                (0, coset(one).fft(&data)),
                (1, coset(one).ifft(&data)),
                (2, coset(shift).fft(&data)),
                (3, coset(shift).ifft(&data)),
            ] {
                let given = [&wire(&[root])[..], &wire(&[shift]), &wire(&inverses)];
                let got = library().ntt(field, op, log_size as i32, given, wire(&data));
                assert!(got == wire(&expected), "{}, 2^{log_size}, {family:?}: transform {op}", E::CURVE);
            }
        }
    }
}

#[test]
fn transforms_of_every_size() {
    transforms::<Bls12_381>(1);
    transforms::<Bn254>(3);
}

/// Sums of both groups: lengths at which runs end, scalars that are skewed, points that are equal, opposite, infinity.
fn sums<E: ProvingCurve>(g1: u32, g2: u32) {
    let mut rng = random::generator(23);
    let (p, q) = (random::g1_points::<E>(1100, &mut rng), random::g2_points::<E>(300, &mut rng));
    type Make<F> = fn(usize, &mut ChaCha20Rng) -> F;
    let kinds: [(&str, Make<E::ScalarField>); 8] = [
        ("random", |_, rng| random::scalar(rng)),
        ("zero", |_, _| 0_u64.into()),
        ("one", |_, _| 1_u64.into()),
        ("r − 1", |_, _| -E::ScalarField::from(1_u64)),
        ("equal", |_, _| E::ScalarField::from(0x1234_5678_9abc_def1_u64).square().square()),
        ("tiny", |i, _| (i as u64 % 256).into()),
        ("bits", |i, rng| if i % 10 == 0 { random::scalar(rng) } else { (i as u64 % 2).into() }),
        ("plus and minus", |i, _| if i % 2 == 0 { 7_u64.into() } else { -E::ScalarField::from(7_u64) }),
    ];
    for (n, width) in [(0, 4), (1, 5), (2, 3), (31, 7), (32, 8), (33, 8), (255, 5), (1023, 6), (1100, 11)] {
        for (kind, make) in kinds {
            let scalars: Vec<E::ScalarField> = (0..n).map(|i| make(i, &mut rng)).collect();
            for bases in ["distinct", "gaps", "opposites"] {
                let choose = |i: usize| match bases {
                    "gaps" if i % 3 == 2 => 0,
                    "opposites" => [1, -1][i % 2],
                    _ => i as i32 % 1000 + 1,
                };
                let points: Vec<E::G1Affine> = (0..n).map(|i| pick(&p, choose(i))).collect();
                let mut bytes = vec![0; n * E::CURVE.g1_bytes()];
                let places = bytes.chunks_exact_mut(E::CURVE.g1_bytes());
                points.iter().zip(places).for_each(|(point, out)| E::write_g1(point, out));
                let expected: E::G1 =
                    points.iter().zip(&scalars).map(|(point, scalar)| *point * scalar).sum();
                for montgomery in [false, true] {
                    let form = if montgomery { E::scalar_to_montgomery } else { E::scalar_to_canonical };
                    let scalars: Vec<u8> = scalars.iter().flat_map(form).collect();
                    let (points, result_bytes) = (&bytes[..], E::CURVE.g1_jacobian_bytes());
                    let sum =
                        Sum { count: n, points, index: None, scalars: &scalars, montgomery, result_bytes };
                    let got = E::read_g1_jacobian(&library().msm(g1, width, &sum)).unwrap();
                    assert_eq!(
                        got, expected,
                        "G1, {n} {kind} scalars, {bases} bases, {width} bits, {montgomery}"
                    );
                }
            }
            // G2, with an index: every second scalar has no base.
            let n = n.min(299);
            let points: Vec<E::G2Affine> =
                (0..n).map(|i| pick(&q, if i % 5 == 4 { 0 } else { i as i32 + 1 })).collect();
            let mut bytes = vec![0; n * E::CURVE.g2_bytes()];
            let places = bytes.chunks_exact_mut(E::CURVE.g2_bytes());
            points.iter().zip(places).for_each(|(point, out)| E::write_g2(point, out));
            let index: Vec<u32> = (0..n as u32).map(|i| 2 * i + 1).collect();
            let twice: Vec<u8> = scalars[..n]
                .iter()
                .flat_map(|x| [E::scalar_to_canonical(&(*x + x)), E::scalar_to_canonical(x)])
                .flatten()
                .collect();
            let expected: E::G2 = points.iter().zip(&scalars).map(|(point, scalar)| *point * scalar).sum();
            let (points, result_bytes) = (&bytes[..], E::CURVE.g2_jacobian_bytes());
            let sum = Sum {
                count: n,
                points,
                index: Some(&index),
                scalars: &twice,
                montgomery: false,
                result_bytes,
            };
            let got = E::read_g2_jacobian(&library().msm(g2, width, &sum)).unwrap();
            assert_eq!(got, expected, "G2, {n} {kind} scalars, {width} bits");
        }
    }
}

#[test]
fn sums_on_bls12_381() {
    sums::<Bls12_381>(0, 1);
}

#[test]
fn sums_on_bn254() {
    sums::<Bn254>(2, 3);
}
