//! One device type out of two, for backends that are generic over the curve.

use crate::backend::{Device, Features};
use crate::cancel::CancelToken;
use crate::error::{BackendError, ErrorKind};
use crate::types::{
    BasesSource, DomainSource, Form, HostBytes, HostBytesMut, MatrixSource, Memory, MsmRequest, NttOp,
    PointwiseOp,
};

/// The left or the right device, or an object of one of them.
///
/// A backend that is written once as `MyDevice<Curve>` opens an `Either<MyDevice<Bn254>, MyDevice<Bls12_381>>`.
/// Both sides have the same [`Features`].
#[derive(Clone, Debug)]
pub enum Either<A, B> {
    /// The first.
    Left(A),
    /// The second.
    Right(B),
}

use Either::{Left, Right};

/// The SDK hands a device only its own objects, so a mix of sides is a bug of the SDK itself.
fn mixed() -> BackendError {
    BackendError::new(ErrorKind::Internal, "objects of two curves met in one call")
}

fn mixed_err<T>() -> Result<T, BackendError> {
    Err(mixed())
}

impl<A: Device, B: Device> Device for Either<A, B> {
    type Lane = Either<A::Lane, B::Lane>;
    type Scalars = Either<A::Scalars, B::Scalars>;
    type Bases = Either<A::Bases, B::Bases>;
    type Matrix = Either<A::Matrix, B::Matrix>;
    type Domain = Either<A::Domain, B::Domain>;

    const FEATURES: Features = A::FEATURES;

    fn memory(&self) -> Memory {
        match self {
            Left(device) => device.memory(),
            Right(device) => device.memory(),
        }
    }

    fn lane(&self, cancel: CancelToken) -> Result<Self::Lane, BackendError> {
        Ok(match self {
            Left(device) => Left(device.lane(cancel)?),
            Right(device) => Right(device.lane(cancel)?),
        })
    }

    fn sync(&self, lane: &mut Self::Lane) -> Result<(), BackendError> {
        match (self, lane) {
            (Left(device), Left(lane)) => device.sync(lane),
            (Right(device), Right(lane)) => device.sync(lane),
            _ => mixed_err(),
        }
    }

    fn alloc(&self, count: usize) -> Result<Self::Scalars, BackendError> {
        Ok(match self {
            Left(device) => Left(device.alloc(count)?),
            Right(device) => Right(device.alloc(count)?),
        })
    }

    fn upload(
        &self,
        lane: &mut Self::Lane,
        dst: &mut Self::Scalars,
        first: usize,
        src: HostBytes<'_>,
    ) -> Result<(), BackendError> {
        match (self, lane, dst) {
            (Left(device), Left(lane), Left(dst)) => device.upload(lane, dst, first, src),
            (Right(device), Right(lane), Right(dst)) => device.upload(lane, dst, first, src),
            _ => mixed_err(),
        }
    }

    fn download(
        &self,
        lane: &mut Self::Lane,
        src: &Self::Scalars,
        first: usize,
        dst: HostBytesMut<'_>,
    ) -> Result<(), BackendError> {
        match (self, lane, src) {
            (Left(device), Left(lane), Left(src)) => device.download(lane, src, first, dst),
            (Right(device), Right(lane), Right(src)) => device.download(lane, src, first, dst),
            _ => mixed_err(),
        }
    }

    fn load_bases(&self, source: BasesSource) -> Result<Self::Bases, BackendError> {
        Ok(match self {
            Left(device) => Left(device.load_bases(source)?),
            Right(device) => Right(device.load_bases(source)?),
        })
    }

    fn load_matrix(&self, source: MatrixSource) -> Result<Self::Matrix, BackendError> {
        Ok(match self {
            Left(device) => Left(device.load_matrix(source)?),
            Right(device) => Right(device.load_matrix(source)?),
        })
    }

    fn load_domain(&self, source: &DomainSource) -> Result<Self::Domain, BackendError> {
        Ok(match self {
            Left(device) => Left(device.load_domain(source)?),
            Right(device) => Right(device.load_domain(source)?),
        })
    }

    fn ntt(
        &self,
        lane: &mut Self::Lane,
        domain: &Self::Domain,
        data: &mut Self::Scalars,
        op: NttOp,
    ) -> Result<(), BackendError> {
        match (self, lane, domain, data) {
            (Left(device), Left(lane), Left(domain), Left(data)) => device.ntt(lane, domain, data, op),
            (Right(device), Right(lane), Right(domain), Right(data)) => device.ntt(lane, domain, data, op),
            _ => mixed_err(),
        }
    }

    fn pointwise(
        &self,
        lane: &mut Self::Lane,
        op: PointwiseOp,
        dst: &mut Self::Scalars,
        a: &Self::Scalars,
        b: &Self::Scalars,
    ) -> Result<(), BackendError> {
        match (self, lane, dst, a, b) {
            (Left(device), Left(lane), Left(dst), Left(a), Left(b)) => device.pointwise(lane, op, dst, a, b),
            (Right(device), Right(lane), Right(dst), Right(a), Right(b)) => {
                device.pointwise(lane, op, dst, a, b)
            }
            _ => mixed_err(),
        }
    }

    fn scale(
        &self,
        lane: &mut Self::Lane,
        data: &mut Self::Scalars,
        factor: &[u8; 32],
    ) -> Result<(), BackendError> {
        match (self, lane, data) {
            (Left(device), Left(lane), Left(data)) => device.scale(lane, data, factor),
            (Right(device), Right(lane), Right(data)) => device.scale(lane, data, factor),
            _ => mixed_err(),
        }
    }

    fn spmv(
        &self,
        lane: &mut Self::Lane,
        matrix: &Self::Matrix,
        x: &Self::Scalars,
        y: &mut Self::Scalars,
    ) -> Result<(), BackendError> {
        match (self, lane, matrix, x, y) {
            (Left(device), Left(lane), Left(matrix), Left(x), Left(y)) => device.spmv(lane, matrix, x, y),
            (Right(device), Right(lane), Right(matrix), Right(x), Right(y)) => {
                device.spmv(lane, matrix, x, y)
            }
            _ => mixed_err(),
        }
    }

    fn msm(
        &self,
        lane: &mut Self::Lane,
        scalars: &Self::Scalars,
        form: Form,
        requests: Vec<MsmRequest<'_, Self::Bases>>,
    ) -> Result<(), BackendError> {
        match (self, lane, scalars) {
            (Left(device), Left(lane), Left(scalars)) => {
                let requests =
                    on_side(requests, |bases| if let Left(bases) = bases { Ok(bases) } else { mixed_err() })?;
                device.msm(lane, scalars, form, requests)
            }
            (Right(device), Right(lane), Right(scalars)) => {
                let requests =
                    on_side(
                        requests,
                        |bases| if let Right(bases) = bases { Ok(bases) } else { mixed_err() },
                    )?;
                device.msm(lane, scalars, form, requests)
            }
            _ => mixed_err(),
        }
    }
}

/// The requests with their bases narrowed to one side.
fn on_side<'a, T, S: 'a>(
    requests: Vec<MsmRequest<'a, T>>,
    side: impl Fn(&'a T) -> Result<&'a S, BackendError>,
) -> Result<Vec<MsmRequest<'a, S>>, BackendError> {
    requests
        .into_iter()
        .map(|MsmRequest { bases, first, result }| Ok(MsmRequest { bases: side(bases)?, first, result }))
        .collect()
}
