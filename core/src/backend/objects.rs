//! What a device holds: scalar buffers, bases, matrices, domains.

use std::ops::Deref;
use std::sync::Arc;

use interlock_abi::{
    INTERLOCK_CANONICAL, INTERLOCK_G1, INTERLOCK_G2, INTERLOCK_MONTGOMERY, InterlockBases,
    InterlockBasesDesc, InterlockDomain, InterlockDomainDesc, InterlockMatrix, InterlockMatrixDesc,
    InterlockScalars, transfer,
};

use super::api::call;
use super::device::{Device, Handle};
use super::error::{BackendError, BackendErrorKind};
use crate::format::{Csr, Section};

/// The form of scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The integer itself.
    Canonical,
    /// value · 2^256 mod r.
    Montgomery,
}

impl Form {
    pub(super) fn code(self) -> u32 {
        match self {
            Self::Canonical => INTERLOCK_CANONICAL,
            Self::Montgomery => INTERLOCK_MONTGOMERY,
        }
    }

    pub(super) fn from_code(code: u32) -> Option<Self> {
        [Self::Canonical, Self::Montgomery].into_iter().find(|form| form.code() == code)
    }
}

/// G1 or G2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// The group over the prime field.
    G1,
    /// The group over its quadratic extension.
    G2,
}

/// A buffer of scalars on a device; zeroised by the backend when freed.
#[derive(Debug)]
pub struct Scalars {
    device: Device,
    handle: Handle<InterlockScalars>,
    count: usize,
}

impl Scalars {
    /// `count` zeros, Montgomery form.
    ///
    /// # Errors
    /// The device has no room.
    pub fn alloc(device: &Device, count: usize) -> Result<Self, BackendError> {
        let plugin = device.plugin();
        let handle = Handle::make(plugin, "scalars_alloc", |out| {
            call!(plugin, scalars_alloc(device.handle(), count as u64, out))
        })?;
        Ok(Self { device: device.clone(), handle, count })
    }

    /// How many scalars.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn handle(&self) -> *mut InterlockScalars {
        self.handle.0
    }

    pub(super) fn device(&self) -> &Device {
        &self.device
    }
}

impl Drop for Scalars {
    fn drop(&mut self) {
        let _ = call!(self.device.plugin(), scalars_free(self.handle.0));
    }
}

/// Bases known to a device, with the memory that it borrows.
#[derive(Debug)]
pub struct Bases {
    device: Device,
    handle: Handle<InterlockBases>,
    group: Group,
    count: usize,
    span: usize,
    /// Read by the backend until the handle is freed; field order drops it after `Drop` has done that.
    _points: Section,
    _index: Option<Arc<[u32]>>,
}

impl Bases {
    /// Makes packed affine points known: base `i` meets scalar `index[i]`, or scalar `i` without an index.
    ///
    /// # Errors
    /// The section is not a whole number of points, the index has another length, or the device refuses.
    pub fn load(
        device: &Device,
        group: Group,
        points: Section,
        index: Option<Arc<[u32]>>,
    ) -> Result<Self, BackendError> {
        let plugin = device.plugin();
        let refuse = |message: String| {
            Err(BackendError::host(BackendErrorKind::InvalidArgument, plugin.name(), "bases_create", message))
        };
        let (code, bytes) = match group {
            Group::G1 => (INTERLOCK_G1, device.curve().g1_bytes()),
            Group::G2 => (INTERLOCK_G2, device.curve().g2_bytes()),
        };
        if !points.len().is_multiple_of(bytes) {
            return refuse(format!("{} bytes are no whole number of {bytes}-byte points", points.len()));
        }
        let count = points.len() / bytes;
        if let Some(index) = index.as_ref() {
            if index.len() != count {
                return refuse(format!("{count} points with an index of {}", index.len()));
            }
            if !index.is_sorted_by(|a, b| a < b) {
                return refuse("the index is not strictly ascending".into());
            }
        }
        let span = index.as_ref().map_or(count, |index| index.last().map_or(0, |&last| last as usize + 1));
        let mut desc: InterlockBasesDesc = transfer::empty();
        desc.group = code;
        desc.points = points.as_ptr();
        desc.count = count as u64;
        desc.index = index.as_ref().map_or(std::ptr::null(), |index| index.as_ptr());
        let handle = Handle::make(plugin, "bases_create", |out| {
            call!(plugin, bases_create(device.handle(), &raw const desc, out))
        })?;
        Ok(Self { device: device.clone(), handle, group, count, span, _points: points, _index: index })
    }

    /// The group.
    pub fn group(&self) -> Group {
        self.group
    }

    /// How many bases, infinities included.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// One more than the largest scalar position that the bases refer to.
    pub fn span(&self) -> usize {
        self.span
    }

    /// Bytes of a Jacobian sum.
    pub fn sum_bytes(&self) -> usize {
        match self.group {
            Group::G1 => self.device.curve().g1_jacobian_bytes(),
            Group::G2 => self.device.curve().g2_jacobian_bytes(),
        }
    }

    pub(super) fn handle(&self) -> *mut InterlockBases {
        self.handle.0
    }

    pub(super) fn device(&self) -> &Device {
        &self.device
    }
}

impl Drop for Bases {
    fn drop(&mut self) {
        let _ = call!(self.device.plugin(), bases_free(self.handle.0));
    }
}

/// A sparse matrix known to a device, or kept for the host when the backend has no matrices.
#[derive(Debug)]
pub struct Matrix {
    device: Device,
    handle: Option<Handle<InterlockMatrix>>,
    source: Arc<Csr>,
}

impl Matrix {
    /// Makes a matrix known; its values are coefficient · R² mod r.
    ///
    /// # Errors
    /// The device refuses.
    pub fn load(device: &Device, source: Arc<Csr>) -> Result<Self, BackendError> {
        let plugin = device.plugin();
        if !well_formed(&source) {
            let message = "the matrix's arrays do not fit its rows, columns and entries";
            let kind = BackendErrorKind::InvalidArgument;
            return Err(BackendError::host(kind, plugin.name(), "matrix_create", message));
        }
        let handle = if device.composed().contains(&"spmv") {
            None
        } else {
            let mut desc: InterlockMatrixDesc = transfer::empty();
            desc.rows = source.rows as u64;
            desc.cols = source.cols as u64;
            desc.nnz = source.nnz() as u64;
            desc.row_offsets = source.row_offsets.as_ptr();
            desc.columns = source.col_indices.as_ptr();
            desc.values = source.values.as_ptr();
            Some(Handle::make(plugin, "matrix_create", |out| {
                call!(plugin, matrix_create(device.handle(), &raw const desc, out))
            })?)
        };
        Ok(Self { device: device.clone(), handle, source })
    }

    pub(super) fn handle(&self) -> Option<*mut InterlockMatrix> {
        self.handle.as_ref().map(|handle| handle.0)
    }

    pub(super) fn source(&self) -> &Csr {
        self.source.deref()
    }

    pub(super) fn device(&self) -> &Device {
        &self.device
    }
}

impl Drop for Matrix {
    fn drop(&mut self) {
        if let Some(handle) = &self.handle {
            let _ = call!(self.device.plugin(), matrix_free(handle.0));
        }
    }
}

/// Whether lengths, offsets and columns fit: a backend may rely on it.
fn well_formed(matrix: &Csr) -> bool {
    let offsets = &matrix.row_offsets;
    Some(offsets.len()) == matrix.rows.checked_add(1)
        && Some(matrix.values.len()) == matrix.nnz().checked_mul(32)
        && offsets.first() == Some(&0)
        && offsets.is_sorted()
        && offsets.last() == Some(&(matrix.nnz() as u64))
        && matrix.col_indices.iter().all(|&column| (column as usize) < matrix.cols)
}

/// A domain's parameters, independent of any device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DomainSpec {
    /// log2 of the size.
    pub log_size: u32,
    /// ω of order exactly 2^log_size, Montgomery form, little-endian.
    pub generator: [u8; 32],
    /// Coset shift, Montgomery form, little-endian.
    pub shift: [u8; 32],
}

/// A domain known to a device.
#[derive(Debug)]
pub struct Domain {
    device: Device,
    handle: Handle<InterlockDomain>,
    log_size: u32,
}

impl Domain {
    /// Makes a domain known.
    ///
    /// # Errors
    /// The generator is not of that order, or the device refuses.
    pub fn load(device: &Device, spec: &DomainSpec) -> Result<Self, BackendError> {
        let plugin = device.plugin();
        let mut desc: InterlockDomainDesc = transfer::empty();
        desc.log_size = spec.log_size;
        desc.generator = spec.generator;
        desc.shift = spec.shift;
        let handle = Handle::make(plugin, "domain_create", |out| {
            call!(plugin, domain_create(device.handle(), &raw const desc, out))
        })?;
        Ok(Self { device: device.clone(), handle, log_size: spec.log_size })
    }

    /// Elements.
    pub fn size(&self) -> usize {
        1 << self.log_size
    }

    pub(super) fn handle(&self) -> *mut InterlockDomain {
        self.handle.0
    }

    pub(super) fn device(&self) -> &Device {
        &self.device
    }
}

impl Drop for Domain {
    fn drop(&mut self) {
        let _ = call!(self.device.plugin(), domain_free(self.handle.0));
    }
}
