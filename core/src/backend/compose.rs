//! Optional operations that a backend lacks, computed on the host: downloaded, computed, uploaded again.
//!
//! Slow by nature and therefore never silent: [`Device::composed`](super::Device::composed) names them.

use interlock_curves::{ProvingCurve, WireField, with_curve};
use zeroize::Zeroizing;

use super::error::BackendError;
use super::lane::Lane;
use super::objects::{Form, Scalars};
use crate::format::Csr;

type Fr<E> = <E as ark_ec::pairing::Pairing>::ScalarField;

/// `dst ← a·b`, or `dst ← a·b − dst`.
pub(super) fn pointwise(
    lane: &Lane,
    subtract: bool,
    dst: &mut Scalars,
    a: &Scalars,
    b: &Scalars,
) -> Result<(), BackendError> {
    let montgomery = |scalars: &Scalars| {
        let (bytes, form) = lane.download(scalars, 0, scalars.len())?;
        let wrong = || lane.refuse("pointwise", "the operands are to be in Montgomery form".into());
        if form == Form::Montgomery { Ok(bytes) } else { Err(wrong()) }
    };
    let (mut x, y) = (montgomery(a)?, montgomery(b)?);
    let z = if subtract { Some(montgomery(dst)?) } else { None };
    with_curve!(lane.device().curve(), E => {
        for (i, (x, y)) in x.chunks_exact_mut(32).zip(y.chunks_exact(32)).enumerate() {
            let mut value = Fr::<E>::from_montgomery_unchecked(x) * Fr::<E>::from_montgomery_unchecked(y);
            if let Some(z) = &z {
                value -= Fr::<E>::from_montgomery_unchecked(&z[32 * i..32 * i + 32]);
            }
            value.write_montgomery(x);
        }
    });
    lane.upload(dst, 0, &x, Form::Montgomery)
}

/// `data ← factor · data`, in whatever form the data is.
pub(super) fn scale(lane: &Lane, data: &mut Scalars, factor: &[u8; 32]) -> Result<(), BackendError> {
    let (mut bytes, form) = lane.download(data, 0, data.len())?;
    with_curve!(lane.device().curve(), E => {
        let factor = E::scalar_from_montgomery(factor)
            .ok_or_else(|| lane.refuse("scale", "the factor is not below the scalar modulus".into()))?;
        for x in bytes.chunks_exact_mut(32) {
            (Fr::<E>::from_montgomery_unchecked(x) * factor).write_montgomery(x);
        }
    });
    lane.upload(data, 0, &bytes, form)
}

/// `y ← matrix · x`.
pub(super) fn multiply_matrix(
    lane: &Lane,
    matrix: &Csr,
    x: &Scalars,
    y: &mut Scalars,
) -> Result<(), BackendError> {
    let (x, form) = lane.download(x, 0, x.len())?;
    if form != Form::Canonical {
        return Err(lane.refuse("spmv", "the vector is to be in canonical form".into()));
    }
    let mut rows = Zeroizing::new(vec![0; 32 * matrix.rows]);
    with_curve!(lane.device().curve(), E => {
        for (row, out) in rows.chunks_exact_mut(32).enumerate() {
            let entries = matrix.row_offsets[row] as usize..matrix.row_offsets[row + 1] as usize;
            let values = matrix.values[32 * entries.start..32 * entries.end].chunks_exact(32);
            let columns = matrix.col_indices[entries].iter().map(|&column| column as usize);
            let sum = columns.zip(values).fold(<Fr<E> as ark_ff::AdditiveGroup>::ZERO, |sum, (column, value)| {
                // coefficient·R² times canonical limbs: the Montgomery product divides by R.
                let x = Fr::<E>::from_montgomery_unchecked(&x[32 * column..32 * column + 32]);
                sum + Fr::<E>::from_montgomery_unchecked(value) * x
            });
            sum.write_montgomery(out);
        }
    });
    lane.upload(y, 0, &rows, Form::Montgomery)
}
