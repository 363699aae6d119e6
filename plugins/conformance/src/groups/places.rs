//! Results go to the places that they were given, and to no byte beside them.

use std::ops::Range;

use interlock_abi::{
    INTERLOCK_CANONICAL, INTERLOCK_G1, INTERLOCK_G2, InterlockBases, InterlockMsm, transfer,
};
use interlock_core::backend::Form;
use interlock_curves::ProvingCurve;

use crate::outcome::{Outcome, holds};
use crate::raw::{Owned, Raw, accepted, call};
use crate::reference::Fr;
use crate::reference::points::Points;
use crate::reference::scalars;
use crate::row::{Rows, Setting};

const COUNT: usize = 5;
const MARGIN: usize = 96;
const CANARY: u8 = 0x5c;

pub(crate) fn rows<E: ProvingCurve>(rows: &mut Rows) {
    rows.add("scalars_download, beside its place", downloads::<E>);
    rows.add("msm, beside its places", sums::<E>);
}

/// A place with a margin on either side.
struct Place(Vec<u8>);

impl Place {
    fn of(bytes: usize) -> Self {
        Self(vec![CANARY; bytes + 2 * MARGIN])
    }

    fn inside(&self) -> Range<usize> {
        MARGIN..self.0.len() - MARGIN
    }

    fn at(&mut self) -> *mut u8 {
        self.0[MARGIN..].as_mut_ptr()
    }

    fn check(&self, input: &str) -> Outcome {
        let Range { start, end } = self.inside();
        for (side, margin) in [("before", &self.0[..start]), ("behind", &self.0[end..])] {
            let untouched = margin.iter().all(|&byte| byte == CANARY);
            let got = format!("bytes {side} it were written");
            holds(input, "no byte written beside the place of the result", untouched, got)?;
        }
        let written = self.0[start..end].iter().any(|&byte| byte != CANARY);
        holds(input, "a result", written, "a place that is as it was")
    }
}

fn values<E: ProvingCurve>() -> Vec<u8> {
    let numbers: Vec<Fr<E>> = (1..=COUNT as u64).map(Fr::<E>::from).collect();
    scalars::to_wire::<E>(&numbers, Form::Canonical)
}

fn downloads<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    let device = raw.device(E::CURVE, setting.device)?;
    let lane = raw.lane(device.get())?;
    let buffer = raw.scalars(device.get(), COUNT as u64)?;
    let (values, count) = (values::<E>(), COUNT as u64);
    let upload =
        call!(&raw, scalars_upload(lane.get(), buffer.get(), 0, values.as_ptr(), count, INTERLOCK_CANONICAL));
    accepted("scalars_upload", upload)?;
    for (first, count) in [(0, COUNT), (1, 1), (2, 3)] {
        let mut place = Place::of(32 * count);
        let mut form = 0;
        let answer = call!(
            &raw,
            scalars_download(lane.get(), buffer.get(), first, place.at(), count as u64, &raw mut form)
        );
        let input = format!("scalars_download of {count} from {first}");
        accepted(&input, answer)?;
        accepted("lane_sync", call!(&raw, lane_sync(lane.get())))?;
        place.check(&input)?;
    }
    Ok(())
}

fn sums<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    let device = raw.device(E::CURVE, setting.device)?;
    let lane = raw.lane(device.get())?;
    let buffer = raw.scalars(device.get(), COUNT as u64)?;
    let (values, count) = (values::<E>(), COUNT as u64);
    let upload =
        call!(&raw, scalars_upload(lane.get(), buffer.get(), 0, values.as_ptr(), count, INTERLOCK_CANONICAL));
    accepted("scalars_upload", upload)?;
    let points = Points::<E>::chain(COUNT);
    let g1 = raw.bases(device.get(), INTERLOCK_G1, &points.g1_wire(), COUNT)?;
    let g2 = raw.bases(device.get(), INTERLOCK_G2, &points.g2_wire(), COUNT)?;
    let (small, large) = (E::CURVE.g1_jacobian_bytes(), E::CURVE.g2_jacobian_bytes());
    let of = |bases: &Owned<'_, InterlockBases>, bytes| (bases.get(), bytes);
    for requests in [vec![of(&g1, small)], vec![of(&g2, large)], vec![of(&g2, large), of(&g1, small)]] {
        let mut places: Vec<Place> = requests.iter().map(|&(_, bytes)| Place::of(bytes)).collect();
        let msms: Vec<InterlockMsm> = requests
            .iter()
            .zip(&mut places)
            .map(|(&(bases, result_bytes), place)| InterlockMsm {
                bases,
                result: place.at(),
                result_bytes,
                ..transfer::empty()
            })
            .collect();
        let stride = size_of::<InterlockMsm>();
        let answer = call!(&raw, msm(lane.get(), buffer.get(), msms.as_ptr(), msms.len() as u64, stride));
        let input = format!("msm of {} sums over {COUNT} scalars", msms.len());
        accepted(&input, answer)?;
        accepted("lane_sync", call!(&raw, lane_sync(lane.get())))?;
        places.iter().try_for_each(|place| place.check(&input))?;
    }
    Ok(())
}
