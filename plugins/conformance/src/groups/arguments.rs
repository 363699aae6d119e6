//! Wrong arguments of the calls that open devices and make objects.

use std::ptr::{null, null_mut};

use interlock_abi::{
    INTERLOCK_ABI_MISMATCH, INTERLOCK_CANONICAL, INTERLOCK_G1, INTERLOCK_INVALID_ARGUMENT,
    INTERLOCK_OUT_OF_MEMORY_NEVER, INTERLOCK_UNSUPPORTED, InterlockBasesDesc, InterlockMatrixDesc, transfer,
};
use interlock_curves::ProvingCurve;

use crate::outcome::{Outcome, Stop};
use crate::raw::{Answer, Raw, call, device_params, refused};
use crate::reference::points::Points;
use crate::row::{Rows, Setting};

pub(crate) fn rows<E: ProvingCurve>(rows: &mut Rows) {
    rows.add("device_open, wrong arguments", device::<E>);
    rows.add("scalar buffers, wrong arguments", buffers::<E>);
    rows.add("bases_create, wrong arguments", bases::<E>);
    rows.add("matrix_create, wrong arguments", matrix::<E>);
}

fn wrong(input: &str, answer: Answer) -> Outcome {
    refused(input, &[INTERLOCK_INVALID_ARGUMENT], answer)
}

fn device<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    let devices = setting.plugin.probe()?.devices.len() as u32;
    let mut made = null_mut();
    for index in [devices, u32::MAX] {
        let mut params = device_params(E::CURVE, setting.device);
        params.index = index;
        let answer = call!(&raw, device_open(&raw const params, &raw mut made));
        wrong(&format!("device_open of device {index} of {devices}"), answer)?;
    }
    for curve in [0, 3, 63, u32::MAX] {
        let mut params = device_params(E::CURVE, setting.device);
        params.curve = curve;
        let codes = [INTERLOCK_UNSUPPORTED, INTERLOCK_INVALID_ARGUMENT];
        let answer = call!(&raw, device_open(&raw const params, &raw mut made));
        refused(&format!("device_open with curve number {curve}"), &codes, answer)?;
    }
    let device = raw.device(E::CURVE, setting.device)?;
    wrong("lane_create(…, NULL)", call!(&raw, lane_create(device.get(), null_mut())))?;
    let codes = [INTERLOCK_ABI_MISMATCH, INTERLOCK_INVALID_ARGUMENT];
    refused("device_memory(…, NULL)", &codes, call!(&raw, device_memory(device.get(), null_mut())))
}

fn buffers<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    let device = raw.device(E::CURVE, setting.device)?;
    let lane = raw.lane(device.get())?;
    let buffer = raw.scalars(device.get(), 4)?;
    wrong("scalars_alloc(…, NULL)", call!(&raw, scalars_alloc(device.get(), 4, null_mut())))?;
    let mut made = null_mut();
    for count in [u64::MAX, u64::MAX / 32 + 1, 1 << 59] {
        // Bytes that no 64-bit number holds, or just about.
        let codes = [INTERLOCK_INVALID_ARGUMENT, INTERLOCK_OUT_OF_MEMORY_NEVER];
        let answer = call!(&raw, scalars_alloc(device.get(), count, &raw mut made));
        refused(&format!("scalars_alloc of {count} scalars"), &codes, answer)?;
    }
    let mut bytes = [0_u8; 8 * 32];
    let mut form = 0;
    for (first, count) in [(4, 1), (1, 4), (u64::MAX, 1), (0, 5), (2, u64::MAX - 1), (u64::MAX, u64::MAX)] {
        let answer = call!(
            &raw,
            scalars_upload(lane.get(), buffer.get(), first, bytes.as_ptr(), count, INTERLOCK_CANONICAL)
        );
        wrong(&format!("scalars_upload of {count} to scalar {first} of 4"), answer)?;
        let answer = call!(
            &raw,
            scalars_download(lane.get(), buffer.get(), first, bytes.as_mut_ptr(), count, &raw mut form)
        );
        wrong(&format!("scalars_download of {count} from scalar {first} of 4"), answer)?;
    }
    for number in [0, 3, u32::MAX] {
        let answer = call!(&raw, scalars_upload(lane.get(), buffer.get(), 0, bytes.as_ptr(), 1, number));
        wrong(&format!("scalars_upload in form number {number}"), answer)?;
    }
    let answer = call!(&raw, scalars_upload(lane.get(), buffer.get(), 0, null(), 1, INTERLOCK_CANONICAL));
    wrong("scalars_upload of one scalar at NULL", answer)?;
    let answer = call!(&raw, scalars_download(lane.get(), buffer.get(), 0, null_mut(), 1, &raw mut form));
    wrong("scalars_download of one scalar to NULL", answer)?;
    let answer =
        call!(&raw, scalars_download(lane.get(), buffer.get(), 0, bytes.as_mut_ptr(), 1, null_mut()));
    wrong("scalars_download without a place for the form", answer)
}

fn bases<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    let device = raw.device(E::CURVE, setting.device)?;
    let points = Points::<E>::chain(3).g1_wire();
    let (equal, descending) = ([1_u32, 1, 2], [2_u32, 1, 0]);
    let mut good: InterlockBasesDesc = transfer::empty();
    (good.group, good.points, good.count) = (INTERLOCK_G1, points.as_ptr(), 3);
    let mut made = null_mut();
    let cases = [
        ("group number 0", InterlockBasesDesc { group: 0, ..good }),
        ("group number 3", InterlockBasesDesc { group: 3, ..good }),
        ("points at NULL", InterlockBasesDesc { points: null(), ..good }),
        ("an index with equal entries", InterlockBasesDesc { index: equal.as_ptr(), ..good }),
        ("an index that descends", InterlockBasesDesc { index: descending.as_ptr(), ..good }),
        ("2^60 points", InterlockBasesDesc { count: 1 << 60, ..good }),
    ];
    for (what, desc) in cases {
        let answer = call!(&raw, bases_create(device.get(), &raw const desc, &raw mut made));
        let codes = [INTERLOCK_INVALID_ARGUMENT, INTERLOCK_OUT_OF_MEMORY_NEVER];
        let codes = if what == "2^60 points" { &codes[..] } else { &codes[..1] };
        refused(&format!("bases_create with {what}"), codes, answer)?;
    }
    wrong("bases_create(…, NULL)", call!(&raw, bases_create(device.get(), &raw const good, null_mut())))?;
    let small = InterlockBasesDesc { struct_size: 40, ..good };
    let answer = call!(&raw, bases_create(device.get(), &raw const small, &raw mut made));
    refused("bases_create with struct_size 40", &[INTERLOCK_ABI_MISMATCH], answer)
}

fn matrix<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    if raw.table.matrix_create.is_none() {
        return Err(Stop::NotOffered("spmv"));
    }
    let device = raw.device(E::CURVE, setting.device)?;
    let (offsets, short, descending, late) = ([0_u64, 1, 2], [0_u64, 1, 1], [0_u64, 3, 2], [1_u64, 1, 2]);
    let (columns, outside) = ([0_u32, 2], [0_u32, 3]);
    let values = [0_u8; 64];
    let mut good: InterlockMatrixDesc = transfer::empty();
    (good.rows, good.cols, good.nnz) = (2, 3, 2);
    (good.row_offsets, good.columns, good.values) = (offsets.as_ptr(), columns.as_ptr(), values.as_ptr());
    let cases = [
        ("offsets that end early", InterlockMatrixDesc { row_offsets: short.as_ptr(), ..good }),
        ("offsets that descend", InterlockMatrixDesc { row_offsets: descending.as_ptr(), ..good }),
        ("offsets that begin at 1", InterlockMatrixDesc { row_offsets: late.as_ptr(), ..good }),
        ("column 3 of 3", InterlockMatrixDesc { columns: outside.as_ptr(), ..good }),
        ("offsets at NULL", InterlockMatrixDesc { row_offsets: null(), ..good }),
        ("columns at NULL", InterlockMatrixDesc { columns: null(), ..good }),
        ("values at NULL", InterlockMatrixDesc { values: null(), ..good }),
    ];
    let mut made = null_mut();
    for (what, desc) in cases {
        let answer = call!(&raw, matrix_create(device.get(), &raw const desc, &raw mut made));
        wrong(&format!("matrix_create with {what}"), answer)?;
    }
    let small = InterlockMatrixDesc { struct_size: 56, ..good };
    let answer = call!(&raw, matrix_create(device.get(), &raw const small, &raw mut made));
    refused("matrix_create with struct_size 56", &[INTERLOCK_ABI_MISMATCH], answer)
}
