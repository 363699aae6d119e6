// SPDX-License-Identifier: MIT OR Apache-2.0
//! The operations. The SDK has checked handles, lengths, ranges, forms and aliases before a method is called, so there is
//! nothing left to check here but what only the backend knows.

use std::marker::PhantomData;
use std::sync::Arc;

use ark_ff::Field;
use interlock_sdk::account::{Account, Purpose};
use interlock_sdk::{
    BackendError, BasesSource, CancelToken, Device, DomainSource, Features, Form, HostBytes, HostBytesMut,
    MatrixSource, Memory, MsmRequest, NttOp, OpenParams, PointwiseOp,
};

use crate::bases::Bases;
use crate::curve::Curve;
use crate::device::found;
use crate::device::kernels::elementwise;
use crate::device::queue::Queue;
use crate::device::region::Region;
use crate::domain::Domain;
use crate::element;
use crate::matrix::Matrix;

/// Bytes of a scalar.
const SCALAR: usize = 32;

/// A device that was opened for a curve.
pub struct MyDevice<C> {
    account: Arc<Account>,
    _curve: PhantomData<C>,
}

impl<C: Curve> MyDevice<C> {
    pub(crate) fn open(params: &OpenParams) -> Self {
        // Your device: make a context on number `params.index` here. `params.threads` bounds the host threads that you
        // compute with; this backend has none of its own.
        let budget = [params.memory_limit, found::memory_bytes()].into_iter().flatten().min();
        Self { account: Account::new(budget), _curve: PhantomData }
    }
}

impl<C: Curve> Device for MyDevice<C> {
    type Lane = Queue;
    type Scalars = Region;
    type Bases = Bases;
    type Matrix = Matrix;
    type Domain = Domain<C::Scalar>;

    // Leave one out, and delete its methods: the host computes it in your stead, and says so in its reports.
    const FEATURES: Features = Features { matrices: true, pointwise: true, scale: true, cancel: true };

    fn memory(&self) -> Memory {
        self.account.memory()
    }

    fn lane(&self, cancel: CancelToken) -> Result<Queue, BackendError> {
        Queue::new(cancel)
    }

    fn sync(&self, lane: &mut Queue) -> Result<(), BackendError> {
        lane.wait()
    }

    fn alloc(&self, count: usize) -> Result<Region, BackendError> {
        Region::zeros(&self.account, Purpose::Scalars, count * SCALAR)
    }

    fn upload(
        &self,
        lane: &mut Queue,
        dst: &mut Region,
        first: usize,
        src: HostBytes<'_>,
    ) -> Result<(), BackendError> {
        lane.launch(|_| {
            dst.copy_up(first * SCALAR, src.as_slice());
            Ok(())
        })
    }

    fn download(
        &self,
        lane: &mut Queue,
        src: &Region,
        first: usize,
        dst: HostBytesMut<'_>,
    ) -> Result<(), BackendError> {
        lane.launch(|_| src.copy_down(first * SCALAR, dst))
    }

    fn load_bases(&self, source: BasesSource) -> Result<Bases, BackendError> {
        Bases::load::<C>(&source, &self.account)
    }

    fn load_matrix(&self, source: MatrixSource) -> Result<Matrix, BackendError> {
        Matrix::load(&source, &self.account)
    }

    fn load_domain(&self, source: &DomainSource) -> Result<Self::Domain, BackendError> {
        Domain::load(source, &self.account)
    }

    fn ntt(
        &self,
        lane: &mut Queue,
        domain: &Self::Domain,
        data: &mut Region,
        op: NttOp,
    ) -> Result<(), BackendError> {
        lane.launch(|cancel| domain.transform(data.scalars_mut(), op, cancel))
    }

    fn pointwise(
        &self,
        lane: &mut Queue,
        op: PointwiseOp,
        dst: &mut Region,
        a: &Region,
        b: &Region,
    ) -> Result<(), BackendError> {
        let (dst, a, b) = (dst.scalars_mut(), a.scalars(), b.scalars());
        lane.launch(|cancel| match op {
            PointwiseOp::Mul => elementwise::mul::<C::Scalar>(dst, a, b, cancel),
            PointwiseOp::MulSub => elementwise::mul_sub::<C::Scalar>(dst, a, b, cancel),
        })
    }

    fn scale(&self, lane: &mut Queue, data: &mut Region, factor: &[u8; 32]) -> Result<(), BackendError> {
        let factor: C::Scalar = element::below_modulus(factor)
            .ok_or_else(|| BackendError::argument("the factor is not below the scalar modulus"))?;
        lane.launch(|cancel| elementwise::scale(data.scalars_mut(), factor, C::Scalar::ONE, cancel))
    }

    fn spmv(
        &self,
        lane: &mut Queue,
        matrix: &Matrix,
        x: &Region,
        y: &mut Region,
    ) -> Result<(), BackendError> {
        lane.launch(|cancel| matrix.multiply::<C::Scalar>(x.scalars(), y.scalars_mut(), cancel))
    }

    fn msm(
        &self,
        lane: &mut Queue,
        scalars: &Region,
        form: Form,
        requests: Vec<MsmRequest<'_, Bases>>,
    ) -> Result<(), BackendError> {
        for request in requests {
            let MsmRequest { bases, first, mut result } = request;
            lane.launch(|cancel| {
                let sum = bases.msm::<C>(&scalars.scalars()[first..], form, cancel)?;
                result.write(&sum)
            })?;
        }
        Ok(())
    }
}
