//! Wrong arguments of arithmetic, and domains that are none.

use std::ptr::{null, null_mut};

use ark_ff::One;
use interlock_abi::{
    INTERLOCK_ABI_MISMATCH, INTERLOCK_G1, INTERLOCK_INVALID_ARGUMENT, INTERLOCK_NTT_FORWARD,
    INTERLOCK_POINTWISE_MUL, InterlockMsm, transfer,
};
use interlock_core::backend::DomainSpec;
use interlock_curves::ProvingCurve;
use interlock_curves::roots::RootFamily;

use crate::outcome::{Outcome, Stop};
use crate::raw::{Answer, Raw, call, domain_desc, refused};
use crate::reference::Fr;
use crate::reference::dft::domain;
use crate::reference::points::Points;
use crate::row::{Rows, Setting};

pub(crate) fn rows<E: ProvingCurve>(rows: &mut Rows) {
    rows.add("domain_create, wrong arguments", domains::<E>);
    rows.add("ntt, wrong arguments", transforms::<E>);
    rows.add("pointwise, wrong arguments", pointwise::<E>);
    rows.add("scale, wrong arguments", scale::<E>);
    rows.add("msm, wrong arguments", sums::<E>);
}

fn wrong(input: &str, answer: Answer) -> Outcome {
    refused(input, &[INTERLOCK_INVALID_ARGUMENT], answer)
}

fn domains<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    let device = raw.device(E::CURVE, setting.device)?;
    let (good, _) = domain::<E>(4, RootFamily::Snarkjs, Fr::<E>::one())?;
    let r = *E::CURVE.scalar_modulus_le();
    let cases = [
        ("a generator of order 2^4 for 2^5", DomainSpec { log_size: 5, ..good }),
        ("a generator of order 2^4 for 2^3", DomainSpec { log_size: 3, ..good }),
        ("2^60 elements", DomainSpec { log_size: 60, ..good }),
        ("2^4294967295 elements", DomainSpec { log_size: u32::MAX, ..good }),
        ("the shift 0", DomainSpec { shift: [0; 32], ..good }),
        ("the shift r", DomainSpec { shift: r, ..good }),
        ("the generator 0", DomainSpec { generator: [0; 32], ..good }),
        ("the generator 1", DomainSpec { generator: E::scalar_to_montgomery(&Fr::<E>::one()), ..good }),
        ("a generator above r", DomainSpec { generator: [0xff; 32], ..good }),
    ];
    let mut made = null_mut();
    for (what, spec) in cases {
        let desc = domain_desc(&spec);
        let answer = call!(&raw, domain_create(device.get(), &raw const desc, &raw mut made));
        wrong(&format!("domain_create with {what}"), answer)?;
    }
    let mut desc = domain_desc(&good);
    desc.struct_size = 80;
    let answer = call!(&raw, domain_create(device.get(), &raw const desc, &raw mut made));
    refused("domain_create with struct_size 80", &[INTERLOCK_ABI_MISMATCH], answer)
}

fn transforms<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    let device = raw.device(E::CURVE, setting.device)?;
    let lane = raw.lane(device.get())?;
    let (spec, _) = domain::<E>(4, RootFamily::Snarkjs, Fr::<E>::one())?;
    let domain = raw.domain(device.get(), &spec)?;
    for count in [0, 15, 17] {
        let buffer = raw.scalars(device.get(), count)?;
        let answer = call!(&raw, ntt(lane.get(), domain.get(), buffer.get(), INTERLOCK_NTT_FORWARD));
        wrong(&format!("ntt of {count} scalars over a domain of 16"), answer)?;
    }
    let buffer = raw.scalars(device.get(), 16)?;
    for op in [4, u32::MAX] {
        let answer = call!(&raw, ntt(lane.get(), domain.get(), buffer.get(), op));
        wrong(&format!("ntt with operation number {op}"), answer)?;
    }
    Ok(())
}

fn pointwise<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    if raw.table.pointwise.is_none() {
        return Err(Stop::NotOffered("pointwise"));
    }
    let device = raw.device(E::CURVE, setting.device)?;
    let lane = raw.lane(device.get())?;
    let make = |count| raw.scalars(device.get(), count);
    let (dst, a, b, short) = (make(4)?, make(4)?, make(4)?, make(3)?);
    let cases = [
        ("operation number 2", 2, dst.get(), a.get(), b.get()),
        ("operation number 4294967295", u32::MAX, dst.get(), a.get(), b.get()),
        ("a shorter a", INTERLOCK_POINTWISE_MUL, dst.get(), short.get(), b.get()),
        ("a shorter b", INTERLOCK_POINTWISE_MUL, dst.get(), a.get(), short.get()),
        ("a shorter result", INTERLOCK_POINTWISE_MUL, short.get(), a.get(), b.get()),
        ("a result that is a", INTERLOCK_POINTWISE_MUL, a.get(), a.get(), b.get()),
        ("a result that is b", INTERLOCK_POINTWISE_MUL, b.get(), a.get(), b.get()),
    ];
    for (what, op, dst, a, b) in cases {
        let answer = call!(&raw, pointwise(lane.get(), op, dst, a, b));
        wrong(&format!("pointwise with {what}"), answer)?;
    }
    Ok(())
}

fn scale<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    if raw.table.scale.is_none() {
        return Err(Stop::NotOffered("scale"));
    }
    let device = raw.device(E::CURVE, setting.device)?;
    let lane = raw.lane(device.get())?;
    let data = raw.scalars(device.get(), 4)?;
    wrong("scale by a factor at NULL", call!(&raw, scale(lane.get(), data.get(), null())))?;
    let r = *E::CURVE.scalar_modulus_le();
    for (what, factor) in [("r", r), ("2^256 − 1", [0xff; 32])] {
        wrong(&format!("scale by {what}"), call!(&raw, scale(lane.get(), data.get(), factor.as_ptr())))?;
    }
    Ok(())
}

fn sums<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    let device = raw.device(E::CURVE, setting.device)?;
    let lane = raw.lane(device.get())?;
    let scalars = raw.scalars(device.get(), 4)?;
    let points = Points::<E>::chain(3).g1_wire();
    let bases = raw.bases(device.get(), INTERLOCK_G1, &points, 3)?;
    let mut sum = vec![0_u8; 2 * E::CURVE.g2_jacobian_bytes()];
    let size = E::CURVE.g1_jacobian_bytes();
    let mut good: InterlockMsm = transfer::empty();
    (good.bases, good.result, good.result_bytes) = (bases.get(), sum.as_mut_ptr(), size);
    let cases = [
        ("scalars 2..5 of 4", InterlockMsm { first: 2, ..good }),
        ("a first scalar of 2^64 − 1", InterlockMsm { first: u64::MAX, ..good }),
        ("a result at NULL", InterlockMsm { result: null_mut(), ..good }),
        ("a result one byte too short", InterlockMsm { result_bytes: size - 1, ..good }),
        ("the result's size of the other group", InterlockMsm { result_bytes: 2 * size, ..good }),
    ];
    let stride = size_of::<InterlockMsm>();
    for (what, request) in cases {
        let answer = call!(&raw, msm(lane.get(), scalars.get(), &raw const request, 1, stride));
        wrong(&format!("msm with {what}"), answer)?;
        let pair = [good, request];
        let answer = call!(&raw, msm(lane.get(), scalars.get(), pair.as_ptr(), 2, stride));
        wrong(&format!("msm whose second request has {what}"), answer)?;
    }
    let codes = [INTERLOCK_INVALID_ARGUMENT, INTERLOCK_ABI_MISMATCH];
    refused(
        "msm of one request at NULL",
        &codes,
        call!(&raw, msm(lane.get(), scalars.get(), null(), 1, stride)),
    )?;
    let small = InterlockMsm { struct_size: 40, ..good };
    refused(
        "msm with struct_size 40",
        &[INTERLOCK_ABI_MISMATCH],
        call!(&raw, msm(lane.get(), scalars.get(), &raw const small, 1, stride)),
    )?;
    refused(
        "msm of two requests with a stride of 0",
        &codes,
        call!(&raw, msm(lane.get(), scalars.get(), [good, good].as_ptr(), 2, 0)),
    )
}
