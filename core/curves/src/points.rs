//! Points on the wire, generic over the group.

use ark_ec::AffineRepr;
use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ff::{AdditiveGroup, Field, Zero};

#[cfg(fuzzing)]
use crate::memo;
use crate::{PointError, WireField};

#[inline]
fn coordinate<F: WireField>(bytes: &[u8], index: usize, name: &'static str) -> Result<F, PointError> {
    let at = index * F::BYTES;
    F::from_montgomery(&bytes[at..at + F::BYTES]).ok_or(PointError::Coordinate { name })
}

#[inline]
fn check_length<F: WireField>(bytes: &[u8], coordinates: usize) -> Result<(), PointError> {
    let expected = coordinates * F::BYTES;
    if bytes.len() == expected { Ok(()) } else { Err(PointError::Length { expected, found: bytes.len() }) }
}

pub(crate) fn read_affine<P: SWCurveConfig>(bytes: &[u8]) -> Result<Affine<P>, PointError>
where
    P::BaseField: WireField,
{
    check_length::<P::BaseField>(bytes, 2)?;
    let x: P::BaseField = coordinate(bytes, 0, "x")?;
    let y: P::BaseField = coordinate(bytes, 1, "y")?;
    // (0, 0) is on neither curve (b ≠ 0), so it is free to stand for infinity.
    if x.is_zero() && y.is_zero() {
        return Ok(Affine::identity());
    }
    let point = Affine::new_unchecked(x, y);
    if point.is_on_curve() { Ok(point) } else { Err(PointError::NotOnCurve) }
}

#[inline]
pub(crate) fn affine_unchecked<P: SWCurveConfig>(bytes: &[u8]) -> Affine<P>
where
    P::BaseField: WireField,
{
    let (x, y) = bytes.split_at(P::BaseField::BYTES.min(bytes.len()));
    let x = P::BaseField::from_montgomery_unchecked(x);
    let y = P::BaseField::from_montgomery_unchecked(y);
    if x.is_zero() && y.is_zero() { Affine::identity() } else { Affine::new_unchecked(x, y) }
}

pub(crate) fn write_affine<P: SWCurveConfig>(point: &Affine<P>, out: &mut [u8])
where
    P::BaseField: WireField,
{
    let size = P::BaseField::BYTES;
    if point.is_zero() {
        out[..2 * size].fill(0);
    } else {
        point.x.write_montgomery(out);
        point.y.write_montgomery(&mut out[size..]);
    }
}

/// Whether a point of the curve is in the subgroup of order `r`.
#[cfg(not(fuzzing))]
pub(crate) fn in_subgroup<P: SWCurveConfig>(point: &Affine<P>) -> bool {
    point.is_in_correct_subgroup_assuming_on_curve()
}

/// The same, by the same check, made once for points that come again.
#[cfg(fuzzing)]
pub(crate) fn in_subgroup<P: SWCurveConfig<BaseField: WireField>>(point: &Affine<P>) -> bool {
    let mut wire = [0; memo::LONGEST];
    write_affine(point, &mut wire);
    let check = || point.is_in_correct_subgroup_assuming_on_curve();
    memo::SUBGROUP.with(|memo| memo.answer((2 * P::BaseField::BYTES, wire), check))
}

/// Both `y` of the curve's points with this `x`, the smaller one first; none when there is no such point.
#[cfg(not(fuzzing))]
pub fn ordinates<P: SWCurveConfig>(x: P::BaseField) -> Option<(P::BaseField, P::BaseField)> {
    Affine::<P>::get_ys_from_x_unchecked(x)
}

/// The same, worked out once for an `x` that comes again.
#[cfg(fuzzing)]
pub fn ordinates<P: SWCurveConfig<BaseField: WireField>>(
    x: P::BaseField,
) -> Option<(P::BaseField, P::BaseField)> {
    let mut wire = [0; memo::LONGEST];
    x.write_montgomery(&mut wire);
    let smaller = memo::ORDINATE.with(|memo| {
        memo.answer((P::BaseField::BYTES, wire), || {
            let (smaller, _) = Affine::<P>::get_ys_from_x_unchecked(x)?;
            let mut wire = [0; memo::LONGEST];
            smaller.write_montgomery(&mut wire);
            Some(wire)
        })
    })?;
    let smaller = P::BaseField::from_montgomery(&smaller[..P::BaseField::BYTES])?;
    Some((smaller, -smaller))
}

pub(crate) fn read_jacobian<P: SWCurveConfig>(bytes: &[u8]) -> Result<Projective<P>, PointError>
where
    P::BaseField: WireField,
{
    check_length::<P::BaseField>(bytes, 3)?;
    let x: P::BaseField = coordinate(bytes, 0, "X")?;
    let y: P::BaseField = coordinate(bytes, 1, "Y")?;
    let z: P::BaseField = coordinate(bytes, 2, "Z")?;
    if z.is_zero() {
        return Ok(Projective::zero());
    }
    // Y² = X³ + a·X·Z⁴ + b·Z⁶, the affine equation with x = X/Z², y = Y/Z³.
    let z2 = z.square();
    let z4 = z2.square();
    let mut right = x.square() * x + P::COEFF_B * z4 * z2;
    if !P::COEFF_A.is_zero() {
        right += P::COEFF_A * x * z4;
    }
    if y.square() == right { Ok(Projective::new_unchecked(x, y, z)) } else { Err(PointError::NotOnCurve) }
}

pub(crate) fn write_jacobian<P: SWCurveConfig>(point: &Projective<P>, out: &mut [u8])
where
    P::BaseField: WireField,
{
    let size = P::BaseField::BYTES;
    if point.z == P::BaseField::ZERO {
        // Any X, Y would do; zeros make the bytes depend on nothing but the value.
        out[..3 * size].fill(0);
    } else {
        point.x.write_montgomery(out);
        point.y.write_montgomery(&mut out[size..]);
        point.z.write_montgomery(&mut out[2 * size..]);
    }
}
