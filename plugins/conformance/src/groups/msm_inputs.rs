//! Sums: ranges, indices, several at once, and what must make no difference.

use std::sync::Arc;

use ark_ff::{One, Zero};
use interlock_core::backend::{Bases, Form, Group, MsmTerm};
use interlock_curves::ProvingCurve;
use rand_chacha::rand_core::Rng;

use super::msm::load;
use crate::outcome::{Outcome, equal};
use crate::reference::Fr;
use crate::reference::points::{POINTS, Points, expect_g1, expect_g2, section};
use crate::reference::scalars::{shown, upload, vector};
use crate::row::{Rows, Setting};

pub(crate) fn rows<E: ProvingCurve>(rows: &mut Rows) {
    rows.add("ranges that begin behind the first scalar", ranges::<E>);
    rows.add("an index", indices::<E>);
    rows.add("an index with bases at infinity", index_and_infinity::<E>);
    rows.add("several sums over one scalar buffer", several::<E>);
    rows.add("no sum at all", nothing::<E>);
    rows.add("bases at odd addresses", odd::<E>);
    rows.add("more scalars than bases", longer::<E>);
    rows.add("a sum does not depend on the one before", stale::<E>);
    rows.add("repeated sums are the same point", repeated::<E>);
}

fn ranges<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (_, lane) = setting.open::<E>()?;
    let points = Points::<E>::chain(40);
    let scalars: Vec<Fr<E>> = vector(100, &mut setting.rng);
    let (g1, g2) = load::<E>(&lane, &points)?;
    for form in [Form::Canonical, Form::Montgomery] {
        let buffer = upload::<E>(&lane, &scalars, form)?;
        for first in [0, 1, 33, 60] {
            let sums = lane.msm(&buffer, &[MsmTerm { bases: &g1, first }, MsmTerm { bases: &g2, first }])?;
            let log = points.log_of_sum(&scalars[first..]);
            let input = format!("{} in {form:?} form from {first} on; 40 {POINTS}", shown(&scalars));
            expect_g1::<E>(&format!("G1: {input}"), log, &sums[0])?;
            expect_g2::<E>(&format!("G2: {input}"), log, &sums[1])?;
        }
    }
    Ok(())
}

/// Ascending positions with gaps.
fn index(n: usize, setting: &mut Setting<'_>) -> Arc<[u32]> {
    let mut next = 0;
    let mut step = || {
        next += 1 + setting.rng.next_u32() % 4;
        next - 1
    };
    (0..n).map(|_| step()).collect()
}

fn indices<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    for n in [1, 10, 200] {
        let index = index(n, setting);
        indexed::<E>(setting, &Points::<E>::chain(n), &index)?;
    }
    // The identity, written down; a single base far away.
    indexed::<E>(setting, &Points::<E>::chain(50), &(0..50).collect::<Arc<[u32]>>())?;
    indexed::<E>(setting, &Points::<E>::chain(1), &Arc::from([999]))
}

fn index_and_infinity<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let points = Points::<E>::chain(100).pick((0..100).map(|i| (i % 4 != 1).then_some((i, false))));
    let index = index(100, setting);
    indexed::<E>(setting, &points, &index)
}

fn indexed<E: ProvingCurve>(setting: &mut Setting<'_>, points: &Points<E>, index: &Arc<[u32]>) -> Outcome {
    let (device, lane) = setting.open::<E>()?;
    let span = index.last().map_or(0, |&last| last as usize + 1);
    let scalars: Vec<Fr<E>> = vector(span + 5, &mut setting.rng);
    let g1 = Bases::load(&device, Group::G1, section(&points.g1_wire(), 0)?, Some(Arc::clone(index)))?;
    let g2 = Bases::load(&device, Group::G2, section(&points.g2_wire(), 0)?, Some(Arc::clone(index)))?;
    let buffer = upload::<E>(&lane, &scalars, Form::Canonical)?;
    for first in [0, 1, 5] {
        let chosen: Vec<Fr<E>> = index.iter().map(|&i| scalars[first + i as usize]).collect();
        let sums = lane.msm(&buffer, &[MsmTerm { bases: &g1, first }, MsmTerm { bases: &g2, first }])?;
        let log = points.log_of_sum(&chosen);
        let begin = &index[..index.len().min(6)];
        let input =
            format!("{} from {first} on; index {begin:?} …, {} {POINTS}", shown(&scalars), points.len());
        expect_g1::<E>(&format!("G1: {input}"), log, &sums[0])?;
        expect_g2::<E>(&format!("G2: {input}"), log, &sums[1])?;
    }
    Ok(())
}

/// As a proof has them: bases of both groups, of different lengths, with and without an index, over one witness.
fn several<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (device, lane) = setting.open::<E>()?;
    let points = Points::<E>::chain(300);
    let scalars: Vec<Fr<E>> = vector(300, &mut setting.rng);
    let (all1, all2) = load::<E>(&lane, &points)?;
    let (few1, few2) = load::<E>(&lane, &points.first(17))?;
    let even: Arc<[u32]> = (0..150).map(|i| 2 * i).collect();
    let half = points.first(150);
    let evens = Bases::load(&device, Group::G1, section(&half.g1_wire(), 0)?, Some(even))?;
    let buffer = upload::<E>(&lane, &scalars, Form::Canonical)?;
    let terms = [(&all1, 0), (&few2, 100), (&few1, 283), (&all2, 0), (&evens, 0), (&few1, 0), (&all1, 0)]
        .map(|(bases, first)| MsmTerm { bases, first });
    let sums = lane.msm(&buffer, &terms)?;
    equal("msm of 7 sums, results", 7, sums.len())?;
    let few = points.first(17);
    let whole = points.log_of_sum(&scalars);
    let at_even: Vec<Fr<E>> = scalars.iter().step_by(2).copied().collect();
    let input = |which: usize| format!("sum {which} of 7 over {}; {POINTS}", shown(&scalars));
    expect_g1::<E>(&input(0), whole, &sums[0])?;
    expect_g2::<E>(&input(1), few.log_of_sum(&scalars[100..]), &sums[1])?;
    expect_g1::<E>(&input(2), few.log_of_sum(&scalars[283..]), &sums[2])?;
    expect_g2::<E>(&input(3), whole, &sums[3])?;
    expect_g1::<E>(&input(4), half.log_of_sum(&at_even), &sums[4])?;
    expect_g1::<E>(&input(5), few.log_of_sum(&scalars), &sums[5])?;
    expect_g1::<E>(&input(6), whole, &sums[6])
}

fn nothing<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (_, lane) = setting.open::<E>()?;
    let buffer = upload::<E>(&lane, &[Fr::<E>::one()], Form::Canonical)?;
    equal("msm of 0 sums, results", 0, lane.msm(&buffer, &[])?.len())?;
    // Bases without a point, over scalars and over none.
    let (g1, g2) = load::<E>(&lane, &Points::<E>::chain(0))?;
    for count in [0, 1] {
        let buffer = upload::<E>(&lane, &vec![Fr::<E>::one(); count], Form::Canonical)?;
        let sums =
            lane.msm(&buffer, &[MsmTerm { bases: &g1, first: count }, MsmTerm { bases: &g2, first: 0 }])?;
        let input = format!("no bases over {count} scalars");
        expect_g1::<E>(&input, Fr::<E>::zero(), &sums[0])?;
        expect_g2::<E>(&input, Fr::<E>::zero(), &sums[1])?;
    }
    Ok(())
}

fn odd<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (device, lane) = setting.open::<E>()?;
    let points = Points::<E>::chain(50);
    let scalars: Vec<Fr<E>> = vector(50, &mut setting.rng);
    let buffer = upload::<E>(&lane, &scalars, Form::Canonical)?;
    let log = points.log_of_sum(&scalars);
    for odd in [1, 4, 7] {
        let g1 = Bases::load(&device, Group::G1, section(&points.g1_wire(), odd)?, None)?;
        let g2 = Bases::load(&device, Group::G2, section(&points.g2_wire(), odd)?, None)?;
        let sums =
            lane.msm(&buffer, &[MsmTerm { bases: &g1, first: 0 }, MsmTerm { bases: &g2, first: 0 }])?;
        let input = format!("{}; 50 {POINTS}, {odd} bytes behind an aligned address", shown(&scalars));
        expect_g1::<E>(&format!("G1: {input}"), log, &sums[0])?;
        expect_g2::<E>(&format!("G2: {input}"), log, &sums[1])?;
    }
    Ok(())
}

fn longer<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (_, lane) = setting.open::<E>()?;
    let points = Points::<E>::chain(10);
    let scalars: Vec<Fr<E>> = vector(1000, &mut setting.rng);
    let (g1, _) = load::<E>(&lane, &points)?;
    let buffer = upload::<E>(&lane, &scalars, Form::Montgomery)?;
    let sums = lane.msm(&buffer, &[MsmTerm { bases: &g1, first: 0 }])?;
    expect_g1::<E>(&format!("{}; 10 {POINTS}", shown(&scalars)), points.log_of_sum(&scalars), &sums[0])
}

fn stale<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (_, lane) = setting.open::<E>()?;
    let points = Points::<E>::chain(200);
    let (g1, g2) = load::<E>(&lane, &points)?;
    let random: Vec<Fr<E>> = vector(200, &mut setting.rng);
    for scalars in [random.clone(), vec![Fr::<E>::zero(); 200], random, vec![Fr::<E>::one(); 200]] {
        let buffer = upload::<E>(&lane, &scalars, Form::Canonical)?;
        let sums =
            lane.msm(&buffer, &[MsmTerm { bases: &g1, first: 0 }, MsmTerm { bases: &g2, first: 0 }])?;
        let input = format!("{} after others; 200 {POINTS}", shown(&scalars));
        expect_g1::<E>(&format!("G1: {input}"), points.log_of_sum(&scalars), &sums[0])?;
        expect_g2::<E>(&format!("G2: {input}"), points.log_of_sum(&scalars), &sums[1])?;
    }
    Ok(())
}

fn repeated<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (_, lane) = setting.open::<E>()?;
    let points = Points::<E>::chain(700);
    let (g1, _) = load::<E>(&lane, &points)?;
    let scalars: Vec<Fr<E>> = vector(700, &mut setting.rng);
    let buffer = upload::<E>(&lane, &scalars, Form::Canonical)?;
    let log = points.log_of_sum(&scalars);
    for turn in 1..=5 {
        let sums = lane.msm(&buffer, &[MsmTerm { bases: &g1, first: 0 }])?;
        expect_g1::<E>(&format!("{}; 700 {POINTS}, turn {turn}", shown(&scalars)), log, &sums[0])?;
    }
    Ok(())
}
