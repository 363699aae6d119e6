//! Calls of the table itself.
//!
//! The wrappers of core refuse most wrong arguments before a plugin sees them, and cannot hold a dead handle. Here is what
//! a plugin answers when it does see them.

use std::sync::Arc;

use interlock_abi::{
    InterlockApi, InterlockBases, InterlockBasesDesc, InterlockDevice, InterlockDeviceParams,
    InterlockDomain, InterlockDomainDesc, InterlockError, InterlockErrorInfo, InterlockLane,
    InterlockScalars, transfer,
};
use interlock_core::backend::{DeviceOptions, DomainSpec, Plugin};
use interlock_curves::Curve;

use crate::outcome::{Outcome, Stop, failed};

/// An error as the table tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RawError {
    pub(crate) code: u32,
    pub(crate) flags: u32,
    pub(crate) message: Option<String>,
}

pub(crate) type Answer = Result<(), RawError>;

/// A plugin's table.
pub(crate) struct Raw {
    pub(crate) table: InterlockApi,
}

/// Calls a slot: `call!(raw, slot(args…))`, an [`Answer`]. A slot that is not there answers `UNSUPPORTED`.
macro_rules! call {
    ($raw:expr, $slot:ident($($arg:expr),* $(,)?)) => {{
        let raw: &$crate::raw::Raw = $raw;
        match raw.table.$slot {
            None => Err($crate::raw::absent()),
            Some(function) => {
                // SAFETY: the table was checked when it was loaded. Pointers are to memory of this call's caller that is
                // valid until the lane is waited for, or they are NULL, and handles may be dead: the ABI has a plugin
                // answer those with an error.
                let error = unsafe { function($($arg),*) };
                raw.answer(error)
            }
        }
    }};
}
pub(crate) use call;

pub(crate) fn absent() -> RawError {
    RawError {
        code: interlock_abi::INTERLOCK_UNSUPPORTED,
        flags: 0,
        message: Some("no such function".into()),
    }
}

impl Raw {
    pub(crate) fn of(plugin: &Arc<Plugin>) -> Self {
        Self { table: *plugin.table() }
    }

    /// Whether the plugin was built against a later version than this: its table is longer.
    pub(crate) fn is_newer(&self) -> bool {
        self.table.struct_size > size_of::<InterlockApi>()
    }

    pub(crate) fn answer(&self, error: *mut InterlockError) -> Answer {
        if error.is_null() {
            return Ok(());
        }
        let mut info: InterlockErrorInfo = transfer::empty();
        let (Some(get), Some(destroy)) = (self.table.error_get, self.table.error_destroy) else {
            return Err(absent());
        };
        // SAFETY: the plugin made this error for us; it is read, then destroyed once.
        Err(unsafe {
            get(error, &raw mut info);
            let message = transfer::text(info.message).map(str::to_owned);
            destroy(error);
            RawError { code: info.code, flags: info.flags, message }
        })
    }

    pub(crate) fn device(
        &self,
        curve: Curve,
        options: DeviceOptions,
    ) -> Result<Owned<'_, InterlockDevice>, Stop> {
        let params = device_params(curve, options);
        self.made("device_open", self.table.device_close, |out| {
            call!(self, device_open(&raw const params, out))
        })
    }

    pub(crate) fn lane(&self, device: *mut InterlockDevice) -> Result<Owned<'_, InterlockLane>, Stop> {
        self.made("lane_create", self.table.lane_destroy, |out| call!(self, lane_create(device, out)))
    }

    pub(crate) fn scalars(
        &self,
        device: *mut InterlockDevice,
        count: u64,
    ) -> Result<Owned<'_, InterlockScalars>, Stop> {
        self.made("scalars_alloc", self.table.scalars_free, |out| {
            call!(self, scalars_alloc(device, count, out))
        })
    }

    /// `points` must outlive the handle.
    pub(crate) fn bases(
        &self,
        device: *mut InterlockDevice,
        group: u32,
        points: &[u8],
        count: usize,
    ) -> Result<Owned<'_, InterlockBases>, Stop> {
        let mut desc: InterlockBasesDesc = transfer::empty();
        (desc.group, desc.points, desc.count) = (group, points.as_ptr(), count as u64);
        self.made("bases_create", self.table.bases_free, |out| {
            call!(self, bases_create(device, &raw const desc, out))
        })
    }

    pub(crate) fn domain(
        &self,
        device: *mut InterlockDevice,
        spec: &DomainSpec,
    ) -> Result<Owned<'_, InterlockDomain>, Stop> {
        let desc = domain_desc(spec);
        self.made("domain_create", self.table.domain_free, |out| {
            call!(self, domain_create(device, &raw const desc, out))
        })
    }

    fn made<T>(
        &self,
        operation: &'static str,
        free: Option<Free<T>>,
        make: impl FnOnce(*mut *mut T) -> Answer,
    ) -> Result<Owned<'_, T>, Stop> {
        let mut handle = std::ptr::null_mut();
        make(&raw mut handle).map_err(|error| failed(operation, "a handle", format_args!("{error:?}")))?;
        match free {
            Some(free) if !handle.is_null() => Ok(Owned { raw: self, handle, free }),
            _ => Err(failed(operation, "a handle", "success, and NULL for a handle")),
        }
    }
}

pub(crate) fn device_params(curve: Curve, options: DeviceOptions) -> InterlockDeviceParams {
    let mut params: InterlockDeviceParams = transfer::empty();
    params.index = options.index;
    params.curve = curve_code(curve);
    params.memory_limit = options.memory_limit.unwrap_or(0);
    params.threads = options.threads.unwrap_or(0);
    params
}

pub(crate) fn domain_desc(spec: &DomainSpec) -> InterlockDomainDesc {
    let mut desc: InterlockDomainDesc = transfer::empty();
    (desc.log_size, desc.generator, desc.shift) = (spec.log_size, spec.generator, spec.shift);
    desc
}

pub(crate) fn curve_code(curve: Curve) -> u32 {
    match curve {
        Curve::Bn254 => interlock_abi::INTERLOCK_CURVE_BN254,
        Curve::Bls12_381 => interlock_abi::INTERLOCK_CURVE_BLS12_381,
    }
}

type Free<T> = unsafe extern "C" fn(*mut T) -> *mut InterlockError;

/// A handle, freed when it is dropped.
pub(crate) struct Owned<'a, T> {
    raw: &'a Raw,
    handle: *mut T,
    free: Free<T>,
}

impl<T> Owned<'_, T> {
    pub(crate) fn get(&self) -> *mut T {
        self.handle
    }

    /// Frees it, and gives the dead handle.
    pub(crate) fn dead(mut self) -> Result<*mut T, Stop> {
        let handle = std::mem::replace(&mut self.handle, std::ptr::null_mut());
        // SAFETY: alive until this call, and not freed again by `drop`.
        let answer = self.raw.answer(unsafe { (self.free)(handle) });
        answer.map_err(|error| failed("freeing a live handle", "success", format_args!("{error:?}")))?;
        Ok(handle)
    }
}

impl<T> Drop for Owned<'_, T> {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: alive, and freed once.
            let _ = self.raw.answer(unsafe { (self.free)(self.handle) });
        }
    }
}

/// That a call is refused with one of these codes, and a message.
pub(crate) fn refused(input: &str, codes: &[u32], answer: Answer) -> Outcome {
    let wanted = || codes.iter().map(|&code| code_name(code)).collect::<Vec<_>>().join(" or ");
    match answer {
        Ok(()) => Err(failed(input, wanted(), "success")),
        Err(error) if !codes.contains(&error.code) => {
            Err(failed(input, wanted(), format_args!("{}: {:?}", code_name(error.code), error.message)))
        }
        Err(RawError { message: Some(message), .. }) if !message.trim().is_empty() => Ok(()),
        Err(_) => Err(failed(input, "an error with a message in UTF-8", "an error without one")),
    }
}

/// That a call succeeds.
pub(crate) fn accepted(input: &str, answer: Answer) -> Outcome {
    answer.map_err(|error| {
        failed(input, "success", format_args!("{}: {:?}", code_name(error.code), error.message))
    })
}

fn code_name(code: u32) -> String {
    let names = [
        "INVALID_ARGUMENT",
        "INVALID_HANDLE",
        "UNSUPPORTED",
        "OUT_OF_MEMORY_NEVER",
        "OUT_OF_MEMORY_NOW",
        "DEVICE_FAILED",
        "CANCELLED",
        "INTERNAL",
        "ABI_MISMATCH",
    ];
    let name = (code as usize).checked_sub(1).and_then(|at| names.get(at));
    name.map_or_else(|| format!("code {code}"), |name| format!("INTERLOCK_{name}"))
}
