// SPDX-License-Identifier: MIT OR Apache-2.0
//! A domain of the transforms: the powers of ω, and the coset of it.

use std::sync::Arc;

use interlock_sdk::account::{Account, Purpose};
use interlock_sdk::{BackendError, CancelToken, DomainSource, NttOp};

use crate::device::kernels::{elementwise, ntt};
use crate::device::region::Region;
use crate::element::{self, Scalar, ScalarField};

/// A domain on the device.
pub struct Domain<F> {
    /// ω^i for i < N/2.
    twiddles: Region,
    size_inverse: F,
    shift: F,
    shift_inverse: F,
}

impl<F: ScalarField> Domain<F> {
    /// Makes the table of twiddles. ω is always the host's: families of keys have different ones, so never use a root of
    /// your own.
    pub(crate) fn load(source: &DomainSource, account: &Arc<Account>) -> Result<Self, BackendError> {
        let read = |bytes, what: &str| {
            element::below_modulus::<F>(bytes)
                .ok_or_else(|| BackendError::argument(format!("the {what} is not below the scalar modulus")))
        };
        let (generator, shift) = (read(&source.generator, "generator")?, read(&source.shift, "shift")?);
        let shift_inverse =
            shift.inverse().ok_or_else(|| BackendError::argument("the coset shift is zero"))?;
        let log_size = source.log_size;
        // Before anything is sized by it: no field has a generator of a domain that is too large.
        let of_that_order = match log_size {
            0 => generator.is_one(),
            log_size => generator.pow([1 << (log_size - 1)]) == -F::ONE,
        };
        if !of_that_order {
            return Err(BackendError::argument(format!("the generator is not of order 2^{log_size}")));
        }
        let size = 1_u64 << log_size;
        let size_inverse =
            F::from(size).inverse().ok_or_else(|| BackendError::unsupported("a domain of this size"))?;
        let mut twiddles = Region::zeros(account, Purpose::Keys, (size as usize / 2) * 32)?;
        let mut power = F::ONE;
        for place in twiddles.scalars_mut() {
            power.store(place);
            power *= generator;
        }
        Ok(Self { twiddles, size_inverse, shift, shift_inverse })
    }

    /// Transforms in place, natural order in and out.
    pub(crate) fn transform(
        &self,
        data: &mut [Scalar],
        op: NttOp,
        cancel: &CancelToken,
    ) -> Result<(), BackendError> {
        if op == NttOp::CosetForward {
            elementwise::scale(data, F::ONE, self.shift, cancel)?;
        }
        ntt::forward::<F>(data, self.twiddles.scalars(), cancel)?;
        // The inverse transform is the forward one with its outputs from the last to the first, over N.
        match op {
            NttOp::Forward | NttOp::CosetForward => Ok(()),
            NttOp::Inverse => {
                data[1..].reverse();
                elementwise::scale(data, self.size_inverse, F::ONE, cancel)
            }
            NttOp::CosetInverse => {
                data[1..].reverse();
                elementwise::scale(data, self.size_inverse, self.shift_inverse, cancel)
            }
        }
    }
}
