//! Arithmetic group: NTT, pointwise, scale, matrix product, MSM.

use std::sync::Arc;

use interlock_abi::{
    INTERLOCK_NTT_COSET_FORWARD, INTERLOCK_NTT_COSET_INVERSE, INTERLOCK_NTT_FORWARD, INTERLOCK_NTT_INVERSE,
    INTERLOCK_POINTWISE_MUL, INTERLOCK_POINTWISE_MUL_SUB, InterlockDomain, InterlockError, InterlockLane,
    InterlockMatrix, InterlockMsm, InterlockScalars, transfer,
};

use crate::backend::Device;
use crate::error::BackendError;
use crate::handles;
use crate::thunks::entries::{BasesEntry, DomainEntry, LaneEntry, MatrixEntry, ScalarsEntry};
use crate::thunks::guard::guard;
use crate::thunks::{count, not_null};
use crate::types::{Form, HostBytesMut, MsmRequest, NttOp, PointwiseOp};

/// `ntt`
pub(crate) unsafe extern "C" fn ntt<D: Device>(
    lane: *const InterlockLane,
    domain: *const InterlockDomain,
    data: *const InterlockScalars,
    op: u32,
) -> *mut InterlockError {
    guard(|| {
        let lane = handles::get::<LaneEntry<D>, _>(lane, "lane")?;
        let domain = handles::get::<DomainEntry<D>, _>(domain, "domain")?;
        lane.owns(&domain.device, "domain")?;
        let data = scalars(&lane, data)?;
        let op = match op {
            INTERLOCK_NTT_FORWARD => NttOp::Forward,
            INTERLOCK_NTT_INVERSE => NttOp::Inverse,
            INTERLOCK_NTT_COSET_FORWARD => NttOp::CosetForward,
            INTERLOCK_NTT_COSET_INVERSE => NttOp::CosetInverse,
            other => return Err(BackendError::argument(format!("NTT operation number {other}"))),
        };
        same_length("the buffer", data.count, "the domain", 1_usize << domain.log_size)?;
        let mut buffer = data.write()?;
        lane.device.device.ntt(&mut *lane.lock()?, &domain.domain, &mut buffer.scalars, op)
    })
}

/// `pointwise`
pub(crate) unsafe extern "C" fn pointwise<D: Device>(
    lane: *const InterlockLane,
    op: u32,
    dst: *const InterlockScalars,
    a: *const InterlockScalars,
    b: *const InterlockScalars,
) -> *mut InterlockError {
    guard(|| {
        let lane = handles::get::<LaneEntry<D>, _>(lane, "lane")?;
        let (dst, a, b) = (scalars(&lane, dst)?, scalars(&lane, a)?, scalars(&lane, b)?);
        let op = match op {
            INTERLOCK_POINTWISE_MUL => PointwiseOp::Mul,
            INTERLOCK_POINTWISE_MUL_SUB => PointwiseOp::MulSub,
            other => return Err(BackendError::argument(format!("pointwise operation number {other}"))),
        };
        same_length("a", a.count, "the result", dst.count)?;
        same_length("b", b.count, "the result", dst.count)?;
        let mut dst = dst.write()?;
        let (a, b) = (a.read()?, b.read()?);
        need(Form::Montgomery, a.form)?;
        need(Form::Montgomery, b.form)?;
        if op == PointwiseOp::MulSub {
            need(Form::Montgomery, dst.form)?;
        }
        lane.device.device.pointwise(&mut *lane.lock()?, op, &mut dst.scalars, &a.scalars, &b.scalars)?;
        dst.form = Form::Montgomery;
        Ok(())
    })
}

/// `scale`
pub(crate) unsafe extern "C" fn scale<D: Device>(
    lane: *const InterlockLane,
    data: *const InterlockScalars,
    factor: *const u8,
) -> *mut InterlockError {
    guard(|| {
        let lane = handles::get::<LaneEntry<D>, _>(lane, "lane")?;
        let data = scalars(&lane, data)?;
        not_null(factor, 32, "the factor")?;
        // SAFETY: the caller's 32 bytes; byte arrays have alignment 1.
        let factor = unsafe { factor.cast::<[u8; 32]>().read() };
        let mut buffer = data.write()?;
        lane.device.device.scale(&mut *lane.lock()?, &mut buffer.scalars, &factor)
    })
}

/// `spmv`
pub(crate) unsafe extern "C" fn spmv<D: Device>(
    lane: *const InterlockLane,
    matrix: *const InterlockMatrix,
    x: *const InterlockScalars,
    y: *const InterlockScalars,
) -> *mut InterlockError {
    guard(|| {
        let lane = handles::get::<LaneEntry<D>, _>(lane, "lane")?;
        let matrix = handles::get::<MatrixEntry<D>, _>(matrix, "matrix")?;
        lane.owns(&matrix.device, "matrix")?;
        let (x, y) = (scalars(&lane, x)?, scalars(&lane, y)?);
        same_length("x", x.count, "the columns", matrix.cols)?;
        same_length("y", y.count, "the rows", matrix.rows)?;
        let mut y = y.write()?;
        let x = x.read()?;
        need(Form::Canonical, x.form)?;
        lane.device.device.spmv(&mut *lane.lock()?, &matrix.matrix, &x.scalars, &mut y.scalars)?;
        y.form = Form::Montgomery;
        Ok(())
    })
}

/// `msm`
pub(crate) unsafe extern "C" fn msm<D: Device>(
    lane: *const InterlockLane,
    source: *const InterlockScalars,
    msms: *const InterlockMsm,
    n: u64,
    stride: usize,
) -> *mut InterlockError {
    guard(|| {
        let lane = handles::get::<LaneEntry<D>, _>(lane, "lane")?;
        let source = scalars(&lane, source)?;
        let n = count(n, "MSM requests")?;
        not_null(msms, n, "the requests")?;
        if !stride.is_multiple_of(align_of::<InterlockMsm>()) || (n > 1 && stride < size_of::<usize>()) {
            return Err(BackendError::argument(format!("a stride of {stride} bytes between MSM requests")));
        }
        let mut wanted = Vec::new();
        for i in 0..n {
            // SAFETY: the caller's array has `n` elements at this stride, each carrying its size.
            let request = unsafe { transfer::read(msms.byte_add(i * stride)) }?;
            let bases = handles::get::<BasesEntry<D>, _>(request.bases, "bases")?;
            lane.owns(&bases.device, "bases")?;
            let first = count(request.first, "first scalar")?;
            if first + bases.span > source.count {
                return Err(BackendError::argument(format!(
                    "MSM {i} reads scalars {first}..{} of a buffer of {}",
                    first + bases.span,
                    source.count
                )));
            }
            let bytes = 3 * bases.group.coordinate_bytes(lane.device.curve);
            same_length("the result in bytes", request.result_bytes, "a Jacobian point", bytes)?;
            not_null(request.result.cast_const(), bytes, "the place for a sum")?;
            wanted.push((bases, first, request.result, bytes));
        }
        let requests = wanted
            .iter()
            .map(|&(ref bases, first, result, bytes)| {
                // SAFETY: the caller's place of this length (checked), valid until the lane has been waited for.
                let result = unsafe { HostBytesMut::new(result, bytes) };
                MsmRequest { bases: &bases.bases, first, result }
            })
            .collect();
        let buffer = source.read()?;
        lane.device.device.msm(&mut *lane.lock()?, &buffer.scalars, buffer.form, requests)
    })
}

/// A scalar buffer of the lane's device.
fn scalars<D: Device>(
    lane: &LaneEntry<D>,
    handle: *const InterlockScalars,
) -> Result<Arc<ScalarsEntry<D>>, BackendError> {
    let entry = handles::get::<ScalarsEntry<D>, _>(handle, "scalars")?;
    lane.owns(&entry.device, "scalars")?;
    Ok(entry)
}

fn same_length(what: &str, got: usize, other: &str, wanted: usize) -> Result<(), BackendError> {
    if got == wanted {
        return Ok(());
    }
    Err(BackendError::argument(format!("{what}: {got}, but {other}: {wanted}")))
}

fn need(wanted: Form, got: Form) -> Result<(), BackendError> {
    if got == wanted {
        return Ok(());
    }
    Err(BackendError::argument(format!(
        "the operation needs {wanted:?} scalars, the buffer holds {got:?} ones"
    )))
}
