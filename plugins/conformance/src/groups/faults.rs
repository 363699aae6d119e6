//! Hostile data and failed calls. Data that the ABI calls wrong may give any result or an error; what it may not do is end
//! the process, hang, or leave a device on which the next, sound, work goes wrong.

use interlock_core::backend::{
    BackendErrorKind, Bases, Device, DeviceOptions, Domain, Form, Group, MsmTerm, NttOp, Scalars,
};
use interlock_curves::ProvingCurve;
use interlock_curves::roots::RootFamily;
use rand_chacha::rand_core::Rng;

use super::msm::load;
use crate::outcome::{Outcome, Stop, holds};
use crate::raw::{Raw, accepted, call};
use crate::reference::Fr;
use crate::reference::dft::{by_halves, domain};
use crate::reference::points::{POINTS, Points, expect_g1, expect_g2, section};
use crate::reference::scalars::{read, same, scalar, shown, upload, vector};
use crate::row::{Rows, Setting};

pub(crate) fn rows<E: ProvingCurve>(rows: &mut Rows) {
    rows.add("scalars of r and above", large_scalars::<E>);
    rows.add("bases off the curve", |setting| bad_bases::<E>(setting, off_curve));
    rows.add("bases with limbs of the modulus and above", |setting| bad_bases::<E>(setting, ones));
    rows.add("bases of random bytes", |setting| {
        let mut rng = setting.rng.clone();
        bad_bases::<E>(setting, move |bytes| rng.fill_bytes(bytes))
    });
    rows.add("a device without memory", no_memory::<E>);
    rows.add("out of memory, over and over", exhausted::<E>);
    rows.add("1000 refused calls", refused_calls::<E>);
}

/// Transforms and sums on an opened device, as they should be.
fn sound<E: ProvingCurve>(setting: &mut Setting<'_>, device: &Device) -> Outcome {
    let lane = interlock_core::backend::Lane::create(device)?;
    let points = Points::<E>::chain(60);
    let (g1, g2) = load::<E>(&lane, &points)?;
    let shift: Fr<E> = scalar(&mut setting.rng);
    let (spec, root) = domain::<E>(6, RootFamily::Arkworks, shift)?;
    let loaded = Domain::load(device, &spec)?;
    let input: Vec<Fr<E>> = vector(64, &mut setting.rng);
    let mut buffer = upload::<E>(&lane, &input, Form::Montgomery)?;
    lane.ntt(&loaded, &mut buffer, NttOp::CosetForward)?;
    let values = by_halves(&input, root, shift);
    let place = format!("afterwards, CosetForward of {}", shown(&input));
    same(&place, &values, &read::<E>(&lane, &buffer, Form::Montgomery)?)?;
    let sums = lane.msm(&buffer, &[MsmTerm { bases: &g1, first: 0 }, MsmTerm { bases: &g2, first: 0 }])?;
    let place = format!("afterwards, {}; 60 {POINTS}", shown(&values));
    expect_g1::<E>(&place, points.log_of_sum(&values), &sums[0])?;
    expect_g2::<E>(&place, points.log_of_sum(&values), &sums[1])
}

/// An error is as good as a result, unless it says that the backend broke: a panic that it caught, say.
fn any<T>(input: &str, answer: Result<T, interlock_core::backend::BackendError>) -> Outcome {
    match answer {
        Err(error) if error.kind == BackendErrorKind::Internal || error.context_lost => {
            Err(crate::outcome::failed(input, "a result, or an error after which the device works on", error))
        }
        _ => Ok(()),
    }
}

fn large_scalars<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (device, lane) = setting.open::<E>()?;
    let points = Points::<E>::chain(40);
    let (g1, g2) = load::<E>(&lane, &points)?;
    let (spec, _) = domain::<E>(5, RootFamily::Snarkjs, scalar::<Fr<E>>(&mut setting.rng))?;
    let loaded = Domain::load(&device, &spec)?;
    let r = *E::CURVE.scalar_modulus_le();
    let mut random = [0; 32];
    setting.rng.fill_bytes(&mut random);
    random[31] |= 0x80;
    for (what, value) in [("r", r), ("2^256 − 1", [0xff; 32]), ("random bytes above r", random)] {
        for form in [Form::Canonical, Form::Montgomery] {
            let bytes = value.repeat(40);
            let mut buffer = Scalars::alloc(&device, 40)?;
            let place = format!("40 scalars of {what} in {form:?} form");
            let uploaded = lane.upload(&mut buffer, 0, &bytes, form);
            any(&format!("scalars_upload of {place}"), uploaded)?;
            let terms = [MsmTerm { bases: &g1, first: 0 }, MsmTerm { bases: &g2, first: 0 }];
            any(&format!("msm over {place}"), lane.msm(&buffer, &terms))?;
            let mut part = Scalars::alloc(&device, 32)?;
            any(&format!("scalars_upload of {place}"), lane.upload(&mut part, 0, &bytes[..1024], form))?;
            for op in [NttOp::Forward, NttOp::CosetInverse] {
                any(&format!("{op:?} of {place}"), lane.ntt(&loaded, &mut part, op))?;
            }
            any(&format!("lane_sync after {place}"), lane.sync())?;
        }
    }
    sound::<E>(setting, &device)
}

fn off_curve(bytes: &mut [u8]) {
    // The last coordinate's lowest limb: (x, y + something small), which is on neither curve.
    let at = bytes.len() - 16;
    bytes[at] ^= 1;
}

fn ones(bytes: &mut [u8]) {
    bytes.fill(0xff);
}

fn bad_bases<E: ProvingCurve>(setting: &mut Setting<'_>, mut spoil: impl FnMut(&mut [u8])) -> Outcome {
    let (device, lane) = setting.open::<E>()?;
    let points = Points::<E>::chain(40);
    let scalars: Vec<Fr<E>> = vector(40, &mut setting.rng);
    let buffer = upload::<E>(&lane, &scalars, Form::Canonical)?;
    for (group, mut wire, size) in [
        (Group::G1, points.g1_wire(), E::CURVE.g1_bytes()),
        (Group::G2, points.g2_wire(), E::CURVE.g2_bytes()),
    ] {
        for at in [0, 7, 8, 39] {
            spoil(&mut wire[at * size..(at + 1) * size]);
        }
        let place = format!("{group:?}: 40 bases of which 4 are no points");
        match Bases::load(&device, group, section(&wire, 0)?, None) {
            Ok(bases) => {
                any(&format!("msm over {place}"), lane.msm(&buffer, &[MsmTerm { bases: &bases, first: 0 }]))?;
            }
            refused => any(&format!("bases_create of {place}"), refused.map(drop))?,
        }
    }
    sound::<E>(setting, &device)
}

fn no_memory<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let options = DeviceOptions { memory_limit: Some(1), ..setting.device };
    match Device::open(setting.plugin, E::CURVE, options) {
        Ok(device) => {
            let answer = Scalars::alloc(&device, 1);
            let kinds = [BackendErrorKind::NeverFits];
            crate::outcome::refused("one scalar under a limit of one byte", &kinds, answer)?;
        }
        Err(error) => holds(
            "device_open with a limit of one byte",
            "a device, or an error of kind NeverFits or InvalidArgument",
            matches!(error.kind, BackendErrorKind::NeverFits | BackendErrorKind::InvalidArgument),
            &error,
        )?,
    }
    let device = setting.device::<E>()?;
    sound::<E>(setting, &device)
}

fn exhausted<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let options = DeviceOptions { memory_limit: Some(64 << 20), ..setting.device };
    let device = Device::open(setting.plugin, E::CURVE, options)?;
    for _ in 0..5 {
        let mut alive = Vec::new();
        // A quarter each: the fifth does not fit, the fourth need not.
        let full = (0..5).find_map(|_| match Scalars::alloc(&device, 1 << 19) {
            Ok(buffer) => {
                alive.push(buffer);
                None
            }
            Err(error) => Some(error),
        });
        let what = full.as_ref().map_or_else(|| "success".to_owned(), ToString::to_string);
        let is_not_now = full.is_some_and(|error| error.kind == BackendErrorKind::NotNow);
        holds("five quarters of the limit", "an error of kind NotNow", is_not_now, what)?;
        alive.clear();
        sound::<E>(setting, &device)?;
    }
    Ok(())
}

/// Errors are objects; a thousand of them come and go, and each tells its own.
fn refused_calls<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    let device = raw.device(E::CURVE, setting.device)?;
    let lane = raw.lane(device.get())?;
    let buffer = raw.scalars(device.get(), 1)?;
    let place = [0_u8; 32];
    for turn in 0..1000 {
        let answer = call!(
            &raw,
            scalars_upload(
                lane.get(),
                buffer.get(),
                2,
                place.as_ptr(),
                1,
                interlock_abi::INTERLOCK_CANONICAL
            )
        );
        let codes = [interlock_abi::INTERLOCK_INVALID_ARGUMENT];
        crate::raw::refused(&format!("scalars_upload to scalar 2 of 1, turn {turn}"), &codes, answer)?;
    }
    // Whether a refused call counts as the lane's failure is the plugin's choice; it is told once.
    let _ = call!(&raw, lane_sync(lane.get()));
    accepted("lane_sync, a second time", call!(&raw, lane_sync(lane.get())))?;
    let opened = setting.device::<E>()?;
    sound::<E>(setting, &opened)?;
    Ok::<(), Stop>(())
}
