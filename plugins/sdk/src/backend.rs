//! The two traits of a backend.

use interlock_strategies::stock::{self, Description};
use interlock_strategies::{Limits, Strategy};

use crate::cancel::CancelToken;
use crate::error::BackendError;
use crate::types::{
    BasesSource, DomainSource, Form, HostBytes, HostBytesMut, MatrixSource, Memory, MsmRequest, NttOp,
    OpenParams, PluginInfo, PointwiseOp, Probe,
};

/// A plugin: what it is, and how its devices are opened.
pub trait Backend: Send + Sync + 'static {
    /// Its devices.
    type Device: Device;

    /// What it is.
    const INFO: PluginInfo;

    /// Whether it can work on this machine, and with which devices. Allocates no device memory, uses no network.
    fn probe() -> Probe;

    /// Opens a device. The SDK has checked the index against [`Backend::probe`] and the curve against
    /// [`Backend::INFO`].
    ///
    /// # Errors
    /// The device cannot be had.
    fn open(params: &OpenParams) -> Result<Self::Device, BackendError>;

    /// The interlock strategies that it offers, the default first: the stock ones. A backend may leave some out, put
    /// another first, or add its own.
    fn strategies() -> Vec<Description> {
        stock::ALL.to_vec()
    }

    /// Makes one of them; none for a name that is not among them.
    fn strategy(name: &str, limits: Limits) -> Option<Box<dyn Strategy>> {
        Some(Box::new(stock::create(name, limits)?))
    }
}

/// Which optional operations a device has; the others stay `NULL` in the table and the host composes them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Features {
    /// [`Device::load_matrix`] and [`Device::spmv`].
    pub matrices: bool,
    /// [`Device::pointwise`].
    pub pointwise: bool,
    /// [`Device::scale`].
    pub scale: bool,
    /// The backend polls its [`CancelToken`].
    pub cancel: bool,
}

/// An opened device, for one curve. Any thread may call it; a lane is used by one thread at a time.
///
/// The SDK checks before each call: handles are alive and of this device, lengths and ranges fit, forms are as stated,
/// outputs alias no input. A method may return before the work is done when [`Device::sync`] waits for it.
#[allow(unused_variables, reason = "default methods name their arguments for the reader")]
pub trait Device: Send + Sync + 'static {
    /// An in-order queue.
    type Lane: Send + 'static;
    /// A buffer of scalars. Zeroises its memory when dropped.
    type Scalars: Send + Sync + 'static;
    /// Loaded bases.
    type Bases: Send + Sync + 'static;
    /// A loaded matrix; `()` when there are none.
    type Matrix: Send + Sync + 'static;
    /// A loaded domain.
    type Domain: Send + Sync + 'static;

    /// The optional operations that it has.
    const FEATURES: Features = Features { matrices: false, pointwise: false, scale: false, cancel: false };

    /// The memory account.
    fn memory(&self) -> Memory;

    /// Makes a lane; its work polls `cancel` when [`Features::cancel`] is set.
    fn lane(&self, cancel: CancelToken) -> Result<Self::Lane, BackendError>;

    /// Waits for all work of the lane. The default suits backends that work synchronously.
    fn sync(&self, lane: &mut Self::Lane) -> Result<(), BackendError> {
        Ok(())
    }

    /// Makes a buffer of `count` zeros.
    fn alloc(&self, count: usize) -> Result<Self::Scalars, BackendError>;

    /// Copies scalars of 32 bytes to `dst[first..]`.
    fn upload(
        &self,
        lane: &mut Self::Lane,
        dst: &mut Self::Scalars,
        first: usize,
        src: HostBytes<'_>,
    ) -> Result<(), BackendError>;

    /// Copies scalars from `src[first..]`.
    fn download(
        &self,
        lane: &mut Self::Lane,
        src: &Self::Scalars,
        first: usize,
        dst: HostBytesMut<'_>,
    ) -> Result<(), BackendError>;

    /// Makes bases known.
    fn load_bases(&self, source: BasesSource) -> Result<Self::Bases, BackendError>;

    /// Makes a matrix known. *Optional.*
    fn load_matrix(&self, source: MatrixSource) -> Result<Self::Matrix, BackendError> {
        Err(BackendError::unsupported("matrices"))
    }

    /// Makes a domain known.
    fn load_domain(&self, source: &DomainSource) -> Result<Self::Domain, BackendError>;

    /// Transforms `data`, exactly of the domain's size, in place; natural order, either form.
    fn ntt(
        &self,
        lane: &mut Self::Lane,
        domain: &Self::Domain,
        data: &mut Self::Scalars,
        op: NttOp,
    ) -> Result<(), BackendError>;

    /// `dst ← a·b` or `dst ← a·b − dst`. *Optional.*
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

    /// `data ← factor · data`, the factor being 32 bytes in Montgomery form. *Optional.*
    fn scale(
        &self,
        lane: &mut Self::Lane,
        data: &mut Self::Scalars,
        factor: &[u8; 32],
    ) -> Result<(), BackendError> {
        Err(BackendError::unsupported("scaling"))
    }

    /// `y ← matrix · x`, `x` canonical, `y` Montgomery. *Optional.*
    fn spmv(
        &self,
        lane: &mut Self::Lane,
        matrix: &Self::Matrix,
        x: &Self::Scalars,
        y: &mut Self::Scalars,
    ) -> Result<(), BackendError> {
        Err(BackendError::unsupported("matrices"))
    }

    /// Sums over one scalar buffer.
    fn msm(
        &self,
        lane: &mut Self::Lane,
        scalars: &Self::Scalars,
        form: Form,
        requests: Vec<MsmRequest<'_, Self::Bases>>,
    ) -> Result<(), BackendError>;
}
