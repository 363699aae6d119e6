//! What the traits' methods take and give.

use std::marker::PhantomData;

use interlock_abi as abi;

use crate::error::BackendError;

/// A curve of the ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CurveId {
    /// BN254 (alt_bn128).
    Bn254,
    /// BLS12-381.
    Bls12_381,
}

impl CurveId {
    /// The number on the wire.
    pub const fn code(self) -> u32 {
        match self {
            Self::Bn254 => abi::INTERLOCK_CURVE_BN254,
            Self::Bls12_381 => abi::INTERLOCK_CURVE_BLS12_381,
        }
    }

    /// From the number on the wire.
    pub const fn from_code(code: u32) -> Option<Self> {
        match code {
            abi::INTERLOCK_CURVE_BN254 => Some(Self::Bn254),
            abi::INTERLOCK_CURVE_BLS12_381 => Some(Self::Bls12_381),
            _ => None,
        }
    }

    /// Bytes of a base field element: 32 or 48.
    pub const fn base_field_bytes(self) -> usize {
        match self {
            Self::Bn254 => 32,
            Self::Bls12_381 => 48,
        }
    }
}

/// G1 or G2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// The group over the prime field.
    G1,
    /// The group over its quadratic extension.
    G2,
}

impl Group {
    /// From the number on the wire.
    pub const fn from_code(code: u32) -> Option<Self> {
        match code {
            abi::INTERLOCK_G1 => Some(Self::G1),
            abi::INTERLOCK_G2 => Some(Self::G2),
            _ => None,
        }
    }

    /// Bytes of one coordinate on a curve.
    pub const fn coordinate_bytes(self, curve: CurveId) -> usize {
        match self {
            Self::G1 => curve.base_field_bytes(),
            Self::G2 => 2 * curve.base_field_bytes(),
        }
    }
}

/// The form of a scalar buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The integer itself.
    Canonical,
    /// value · 2^256 mod r.
    Montgomery,
}

impl Form {
    pub(crate) const fn from_code(code: u32) -> Option<Self> {
        match code {
            abi::INTERLOCK_CANONICAL => Some(Self::Canonical),
            abi::INTERLOCK_MONTGOMERY => Some(Self::Montgomery),
            _ => None,
        }
    }

    pub(crate) const fn code(self) -> u32 {
        match self {
            Self::Canonical => abi::INTERLOCK_CANONICAL,
            Self::Montgomery => abi::INTERLOCK_MONTGOMERY,
        }
    }
}

/// Which transform; see the ABI's `INTERLOCK_NTT_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NttOp {
    /// Coefficients to values on the domain.
    Forward,
    /// Values on the domain to coefficients, 1/N included.
    Inverse,
    /// Coefficients to values on the coset.
    CosetForward,
    /// Values on the coset to coefficients.
    CosetInverse,
}

/// Which pointwise operation. All operands are in Montgomery form and of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointwiseOp {
    /// `dst ← a·b`
    Mul,
    /// `dst ← a·b − dst`
    MulSub,
}

/// What a plugin is.
#[derive(Clone, Copy, Debug)]
pub struct PluginInfo {
    /// What `--backend` selects: 1 to 32 of `a`–`z`, `0`–`9` and `-`; neither `auto` nor `embedded`.
    pub name: &'static str,
    /// `1.2.3`
    pub version: &'static str,
    /// One line.
    pub description: &'static str,
    /// SPDX expression.
    pub license: &'static str,
    /// Supported curves.
    pub curves: &'static [CurveId],
}

/// Whether the plugin can work on this machine.
#[derive(Clone, Debug)]
pub struct Probe {
    /// 0: cannot. A CPU is 10, a portable GPU 50, a native GPU 100.
    pub score: u32,
    /// Why, in one line: what it runs with (the driver and its version), or what is missing.
    pub reason: String,
    /// The devices that can be opened.
    pub devices: Vec<DeviceInfo>,
}

/// One device.
#[derive(Clone, Debug, Default)]
pub struct DeviceInfo {
    /// Model.
    pub name: String,
    /// Stable identity, or empty.
    pub uuid: String,
    /// Bytes of memory; 0 when unknown.
    pub memory_bytes: u64,
    /// Cores or multiprocessors.
    pub compute_units: u32,
}

/// How to open a device.
#[derive(Clone, Copy, Debug)]
pub struct OpenParams {
    /// Below the number of devices that `probe` gave.
    pub index: u32,
    /// One of the plugin's curves.
    pub curve: CurveId,
    /// Most bytes of device memory; `None` for no limit.
    pub memory_limit: Option<u64>,
    /// Most host threads that compute, own pools included; `None` for the backend's choice.
    pub threads: Option<usize>,
}

/// A device's memory account, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// What the device may use, the smaller one of what it has and [`OpenParams::memory_limit`]; 0 when unknown.
    pub budget: u64,
    /// Held by scalar buffers.
    pub scalars: u64,
    /// Held by bases and matrices, borrowed host memory not counted.
    pub keys: u64,
}

/// Memory of a key, which the host keeps valid and unchanged until the object made from it is freed.
#[derive(Debug)]
pub struct KeySlice<T> {
    ptr: *const T,
    len: usize,
}

impl<T: Copy> KeySlice<T> {
    /// # Safety
    /// `ptr` has `len` readable, aligned elements, valid and unchanged until the handle is freed for which the slice is
    /// made; `ptr` may be NULL only with `len` 0.
    pub(crate) unsafe fn new(ptr: *const T, len: usize) -> Self {
        let ptr = if len == 0 { std::ptr::NonNull::dangling().as_ptr() } else { ptr };
        Self { ptr, len }
    }

    /// The elements.
    ///
    /// # Safety
    /// The object made from this source (bases or a matrix) has not been freed, and is not while the slice is used: keep
    /// a `KeySlice` inside that object and nowhere else.
    pub unsafe fn as_slice(&self) -> &[T] {
        // SAFETY: promised at construction, and by the caller.
        unsafe { std::slice::from_raw_parts(self.ptr, self.len) }
    }

    /// How many elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

// SAFETY: shared reads of memory that nobody writes.
unsafe impl<T: Sync> Send for KeySlice<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for KeySlice<T> {}

/// Bytes of the host, to be read during a call.
///
/// The host keeps them valid and unchanged until the lane has been waited for, so an asynchronous backend may go on
/// reading from their address until then; that is its own `unsafe` code.
#[derive(Clone, Copy, Debug)]
pub struct HostBytes<'a>(&'a [u8]);

impl<'a> HostBytes<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The bytes, for the time of the call.
    pub fn as_slice(&self) -> &'a [u8] {
        self.0
    }
}

/// A place in the host's memory, to be written during a call.
///
/// The host keeps it valid, and does not touch it, until the lane has been waited for, so an asynchronous backend may
/// write to its address until then; that is its own `unsafe` code.
#[derive(Debug)]
pub struct HostBytesMut<'a> {
    ptr: *mut u8,
    len: usize,
    _place: PhantomData<&'a mut [u8]>,
}

impl HostBytesMut<'_> {
    /// # Safety
    /// `ptr` has `len` writable bytes, valid and otherwise untouched for the lifetime and until the lane has been waited
    /// for.
    pub(crate) unsafe fn new(ptr: *mut u8, len: usize) -> Self {
        let ptr = if len == 0 { std::ptr::NonNull::dangling().as_ptr() } else { ptr };
        Self { ptr, len, _place: PhantomData }
    }

    /// How many bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The address, for asynchronous backends.
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.ptr
    }

    /// Writes all of it.
    ///
    /// # Errors
    /// `bytes` has another length.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), BackendError> {
        if bytes.len() != self.len {
            return Err(BackendError::argument(format!("{} bytes for a place of {}", bytes.len(), self.len)));
        }
        // SAFETY: promised at construction; lengths are equal; the place cannot overlap a Rust slice of the backend's.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.ptr, self.len) };
        Ok(())
    }
}

// SAFETY: the place is written by one owner; sending it moves that right.
unsafe impl Send for HostBytesMut<'_> {}

/// Bases to load: see `InterlockBasesDesc`.
#[derive(Debug)]
pub struct BasesSource {
    /// The group.
    pub group: Group,
    /// How many points.
    pub count: usize,
    /// `count` affine points, packed.
    pub points: KeySlice<u8>,
    /// Scalar position of each point, strictly ascending; `None`: point i belongs to scalar i.
    pub index: Option<KeySlice<u32>>,
}

/// A matrix to load: see `InterlockMatrixDesc`. The SDK has checked offsets and column numbers.
#[derive(Debug)]
pub struct MatrixSource {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub cols: usize,
    /// `rows + 1` offsets.
    pub row_offsets: KeySlice<u64>,
    /// Column of each entry.
    pub columns: KeySlice<u32>,
    /// 32 bytes per entry: coefficient · R² mod r.
    pub values: KeySlice<u8>,
}

/// A domain to load: see `InterlockDomainDesc`.
#[derive(Clone, Copy, Debug)]
pub struct DomainSource {
    /// log2 of the size.
    pub log_size: u32,
    /// Generator, Montgomery form, little-endian.
    pub generator: [u8; 32],
    /// Coset shift, Montgomery form, little-endian.
    pub shift: [u8; 32],
}

/// One sum over the shared scalars of a call.
#[derive(Debug)]
pub struct MsmRequest<'a, B> {
    /// The bases.
    pub bases: &'a B,
    /// First scalar of the range. The SDK has checked that every position of the bases lies inside the buffer.
    pub first: usize,
    /// Where the Jacobian result goes.
    pub result: HostBytesMut<'a>,
}
