// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bases of sums: brought to the device once for each proving key.

use std::sync::Arc;

use ark_ec::short_weierstrass::{Projective, SWCurveConfig};
use ark_ff::AdditiveGroup;
use interlock_sdk::account::{Account, Purpose};
use interlock_sdk::{BackendError, BasesSource, CancelToken, Form, Group};

use crate::curve::Curve;
use crate::device::kernels::msm::{self, Terms};
use crate::device::region::Region;
use crate::element::{Element, Scalar};

/// Points on the device, and which scalar belongs to each. Infinities add nothing and are left behind: up to two thirds of
/// a key's A and B are.
pub struct Bases {
    group: Group,
    points: Region,
    /// 32 bits for each point.
    index: Region,
}

impl Bases {
    /// Copies the points to the device. A backend that computes in the host's memory keeps the source instead: it stays
    /// valid until the bases are dropped.
    pub(crate) fn load<C: Curve>(source: &BasesSource, account: &Arc<Account>) -> Result<Self, BackendError> {
        let point_bytes = match source.group {
            Group::G1 => 2 * <C::G1 as CurveBytes>::COORDINATE,
            Group::G2 => 2 * <C::G2 as CurveBytes>::COORDINATE,
        };
        // SAFETY: the bases that are made of the source do not exist yet, so they have not been freed.
        let all = unsafe { source.points.as_slice() }.chunks_exact(point_bytes);
        // SAFETY: as above.
        let index = source.index.as_ref().map(|index| unsafe { index.as_slice() });
        if index.is_none() && u32::try_from(source.count).is_err() {
            return Err(BackendError::unsupported("more than 2^32 bases in one set"));
        }
        let finite = || all.clone().enumerate().filter(|(_, point)| point.iter().any(|&byte| byte != 0));
        let count = finite().count();
        let mut points = Region::zeros(account, Purpose::Keys, count * point_bytes)?;
        let mut positions = Region::zeros(account, Purpose::Keys, count * 4)?;
        for (place, (i, point)) in finite().enumerate() {
            points.copy_up(place * point_bytes, point);
            let position = index.map_or(i as u32, |index| index[i]);
            positions.copy_up(place * 4, &position.to_le_bytes());
        }
        Ok(Self { group: source.group, points, index: positions })
    }

    /// `Σ scalars[index[i]] · point[i]`: Jacobian coordinates on the wire.
    pub(crate) fn msm<C: Curve>(
        &self,
        scalars: &[Scalar],
        form: Form,
        cancel: &CancelToken,
    ) -> Result<Vec<u8>, BackendError> {
        let index = self.index.bytes().as_chunks().0;
        let terms = Terms { points: self.points.bytes(), index, scalars, form };
        match self.group {
            Group::G1 => Ok(jacobian(&msm::sum::<C::G1, C::Scalar>(&terms, cancel)?)),
            Group::G2 => Ok(jacobian(&msm::sum::<C::G2, C::Scalar>(&terms, cancel)?)),
        }
    }
}

/// How long a group's coordinates are.
trait CurveBytes {
    const COORDINATE: usize;
}

impl<P: SWCurveConfig<BaseField: Element>> CurveBytes for P {
    const COORDINATE: usize = P::BaseField::BYTES;
}

/// X, Y, Z in Montgomery limbs; all zero for infinity.
fn jacobian<P: SWCurveConfig<BaseField: Element>>(sum: &Projective<P>) -> Vec<u8> {
    let mut bytes = vec![0; 3 * P::BaseField::BYTES];
    if sum.z != P::BaseField::ZERO {
        for (place, coordinate) in bytes.chunks_exact_mut(P::BaseField::BYTES).zip([sum.x, sum.y, sum.z]) {
            coordinate.store(place);
        }
    }
    bytes
}
