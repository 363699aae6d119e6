//! The CPU backend's table with one function that has a fault, as a backend written in C could have it.

use std::ptr::null_mut;

use interlock_abi::{
    INTERLOCK_CANONICAL, INTERLOCK_CURVE_BN254, INTERLOCK_MONTGOMERY, InterlockApi, InterlockDevice,
    InterlockDeviceParams, InterlockDomain, InterlockError, InterlockErrorInfo, InterlockLane,
    InterlockMemoryInfo, InterlockMsm, InterlockPluginInfo, InterlockProbe, InterlockScalars, InterlockStr,
};
use interlock_conformance::Group;
use interlock_core::backend::Plugin;

use crate::fails_in;

fn sound() -> &'static InterlockApi {
    interlock_cpu::interlock_api()
}

/// Calls the sound function.
macro_rules! sound {
    ($slot:ident($($arg:expr),* $(,)?)) => {
        // SAFETY: the arguments are the caller's, passed on or changed to others that the ABI allows.
        unsafe { sound().$slot.unwrap()($($arg),*) }
    };
}

unsafe extern "C" fn wrong_account(
    device: *const InterlockDevice,
    out: *mut InterlockMemoryInfo,
) -> *mut InterlockError {
    let answer = sound!(device_memory(device, out));
    if answer.is_null() {
        // SAFETY: the sound function has written it.
        unsafe { (*out).scalars_bytes += 32 };
    }
    answer
}

unsafe extern "C" fn leaks(_scalars: *mut InterlockScalars) -> *mut InterlockError {
    null_mut()
}

unsafe extern "C" fn writes_beyond(out: *mut InterlockPluginInfo) -> *mut InterlockError {
    let answer = sound!(plugin_info(out));
    if answer.is_null() {
        // SAFETY: the suite has bytes there, which nobody may write.
        unsafe { out.add(1).cast::<u8>().write(0) };
    }
    answer
}

unsafe extern "C" fn probes_otherwise(out: *mut InterlockProbe) -> *mut InterlockError {
    static CALLS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(1);
    let answer = sound!(plugin_probe(out));
    if answer.is_null() {
        // SAFETY: the sound function has written it.
        unsafe { (*out).score += CALLS.fetch_add(1, std::sync::atomic::Ordering::Relaxed) };
    }
    answer
}

unsafe extern "C" fn says_nothing(error: *const InterlockError, out: *mut InterlockErrorInfo) {
    sound!(error_get(error, out));
    // SAFETY: the sound function has written it.
    unsafe { (*out).message = InterlockStr::EMPTY };
}

unsafe extern "C" fn any_curve(
    params: *const InterlockDeviceParams,
    out: *mut *mut InterlockDevice,
) -> *mut InterlockError {
    // SAFETY: the suite's struct, NULL in a row that this fault does not come to.
    match unsafe { params.as_ref() } {
        Some(params) if params.struct_size >= 36 && params.struct_size < 1000 => {
            let mut params = *params;
            if params.curve > 2 {
                params.curve = INTERLOCK_CURVE_BN254;
            }
            sound!(device_open(&raw const params, out))
        }
        _ => sound!(device_open(params, out)),
    }
}

unsafe extern "C" fn form_mistaken(
    lane: *const InterlockLane,
    dst: *const InterlockScalars,
    first: u64,
    src: *const u8,
    count: u64,
    form: u32,
) -> *mut InterlockError {
    let form = if form == INTERLOCK_MONTGOMERY { INTERLOCK_CANONICAL } else { form };
    sound!(scalars_upload(lane, dst, first, src, count, form))
}

unsafe extern "C" fn first_scalar_ignored(
    lane: *const InterlockLane,
    scalars: *const InterlockScalars,
    msms: *const InterlockMsm,
    count: u64,
    stride: usize,
) -> *mut InterlockError {
    if stride != size_of::<InterlockMsm>() || msms.is_null() {
        return sound!(msm(lane, scalars, msms, count, stride));
    }
    // SAFETY: not NULL, `count` structs at their own stride.
    let mut requests = unsafe { std::slice::from_raw_parts(msms, count as usize) }.to_vec();
    requests.iter_mut().for_each(|request| request.first = 0);
    sound!(msm(lane, scalars, requests.as_ptr(), count, stride))
}

unsafe extern "C" fn any_transform(
    lane: *const InterlockLane,
    domain: *const InterlockDomain,
    data: *const InterlockScalars,
    op: u32,
) -> *mut InterlockError {
    sound!(ntt(lane, domain, data, op & 3))
}

/// The coset's shift is forgotten.
unsafe extern "C" fn no_coset(
    lane: *const InterlockLane,
    domain: *const InterlockDomain,
    data: *const InterlockScalars,
    op: u32,
) -> *mut InterlockError {
    sound!(ntt(lane, domain, data, if op < 4 { op & 1 } else { op }))
}

unsafe extern "C" fn never_cancels(_lane: *const InterlockLane) -> *mut InterlockError {
    null_mut()
}

unsafe extern "C" fn aliases(
    lane: *const InterlockLane,
    op: u32,
    dst: *const InterlockScalars,
    a: *const InterlockScalars,
    b: *const InterlockScalars,
) -> *mut InterlockError {
    if dst == a || dst == b { null_mut() } else { sound!(pointwise(lane, op, dst, a, b)) }
}

#[test]
fn one_function_with_a_fault() {
    type Spoil = fn(&mut InterlockApi);
    let rows: [(&str, Group, Spoil); 13] = [
        ("an account that is 32 bytes too high", Group::Memory, |table| {
            table.device_memory = Some(wrong_account)
        }),
        ("buffers that are never freed", Group::Memory, |table| table.scalars_free = Some(leaks)),
        ("dead handles that are accepted", Group::Abi, |table| table.scalars_free = Some(leaks)),
        ("a byte behind a struct", Group::Abi, |table| table.plugin_info = Some(writes_beyond)),
        ("a probe that changes", Group::Load, |table| table.plugin_probe = Some(probes_otherwise)),
        ("errors without a message", Group::Abi, |table| table.error_get = Some(says_nothing)),
        ("an unknown curve that is accepted", Group::Abi, |table| table.device_open = Some(any_curve)),
        ("a form that is forgotten", Group::Memory, |table| table.scalars_upload = Some(form_mistaken)),
        ("a range that is ignored", Group::Msm, |table| table.msm = Some(first_scalar_ignored)),
        ("an unknown transform that is accepted", Group::Abi, |table| table.ntt = Some(any_transform)),
        ("a coset that is forgotten", Group::Ntt, |table| table.ntt = Some(no_coset)),
        ("a cancellation that is ignored", Group::Async, |table| table.lane_cancel = Some(never_cancels)),
        ("aliases that are accepted", Group::Abi, |table| table.pointwise = Some(aliases)),
    ];
    for (what, group, spoil) in rows {
        let mut table = *sound();
        spoil(&mut table);
        fails_in(&Plugin::linked(Box::leak(Box::new(table))).unwrap(), what, group);
    }
}

#[test]
fn half_a_feature() {
    let mut table = *sound();
    table.matrix_free = None;
    fails_in(
        &Plugin::linked(Box::leak(Box::new(table))).unwrap(),
        "matrices that are never freed",
        Group::Load,
    );
}
