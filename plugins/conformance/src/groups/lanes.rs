//! Lanes: order, threads, cancellation.

use std::time::Duration;

use ark_ff::{One, Zero};
use interlock_core::backend::{BackendErrorKind, Device, Domain, Form, Lane, MsmTerm, NttOp, Scalars};
use interlock_curves::ProvingCurve;
use interlock_curves::roots::RootFamily;

use super::msm::load;
use crate::outcome::{Outcome, Stop, failed, refused};
use crate::reference::Fr;
use crate::reference::dft::{by_halves, domain};
use crate::reference::points::{POINTS, Points, expect_g1};
use crate::reference::scalars::{read, same, scalar, shown, upload, vector};
use crate::row::{Rows, Setting};

pub(crate) fn rows<E: ProvingCurve>(rows: &mut Rows) {
    rows.add("work of a lane runs in order", order::<E>);
    rows.add("two lanes of a device in turn", two_lanes::<E>);
    rows.add("16 threads with a lane each", |setting| threads::<E>(setting, 16, 1));
    rows.add("4 threads on 2 openings of the device", |setting| threads::<E>(setting, 4, 2));
    rows.add("a lane that moves between threads", moves::<E>);
    rows.add("lanes without work", idle::<E>);
    rows.add("a cancelled lane works again after a sync", cancelled::<E>);
    rows.add("cancelling while a sum is computed", cancelled_meanwhile::<E>);
}

/// Nothing is waited for between the operations; each needs the one before.
fn order<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (device, lane) = setting.open::<E>()?;
    let shift: Fr<E> = scalar(&mut setting.rng);
    let (spec, root) = domain::<E>(8, RootFamily::Snarkjs, shift)?;
    let loaded = Domain::load(&device, &spec)?;
    let input: Vec<Fr<E>> = vector(256, &mut setting.rng);
    let mut expected = input.clone();
    let mut buffer = upload::<E>(&lane, &input, Form::Montgomery)?;
    for _ in 0..20 {
        lane.ntt(&loaded, &mut buffer, NttOp::Forward)?;
        lane.ntt(&loaded, &mut buffer, NttOp::CosetForward)?;
        lane.ntt(&loaded, &mut buffer, NttOp::Inverse)?;
        expected = by_halves(&expected, root, Fr::<E>::one());
        expected = by_halves(&expected, root, shift);
        // The inverse: the transform by ω^-1, over N.
        let (inverse, over_n) = (inverse(root)?, inverse(Fr::<E>::from(256_u64))?);
        expected = by_halves(&expected, inverse, Fr::<E>::one()).into_iter().map(|x| x * over_n).collect();
    }
    same(
        &format!("60 transforms of {} in one lane", shown(&input)),
        &expected,
        &read::<E>(&lane, &buffer, Form::Montgomery)?,
    )
}

fn inverse<F: ark_ff::Field>(value: F) -> Result<F, Stop> {
    value.inverse().ok_or_else(|| failed("the suite's own input", "not zero", "zero"))
}

fn two_lanes<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let device = setting.device::<E>()?;
    let lanes = [Lane::create(&device)?, Lane::create(&device)?];
    let (spec, root) = domain::<E>(9, RootFamily::Arkworks, Fr::<E>::one())?;
    let loaded = Domain::load(&device, &spec)?;
    let input: Vec<Fr<E>> = vector(512, &mut setting.rng);
    let mut buffer = upload::<E>(&lanes[0], &input, Form::Montgomery)?;
    let mut expected = input;
    for turn in 0..6 {
        let lane = &lanes[turn % 2];
        lane.ntt(&loaded, &mut buffer, NttOp::Forward)?;
        lane.sync()?;
        expected = by_halves(&expected, root, Fr::<E>::one());
        // What one lane has been waited for, the other sees.
        let got = read::<E>(&lanes[(turn + 1) % 2], &buffer, Form::Montgomery)?;
        same(&format!("512 scalars transformed in lanes in turn, turn {turn}"), &expected, &got)?;
    }
    Ok(())
}

fn threads<E: ProvingCurve>(setting: &mut Setting<'_>, count: usize, openings: usize) -> Outcome {
    let devices = (0..openings).map(|_| setting.device::<E>()).collect::<Result<Vec<_>, _>>()?;
    let inputs: Vec<Vec<Fr<E>>> = (0..count).map(|_| vector(256, &mut setting.rng)).collect();
    let outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let running: Vec<_> = inputs
            .iter()
            .enumerate()
            .map(|(i, input)| {
                let device = devices[i % openings].clone();
                scope.spawn(move || worker::<E>(&device, input, i))
            })
            .collect();
        let lost = || Err(failed("a thread of the suite's", "its end", "a panic"));
        running.into_iter().map(|thread| thread.join().unwrap_or_else(|_| lost())).collect()
    });
    outcomes.into_iter().collect()
}

/// What a proof does, small: buffers, transforms and sums, over and over.
fn worker<E: ProvingCurve>(device: &Device, input: &[Fr<E>], thread: usize) -> Outcome {
    let lane = Lane::create(device)?;
    let (spec, root) = domain::<E>(8, RootFamily::Snarkjs, Fr::<E>::one())?;
    let loaded = Domain::load(device, &spec)?;
    let points = Points::<E>::chain(256);
    let (g1, _) = load::<E>(&lane, &points)?;
    let mut expected = input.to_vec();
    for turn in 0..5 {
        let mut buffer = upload::<E>(&lane, &expected, Form::Montgomery)?;
        lane.ntt(&loaded, &mut buffer, NttOp::Forward)?;
        expected = by_halves(&expected, root, Fr::<E>::one());
        let sums = lane.msm(&buffer, &[MsmTerm { bases: &g1, first: 0 }])?;
        let place = format!("thread {thread}, turn {turn}: 256 {POINTS}");
        expect_g1::<E>(&place, points.log_of_sum(&expected), &sums[0])?;
        same(&place, &expected, &read::<E>(&lane, &buffer, Form::Montgomery)?)?;
    }
    Ok(())
}

fn moves<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (_, mut lane) = setting.open::<E>()?;
    for turn in 0..4 {
        let values: Vec<Fr<E>> = vector(100, &mut setting.rng);
        let moved = std::thread::spawn(move || {
            let buffer = upload::<E>(&lane, &values, Form::Canonical)?;
            let got = read::<E>(&lane, &buffer, Form::Canonical)?;
            same(&format!("100 scalars in a lane on its thread {turn}"), &values, &got)?;
            Ok::<_, Stop>(lane)
        });
        lane = moved.join().map_err(|_| failed("a thread of the suite's", "its end", "a panic"))??;
    }
    Ok(())
}

fn idle<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let device = setting.device::<E>()?;
    let lanes = (0..20).map(|_| Lane::create(&device)).collect::<Result<Vec<_>, _>>()?;
    for lane in &lanes {
        lane.sync()?;
        lane.sync()?;
    }
    Ok(())
}

fn cancels(setting: &Setting<'_>) -> Outcome {
    if setting.plugin.table().lane_cancel.is_some() { Ok(()) } else { Err(Stop::NotOffered("lane_cancel")) }
}

fn cancelled<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    cancels(setting)?;
    let (device, lane) = setting.open::<E>()?;
    let other = Lane::create(&device)?;
    let mut buffer = Scalars::alloc(&device, 1)?;
    let canceller = lane.canceller();
    for _ in 0..3 {
        let canceller = canceller.clone();
        let thread = std::thread::spawn(move || canceller.cancel());
        thread.join().map_err(|_| failed("a thread of the suite's", "its end", "a panic"))?;
        let answer = lane.upload(&mut buffer, 0, &[0; 32], Form::Canonical);
        refused("scalars_upload to a cancelled lane", &[BackendErrorKind::Cancelled], answer)?;
        // The upload waited for the lane, which ends the cancellation; nobody else was cancelled.
        lane.upload(&mut buffer, 0, &[0; 32], Form::Canonical)?;
        other.sync()?;
        canceller_of_idle(&other)?;
    }
    Ok(())
}

fn canceller_of_idle(lane: &Lane) -> Outcome {
    lane.canceller().cancel();
    match lane.sync() {
        Ok(()) => Ok(lane.sync()?),
        Err(error) if error.kind == BackendErrorKind::Cancelled => Ok(lane.sync()?),
        Err(error) => Err(error.into()),
    }
}

/// The sum is either computed or cancelled, whatever comes first; the lane is as good as new.
fn cancelled_meanwhile<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    cancels(setting)?;
    let (_, lane) = setting.open::<E>()?;
    let points = Points::<E>::chain(1000);
    let (g1, g2) = load::<E>(&lane, &points)?;
    let scalars: Vec<Fr<E>> = vector(1000, &mut setting.rng);
    let buffer = upload::<E>(&lane, &scalars, Form::Canonical)?;
    let log = points.log_of_sum(&scalars);
    let terms = [(&g1, 0), (&g2, 0), (&g1, 0), (&g2, 0)].map(|(bases, first)| MsmTerm { bases, first });
    let input = format!("{}; 1000 {POINTS}", shown(&scalars));
    for delay in [0, 1, 3, 10] {
        let canceller = lane.canceller();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(delay));
            canceller.cancel();
        });
        let answer = lane.msm(&buffer, &terms);
        thread.join().map_err(|_| failed("a thread of the suite's", "its end", "a panic"))?;
        match answer {
            Ok(sums) => expect_g1::<E>(&input, log, &sums[0])?,
            answer => refused("msm, cancelled meanwhile", &[BackendErrorKind::Cancelled], answer)?,
        }
        // The cancellation may have come behind the sum's own sync.
        let _ = lane.sync();
        let sums = lane.msm(&buffer, &terms[..1])?;
        expect_g1::<E>(&format!("after a cancellation: {input}"), log, &sums[0])?;
    }
    drop(buffer);
    let zeros = upload::<E>(&lane, &[Fr::<E>::zero(); 2], Form::Canonical)?;
    same("two zeros after cancellations", &[Fr::<E>::zero(); 2], &read::<E>(&lane, &zeros, Form::Canonical)?)
}
