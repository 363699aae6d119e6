//! From the witness to the scalars of the H query.

use ark_ff::{Field, One};
use interlock_curves::ProvingCurve;

use crate::backend::{BackendError, Domain, DomainSpec, Lane, Matrix, NttOp, Scalars};
use crate::groth16::trace::Trace;
use crate::key::Quotient;

/// What the computation needs of a resident key.
pub(crate) struct Parts<'a> {
    pub(crate) lane: &'a Lane,
    pub(crate) domain: &'a Domain,
    pub(crate) a: &'a Matrix,
    pub(crate) b: &'a Matrix,
    pub(crate) convention: Quotient,
    /// 1/Z on the coset (where Z is constant), Montgomery form; for [`Quotient::Coefficients`].
    pub(crate) z_inverse: [u8; 32],
}

/// The quotient's scalars, one per element of the domain, in natural order. With [`Quotient::Coefficients`] the last one
/// is zero for a satisfied circuit.
///
/// # Errors
/// The device failed or has no room for three vectors of the domain's size.
pub(crate) fn scalars(
    parts: &Parts<'_>,
    witness: &Scalars,
    trace: &mut Trace,
) -> Result<Scalars, BackendError> {
    let Parts { lane, domain, .. } = parts;
    let device = lane.device();
    let size = domain.size();
    let mut a = Scalars::alloc(device, size)?;
    let mut b = Scalars::alloc(device, size)?;
    let mut c = Scalars::alloc(device, size)?;
    lane.multiply_matrix(parts.a, witness, &mut a)?;
    trace.scalars("A·w", lane, &a)?;
    lane.multiply_matrix(parts.b, witness, &mut b)?;
    trace.scalars("B·w", lane, &b)?;
    // c = a∘b in every satisfied row, so C is not needed.
    lane.multiply(&mut c, &a, &b)?;
    trace.scalars("a∘b", lane, &c)?;
    for (name, data) in [("coset NTT of a", &mut a), ("coset NTT of b", &mut b), ("coset NTT of c", &mut c)] {
        lane.ntt(domain, data, NttOp::Inverse)?;
        lane.ntt(domain, data, NttOp::CosetForward)?;
        trace.scalars(name, lane, data)?;
    }
    lane.multiply_subtract(&mut c, &a, &b)?;
    trace.scalars("a·b − c on the coset", lane, &c)?;
    if parts.convention == Quotient::Coefficients {
        lane.scale(&mut c, &parts.z_inverse)?;
        lane.ntt(domain, &mut c, NttOp::CosetInverse)?;
        trace.scalars("quotient", lane, &c)?;
    }
    Ok(c)
}

/// 1/Z on the coset `shift · domain`: there Z(x) = x^N − 1 = shift^N − 1. Zero when the coset is the domain itself, on
/// which Z vanishes (no format has such a key).
pub(crate) fn z_inverse<E: ProvingCurve>(spec: &DomainSpec) -> [u8; 32] {
    let one = E::ScalarField::one();
    let z = E::scalar_from_montgomery(&spec.shift).map(|shift| shift.pow([1_u64 << spec.log_size]) - one);
    z.and_then(|z| z.inverse()).map_or([0; 32], |inverse| E::scalar_to_montgomery(&inverse))
}
