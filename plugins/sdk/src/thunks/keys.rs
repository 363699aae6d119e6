//! Keys group: bases, matrices, domains.

use interlock_abi::{
    InterlockBases, InterlockBasesDesc, InterlockDevice, InterlockDomain, InterlockDomainDesc,
    InterlockError, InterlockMatrix, InterlockMatrixDesc, transfer,
};

use crate::backend::Device;
use crate::error::BackendError;
use crate::handles;
use crate::thunks::entries::{BasesEntry, DeviceEntry, DomainEntry, MatrixEntry};
use crate::thunks::guard::guard;
use crate::thunks::{count, not_null, put};
use crate::types::{BasesSource, DomainSource, Group, KeySlice, MatrixSource};

/// `bases_create`
pub(crate) unsafe extern "C" fn bases_create<D: Device>(
    device: *const InterlockDevice,
    desc: *const InterlockBasesDesc,
    out: *mut *mut InterlockBases,
) -> *mut InterlockError {
    guard(|| {
        let device = handles::get::<DeviceEntry<D>, _>(device, "device")?;
        // SAFETY: the caller's struct carries its size.
        let desc = unsafe { transfer::read(desc) }?;
        let group = Group::from_code(desc.group)
            .ok_or_else(|| BackendError::argument(format!("group number {}", desc.group)))?;
        let n = count(desc.count, "bases")?;
        not_null(desc.points, n, "points")?;
        not_null(desc.index, 0, "index")?;
        let bytes = n * 2 * group.coordinate_bytes(device.curve);
        // SAFETY: the caller's `n` points, valid until `bases_free`.
        let points = unsafe { KeySlice::new(desc.points, bytes) };
        let index = if desc.index.is_null() {
            None
        } else {
            // SAFETY: aligned (checked); the caller's `n` positions, valid until `bases_free`.
            Some(unsafe { KeySlice::new(desc.index, n) })
        };
        let span = match &index {
            None => n,
            Some(index) => {
                // SAFETY: the handle that the slice is made for does not exist yet, so it has not been freed.
                let index = unsafe { index.as_slice() };
                if let Some(at) = index.windows(2).position(|pair| pair[0] >= pair[1]) {
                    return Err(BackendError::argument(format!(
                        "the index is not ascending at entry {}",
                        at + 1
                    )));
                }
                index.last().map_or(0, |&last| last as usize + 1)
            }
        };
        // SAFETY: `out` is the caller's place for a handle.
        unsafe {
            put(out, || {
                let bases = device.device.load_bases(BasesSource { group, count: n, points, index })?;
                Ok(handles::insert(BasesEntry::<D> { device, bases, group, span }))
            })
        }
    })
}

/// `bases_free`
pub(crate) unsafe extern "C" fn bases_free<D: Device>(bases: *mut InterlockBases) -> *mut InterlockError {
    guard(|| handles::remove::<BasesEntry<D>, _>(bases, "bases").map(handles::last))
}

/// `matrix_create`
pub(crate) unsafe extern "C" fn matrix_create<D: Device>(
    device: *const InterlockDevice,
    desc: *const InterlockMatrixDesc,
    out: *mut *mut InterlockMatrix,
) -> *mut InterlockError {
    guard(|| {
        let device = handles::get::<DeviceEntry<D>, _>(device, "device")?;
        // SAFETY: the caller's struct carries its size.
        let desc = unsafe { transfer::read(desc) }?;
        let (rows, cols) = (count(desc.rows, "rows")?, count(desc.cols, "columns")?);
        let nnz = count(desc.nnz, "entries")?;
        not_null(desc.row_offsets, rows + 1, "row_offsets")?;
        not_null(desc.columns, nnz, "columns")?;
        not_null(desc.values, nnz, "values")?;
        // SAFETY: the caller's arrays, with these lengths, aligned (checked), valid until `matrix_free`.
        let source = unsafe {
            MatrixSource {
                rows,
                cols,
                row_offsets: KeySlice::new(desc.row_offsets, rows + 1),
                columns: KeySlice::new(desc.columns, nnz),
                values: KeySlice::new(desc.values, nnz * 32),
            }
        };
        check_matrix(&source, nnz)?;
        // SAFETY: `out` is the caller's place for a handle.
        unsafe {
            put(out, || {
                let matrix = device.device.load_matrix(source)?;
                Ok(handles::insert(MatrixEntry::<D> { device, matrix, rows, cols }))
            })
        }
    })
}

/// `matrix_free`
pub(crate) unsafe extern "C" fn matrix_free<D: Device>(matrix: *mut InterlockMatrix) -> *mut InterlockError {
    guard(|| handles::remove::<MatrixEntry<D>, _>(matrix, "matrix").map(handles::last))
}

/// `domain_create`
pub(crate) unsafe extern "C" fn domain_create<D: Device>(
    device: *const InterlockDevice,
    desc: *const InterlockDomainDesc,
    out: *mut *mut InterlockDomain,
) -> *mut InterlockError {
    guard(|| {
        let device = handles::get::<DeviceEntry<D>, _>(device, "device")?;
        // SAFETY: the caller's struct carries its size.
        let desc = unsafe { transfer::read(desc) }?;
        if desc.log_size > 40 {
            return Err(BackendError::argument(format!("a domain of 2^{} elements", desc.log_size)));
        }
        let source = DomainSource { log_size: desc.log_size, generator: desc.generator, shift: desc.shift };
        // SAFETY: `out` is the caller's place for a handle.
        unsafe {
            put(out, || {
                let domain = device.device.load_domain(&source)?;
                Ok(handles::insert(DomainEntry::<D> { device, domain, log_size: source.log_size }))
            })
        }
    })
}

/// `domain_free`
pub(crate) unsafe extern "C" fn domain_free<D: Device>(domain: *mut InterlockDomain) -> *mut InterlockError {
    guard(|| handles::remove::<DomainEntry<D>, _>(domain, "domain").map(drop))
}

fn check_matrix(source: &MatrixSource, nnz: usize) -> Result<(), BackendError> {
    // SAFETY: the handle that the slices are made for does not exist yet, so it has not been freed.
    let (offsets, columns) = unsafe { (source.row_offsets.as_slice(), source.columns.as_slice()) };
    if offsets.first() != Some(&0) || offsets.last() != Some(&(nnz as u64)) {
        return Err(BackendError::argument("row_offsets do not run from 0 to the number of entries"));
    }
    if let Some(row) = offsets.windows(2).position(|pair| pair[0] > pair[1]) {
        return Err(BackendError::argument(format!("row_offsets descend at row {row}")));
    }
    let outside = columns.iter().position(|&column| column as usize >= source.cols);
    match outside {
        None => Ok(()),
        Some(entry) => Err(BackendError::argument(format!(
            "entry {entry} names column {} of {}",
            columns[entry], source.cols
        ))),
    }
}
