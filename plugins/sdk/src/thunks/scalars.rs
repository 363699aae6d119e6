//! Memory group: scalar buffers.

use interlock_abi::{InterlockDevice, InterlockError, InterlockLane, InterlockScalars};

use crate::backend::Device;
use crate::error::BackendError;
use crate::handles;
use crate::thunks::entries::{Buffer, DeviceEntry, LaneEntry, ScalarsEntry};
use crate::thunks::guard::guard;
use crate::thunks::{count, not_null, put};
use crate::types::{Form, HostBytes, HostBytesMut};

/// Bytes of a scalar.
const SCALAR: usize = 32;

/// `scalars_alloc`
pub(crate) unsafe extern "C" fn alloc<D: Device>(
    device: *const InterlockDevice,
    n: u64,
    out: *mut *mut InterlockScalars,
) -> *mut InterlockError {
    guard(|| {
        let device = handles::get::<DeviceEntry<D>, _>(device, "device")?;
        let n = count(n, "scalars_alloc")?;
        // SAFETY: `out` is the caller's place for a handle.
        unsafe {
            put(out, || {
                let buffer = Buffer { scalars: device.device.alloc(n)?, form: Form::Montgomery };
                Ok(handles::insert(ScalarsEntry::<D> { device, count: n, buffer: buffer.into() }))
            })
        }
    })
}

/// `scalars_upload`
pub(crate) unsafe extern "C" fn upload<D: Device>(
    lane: *const InterlockLane,
    dst: *const InterlockScalars,
    first: u64,
    src: *const u8,
    n: u64,
    form: u32,
) -> *mut InterlockError {
    guard(|| {
        let lane = handles::get::<LaneEntry<D>, _>(lane, "lane")?;
        let dst = handles::get::<ScalarsEntry<D>, _>(dst, "scalars")?;
        lane.owns(&dst.device, "scalars")?;
        let (first, n) = range(first, n, dst.count)?;
        let form = Form::from_code(form)
            .ok_or_else(|| BackendError::argument(format!("scalar form number {form}")))?;
        not_null(src, n, "the source")?;
        let src = match n {
            0 => &[],
            // SAFETY: not NULL (checked); the caller's `n` scalars of 32 bytes, valid until the lane has been waited for.
            n => unsafe { std::slice::from_raw_parts(src, n * SCALAR) },
        };
        let src = HostBytes::new(src);
        let mut buffer = dst.write()?;
        lane.device.device.upload(&mut *lane.lock()?, &mut buffer.scalars, first, src)?;
        buffer.form = form;
        Ok(())
    })
}

/// `scalars_download`
pub(crate) unsafe extern "C" fn download<D: Device>(
    lane: *const InterlockLane,
    src: *const InterlockScalars,
    first: u64,
    dst: *mut u8,
    n: u64,
    form: *mut u32,
) -> *mut InterlockError {
    guard(|| {
        let lane = handles::get::<LaneEntry<D>, _>(lane, "lane")?;
        let src = handles::get::<ScalarsEntry<D>, _>(src, "scalars")?;
        lane.owns(&src.device, "scalars")?;
        let (first, n) = range(first, n, src.count)?;
        not_null(dst.cast_const(), n, "the destination")?;
        // SAFETY: the caller's place for `n` scalars of 32 bytes, valid until the lane has been waited for.
        let dst = unsafe { HostBytesMut::new(dst, n * SCALAR) };
        let buffer = src.read()?;
        // SAFETY: `form` is the caller's place for the form.
        unsafe {
            put(form, || {
                lane.device.device.download(&mut *lane.lock()?, &buffer.scalars, first, dst)?;
                Ok(buffer.form.code())
            })
        }
    })
}

/// `scalars_free`
pub(crate) unsafe extern "C" fn free<D: Device>(scalars: *mut InterlockScalars) -> *mut InterlockError {
    guard(|| handles::remove::<ScalarsEntry<D>, _>(scalars, "scalars").map(drop))
}

fn range(first: u64, n: u64, len: usize) -> Result<(usize, usize), BackendError> {
    let (first, n) = (count(first, "first scalar")?, count(n, "scalar count")?);
    if first + n > len {
        return Err(BackendError::argument(format!("scalars {first}..{} of a buffer of {len}", first + n)));
    }
    Ok((first, n))
}
