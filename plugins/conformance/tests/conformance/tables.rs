//! The CPU backend's table with one function that has a fault, as a backend written in C could have it.

use std::collections::BTreeMap;
use std::ptr::null_mut;
use std::sync::Mutex;

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

/// A buffer's device and length, by its handle.
static BUFFERS: Mutex<BTreeMap<usize, (usize, u64)>> = Mutex::new(BTreeMap::new());

unsafe extern "C" fn remembers(
    device: *const InterlockDevice,
    count: u64,
    out: *mut *mut InterlockScalars,
) -> *mut InterlockError {
    let answer = sound!(scalars_alloc(device, count, out));
    if answer.is_null() {
        // SAFETY: the sound function has written it.
        BUFFERS.lock().unwrap().insert(unsafe { *out } as usize, (device as usize, count));
    }
    answer
}

/// Buffers that were freed, and come back with what their last owner left in them.
static FREED: Mutex<Vec<usize>> = Mutex::new(Vec::new());

unsafe extern "C" fn keeps(scalars: *mut InterlockScalars) -> *mut InterlockError {
    if BUFFERS.lock().unwrap().contains_key(&(scalars as usize)) {
        FREED.lock().unwrap().push(scalars as usize);
        return null_mut();
    }
    sound!(scalars_free(scalars))
}

unsafe extern "C" fn stale(
    device: *const InterlockDevice,
    count: u64,
    out: *mut *mut InterlockScalars,
) -> *mut InterlockError {
    let mut freed = FREED.lock().unwrap();
    let wanted = (device as usize, count);
    let buffers = BUFFERS.lock().unwrap();
    let found = freed.iter().position(|handle| !out.is_null() && buffers.get(handle) == Some(&wanted));
    drop(buffers);
    let Some(found) = found else {
        drop(freed);
        // SAFETY: as the caller calls this one.
        return unsafe { remembers(device, count, out) };
    };
    // SAFETY: not NULL.
    unsafe { *out = freed.swap_remove(found) as *mut InterlockScalars };
    null_mut()
}

/// A new buffer is one that somebody has already.
unsafe extern "C" fn someone_elses(
    device: *const InterlockDevice,
    count: u64,
    out: *mut *mut InterlockScalars,
) -> *mut InterlockError {
    static LAST: Mutex<Option<(usize, u64, usize)>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap();
    match *last {
        Some((of, length, handle)) if of == device as usize && length == count && !out.is_null() => {
            *last = None;
            // SAFETY: not NULL.
            unsafe { *out = handle as *mut InterlockScalars };
            null_mut()
        }
        _ => {
            let answer = sound!(scalars_alloc(device, count, out));
            if answer.is_null() {
                // SAFETY: the sound function has written it.
                *last = Some((device as usize, count, unsafe { *out } as usize));
            }
            answer
        }
    }
}

/// Lets the sound function add up, and changes the first result.
fn first_sum_changed(
    lane: *const InterlockLane,
    scalars: *const InterlockScalars,
    msms: *const InterlockMsm,
    count: u64,
    stride: usize,
    change: impl FnOnce(*mut u8, usize),
) -> *mut InterlockError {
    let answer = sound!(msm(lane, scalars, msms, count, stride));
    if answer.is_null() && count > 0 {
        // SAFETY: what the sound function has accepted has a first element.
        let first = unsafe { msms.read_unaligned() };
        change(first.result, first.result_bytes);
    }
    answer
}

unsafe extern "C" fn off_the_curve(
    lane: *const InterlockLane,
    scalars: *const InterlockScalars,
    msms: *const InterlockMsm,
    count: u64,
    stride: usize,
) -> *mut InterlockError {
    first_sum_changed(lane, scalars, msms, count, stride, |sum, _| {
        // SAFETY: the sum's first byte.
        unsafe { *sum ^= 1 };
    })
}

unsafe extern "C" fn above_the_modulus(
    lane: *const InterlockLane,
    scalars: *const InterlockScalars,
    msms: *const InterlockMsm,
    count: u64,
    stride: usize,
) -> *mut InterlockError {
    first_sum_changed(lane, scalars, msms, count, stride, |sum, bytes| {
        // SAFETY: X is the first third.
        unsafe { sum.write_bytes(0xff, bytes / 3) };
    })
}

unsafe extern "C" fn beyond_its_place(
    lane: *const InterlockLane,
    scalars: *const InterlockScalars,
    msms: *const InterlockMsm,
    count: u64,
    stride: usize,
) -> *mut InterlockError {
    first_sum_changed(lane, scalars, msms, count, stride, |sum, bytes| {
        // SAFETY: the suite has bytes there, which nobody may write.
        unsafe { sum.add(bytes).write(0) };
    })
}

#[test]
fn one_function_with_a_fault() {
    type Spoil = fn(&mut InterlockApi);
    let rows: [(&str, Group, Spoil); 18] = [
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
        ("buffers that have somebody's scalars", Group::Memory, |table| {
            table.scalars_alloc = Some(stale);
            table.scalars_free = Some(keeps);
        }),
        ("a buffer that somebody has already", Group::Memory, |table| {
            table.scalars_alloc = Some(someone_elses)
        }),
        ("sums off the curve", Group::Msm, |table| table.msm = Some(off_the_curve)),
        ("a sum that is longer than its place", Group::Abi, |table| table.msm = Some(beyond_its_place)),
        ("coordinates above the modulus", Group::Msm, |table| table.msm = Some(above_the_modulus)),
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
