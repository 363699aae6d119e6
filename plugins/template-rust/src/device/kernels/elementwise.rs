// SPDX-License-Identifier: MIT OR Apache-2.0
//! One scalar at a time, in Montgomery form.

use interlock_sdk::{BackendError, CancelToken};

use super::PIECE;
use crate::element::{Scalar, ScalarField};

/// `dst[i] ← a[i] · b[i]`
pub fn mul<F: ScalarField>(
    dst: &mut [Scalar],
    a: &[Scalar],
    b: &[Scalar],
    cancel: &CancelToken,
) -> Result<(), BackendError> {
    each::<F>(dst, a, b, |a, b, _| a * b, cancel)
}

/// `dst[i] ← a[i] · b[i] − dst[i]`
pub fn mul_sub<F: ScalarField>(
    dst: &mut [Scalar],
    a: &[Scalar],
    b: &[Scalar],
    cancel: &CancelToken,
) -> Result<(), BackendError> {
    each::<F>(dst, a, b, |a, b, dst| a * b - dst, cancel)
}

fn each<F: ScalarField>(
    dst: &mut [Scalar],
    a: &[Scalar],
    b: &[Scalar],
    value: impl Fn(F, F, F) -> F,
    cancel: &CancelToken,
) -> Result<(), BackendError> {
    for (i, ((dst, a), b)) in dst.iter_mut().zip(a).zip(b).enumerate() {
        if i % PIECE == 0 {
            cancel.check()?;
        }
        value(F::load(a), F::load(b), F::load(dst)).store(dst);
    }
    Ok(())
}

/// `data[i] ← data[i] · start · base^i`. Linear, so it suits scalars in either form.
pub fn scale<F: ScalarField>(
    data: &mut [Scalar],
    start: F,
    base: F,
    cancel: &CancelToken,
) -> Result<(), BackendError> {
    let mut power = start;
    for (i, value) in data.iter_mut().enumerate() {
        if i % PIECE == 0 {
            cancel.check()?;
        }
        (F::load(value) * power).store(value);
        power *= base;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use ark_bn254::Fr;
    use ark_ff::Field;

    use super::*;

    fn stored(values: [u64; 3]) -> [Scalar; 3] {
        values.map(|value| {
            let mut bytes = [0; 32];
            crate::element::Element::store(&Fr::from(value), &mut bytes);
            bytes
        })
    }

    #[test]
    fn small_numbers() {
        let cancel = CancelToken::default();
        let (a, b, mut dst) = (stored([1, 2, 3]), stored([10, 20, 30]), stored([1, 1, 1]));
        mul_sub::<Fr>(&mut dst, &a, &b, &cancel).unwrap();
        assert_eq!(dst, stored([9, 39, 89]));
        mul::<Fr>(&mut dst, &a, &b, &cancel).unwrap();
        assert_eq!(dst, stored([10, 40, 90]));
        scale(&mut dst, Fr::from(2), Fr::from(3), &cancel).unwrap();
        assert_eq!(dst, stored([20, 240, 1620]));
        scale(&mut dst, Fr::from(10).inverse().unwrap(), Fr::ONE, &cancel).unwrap();
        assert_eq!(dst, stored([2, 24, 162]));
    }
}
