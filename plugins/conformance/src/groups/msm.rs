//! Sums: lengths, scalars and points.

use std::sync::Arc;

use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{Field, One, Zero};
use interlock_core::backend::{Bases, Group, Lane, MsmTerm};
use interlock_curves::ProvingCurve;

use crate::outcome::{Outcome, Stop, holds};
use crate::reference::Fr;
use crate::reference::points::{POINTS, Points, expect_g1, expect_g2, section};
use crate::reference::scalars::{FORMS, mostly_bits, scalar, shown, upload, vector};
use crate::row::{Rows, Setting};

pub(crate) fn rows<E: ProvingCurve>(rows: &mut Rows) {
    let mut lengths = vec![0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 127, 128, 129];
    for log in [10, 12, 14, 16] {
        if log <= rows.level.largest_log() {
            lengths.extend([(1 << log) - 1, 1 << log, (1 << log) + 1]);
        }
    }
    // Made once, when the first row needs them.
    let most = lengths.iter().copied().max().unwrap_or(0);
    let points = Arc::new(std::sync::LazyLock::new(move || Points::<E>::chain(most)));
    for n in lengths {
        let points = Arc::clone(&points);
        rows.add(format!("length {n}"), move |setting| {
            let scalars = vector(n, &mut setting.rng);
            sum::<E>(setting, POINTS, &points.first(n), &scalars)
        });
    }
    for (name, make) in kinds::<E>() {
        let points = Arc::clone(&points);
        rows.add(format!("scalars: {name}"), move |setting| {
            let scalars = make(SOME, setting);
            sum::<E>(setting, POINTS, &points.first(SOME), &scalars)
        });
    }
    for (name, choose) in choices() {
        let points = Arc::clone(&points);
        rows.add(format!("points: {name}"), move |setting| {
            let picked = points.pick((0..64).map(choose));
            let random: Vec<Fr<E>> = vector(64, &mut setting.rng);
            let input = format!("bases: {name}; {POINTS}");
            sum::<E>(setting, &input, &picked, &random)?;
            sum::<E>(setting, &input, &picked, &[Fr::<E>::one(); 64])?;
            sum::<E>(setting, &input, &picked, &[random[0]; 64])?;
            let bits = mostly_bits(64, 90, &mut setting.rng);
            sum::<E>(setting, &input, &picked, &bits)
        });
    }
    rows.add("a sum at infinity", |setting| infinity::<E>(setting));
    rows.add("the sum of single products", |setting| by_definition::<E>(setting));
}

const SOME: usize = 300;

type Kind<E> = (&'static str, fn(usize, &mut Setting<'_>) -> Vec<Fr<E>>);

fn kinds<E: ProvingCurve>() -> Vec<Kind<E>> {
    vec![
        ("all zero", |n, _| vec![Fr::<E>::zero(); n]),
        ("all one", |n, _| vec![Fr::<E>::one(); n]),
        ("all r − 1", |n, _| vec![-Fr::<E>::one(); n]),
        ("all r − 2", |n, _| vec![-Fr::<E>::from(2_u64); n]),
        ("all equal", |n, setting| vec![scalar(&mut setting.rng); n]),
        ("all tiny", |n, _| (0..n).map(|i| Fr::<E>::from(i as u64 % 5)).collect()),
        ("all of one byte", |n, _| (0..n).map(|i| Fr::<E>::from(i as u64 % 256)).collect()),
        ("around 2^64", |n, _| {
            (0..n).map(|i| Fr::<E>::from(u64::MAX) + Fr::<E>::from(i as u64 % 3)).collect()
        }),
        ("powers of two", |n, _| (0..n).map(|i| Fr::<E>::from(2_u64).pow([i as u64 % 255])).collect()),
        ("powers of two, less one", |n, _| {
            (0..n).map(|i| Fr::<E>::from(2_u64).pow([i as u64 % 255]) - Fr::<E>::one()).collect()
        }),
        ("0, 1 and r − 1 in turn", |n, _| {
            (0..n).map(|i| [Fr::<E>::zero(), Fr::<E>::one(), -Fr::<E>::one()][i % 3]).collect()
        }),
        ("70 % zeros and ones", |n, setting| mostly_bits(n, 70, &mut setting.rng)),
        ("90 % zeros and ones", |n, setting| mostly_bits(n, 90, &mut setting.rng)),
        ("99 % zeros and ones", |n, setting| mostly_bits(n, 99, &mut setting.rng)),
        ("one, then zeros", |n, _| (0..n).map(|i| Fr::<E>::from(u64::from(i == 0))).collect()),
        ("zeros, then one", |n, _| (0..n).map(|i| Fr::<E>::from(u64::from(i + 1 == n))).collect()),
    ]
}

type Choice = (&'static str, fn(usize) -> Option<(usize, bool)>);

fn choices() -> Vec<Choice> {
    vec![
        ("all at infinity", |_| None),
        ("a third at infinity", |i| (!i.is_multiple_of(3)).then_some((i, false))),
        ("all but the last at infinity", |i| (i == 63).then_some((i, false))),
        ("one point again and again", |_| Some((0, false))),
        ("each point twice in a row", |i| Some((i / 2, false))),
        ("P and −P in turn", |i| Some((i / 2, i % 2 == 1))),
        ("P, then −P half the way on", |i| Some((i % 32, i >= 32))),
    ]
}

/// Both groups at once, in both forms.
fn sum<E: ProvingCurve>(
    setting: &Setting<'_>,
    bases: &str,
    points: &Points<E>,
    scalars: &[Fr<E>],
) -> Outcome {
    let (_, lane) = setting.open::<E>()?;
    let (g1, g2) = load::<E>(&lane, points)?;
    let log = points.log_of_sum(scalars);
    for form in FORMS {
        let buffer = upload::<E>(&lane, scalars, form)?;
        let terms = [&g1, &g2].map(|bases| MsmTerm { bases, first: 0 });
        let sums = lane.msm(&buffer, &terms)?;
        let input = format!("{} in {form:?} form; {bases}", shown(scalars));
        expect_g1::<E>(&format!("G1: {input}"), log, &sums[0])?;
        expect_g2::<E>(&format!("G2: {input}"), log, &sums[1])?;
    }
    Ok(())
}

/// The points of both groups, known to the lane's device.
pub(super) fn load<E: ProvingCurve>(lane: &Lane, points: &Points<E>) -> Result<(Bases, Bases), Stop> {
    Ok((
        Bases::load(lane.device(), Group::G1, section(&points.g1_wire(), 0)?, None)?,
        Bases::load(lane.device(), Group::G2, section(&points.g2_wire(), 0)?, None)?,
    ))
}

/// The last scalar is what makes the logarithms cancel.
fn infinity<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    for n in [2, 3, 64, 500] {
        let points = Points::<E>::chain(n);
        let mut scalars: Vec<Fr<E>> = vector(n, &mut setting.rng);
        let last = points.logs[n - 1].inverse().unwrap_or(Fr::<E>::zero());
        scalars[n - 1] = Fr::<E>::zero();
        scalars[n - 1] = -points.log_of_sum(&scalars) * last;
        let log = points.log_of_sum(&scalars);
        holds("the suite's own input", "logarithms that cancel", log.is_zero(), log)?;
        sum::<E>(setting, POINTS, &points, &scalars)?;
    }
    Ok(())
}

/// Without logarithms: arkworks' multiplications, added up.
fn by_definition<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let points = Points::<E>::chain(20);
    let scalars: Vec<Fr<E>> = vector(20, &mut setting.rng);
    let (_, lane) = setting.open::<E>()?;
    let (g1, _) = load::<E>(&lane, &points)?;
    let buffer = upload::<E>(&lane, &scalars, interlock_core::backend::Form::Canonical)?;
    let sums = lane.msm(&buffer, &[MsmTerm { bases: &g1, first: 0 }])?;
    let terms = points.g1.iter().zip(&scalars).map(|(point, scalar)| point.into_group() * scalar);
    let expected: E::G1 = terms.sum();
    let got = E::read_g1_jacobian(&sums[0]);
    let input = format!("{}; {POINTS}", shown(&scalars));
    holds(
        input,
        expected.into_affine(),
        got.is_ok_and(|sum| sum == expected),
        got.map_or_else(|error| error.to_string(), |sum| sum.into_affine().to_string()),
    )
}
