//! The curve at compile time.

use ark_ec::pairing::Pairing;

use crate::{Bls12_381, Bn254, Curve, PointError, WireField, points};

/// A pairing-friendly curve with the wire encodings of its scalars and points (see the [crate page](crate)).
///
/// Readers check what they are given; `*_unchecked` ones only copy limbs and are meant for bytes that were checked
/// before. Writers take a buffer of at least the encoding's length and panic when it is shorter.
pub trait ProvingCurve: Pairing<ScalarField: WireField, BaseField: WireField> {
    /// The run-time name of this curve.
    const CURVE: Curve;

    /// The scalar whose integer value is `bytes` (little-endian), or `None` when it is not below `r`.
    #[inline]
    fn scalar_from_canonical(bytes: &[u8; 32]) -> Option<Self::ScalarField> {
        Self::ScalarField::from_canonical(bytes)
    }

    /// The integer value of a scalar, little-endian.
    #[inline]
    fn scalar_to_canonical(scalar: &Self::ScalarField) -> [u8; 32] {
        let mut out = [0; 32];
        scalar.write_canonical(&mut out);
        out
    }

    /// The scalar `x` for the bytes of `x·R mod r` (little-endian, `R = 2^256`), or `None` when they are not below
    /// `r`.
    #[inline]
    fn scalar_from_montgomery(bytes: &[u8; 32]) -> Option<Self::ScalarField> {
        Self::ScalarField::from_montgomery(bytes)
    }

    /// The bytes of `x·R mod r` for a scalar `x`, little-endian, `R = 2^256`.
    #[inline]
    fn scalar_to_montgomery(scalar: &Self::ScalarField) -> [u8; 32] {
        let mut out = [0; 32];
        scalar.write_montgomery(&mut out);
        out
    }

    /// Reads an affine G1 point: [`Curve::g1_bytes`] bytes, `x, y`, infinity all zero.
    ///
    /// # Errors
    /// Wrong length, a coordinate not below the modulus, or a point off the curve. The subgroup is not checked.
    fn read_g1(bytes: &[u8]) -> Result<Self::G1Affine, PointError>;

    /// Reads an affine G2 point: [`Curve::g2_bytes`] bytes, `x.c0, x.c1, y.c0, y.c1`, infinity all zero.
    ///
    /// # Errors
    /// As for [`read_g1`](Self::read_g1).
    fn read_g2(bytes: &[u8]) -> Result<Self::G2Affine, PointError>;

    /// Copies a G1 point's limbs. Bytes that are no point give a wrong point, never a panic.
    fn g1_unchecked(bytes: &[u8]) -> Self::G1Affine;

    /// Copies a G2 point's limbs. Bytes that are no point give a wrong point, never a panic.
    fn g2_unchecked(bytes: &[u8]) -> Self::G2Affine;

    /// Writes an affine G1 point, the inverse of [`read_g1`](Self::read_g1).
    fn write_g1(point: &Self::G1Affine, out: &mut [u8]);

    /// Writes an affine G2 point, the inverse of [`read_g2`](Self::read_g2).
    fn write_g2(point: &Self::G2Affine, out: &mut [u8]);

    /// Reads a Jacobian G1 point: [`Curve::g1_jacobian_bytes`] bytes, `X, Y, Z`; `Z = 0` is infinity whatever `X`
    /// and `Y` are.
    ///
    /// # Errors
    /// As for [`read_g1`](Self::read_g1).
    fn read_g1_jacobian(bytes: &[u8]) -> Result<Self::G1, PointError>;

    /// Reads a Jacobian G2 point: [`Curve::g2_jacobian_bytes`] bytes, each coordinate `c0, c1`.
    ///
    /// # Errors
    /// As for [`read_g1`](Self::read_g1).
    fn read_g2_jacobian(bytes: &[u8]) -> Result<Self::G2, PointError>;

    /// Writes a Jacobian G1 point as it is held (not normalised); infinity is written as all zero.
    fn write_g1_jacobian(point: &Self::G1, out: &mut [u8]);

    /// Writes a Jacobian G2 point as it is held (not normalised); infinity is written as all zero.
    fn write_g2_jacobian(point: &Self::G2, out: &mut [u8]);

    /// Whether a G1 point that is on the curve lies in the subgroup of order `r`. Infinity does.
    fn g1_in_subgroup(point: &Self::G1Affine) -> bool;

    /// Whether a G2 point that is on the curve lies in the subgroup of order `r`. Infinity does.
    fn g2_in_subgroup(point: &Self::G2Affine) -> bool;
}

macro_rules! proving_curve {
    ($pairing:ty, $curve:expr) => {
        impl ProvingCurve for $pairing {
            const CURVE: Curve = $curve;

            fn read_g1(bytes: &[u8]) -> Result<Self::G1Affine, PointError> {
                points::read_affine(bytes)
            }

            fn read_g2(bytes: &[u8]) -> Result<Self::G2Affine, PointError> {
                points::read_affine(bytes)
            }

            #[inline]
            fn g1_unchecked(bytes: &[u8]) -> Self::G1Affine {
                points::affine_unchecked(bytes)
            }

            #[inline]
            fn g2_unchecked(bytes: &[u8]) -> Self::G2Affine {
                points::affine_unchecked(bytes)
            }

            fn write_g1(point: &Self::G1Affine, out: &mut [u8]) {
                points::write_affine(point, out);
            }

            fn write_g2(point: &Self::G2Affine, out: &mut [u8]) {
                points::write_affine(point, out);
            }

            fn read_g1_jacobian(bytes: &[u8]) -> Result<Self::G1, PointError> {
                points::read_jacobian(bytes)
            }

            fn read_g2_jacobian(bytes: &[u8]) -> Result<Self::G2, PointError> {
                points::read_jacobian(bytes)
            }

            fn write_g1_jacobian(point: &Self::G1, out: &mut [u8]) {
                points::write_jacobian(point, out);
            }

            fn write_g2_jacobian(point: &Self::G2, out: &mut [u8]) {
                points::write_jacobian(point, out);
            }

            fn g1_in_subgroup(point: &Self::G1Affine) -> bool {
                points::in_subgroup(point)
            }

            fn g2_in_subgroup(point: &Self::G2Affine) -> bool {
                points::in_subgroup(point)
            }
        }
    };
}

proving_curve!(Bn254, Curve::Bn254);
proving_curve!(Bls12_381, Curve::Bls12_381);
