//! Handles that are NULL, dead, made up, of another kind or of another device.

use std::ptr::{null, null_mut, without_provenance_mut};

use ark_ff::One;
use interlock_abi::{
    INTERLOCK_CANONICAL, INTERLOCK_G1, INTERLOCK_INVALID_HANDLE, INTERLOCK_NTT_FORWARD, InterlockMsm,
    transfer,
};
use interlock_curves::ProvingCurve;
use interlock_curves::roots::RootFamily;

use crate::outcome::Outcome;
use crate::raw::{Raw, accepted, call, refused};
use crate::reference::dft::domain;
use crate::reference::points::Points;
use crate::reference::{Fr, scalars};
use crate::row::{Rows, Setting};

/// Numbers that no plugin has given as a handle; two of them are not even aligned.
const MADE_UP: [usize; 4] = [0, 0x10, 0xdead_beef, usize::MAX];

pub(crate) fn rows<E: ProvingCurve>(rows: &mut Rows) {
    rows.add("handles that are NULL or made up", made_up::<E>);
    rows.add("handles that were freed", freed::<E>);
    rows.add("handles of another kind", of_another_kind::<E>);
    rows.add("handles of another device", of_another_device::<E>);
}

fn invalid(input: &str, answer: crate::raw::Answer) -> Outcome {
    refused(input, &[INTERLOCK_INVALID_HANDLE], answer)
}

fn made_up<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    let device = raw.device(E::CURVE, setting.device)?;
    let lane = raw.lane(device.get())?;
    let buffer = raw.scalars(device.get(), 4)?;
    let mut place = [0_u8; 32];
    let mut form = 0;
    for number in MADE_UP {
        let says = |call: &str| format!("{call} with handle {number:#x}");
        let mut memory = transfer::empty();
        invalid(
            &says("device_memory"),
            call!(&raw, device_memory(without_provenance_mut(number), &raw mut memory)),
        )?;
        invalid(&says("device_close"), call!(&raw, device_close(without_provenance_mut(number))))?;
        let mut made = null_mut();
        invalid(
            &says("lane_create"),
            call!(&raw, lane_create(without_provenance_mut(number), &raw mut made)),
        )?;
        invalid(&says("lane_sync"), call!(&raw, lane_sync(without_provenance_mut(number))))?;
        invalid(&says("lane_destroy"), call!(&raw, lane_destroy(without_provenance_mut(number))))?;
        if raw.table.lane_cancel.is_some() {
            invalid(&says("lane_cancel"), call!(&raw, lane_cancel(without_provenance_mut(number))))?;
        }
        let mut made = null_mut();
        invalid(
            &says("scalars_alloc"),
            call!(&raw, scalars_alloc(without_provenance_mut(number), 1, &raw mut made)),
        )?;
        invalid(
            &says("scalars_upload"),
            call!(
                &raw,
                scalars_upload(
                    lane.get(),
                    without_provenance_mut(number),
                    0,
                    place.as_ptr(),
                    1,
                    INTERLOCK_CANONICAL
                )
            ),
        )?;
        invalid(
            &says("scalars_download"),
            call!(
                &raw,
                scalars_download(
                    without_provenance_mut(number),
                    buffer.get(),
                    0,
                    place.as_mut_ptr(),
                    1,
                    &raw mut form
                )
            ),
        )?;
        invalid(&says("scalars_free"), call!(&raw, scalars_free(without_provenance_mut(number))))?;
        invalid(&says("bases_free"), call!(&raw, bases_free(without_provenance_mut(number))))?;
        invalid(&says("domain_free"), call!(&raw, domain_free(without_provenance_mut(number))))?;
        invalid(
            &says("ntt"),
            call!(&raw, ntt(lane.get(), without_provenance_mut(number), buffer.get(), INTERLOCK_NTT_FORWARD)),
        )?;
        invalid(
            &says("msm, scalars"),
            call!(
                &raw,
                msm(lane.get(), without_provenance_mut(number), null(), 0, size_of::<InterlockMsm>())
            ),
        )?;
        let mut sum = vec![0; E::CURVE.g1_jacobian_bytes()];
        let mut request: InterlockMsm = transfer::empty();
        request.bases = without_provenance_mut(number);
        (request.result, request.result_bytes) = (sum.as_mut_ptr(), sum.len());
        invalid(
            &says("msm, bases"),
            call!(&raw, msm(lane.get(), buffer.get(), &raw const request, 1, size_of::<InterlockMsm>())),
        )?;
    }
    // The lane is as good as before.
    let _ = call!(&raw, lane_sync(lane.get()));
    accepted("lane_sync, after all of these", call!(&raw, lane_sync(lane.get())))
}

fn freed<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    let device = raw.device(E::CURVE, setting.device)?;
    let lane = raw.lane(device.get())?;
    let dead = raw.scalars(device.get(), 4)?.dead()?;
    // One that takes the place of the dead one is not meant by the dead handle.
    let _alive = raw.scalars(device.get(), 4)?;
    let place = [0_u8; 32];
    invalid("scalars_free, twice", call!(&raw, scalars_free(dead)))?;
    let upload = call!(&raw, scalars_upload(lane.get(), dead, 0, place.as_ptr(), 1, INTERLOCK_CANONICAL));
    invalid("scalars_upload to a freed buffer", upload)?;
    let (spec, _) = domain::<E>(2, RootFamily::Snarkjs, Fr::<E>::one())?;
    let dead = raw.domain(device.get(), &spec)?.dead()?;
    invalid("domain_free, twice", call!(&raw, domain_free(dead)))?;
    let points = Points::<E>::chain(2).g1_wire();
    let dead = raw.bases(device.get(), INTERLOCK_G1, &points, 2)?.dead()?;
    invalid("bases_free, twice", call!(&raw, bases_free(dead)))?;
    let dead = raw.lane(device.get())?.dead()?;
    invalid("lane_destroy, twice", call!(&raw, lane_destroy(dead)))?;
    invalid("lane_sync of a destroyed lane", call!(&raw, lane_sync(dead)))?;
    let dead = raw.device(E::CURVE, setting.device)?.dead()?;
    invalid("device_close, twice", call!(&raw, device_close(dead)))?;
    let mut made = null_mut();
    invalid("scalars_alloc of a closed device", call!(&raw, scalars_alloc(dead, 1, &raw mut made)))
}

fn of_another_kind<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    let device = raw.device(E::CURVE, setting.device)?;
    let lane = raw.lane(device.get())?;
    let buffer = raw.scalars(device.get(), 4)?;
    let (spec, _) = domain::<E>(2, RootFamily::Snarkjs, Fr::<E>::one())?;
    let domain = raw.domain(device.get(), &spec)?;
    invalid("lane_sync of a buffer", call!(&raw, lane_sync(buffer.get().cast())))?;
    invalid("scalars_free of a domain", call!(&raw, scalars_free(domain.get().cast())))?;
    invalid("domain_free of a lane", call!(&raw, domain_free(lane.get().cast())))?;
    invalid("device_close of a lane", call!(&raw, device_close(lane.get().cast())))?;
    let swapped =
        call!(&raw, ntt(lane.get(), buffer.get().cast(), domain.get().cast(), INTERLOCK_NTT_FORWARD));
    invalid("ntt with domain and buffer swapped", swapped)?;
    // None of them is gone.
    accepted("lane_sync", call!(&raw, lane_sync(lane.get())))
        .or_else(|_| accepted("lane_sync, a second time", call!(&raw, lane_sync(lane.get()))))?;
    accepted("ntt", call!(&raw, ntt(lane.get(), domain.get(), buffer.get(), INTERLOCK_NTT_FORWARD)))?;
    accepted("lane_sync", call!(&raw, lane_sync(lane.get())))
}

fn of_another_device<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    let (one, other) = (raw.device(E::CURVE, setting.device)?, raw.device(E::CURVE, setting.device)?);
    let lane = raw.lane(one.get())?;
    let (mine, theirs) = (raw.scalars(one.get(), 4)?, raw.scalars(other.get(), 4)?);
    let values = scalars::to_wire::<E>(&[Fr::<E>::one(); 4], interlock_core::backend::Form::Montgomery);
    let upload =
        call!(&raw, scalars_upload(lane.get(), theirs.get(), 0, values.as_ptr(), 4, INTERLOCK_CANONICAL));
    invalid("scalars_upload to another device's buffer", upload)?;
    let (spec, _) = domain::<E>(2, RootFamily::Snarkjs, Fr::<E>::one())?;
    let foreign = raw.domain(other.get(), &spec)?;
    let answer = call!(&raw, ntt(lane.get(), foreign.get(), mine.get(), INTERLOCK_NTT_FORWARD));
    invalid("ntt with another device's domain", answer)?;
    let points = Points::<E>::chain(4).g1_wire();
    let bases = raw.bases(other.get(), INTERLOCK_G1, &points, 4)?;
    let mut sum = vec![0; E::CURVE.g1_jacobian_bytes()];
    let mut request: InterlockMsm = transfer::empty();
    request.bases = bases.get();
    (request.result, request.result_bytes) = (sum.as_mut_ptr(), sum.len());
    let answer = call!(&raw, msm(lane.get(), mine.get(), &raw const request, 1, size_of::<InterlockMsm>()));
    invalid("msm over another device's bases", answer)
}
