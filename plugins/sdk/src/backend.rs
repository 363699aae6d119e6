//! The two traits of a backend.

use interlock_strategies::stock::{self, Description};
use interlock_strategies::{Limits, Strategy};

use crate::cancel::CancelToken;
use crate::error::BackendError;
use crate::types::{
    BasesSource, DomainSource, Form, HostBytes, HostBytesMut, MatrixSource, Memory, MsmRequest, NttOp,
    OpenParams, PluginInfo, PointwiseOp, Probe,
};

/// A plugin: what it is, and how its devices are opened. [`export_backend!`](crate::export_backend) exports one of a
/// library.
pub trait Backend: Send + Sync + 'static {
    /// Its devices. A device that is generic over the curve is [`Either`](crate::Either) of two.
    type Device: Device;

    /// What it is: touches no device.
    const INFO: PluginInfo;

    /// Whether it can work on this machine, and with which devices. Allocates no device memory, uses no network, ends
    /// soon. Called once per process: the answer is remembered.
    ///
    /// A machine without a device is a score of 0 with a reason that a person can act on (`no driver was found: …`), not
    /// an error. `interlock backends` shows scores and reasons; `--backend auto` takes the highest score.
    fn probe() -> Probe;

    /// Opens a device for one curve. A device may be opened any number of times, for either curve; the openings share
    /// nothing that one of them can see of another.
    ///
    /// The SDK has checked the index against [`Backend::probe`] and the curve against [`Backend::INFO`].
    ///
    /// # Errors
    /// The device cannot be had: [`Device`](crate::ErrorKind::Device), with the driver's code in
    /// [`native_code`](BackendError::native_code).
    fn open(params: &OpenParams) -> Result<Self::Device, BackendError>;

    /// The interlock strategies that it offers, the default first: the stock ones. A backend may leave some out, put
    /// another first, or add its own, with names of `a`–`z`, `0`–`9` and `-`.
    fn strategies() -> Vec<Description> {
        stock::ALL.to_vec()
    }

    /// Makes one of them; none for a name that is not among them.
    fn strategy(name: &str, limits: Limits) -> Option<Box<dyn Strategy>> {
        Some(Box::new(stock::create(name, limits)?))
    }
}

/// Which optional operations a device has; the others stay `NULL` in the table. Set a flag *and* write the methods: the
/// default methods of a flag that is set answer *unsupported*, and methods without their flag are never called.
#[derive(Clone, Copy, Debug, Default)]
pub struct Features {
    /// [`Device::load_matrix`] and [`Device::spmv`]. Without them the host multiplies and uploads the rows.
    pub matrices: bool,
    /// [`Device::pointwise`]. Without it the host downloads the operands, and uploads the result.
    pub pointwise: bool,
    /// [`Device::scale`]. Without it the host does the same with one buffer.
    pub scale: bool,
    /// The backend polls its [`CancelToken`]. Without it a cancelled job waits for the work that was given to the lane.
    pub cancel: bool,
}

/// An opened device, for one curve.
///
/// # What the SDK has checked
///
/// Before each call: handles are alive, of their kind, and of this device; counts are at most 2^40 and ranges lie inside
/// their buffers; a transform's buffer has the domain's size, the operands of [`pointwise`](Device::pointwise) have one
/// length, those of [`spmv`](Device::spmv) the matrix's; forms are as an operation needs them; an output aliases no input;
/// pointers are not null and aligned. It remembers each buffer's [`Form`].
///
/// It has *not* checked that scalars are below r or that points lie on their curve: the host has done that with its files.
/// Others may give any result or an error, but no crash.
///
/// # Threads
///
/// Any thread calls any method at any time, several at once. One lane is used by one thread at a time, and so is a buffer
/// that is written; the SDK refuses the rest. There is no current device: set what a driver calls one at the beginning of
/// each call.
///
/// # Asynchronous work
///
/// A method may return before its work is done. Then
///
/// - work of a lane runs in the order in which it was given, and [`sync`](Device::sync) waits for all of it and returns
///   the first failure;
/// - the host's memory behind [`HostBytes`], [`HostBytesMut`] and [`MsmRequest::result`] stays valid until the lane has
///   been waited for, so queued work may go on using its address. The types end with the call; going on is `unsafe` code
///   of the backend's;
/// - `&` and `&mut` of device objects end with the call as well. What queued work uses, its object's `Drop` waits for, or
///   keeps alive behind it;
/// - the host waits for a lane before another lane uses what it made.
///
/// # Dropping
///
/// An object is dropped when the host has freed it and no call uses it. The device is dropped last, whatever the host frees
/// first. When the drop of bases or of a matrix has returned, their [`KeySlice`](crate::KeySlice)s are read no more.
///
/// # Errors
///
/// Any method may return any [`BackendError`]. A panic is caught and told as
/// [`Internal`](crate::ErrorKind::Internal); the objects that the call was writing are refused from then on. A failed or
/// cancelled operation leaves the contents of its output undefined and everything else as it was.
#[allow(unused_variables, reason = "default methods name their arguments for the reader")]
pub trait Device: Send + Sync + 'static {
    /// An in-order queue. The host makes one for each worker, so several are in use at once.
    type Lane: Send + 'static;
    /// A buffer of scalars of 32 bytes. It is secret: its drop overwrites its memory before it can be used again.
    type Scalars: Send + Sync + 'static;
    /// Loaded bases: never changed, used by any number of lanes at once.
    type Bases: Send + Sync + 'static;
    /// A loaded matrix, likewise; `()` when there are none.
    type Matrix: Send + Sync + 'static;
    /// A loaded domain, likewise.
    type Domain: Send + Sync + 'static;

    /// The optional operations that it has.
    const FEATURES: Features = Features { matrices: false, pointwise: false, scale: false, cancel: false };

    /// The memory account: [`Account::memory`](crate::account::Account::memory) is its answer. The budget is the smaller
    /// one of the device's and [`OpenParams::memory_limit`].
    fn memory(&self) -> Memory;

    /// Makes a lane; its work polls `cancel` when [`Features::cancel`] is set: `cancel.check()?` before each piece of
    /// work, a piece being milliseconds. A lane that was cancelled refuses work until the host has waited for it, when the
    /// SDK takes the cancellation back.
    fn lane(&self, cancel: CancelToken) -> Result<Self::Lane, BackendError>;

    /// Waits for all work of the lane and returns the first failure of it, once. Also called before a lane is dropped.
    /// The default suits backends that are done when a method returns.
    fn sync(&self, lane: &mut Self::Lane) -> Result<(), BackendError> {
        Ok(())
    }

    /// Makes a buffer of `count` zeros, 0 included.
    ///
    /// # Errors
    /// [`NeverFits`](crate::ErrorKind::NeverFits), when an empty device had no room; [`NotNow`](crate::ErrorKind::NotNow),
    /// when it has none beside what is there. [`Account::hold`](crate::account::Account::hold) tells them apart. The host
    /// plans by them: what never fits goes to another device, what does not fit now is tried again.
    fn alloc(&self, count: usize) -> Result<Self::Scalars, BackendError>;

    /// Copies `src`, 32 bytes for each scalar, to `dst[first..]`. Bytes come back as they went; what they mean is the form's
    /// business, which the SDK remembers.
    fn upload(
        &self,
        lane: &mut Self::Lane,
        dst: &mut Self::Scalars,
        first: usize,
        src: HostBytes<'_>,
    ) -> Result<(), BackendError>;

    /// Copies `src[first..]`, as many scalars as `dst` has room for.
    fn download(
        &self,
        lane: &mut Self::Lane,
        src: &Self::Scalars,
        first: usize,
        dst: HostBytesMut<'_>,
    ) -> Result<(), BackendError>;

    /// Makes bases known, once for each key and opening. Points are affine, `x` then `y`, in little-endian Montgomery limbs
    /// (of G2, `c0` then `c1` for each); all zero is infinity, which is legal anywhere and adds nothing: drop it here. A third
    /// to two thirds of a key's A and B are infinity.
    ///
    /// The source's memory stays valid until the bases are dropped: a device copies it, a CPU may borrow it.
    ///
    /// # Errors
    /// As [`alloc`](Device::alloc), for what is copied.
    fn load_bases(&self, source: BasesSource) -> Result<Self::Bases, BackendError>;

    /// Makes a matrix known. *Optional, with [`spmv`](Device::spmv).*
    ///
    /// # Errors
    /// As [`alloc`](Device::alloc), for what is copied.
    fn load_matrix(&self, source: MatrixSource) -> Result<Self::Matrix, BackendError> {
        Err(BackendError::unsupported("matrices"))
    }

    /// Makes a domain known: tables of powers are made here. Generator and shift are the host's: families of keys have
    /// different ones on the same curve, so a backend uses no root of unity of its own.
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument): the generator is not of order 2^`log_size` exactly, the shift
    /// is zero, or one of them is not below r. Check it before anything is sized by `log_size`. Also as
    /// [`alloc`](Device::alloc), for the tables.
    fn load_domain(&self, source: &DomainSource) -> Result<Self::Domain, BackendError>;

    /// Transforms `data` in place; its length is the domain's size N. Natural order in and out, the factor 1/N included in
    /// the inverses:
    ///
    /// | `op` | `data[k] ←` |
    /// |---|---|
    /// | [`Forward`](NttOp::Forward) | Σ `data[i]` · ω^(ik) |
    /// | [`Inverse`](NttOp::Inverse) | 1/N · Σ `data[i]` · ω^(−ik) |
    /// | [`CosetForward`](NttOp::CosetForward) | Σ `data[i]` · shift^i · ω^(ik) |
    /// | [`CosetInverse`](NttOp::CosetInverse) | shift^(−k) · 1/N · Σ `data[i]` · ω^(−ik) |
    ///
    /// All are linear, so a buffer in either form stays in it.
    fn ntt(
        &self,
        lane: &mut Self::Lane,
        domain: &Self::Domain,
        data: &mut Self::Scalars,
        op: NttOp,
    ) -> Result<(), BackendError>;

    /// `dst ← a·b` or `dst ← a·b − dst`, element by element, all in Montgomery form. `a` and `b` may be one buffer, `dst` is
    /// another. *Optional.*
    fn pointwise(
        &self,
        lane: &mut Self::Lane,
        op: PointwiseOp,
        dst: &mut Self::Scalars,
        a: &Self::Scalars,
        b: &Self::Scalars,
    ) -> Result<(), BackendError> {
        Err(BackendError::unsupported("pointwise operations"))
    }

    /// `data ← factor · data`, the factor being 32 bytes in Montgomery form; `data` stays in the form that it has.
    /// *Optional.*
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument): the factor is not below r.
    fn scale(
        &self,
        lane: &mut Self::Lane,
        data: &mut Self::Scalars,
        factor: &[u8; 32],
    ) -> Result<(), BackendError> {
        Err(BackendError::unsupported("scaling"))
    }

    /// `y ← matrix · x`, `x` canonical, `y` Montgomery: values are coefficient · R², so one Montgomery product with a
    /// canonical number is the product in Montgomery form. *Optional, with [`load_matrix`](Device::load_matrix).*
    fn spmv(
        &self,
        lane: &mut Self::Lane,
        matrix: &Self::Matrix,
        x: &Self::Scalars,
        y: &mut Self::Scalars,
    ) -> Result<(), BackendError> {
        Err(BackendError::unsupported("matrices"))
    }

    /// For each request Σᵢ `scalars[first + index[i]]` · `base[i]`, to `result` as Jacobian X, Y, Z in Montgomery limbs, any
    /// Z; Z = 0 is infinity. Requests share the scalars and may mix G1 and G2; there may be none.
    ///
    /// Most scalars of a witness are 0 or 1. Equal and opposite points meet in a sum, so additions must be complete.
    fn msm(
        &self,
        lane: &mut Self::Lane,
        scalars: &Self::Scalars,
        form: Form,
        requests: Vec<MsmRequest<'_, Self::Bases>>,
    ) -> Result<(), BackendError>;
}
