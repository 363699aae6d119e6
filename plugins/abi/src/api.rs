//! The function table.

use crate::compute::{InterlockBasesDesc, InterlockDomainDesc, InterlockMatrixDesc, InterlockMsm};
use crate::error::InterlockErrorInfo;
use crate::handles::{
    InterlockBases, InterlockDevice, InterlockDomain, InterlockError, InterlockLane, InterlockMatrix,
    InterlockScalars, InterlockStrategy,
};
use crate::host::InterlockHost;
use crate::plugin::{
    InterlockDeviceInfo, InterlockDeviceParams, InterlockMemoryInfo, InterlockPluginInfo, InterlockProbe,
};
use crate::strategy::{
    InterlockDecision, InterlockStrategyAccount, InterlockStrategyInfo, InterlockStrategyLimits,
    InterlockTicket,
};
use crate::version::{InterlockExtension, InterlockStr};

/// Name of the symbol that a plugin in C or C++ exports: an [`InterlockGetApi`].
pub const INTERLOCK_GET_API_SYMBOL: &str = "interlock_get_api";

/// The entry of a plugin. `host` lives as long as the process. Returns NULL when the plugin refuses this host.
pub type InterlockGetApi = unsafe extern "C" fn(host: *const InterlockHost) -> *const InterlockApi;

/// Everything a backend offers. Static for the life of the process; a plugin is never unloaded.
///
/// Slots marked *optional* may be NULL: the host then composes them from the others or computes them itself, visibly.
/// All work given to a lane runs in order; `lane_sync` waits for it. Host memory passed to an asynchronous call stays
/// valid and unchanged until the lane has been waited for.
///
/// Freeing an object while work that uses it is queued or running is allowed: the free waits for that work, or defers the
/// release behind it. When `bases_free` or `matrix_free` has returned, the plugin no longer reads the host's memory.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InterlockApi {
    /// Size of this struct as the plugin knows it.
    pub struct_size: usize,
    /// Extensions, or NULL.
    pub ext: *const InterlockExtension,
    /// [`INTERLOCK_ABI_MAJOR`](crate::INTERLOCK_ABI_MAJOR) of the plugin.
    pub abi_major: u32,
    /// [`INTERLOCK_ABI_MINOR`](crate::INTERLOCK_ABI_MINOR) of the plugin.
    pub abi_minor: u32,

    // Errors
    /// Fills `out` from an error.
    pub error_get: Option<unsafe extern "C" fn(error: *const InterlockError, out: *mut InterlockErrorInfo)>,
    /// Destroys an error; NULL is allowed.
    pub error_destroy: Option<unsafe extern "C" fn(error: *mut InterlockError)>,

    // Plugin
    /// What the plugin is. Touches no device.
    pub plugin_info: Option<unsafe extern "C" fn(out: *mut InterlockPluginInfo) -> *mut InterlockError>,
    /// Whether it can work here. Allocates no device memory and uses no network.
    pub plugin_probe: Option<unsafe extern "C" fn(out: *mut InterlockProbe) -> *mut InterlockError>,
    /// Describes device `index`.
    pub device_info:
        Option<unsafe extern "C" fn(index: u32, out: *mut InterlockDeviceInfo) -> *mut InterlockError>,

    // Device
    /// Opens a device for a curve.
    pub device_open: Option<
        unsafe extern "C" fn(
            params: *const InterlockDeviceParams,
            out: *mut *mut InterlockDevice,
        ) -> *mut InterlockError,
    >,
    /// The device's memory account.
    pub device_memory: Option<
        unsafe extern "C" fn(
            device: *const InterlockDevice,
            out: *mut InterlockMemoryInfo,
        ) -> *mut InterlockError,
    >,
    /// Closes a device. Objects made from it stay valid until they are freed.
    pub device_close: Option<unsafe extern "C" fn(device: *mut InterlockDevice) -> *mut InterlockError>,

    // Lanes
    /// Makes a lane.
    pub lane_create: Option<
        unsafe extern "C" fn(
            device: *const InterlockDevice,
            out: *mut *mut InterlockLane,
        ) -> *mut InterlockError,
    >,
    /// Waits for all work of the lane; returns the first failure among it.
    pub lane_sync: Option<unsafe extern "C" fn(lane: *const InterlockLane) -> *mut InterlockError>,
    /// Asks the lane's running and queued work to end with `INTERLOCK_CANCELLED`; any thread may call it. The lane
    /// accepts work again after the next `lane_sync`. *Optional.*
    pub lane_cancel: Option<unsafe extern "C" fn(lane: *const InterlockLane) -> *mut InterlockError>,
    /// Waits for the lane and destroys it.
    pub lane_destroy: Option<unsafe extern "C" fn(lane: *mut InterlockLane) -> *mut InterlockError>,

    // Memory
    /// Makes a buffer of `count` scalars, all zero, Montgomery form.
    pub scalars_alloc: Option<
        unsafe extern "C" fn(
            device: *const InterlockDevice,
            count: u64,
            out: *mut *mut InterlockScalars,
        ) -> *mut InterlockError,
    >,
    /// Copies `count` scalars of 32 bytes to `dst[first..]`. The whole buffer then counts as being in `form`, so a
    /// buffer is filled in one form only. Each scalar must be below r; the plugin need not check it.
    pub scalars_upload: Option<
        unsafe extern "C" fn(
            lane: *const InterlockLane,
            dst: *const InterlockScalars,
            first: u64,
            src: *const u8,
            count: u64,
            form: u32,
        ) -> *mut InterlockError,
    >,
    /// Copies `count` scalars from `src[first..]` to host memory, in the buffer's form, which goes to `form`.
    pub scalars_download: Option<
        unsafe extern "C" fn(
            lane: *const InterlockLane,
            src: *const InterlockScalars,
            first: u64,
            dst: *mut u8,
            count: u64,
            form: *mut u32,
        ) -> *mut InterlockError,
    >,
    /// Zeroises and frees a buffer.
    pub scalars_free: Option<unsafe extern "C" fn(scalars: *mut InterlockScalars) -> *mut InterlockError>,

    // Keys
    /// Makes bases known to the device.
    pub bases_create: Option<
        unsafe extern "C" fn(
            device: *const InterlockDevice,
            desc: *const InterlockBasesDesc,
            out: *mut *mut InterlockBases,
        ) -> *mut InterlockError,
    >,
    /// Forgets bases.
    pub bases_free: Option<unsafe extern "C" fn(bases: *mut InterlockBases) -> *mut InterlockError>,
    /// Makes a matrix known to the device. *Optional, with `matrix_free` and `spmv`.*
    pub matrix_create: Option<
        unsafe extern "C" fn(
            device: *const InterlockDevice,
            desc: *const InterlockMatrixDesc,
            out: *mut *mut InterlockMatrix,
        ) -> *mut InterlockError,
    >,
    /// Forgets a matrix.
    pub matrix_free: Option<unsafe extern "C" fn(matrix: *mut InterlockMatrix) -> *mut InterlockError>,
    /// Makes a domain known to the device.
    pub domain_create: Option<
        unsafe extern "C" fn(
            device: *const InterlockDevice,
            desc: *const InterlockDomainDesc,
            out: *mut *mut InterlockDomain,
        ) -> *mut InterlockError,
    >,
    /// Forgets a domain.
    pub domain_free: Option<unsafe extern "C" fn(domain: *mut InterlockDomain) -> *mut InterlockError>,

    // Arithmetic
    /// Transforms `data` (exactly the domain's size, natural order in and out, either form) in place;
    /// `op` is one of `INTERLOCK_NTT_*`.
    pub ntt: Option<
        unsafe extern "C" fn(
            lane: *const InterlockLane,
            domain: *const InterlockDomain,
            data: *const InterlockScalars,
            op: u32,
        ) -> *mut InterlockError,
    >,
    /// `op` is one of `INTERLOCK_POINTWISE_*`; all buffers have one length, operands are in Montgomery form and so is the
    /// result. `dst` aliases neither `a` nor `b`. *Optional.*
    pub pointwise: Option<
        unsafe extern "C" fn(
            lane: *const InterlockLane,
            op: u32,
            dst: *const InterlockScalars,
            a: *const InterlockScalars,
            b: *const InterlockScalars,
        ) -> *mut InterlockError,
    >,
    /// `data[i] ← data[i] · factor`, the factor being 32 bytes in Montgomery form. *Optional.*
    pub scale: Option<
        unsafe extern "C" fn(
            lane: *const InterlockLane,
            data: *const InterlockScalars,
            factor: *const u8,
        ) -> *mut InterlockError,
    >,
    /// `y ← matrix · x`: `x` is canonical and has the matrix's columns, `y` has its rows and gets Montgomery form.
    pub spmv: Option<
        unsafe extern "C" fn(
            lane: *const InterlockLane,
            matrix: *const InterlockMatrix,
            x: *const InterlockScalars,
            y: *const InterlockScalars,
        ) -> *mut InterlockError,
    >,
    /// Computes `count` sums over one scalar buffer, which may be in either form. `stride` is the caller's size of
    /// [`InterlockMsm`], so that the array's elements can grow.
    pub msm: Option<
        unsafe extern "C" fn(
            lane: *const InterlockLane,
            scalars: *const InterlockScalars,
            msms: *const InterlockMsm,
            count: u64,
            stride: usize,
        ) -> *mut InterlockError,
    >,

    // Interlock strategies. *Optional, all or none:* without them the host uses its own.
    /// How many strategies there are. Touches no device.
    pub strategy_count: Option<unsafe extern "C" fn(out: *mut u32) -> *mut InterlockError>,
    /// Describes strategy `index`; the first is the default.
    pub strategy_info:
        Option<unsafe extern "C" fn(index: u32, out: *mut InterlockStrategyInfo) -> *mut InterlockError>,
    /// Makes a strategy. Needs no device.
    pub strategy_create: Option<
        unsafe extern "C" fn(
            name: InterlockStr,
            limits: *const InterlockStrategyLimits,
            out: *mut *mut InterlockStrategy,
        ) -> *mut InterlockError,
    >,
    /// A ticket wants to be in a phase. `INTERLOCK_INVALID_ARGUMENT` when it waits or is in one already.
    pub strategy_request: Option<
        unsafe extern "C" fn(
            strategy: *const InterlockStrategy,
            ticket: *const InterlockTicket,
        ) -> *mut InterlockError,
    >,
    /// From now on the ticket will have at most `peak` bytes on the device at once.
    pub strategy_shrink: Option<
        unsafe extern "C" fn(
            strategy: *const InterlockStrategy,
            ticket: u64,
            peak: u64,
        ) -> *mut InterlockError,
    >,
    /// A phase has ended, and what it used on the device is drained.
    pub strategy_release: Option<
        unsafe extern "C" fn(
            strategy: *const InterlockStrategy,
            ticket: u64,
            phase: u32,
        ) -> *mut InterlockError,
    >,
    /// Forgets a ticket, whatever it waits for or holds; its lane has drained. Unknown ones are allowed.
    pub strategy_cancel:
        Option<unsafe extern "C" fn(strategy: *const InterlockStrategy, ticket: u64) -> *mut InterlockError>,
    /// Writes up to `capacity` decisions, `stride` bytes apart (the caller's size of [`InterlockDecision`], which is also in
    /// each element's `struct_size`), and how many they are to `count`. As many as `capacity`: there may be more, the
    /// next call gives them. `account`, if not NULL, gets the books.
    pub strategy_decide: Option<
        unsafe extern "C" fn(
            strategy: *const InterlockStrategy,
            decisions: *mut InterlockDecision,
            capacity: u64,
            stride: usize,
            count: *mut u64,
            account: *mut InterlockStrategyAccount,
        ) -> *mut InterlockError,
    >,
    /// Destroys a strategy.
    pub strategy_destroy:
        Option<unsafe extern "C" fn(strategy: *mut InterlockStrategy) -> *mut InterlockError>,
}

// SAFETY: a table is immutable after its construction; its pointers are to functions and static data.
unsafe impl Send for InterlockApi {}
// SAFETY: as above: shared reads of immutable data.
unsafe impl Sync for InterlockApi {}
