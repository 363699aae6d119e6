//! The device, generic over the curve.

use std::sync::Arc;

use ark_ff::{AdditiveGroup, Field};
use interlock_curves::WireField;
use interlock_sdk::account::Account;
use interlock_sdk::{
    BackendError, BasesSource, CancelToken, Device, DomainSource, Features, Form, HostBytes, HostBytesMut,
    MatrixSource, Memory, MsmRequest, NttOp, OpenParams, PointwiseOp,
};
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::memory::ScalarBuf;
use crate::msm::{CpuCurve, LoadedBases};
use crate::ntt::Domain;
use crate::sparse::Matrix;

/// Scalars per parallel piece of element-wise work: 128 KiB, large against the cost of a steal, small against a cache.
const PIECE: usize = 4096;

/// A CPU, opened for one curve.
#[derive(Debug)]
pub struct CpuDevice<E: CpuCurve> {
    pool: ThreadPool,
    account: Arc<Account>,
    /// What the device holds of keys in its own memory: copies of unaligned bases, lists of finite ones, twiddles.
    keys: Arc<Account>,
    _curve: std::marker::PhantomData<E>,
}

impl<E: CpuCurve> CpuDevice<E> {
    /// Starts the device's pool.
    ///
    /// # Errors
    /// The threads cannot be started.
    pub fn open(params: &OpenParams) -> Result<Self, BackendError> {
        Ok(Self {
            pool: crate::threads::pool(params.threads)?,
            account: Account::new(params.memory_limit),
            keys: Account::new(None),
            _curve: std::marker::PhantomData,
        })
    }
}

/// All work is done before a call returns, so a lane is just its cancellation.
#[derive(Debug)]
pub struct Lane {
    cancel: CancelToken,
}

impl<E: CpuCurve> Device for CpuDevice<E> {
    type Lane = Lane;
    type Scalars = ScalarBuf<E::ScalarField>;
    type Bases = LoadedBases<E>;
    type Matrix = Matrix;
    type Domain = Domain<E::ScalarField>;

    const FEATURES: Features = Features { matrices: true, pointwise: true, scale: true, cancel: true };

    fn memory(&self) -> Memory {
        Memory {
            budget: self.account.budget().unwrap_or_else(crate::threads::host_memory_bytes),
            scalars: self.account.memory().scalars,
            keys: self.keys.memory().keys,
        }
    }

    fn lane(&self, cancel: CancelToken) -> Result<Lane, BackendError> {
        Ok(Lane { cancel })
    }

    fn alloc(&self, count: usize) -> Result<Self::Scalars, BackendError> {
        ScalarBuf::new(count, E::ScalarField::ZERO, &self.account)
    }

    fn upload(
        &self,
        lane: &mut Lane,
        dst: &mut Self::Scalars,
        first: usize,
        src: HostBytes<'_>,
    ) -> Result<(), BackendError> {
        lane.cancel.check()?;
        let src = src.as_slice();
        let dst = &mut dst.data[first..first + src.len() / 32];
        self.pool.install(|| {
            dst.par_chunks_mut(PIECE).zip(src.par_chunks(PIECE * 32)).for_each(|(dst, src)| {
                for (dst, src) in dst.iter_mut().zip(src.chunks_exact(32)) {
                    *dst = E::ScalarField::from_montgomery_unchecked(src);
                }
            });
        });
        Ok(())
    }

    fn download(
        &self,
        lane: &mut Lane,
        src: &Self::Scalars,
        first: usize,
        mut dst: HostBytesMut<'_>,
    ) -> Result<(), BackendError> {
        lane.cancel.check()?;
        let mut bytes = zeroize::Zeroizing::new(vec![0; dst.len()]);
        for (bytes, scalar) in bytes.chunks_exact_mut(32).zip(&src.data[first..]) {
            scalar.write_montgomery(bytes);
        }
        dst.write(&bytes)
    }

    fn load_bases(&self, source: BasesSource) -> Result<Self::Bases, BackendError> {
        self.pool.install(|| LoadedBases::load(source, &self.keys))
    }

    fn load_matrix(&self, source: MatrixSource) -> Result<Matrix, BackendError> {
        Ok(Matrix::new(source))
    }

    fn load_domain(&self, source: &DomainSource) -> Result<Self::Domain, BackendError> {
        self.pool.install(|| Domain::new(source, &self.keys))
    }

    fn ntt(
        &self,
        lane: &mut Lane,
        domain: &Self::Domain,
        data: &mut Self::Scalars,
        op: NttOp,
    ) -> Result<(), BackendError> {
        lane.cancel.check()?;
        self.pool.install(|| domain.transform(&mut data.data, op));
        Ok(())
    }

    fn pointwise(
        &self,
        lane: &mut Lane,
        op: PointwiseOp,
        dst: &mut Self::Scalars,
        a: &Self::Scalars,
        b: &Self::Scalars,
    ) -> Result<(), BackendError> {
        lane.cancel.check()?;
        let terms = dst.data.par_iter_mut().with_min_len(PIECE).zip(&a.data).zip(&b.data);
        self.pool.install(|| match op {
            PointwiseOp::Mul => terms.for_each(|((dst, a), b)| *dst = *a * b),
            PointwiseOp::MulSub => terms.for_each(|((dst, a), b)| *dst = *a * b - *dst),
        });
        Ok(())
    }

    fn scale(
        &self,
        lane: &mut Lane,
        data: &mut Self::Scalars,
        factor: &[u8; 32],
    ) -> Result<(), BackendError> {
        lane.cancel.check()?;
        let factor = E::scalar_from_montgomery(factor)
            .ok_or_else(|| BackendError::argument("the factor is not below the scalar modulus"))?;
        self.pool.install(|| data.data.par_iter_mut().with_min_len(PIECE).for_each(|x| *x *= factor));
        Ok(())
    }

    fn spmv(
        &self,
        lane: &mut Lane,
        matrix: &Matrix,
        x: &Self::Scalars,
        y: &mut Self::Scalars,
    ) -> Result<(), BackendError> {
        lane.cancel.check()?;
        self.pool.install(|| matrix.multiply(&x.data, &mut y.data));
        Ok(())
    }

    fn msm(
        &self,
        lane: &mut Lane,
        scalars: &Self::Scalars,
        form: Form,
        requests: Vec<MsmRequest<'_, LoadedBases<E>>>,
    ) -> Result<(), BackendError> {
        for mut request in requests {
            lane.cancel.check()?;
            let scalars = &scalars.data[request.first..];
            let sum = self.pool.install(|| request.bases.msm(scalars, form, &lane.cancel))?;
            request.result.write(&sum)?;
        }
        Ok(())
    }
}

/// The canonical limbs of a buffer's element.
#[inline]
pub(crate) fn canonical_limbs<F: WireField + Field>(element: &F, form: Form) -> [u64; 4] {
    let mut bytes = [0; 32];
    match form {
        // The buffer holds the integer's own limbs under a field type.
        Form::Canonical => element.write_montgomery(&mut bytes),
        Form::Montgomery => element.write_canonical(&mut bytes),
    }
    let limb = |i: usize| u64::from_le_bytes(std::array::from_fn(|j| bytes[8 * i + j]));
    std::array::from_fn(limb)
}
