//! A lane: the queue through which a device is given work.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::Arc;

use interlock_abi::{
    INTERLOCK_NTT_COSET_FORWARD, INTERLOCK_NTT_COSET_INVERSE, INTERLOCK_NTT_FORWARD, INTERLOCK_NTT_INVERSE,
    INTERLOCK_POINTWISE_MUL, INTERLOCK_POINTWISE_MUL_SUB, InterlockLane, InterlockMsm, transfer,
};
use zeroize::Zeroizing;

use super::api::call;
use super::compose;
use super::device::{Device, Handle};
use super::error::{BackendError, BackendErrorKind};
use super::objects::{Bases, Domain, Form, Matrix, Scalars};
use super::plugin::Plugin;

/// Which transform of a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NttOp {
    /// Coefficients to values on the domain.
    Forward,
    /// Values on the domain to coefficients.
    Inverse,
    /// Coefficients to values on the coset.
    CosetForward,
    /// Values on the coset to coefficients.
    CosetInverse,
}

/// One sum of a batch: `Σ scalars[first + index[i]] · base[i]`.
#[derive(Clone, Copy, Debug)]
pub struct MsmTerm<'a> {
    /// The bases.
    pub bases: &'a Bases,
    /// First scalar of the range.
    pub first: usize,
}

/// An in-order queue of a device, for one thread at a time.
///
/// Operations on device memory return once the device has taken the work; transfers and MSMs wait for the lane.
#[derive(Debug)]
pub struct Lane {
    inner: Arc<Inner>,
    /// Lanes may move between threads but not be shared by them.
    _not_sync: PhantomData<Cell<()>>,
}

#[derive(Debug)]
struct Inner {
    device: Device,
    handle: Handle<InterlockLane>,
}

/// Tells a lane's work to end, from any thread.
#[derive(Clone, Debug)]
pub struct Canceller(Arc<Inner>);

impl Canceller {
    /// Asks running and queued work to end with [`BackendErrorKind::Cancelled`]. Does nothing when the backend cannot
    /// cancel: its work then runs to the end of the operation.
    pub fn cancel(&self) {
        let _ = call!(self.0.device.plugin(), lane_cancel(self.0.handle.0));
    }
}

impl Lane {
    /// Makes a lane.
    ///
    /// # Errors
    /// The device refuses.
    pub fn create(device: &Device) -> Result<Self, BackendError> {
        let plugin = device.plugin();
        let handle =
            Handle::make(plugin, "lane_create", |out| call!(plugin, lane_create(device.handle(), out)))?;
        Ok(Self { inner: Arc::new(Inner { device: device.clone(), handle }), _not_sync: PhantomData })
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.inner.device
    }

    /// A handle by which another thread cancels this lane's work.
    pub fn canceller(&self) -> Canceller {
        Canceller(Arc::clone(&self.inner))
    }

    /// Waits for all work.
    ///
    /// # Errors
    /// The first failure among the work.
    pub fn sync(&self) -> Result<(), BackendError> {
        call!(self.plugin(), lane_sync(self.inner.handle.0))
    }

    /// Copies scalars (32 bytes each) to `dst[first..]`, which then counts as being in `form`.
    ///
    /// # Errors
    /// Out of range, or the device failed.
    pub fn upload(
        &self,
        dst: &mut Scalars,
        first: usize,
        bytes: &[u8],
        form: Form,
    ) -> Result<(), BackendError> {
        self.owns("scalars_upload", dst.device())?;
        let count = bytes.len() / 32;
        if !bytes.len().is_multiple_of(32) || first.checked_add(count).is_none_or(|end| end > dst.len()) {
            let message = format!("{} bytes to scalar {first} of {}", bytes.len(), dst.len());
            return Err(self.refuse("scalars_upload", message));
        }
        let given = call!(
            self.plugin(),
            scalars_upload(
                self.inner.handle.0,
                dst.handle(),
                first as u64,
                bytes.as_ptr(),
                count as u64,
                form.code()
            )
        );
        // The bytes are only borrowed, so the device must be done with them, whatever the call said.
        given.and(self.sync())
    }

    /// Copies scalars from a device; the copy is zeroised when dropped.
    ///
    /// # Errors
    /// Out of range, or the device failed.
    pub fn download(
        &self,
        src: &Scalars,
        first: usize,
        count: usize,
    ) -> Result<(Zeroizing<Vec<u8>>, Form), BackendError> {
        self.owns("scalars_download", src.device())?;
        if first.checked_add(count).is_none_or(|end| end > src.len()) {
            return Err(
                self.refuse("scalars_download", format!("{count} from scalar {first} of {}", src.len()))
            );
        }
        let mut bytes = Zeroizing::new(vec![0; count * 32]);
        let mut form = 0;
        let given = call!(
            self.plugin(),
            scalars_download(
                self.inner.handle.0,
                src.handle(),
                first as u64,
                bytes.as_mut_ptr(),
                count as u64,
                &raw mut form
            )
        );
        given.and(self.sync())?;
        let form = Form::from_code(form).ok_or_else(|| {
            self.refuse("scalars_download", format!("the backend answered form number {form}"))
        })?;
        Ok((bytes, form))
    }

    /// Transforms a buffer of the domain's size in place.
    ///
    /// # Errors
    /// Wrong length, or the device failed.
    pub fn ntt(&self, domain: &Domain, data: &mut Scalars, op: NttOp) -> Result<(), BackendError> {
        self.owns("ntt", domain.device())?;
        self.owns("ntt", data.device())?;
        self.equal("ntt", data.len(), domain.size())?;
        let op = match op {
            NttOp::Forward => INTERLOCK_NTT_FORWARD,
            NttOp::Inverse => INTERLOCK_NTT_INVERSE,
            NttOp::CosetForward => INTERLOCK_NTT_COSET_FORWARD,
            NttOp::CosetInverse => INTERLOCK_NTT_COSET_INVERSE,
        };
        call!(self.plugin(), ntt(self.inner.handle.0, domain.handle(), data.handle(), op))
    }

    /// `dst ← a·b`, all in Montgomery form.
    ///
    /// # Errors
    /// Lengths differ, or the device failed.
    pub fn multiply(&self, dst: &mut Scalars, a: &Scalars, b: &Scalars) -> Result<(), BackendError> {
        self.pointwise(INTERLOCK_POINTWISE_MUL, dst, a, b)
    }

    /// `dst ← a·b − dst`, all in Montgomery form.
    ///
    /// # Errors
    /// Lengths differ, or the device failed.
    pub fn multiply_subtract(&self, dst: &mut Scalars, a: &Scalars, b: &Scalars) -> Result<(), BackendError> {
        self.pointwise(INTERLOCK_POINTWISE_MUL_SUB, dst, a, b)
    }

    fn pointwise(&self, op: u32, dst: &mut Scalars, a: &Scalars, b: &Scalars) -> Result<(), BackendError> {
        self.owns("pointwise", dst.device())?;
        for operand in [a, b] {
            self.owns("pointwise", operand.device())?;
            self.equal("pointwise", operand.len(), dst.len())?;
        }
        if self.plugin().api().0.pointwise.is_none() {
            return compose::pointwise(self, op == INTERLOCK_POINTWISE_MUL_SUB, dst, a, b);
        }
        call!(self.plugin(), pointwise(self.inner.handle.0, op, dst.handle(), a.handle(), b.handle()))
    }

    /// `data ← factor · data`, the factor in Montgomery form.
    ///
    /// # Errors
    /// The device failed.
    pub fn scale(&self, data: &mut Scalars, factor: &[u8; 32]) -> Result<(), BackendError> {
        self.owns("scale", data.device())?;
        if self.plugin().api().0.scale.is_none() {
            return compose::scale(self, data, factor);
        }
        // The factor is only borrowed, so the lane is waited for.
        call!(self.plugin(), scale(self.inner.handle.0, data.handle(), factor.as_ptr())).and(self.sync())
    }

    /// `y ← matrix · x`: `x` canonical, `y` Montgomery.
    ///
    /// # Errors
    /// Shapes differ, or the device failed.
    pub fn multiply_matrix(&self, matrix: &Matrix, x: &Scalars, y: &mut Scalars) -> Result<(), BackendError> {
        for device in [matrix.device(), x.device(), y.device()] {
            self.owns("spmv", device)?;
        }
        self.equal("spmv", x.len(), matrix.source().cols)?;
        self.equal("spmv", y.len(), matrix.source().rows)?;
        match matrix.handle() {
            None => compose::multiply_matrix(self, matrix.source(), x, y),
            Some(matrix) => call!(self.plugin(), spmv(self.inner.handle.0, matrix, x.handle(), y.handle())),
        }
    }

    /// Sums over one scalar buffer: Jacobian points in the wire encoding, in the order of the terms.
    ///
    /// # Errors
    /// A term reaches beyond the scalars, or the device failed.
    pub fn msm(&self, scalars: &Scalars, terms: &[MsmTerm<'_>]) -> Result<Vec<Vec<u8>>, BackendError> {
        self.owns("msm", scalars.device())?;
        let mut sums: Vec<Vec<u8>> = terms.iter().map(|term| vec![0; term.bases.sum_bytes()]).collect();
        let mut requests = Vec::with_capacity(terms.len());
        for (term, sum) in terms.iter().zip(&mut sums) {
            self.owns("msm", term.bases.device())?;
            if term.first.checked_add(term.bases.span()).is_none_or(|end| end > scalars.len()) {
                let (first, span) = (term.first, term.bases.span());
                return Err(self.refuse("msm", format!("{span} scalars from {first} of {}", scalars.len())));
            }
            let mut request: InterlockMsm = transfer::empty();
            request.bases = term.bases.handle();
            request.first = term.first as u64;
            request.result = sum.as_mut_ptr();
            request.result_bytes = sum.len();
            requests.push(request);
        }
        let given = call!(
            self.plugin(),
            msm(
                self.inner.handle.0,
                scalars.handle(),
                requests.as_ptr(),
                requests.len() as u64,
                size_of::<InterlockMsm>()
            )
        );
        // The results are written at the latest when the lane has been waited for.
        given.and(self.sync())?;
        Ok(sums)
    }

    fn plugin(&self) -> &Plugin {
        self.inner.device.plugin()
    }

    fn owns(&self, operation: &'static str, device: &Device) -> Result<(), BackendError> {
        if self.inner.device.same(device) {
            return Ok(());
        }
        let kind = BackendErrorKind::InvalidHandle;
        Err(BackendError::host(kind, self.plugin().name(), operation, "an object belongs to another device"))
    }

    fn equal(&self, operation: &'static str, got: usize, wanted: usize) -> Result<(), BackendError> {
        if got == wanted {
            Ok(())
        } else {
            Err(self.refuse(operation, format!("{got} scalars where {wanted} belong")))
        }
    }

    pub(super) fn refuse(&self, operation: &'static str, message: String) -> BackendError {
        BackendError::host(BackendErrorKind::InvalidArgument, self.plugin().name(), operation, message)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let _ = call!(self.device.plugin(), lane_destroy(self.handle.0));
    }
}
