//! Points in JSON.

use ark_ec::AffineRepr;
use ark_ff::{Field, One, Zero};
use interlock_curves::{PointError, ProvingCurve, WireField};

use super::document::{Node, to_decimal};
use crate::format::{FormatError, FormatErrorKind as Kind};

/// A G1 point in JSON: x, y, z.
pub(super) type G1Json = [String; 3];
/// A G2 point in JSON: x, y, z, each with two components.
pub(super) type G2Json = [[String; 2]; 3];

fn element<E: ProvingCurve>(node: &Node<'_>) -> Result<E::BaseField, FormatError> {
    let le = node.decimal(E::BaseField::BYTES)?;
    E::BaseField::from_canonical(&le).ok_or_else(|| node.error("is not below the field's modulus"))
}

/// What a point's components say; `components` are x, y, z one after another, one or two each.
enum Shape {
    Infinity,
    Affine,
    /// Neither 1 nor 0 in z, or 0 with another x, y than snarkjs writes.
    Other,
}

fn shape<F: Field>(components: &[F]) -> Shape {
    let third = components.len() / 3;
    let is = |part: &[F], value: F| part[0] == value && part[1..].iter().all(F::is_zero);
    let (x, rest) = components.split_at(third);
    let (y, z) = rest.split_at(third);
    if is(z, F::one()) {
        // (0, 0) is how the wire format spells infinity; here it is a point that is not on the curve.
        return if components[..2 * third].iter().all(F::is_zero) { Shape::Other } else { Shape::Affine };
    }
    if is(z, F::zero()) && is(x, F::zero()) && is(y, F::one()) { Shape::Infinity } else { Shape::Other }
}

/// Reads a point's components into the wire encoding of its affine form.
fn to_wire<F: WireField>(node: &Node<'_>, components: &[F]) -> Result<Vec<u8>, FormatError> {
    let coordinates = &components[..2 * components.len() / 3];
    let mut wire = vec![0; coordinates.len() * F::BYTES];
    match shape(components) {
        Shape::Infinity => {}
        Shape::Affine => {
            for (out, component) in wire.chunks_exact_mut(F::BYTES).zip(coordinates) {
                component.write_montgomery(out);
            }
        }
        Shape::Other => {
            return Err(
                node.error("must be affine (third coordinate 1) and not (0, 0), or infinity (0, 1, 0)")
            );
        }
    }
    Ok(wire)
}

fn bad_point(node: &Node<'_>, source: PointError) -> FormatError {
    node.kind_error(Kind::Point { what: node.field(), source })
}

pub(super) fn read_g1<E: ProvingCurve>(node: &Node<'_>) -> Result<E::G1Affine, FormatError> {
    let [x, y, z] = node.array()?;
    let components = [element::<E>(&x)?, element::<E>(&y)?, element::<E>(&z)?];
    let wire = to_wire(node, &components)?;
    let point = E::read_g1(&wire).map_err(|source| bad_point(node, source))?;
    if E::g1_in_subgroup(&point) {
        Ok(point)
    } else {
        Err(node.kind_error(Kind::Subgroup { what: node.field() }))
    }
}

pub(super) fn read_g2<E: ProvingCurve>(node: &Node<'_>) -> Result<E::G2Affine, FormatError> {
    let mut components = [E::BaseField::zero(); 6];
    for (out, coordinate) in components.as_chunks_mut::<2>().0.iter_mut().zip(node.array::<3>()?) {
        let [c0, c1] = coordinate.array()?;
        *out = [element::<E>(&c0)?, element::<E>(&c1)?];
    }
    let wire = to_wire(node, &components)?;
    let point = E::read_g2(&wire).map_err(|source| bad_point(node, source))?;
    if E::g2_in_subgroup(&point) {
        Ok(point)
    } else {
        Err(node.kind_error(Kind::Subgroup { what: node.field() }))
    }
}

/// A base field element as a decimal string.
pub(super) fn decimal<F: WireField>(element: &F) -> String {
    let mut le = vec![0; F::BYTES];
    element.write_canonical(&mut le);
    to_decimal(&le)
}

fn strings<const N: usize, F: Field<BasePrimeField: WireField>>(element: &F) -> [String; N] {
    let mut components = element.to_base_prime_field_elements();
    std::array::from_fn(|_| decimal(&components.next().unwrap_or_default()))
}

pub(super) fn write_g1<E: ProvingCurve>(point: &E::G1Affine) -> G1Json {
    let (x, y, z) = match point.xy() {
        Some((x, y)) => (x, y, E::BaseField::one()),
        None => (E::BaseField::zero(), E::BaseField::one(), E::BaseField::zero()),
    };
    [decimal(&x), decimal(&y), decimal(&z)]
}

pub(super) fn write_g2<E: ProvingCurve>(point: &E::G2Affine) -> G2Json {
    type Coordinate<E> = <<E as ark_ec::pairing::Pairing>::G2Affine as AffineRepr>::BaseField;
    let (zero, one) = (Coordinate::<E>::zero(), Coordinate::<E>::one());
    let (x, y, z) = match point.xy() {
        Some((x, y)) => (x, y, one),
        None => (zero, one, zero),
    };
    [strings(&x), strings(&y), strings(&z)]
}
