//! Struct sizes and extensions: what is written stays inside the size that the caller gave, what is too small is refused.

use interlock_abi::sizes::Sized01;
use interlock_abi::{
    INTERLOCK_ABI_MISMATCH, INTERLOCK_INVALID_ARGUMENT, InterlockDeviceInfo, InterlockDeviceParams,
    InterlockErrorInfo, InterlockExtension, InterlockPluginInfo, InterlockProbe, transfer,
};

use crate::outcome::{Outcome, equal, failed, holds};
use crate::raw::{Answer, Raw, accepted, call, device_params, refused};
use crate::row::{Rows, Setting};

/// Bytes around a struct that belong to nobody.
const MARGIN: usize = 64;
const CANARY: u8 = 0xa5;

/// A struct with room behind it.
#[repr(C)]
struct Guarded<T> {
    value: T,
    behind: [u8; MARGIN],
}

pub(crate) fn rows(rows: &mut Rows) {
    rows.add("plugin_info in every size", |setting| {
        let raw = Raw::of(setting.plugin);
        sizes::<InterlockPluginInfo>("plugin_info", raw.is_newer(), &|out| call!(&raw, plugin_info(out)))
    });
    rows.add("plugin_probe in every size", |setting| {
        let raw = Raw::of(setting.plugin);
        sizes::<InterlockProbe>("plugin_probe", raw.is_newer(), &|out| call!(&raw, plugin_probe(out)))
    });
    rows.add("device_info in every size", |setting| {
        let raw = Raw::of(setting.plugin);
        sizes::<InterlockDeviceInfo>("device_info", raw.is_newer(), &|out| call!(&raw, device_info(0, out)))
    });
    rows.add("device_info beyond the last device", |setting| {
        let raw = Raw::of(setting.plugin);
        let devices = setting.plugin.probe()?.devices.len() as u32;
        for index in [devices, u32::MAX] {
            let mut info: InterlockDeviceInfo = transfer::empty();
            let answer = call!(&raw, device_info(index, &raw mut info));
            refused(
                &format!("device_info({index}) of {devices} devices"),
                &[INTERLOCK_INVALID_ARGUMENT],
                answer,
            )?;
        }
        Ok(())
    });
    rows.add("error_get in every size", error_sizes);
    rows.add("device_open in every size", open_sizes);
    rows.add("extensions", extensions);
}

/// Asks for an output in the smallest size, in the present one, in a newer one and in sizes that are none.
///
/// What a plugin of a later version writes within the size that it was given may be a field that is not known here.
fn sizes<T: Sized01>(name: &str, newer: bool, ask: &dyn Fn(*mut T) -> Answer) -> Outcome {
    let whole = size_of::<T>();
    for size in [T::MIN_SIZE, whole, whole + MARGIN / 2] {
        let input = format!("{name} with struct_size {size}");
        let mut out = Guarded::<T> { value: transfer::empty(), behind: [CANARY; MARGIN] };
        set_size(&mut out.value, size);
        if size < whole {
            paint(&mut out, size);
        }
        accepted(&input, ask(&raw mut out.value))?;
        equal(format_args!("{input}, struct_size afterwards"), size, size_of_struct(&out.value))?;
        let known = if newer { size } else { size.min(whole) };
        let untouched = bytes(&out)[known..].iter().all(|&byte| byte == CANARY);
        let expected = "no byte written behind the fields that both know";
        holds(&input, expected, untouched, "bytes were written there")?;
    }
    for size in [0, T::MIN_SIZE - 1, (1 << 16) + 1, usize::MAX] {
        let input = format!("{name} with struct_size {size}");
        let mut out = Guarded::<T> { value: transfer::empty(), behind: [CANARY; MARGIN] };
        set_size(&mut out.value, size);
        refused(&input, &[INTERLOCK_ABI_MISMATCH], ask(&raw mut out.value))?;
    }
    let codes = [INTERLOCK_ABI_MISMATCH, INTERLOCK_INVALID_ARGUMENT];
    refused(&format!("{name}(NULL)"), &codes, ask(std::ptr::null_mut()))
}

/// The report of an error, which cannot itself be refused: it stays inside the smallest size.
fn error_sizes(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    let (Some(info), Some(get), Some(destroy)) =
        (raw.table.device_info, raw.table.error_get, raw.table.error_destroy)
    else {
        return Err(failed("error_get", "a function", "NULL"));
    };
    for size in [InterlockErrorInfo::MIN_SIZE, size_of::<InterlockErrorInfo>() + MARGIN / 2] {
        let mut device: InterlockDeviceInfo = transfer::empty();
        // SAFETY: a struct that carries its size; the index is nobody's.
        let error = unsafe { info(u32::MAX, &raw mut device) };
        holds("device_info(UINT32_MAX)", "an error", !error.is_null(), "success")?;
        let mut out = Guarded::<InterlockErrorInfo> { value: transfer::empty(), behind: [CANARY; MARGIN] };
        set_size(&mut out.value, size);
        // SAFETY: an error of this plugin's, alive until it is destroyed; a struct that carries its size.
        unsafe { get(error, &raw mut out.value) };
        let code = out.value.code;
        // SAFETY: the string lives until the error is destroyed.
        let message = unsafe { transfer::text(out.value.message) }.map(str::to_owned);
        // SAFETY: destroyed once.
        unsafe { destroy(error) };
        let input = format!("error_get with struct_size {size}");
        equal(&input, INTERLOCK_INVALID_ARGUMENT, code)?;
        holds(&input, "a message", message.is_some_and(|text| !text.is_empty()), "none, or no UTF-8")?;
        let known = if raw.is_newer() { size } else { size.min(size_of::<InterlockErrorInfo>()) };
        let from = known.saturating_sub(size_of::<InterlockErrorInfo>());
        let untouched = out.behind[from..].iter().all(|&byte| byte == CANARY);
        holds(&input, "no byte written behind the struct", untouched, "bytes were written there")?;
    }
    Ok(())
}

fn open_sizes(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    let curve = setting.plugin.info().curves[0];
    let whole = size_of::<InterlockDeviceParams>();
    for (size, fits) in [
        (InterlockDeviceParams::MIN_SIZE, true),
        (whole + MARGIN / 2, true),
        (InterlockDeviceParams::MIN_SIZE - 1, false),
        (0, false),
        (usize::MAX, false),
    ] {
        let mut params = Guarded { value: device_params(curve, setting.device), behind: [0xff; MARGIN] };
        set_size(&mut params.value, size);
        // Behind the smallest size is padding: it belongs to nobody, whatever it holds.
        params.value.reserved = u32::MAX;
        let mut device = std::ptr::null_mut();
        let answer = call!(&raw, device_open(&raw const params.value, &raw mut device));
        let input = format!("device_open with struct_size {size}");
        if fits {
            accepted(&input, answer)?;
            accepted("device_close", call!(&raw, device_close(device)))?;
        } else {
            refused(&input, &[INTERLOCK_ABI_MISMATCH], answer)?;
        }
    }
    let mut device = std::ptr::null_mut();
    let codes = [INTERLOCK_ABI_MISMATCH, INTERLOCK_INVALID_ARGUMENT];
    refused("device_open(NULL, …)", &codes, call!(&raw, device_open(std::ptr::null(), &raw mut device)))?;
    let params = device_params(curve, setting.device);
    refused("device_open(…, NULL)", &codes, call!(&raw, device_open(&raw const params, std::ptr::null_mut())))
}

/// Unknown ones are skipped, required ones refused, chains without an end as well.
fn extensions(setting: &mut Setting<'_>) -> Outcome {
    let raw = Raw::of(setting.plugin);
    let curve = setting.plugin.info().curves[0];
    let extension = |flags, next| InterlockExtension {
        struct_size: size_of::<InterlockExtension>(),
        next,
        id: u64::MAX - 7,
        flags,
        reserved: 0,
    };
    let second = extension(0, std::ptr::null());
    let required = extension(interlock_abi::INTERLOCK_EXTENSION_REQUIRED, std::ptr::null());
    let mut looping = extension(0, std::ptr::null());
    looping.next = &raw const looping;
    for (what, first, accepts) in [
        ("two unknown extensions", extension(0, &raw const second), true),
        ("a required extension behind another", extension(0, &raw const required), false),
        ("a chain of extensions without an end", extension(0, &raw const looping), false),
    ] {
        let mut params = device_params(curve, setting.device);
        params.ext = &raw const first;
        let mut device = std::ptr::null_mut();
        let answer = call!(&raw, device_open(&raw const params, &raw mut device));
        if accepts {
            accepted(what, answer)?;
            accepted("device_close", call!(&raw, device_close(device)))?;
        } else {
            refused(what, &[INTERLOCK_ABI_MISMATCH], answer)?;
        }
    }
    Ok(())
}

fn set_size<T: Sized01>(value: &mut T, size: usize) {
    // SAFETY: `Sized01` promises that the first field is `struct_size: usize`.
    unsafe { std::ptr::from_mut(value).cast::<usize>().write(size) };
}

fn size_of_struct<T: Sized01>(value: &T) -> usize {
    // SAFETY: as above.
    unsafe { std::ptr::from_ref(value).cast::<usize>().read() }
}

/// Fills what lies behind `from`, to the end of the struct.
fn paint<T: Sized01>(out: &mut Guarded<T>, from: usize) {
    let to = size_of::<T>();
    // SAFETY: within the struct; `Sized01` types are integers and pointers, and their tail beyond the smallest size is not
    // read again.
    unsafe { std::ptr::from_mut(&mut out.value).cast::<u8>().add(from).write_bytes(CANARY, to - from) };
}

/// All bytes, padding included, which `paint` or zeros have filled.
fn bytes<T: Sized01>(out: &Guarded<T>) -> &[u8] {
    // SAFETY: the struct was made of zeroed memory and painted; both fields have alignment of at most 8 and the second is bytes.
    unsafe { std::slice::from_raw_parts(std::ptr::from_ref(out).cast::<u8>(), size_of::<T>() + MARGIN) }
}
