//! What may be freed and closed while work uses it.

use ark_ff::One;
use interlock_abi::{INTERLOCK_CANONICAL, INTERLOCK_G1, INTERLOCK_NTT_FORWARD, InterlockMsm, transfer};
use interlock_core::backend::Form;
use interlock_curves::ProvingCurve;
use interlock_curves::roots::RootFamily;

use crate::outcome::{Outcome, equal};
use crate::raw::{Raw, accepted, call};
use crate::reference::Fr;
use crate::reference::dft::{by_halves, domain};
use crate::reference::points::{POINTS, Points, expect_g1};
use crate::reference::scalars::{same, scalar, shown, to_wire, vector};
use crate::row::{Rows, Setting};

pub(crate) fn rows<E: ProvingCurve>(rows: &mut Rows) {
    rows.add("freeing what queued transforms use", buffer_and_domain::<E>);
    rows.add("freeing what a queued sum uses", bases::<E>);
    rows.add("destroying a lane waits for its work", lane_destroyed::<E>);
    rows.add("objects outlive the closing of their device", device_closed::<E>);
}

fn buffer_and_domain<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    let device = raw.device(E::CURVE, setting.device)?;
    let lane = raw.lane(device.get())?;
    for _ in 0..10 {
        let (spec, _) = domain::<E>(10, RootFamily::Snarkjs, scalar::<Fr<E>>(&mut setting.rng))?;
        let domain = raw.domain(device.get(), &spec)?;
        let buffer = raw.scalars(device.get(), 1024)?;
        for _ in 0..4 {
            accepted("ntt", call!(&raw, ntt(lane.get(), domain.get(), buffer.get(), INTERLOCK_NTT_FORWARD)))?;
        }
        domain.dead()?;
        buffer.dead()?;
    }
    accepted("lane_sync after all of it was freed", call!(&raw, lane_sync(lane.get())))?;
    let mut memory = transfer::empty();
    accepted("device_memory", call!(&raw, device_memory(device.get(), &raw mut memory)))?;
    let memory: interlock_abi::InterlockMemoryInfo = memory;
    equal("device_memory afterwards, scalars", 0, memory.scalars_bytes)
}

/// Bases and scalars are freed, and the bases' host memory overwritten, before the lane is waited for.
fn bases<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    let device = raw.device(E::CURVE, setting.device)?;
    let lane = raw.lane(device.get())?;
    let points = Points::<E>::chain(500);
    let scalars: Vec<Fr<E>> = vector(500, &mut setting.rng);
    let bytes = to_wire::<E>(&scalars, Form::Canonical);
    let mut wire = points.g1_wire();
    let loaded = raw.bases(device.get(), INTERLOCK_G1, &wire, 500)?;
    let buffer = raw.scalars(device.get(), 500)?;
    let upload =
        call!(&raw, scalars_upload(lane.get(), buffer.get(), 0, bytes.as_ptr(), 500, INTERLOCK_CANONICAL));
    accepted("scalars_upload", upload)?;
    let mut sum = vec![0; E::CURVE.g1_jacobian_bytes()];
    let mut request: InterlockMsm = transfer::empty();
    (request.bases, request.result, request.result_bytes) = (loaded.get(), sum.as_mut_ptr(), sum.len());
    let answer = call!(&raw, msm(lane.get(), buffer.get(), &raw const request, 1, size_of::<InterlockMsm>()));
    accepted("msm", answer)?;
    loaded.dead()?;
    // From here on nobody may read it.
    wire.fill(0xff);
    buffer.dead()?;
    accepted("lane_sync", call!(&raw, lane_sync(lane.get())))?;
    let input = format!("{}; 500 {POINTS}, freed before the lane was waited for", shown(&scalars));
    expect_g1::<E>(&input, points.log_of_sum(&scalars), &sum)
}

fn lane_destroyed<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    let device = raw.device(E::CURVE, setting.device)?;
    let (spec, root) = domain::<E>(10, RootFamily::Snarkjs, Fr::<E>::one())?;
    let loaded = raw.domain(device.get(), &spec)?;
    let values: Vec<Fr<E>> = vector(1024, &mut setting.rng);
    let bytes = to_wire::<E>(&values, Form::Canonical);
    let mut result = vec![0_u8; bytes.len()];
    let mut form = 0;
    let buffer = raw.scalars(device.get(), 1024)?;
    let lane = raw.lane(device.get())?;
    let upload =
        call!(&raw, scalars_upload(lane.get(), buffer.get(), 0, bytes.as_ptr(), 1024, INTERLOCK_CANONICAL));
    accepted("scalars_upload", upload)?;
    accepted("ntt", call!(&raw, ntt(lane.get(), loaded.get(), buffer.get(), INTERLOCK_NTT_FORWARD)))?;
    let download =
        call!(&raw, scalars_download(lane.get(), buffer.get(), 0, result.as_mut_ptr(), 1024, &raw mut form));
    accepted("scalars_download", download)?;
    lane.dead()?;
    let expected = to_wire::<E>(&by_halves(&values, root, Fr::<E>::one()), Form::Canonical);
    equal("the form of a download whose lane was destroyed", INTERLOCK_CANONICAL, form)?;
    let first = |bytes: &[u8]| crate::reference::scalars::hex(&bytes[..32]);
    crate::outcome::holds(
        format_args!("Forward of {}, downloaded, and the lane destroyed", shown(&values)),
        format_args!("{} …", first(&expected)),
        result == expected,
        format_args!("{} …", first(&result)),
    )
}

fn device_closed<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    let device = raw.device(E::CURVE, setting.device)?;
    let lane = raw.lane(device.get())?;
    let buffer = raw.scalars(device.get(), 4)?;
    device.dead()?;
    let values: Vec<Fr<E>> = vector(4, &mut setting.rng);
    let bytes = to_wire::<E>(&values, Form::Canonical);
    let mut result = vec![0_u8; bytes.len()];
    let mut form = 0;
    let upload =
        call!(&raw, scalars_upload(lane.get(), buffer.get(), 0, bytes.as_ptr(), 4, INTERLOCK_CANONICAL));
    accepted("scalars_upload after device_close", upload)?;
    let download =
        call!(&raw, scalars_download(lane.get(), buffer.get(), 0, result.as_mut_ptr(), 4, &raw mut form));
    accepted("scalars_download after device_close", download)?;
    accepted("lane_sync after device_close", call!(&raw, lane_sync(lane.get())))?;
    let got: Vec<Fr<E>> =
        result.as_chunks::<32>().0.iter().filter_map(|bytes| E::scalar_from_canonical(bytes)).collect();
    same("4 scalars uploaded and downloaded after device_close", &values, &got)
}
