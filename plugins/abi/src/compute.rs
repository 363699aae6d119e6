//! Descriptions of the objects that arithmetic works on.

use crate::handles::InterlockBases;
use crate::version::InterlockExtension;

/// Scalars in canonical form: the integer itself, below r.
pub const INTERLOCK_CANONICAL: u32 = 1;
/// Scalars in Montgomery form: value · 2^256 mod r.
pub const INTERLOCK_MONTGOMERY: u32 = 2;

/// Points of G1.
pub const INTERLOCK_G1: u32 = 1;
/// Points of G2.
pub const INTERLOCK_G2: u32 = 2;

/// Coefficients to values on the domain.
pub const INTERLOCK_NTT_FORWARD: u32 = 0;
/// Values on the domain to coefficients (the factor 1/N included).
pub const INTERLOCK_NTT_INVERSE: u32 = 1;
/// Coefficients to values on the coset `shift · domain`.
pub const INTERLOCK_NTT_COSET_FORWARD: u32 = 2;
/// Values on the coset `shift · domain` to coefficients.
pub const INTERLOCK_NTT_COSET_INVERSE: u32 = 3;

/// `dst[i] ← a[i] · b[i]`
pub const INTERLOCK_POINTWISE_MUL: u32 = 0;
/// `dst[i] ← a[i] · b[i] − dst[i]`
pub const INTERLOCK_POINTWISE_MUL_SUB: u32 = 1;

/// Bases of an MSM.
///
/// Base `i` is multiplied with scalar `index[i]` of the request's range (or scalar `i` when `index` is NULL). Bases at
/// infinity are legal anywhere and cost nothing: a plugin drops them when it loads the bases.
/// Both arrays stay valid and unchanged until `bases_free`, so a plugin may stream from them again.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InterlockBasesDesc {
    /// Size of this struct as the caller knows it.
    pub struct_size: usize,
    /// Extensions, or NULL.
    pub ext: *const InterlockExtension,
    /// `INTERLOCK_G1` or `INTERLOCK_G2`.
    pub group: u32,
    /// Zero.
    pub reserved: u32,
    /// `count` points, packed, alignment 1: affine, little-endian Montgomery limbs, infinity all zero.
    pub points: *const u8,
    /// How many points.
    pub count: u64,
    /// `count` positions, strictly ascending, or NULL.
    pub index: *const u32,
}

/// A sparse matrix in compressed-row form.
///
/// The arrays stay valid and unchanged until `matrix_free`. `values` are the coefficients times R² mod r
/// (R = 2^256), as a `.zkey` has them: one Montgomery multiplication with a canonical witness value gives the product
/// in Montgomery form.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InterlockMatrixDesc {
    /// Size of this struct as the caller knows it.
    pub struct_size: usize,
    /// Extensions, or NULL.
    pub ext: *const InterlockExtension,
    /// Rows.
    pub rows: u64,
    /// Columns: the witness length.
    pub cols: u64,
    /// Entries.
    pub nnz: u64,
    /// `rows + 1` ascending offsets into the next two arrays, from 0 to `nnz`.
    pub row_offsets: *const u64,
    /// `nnz` column numbers, each below `cols`.
    pub columns: *const u32,
    /// `nnz` scalars of 32 bytes, alignment 1.
    pub values: *const u8,
}

/// A multiplicative subgroup of the scalar field and a coset of it.
///
/// The generator is always given and never derived from the curve: families of keys use different roots of unity.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InterlockDomainDesc {
    /// Size of this struct as the caller knows it.
    pub struct_size: usize,
    /// Extensions, or NULL.
    pub ext: *const InterlockExtension,
    /// The domain has 2^log_size elements.
    pub log_size: u32,
    /// Zero.
    pub reserved: u32,
    /// ω, of order exactly 2^log_size, Montgomery form.
    pub generator: [u8; 32],
    /// The coset's shift, not zero, Montgomery form.
    pub shift: [u8; 32],
}

/// One sum of a batch of MSMs that read the same scalars: `Σ scalars[first + index[i]] · base[i]`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InterlockMsm {
    /// Size of this struct as the caller knows it.
    pub struct_size: usize,
    /// Extensions, or NULL.
    pub ext: *const InterlockExtension,
    /// The bases.
    pub bases: *const InterlockBases,
    /// First scalar of the range.
    pub first: u64,
    /// Where the sum goes, in host memory: Jacobian `X, Y, Z`, 3 coordinates of the group's field, Montgomery limbs.
    /// Written when the lane has been waited for.
    pub result: *mut u8,
    /// Bytes at `result`: exactly 3 coordinates (BN254 96 or 192, BLS12-381 144 or 288).
    pub result_bytes: usize,
}
