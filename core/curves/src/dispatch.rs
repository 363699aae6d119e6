//! From a curve known at run time to code compiled for it.

/// Evaluates an expression that is generic over the curve, with a type alias bound to the curve of `$curve`.
///
/// Both arms must have the same type.
///
/// ```
/// use interlock_curves::{Curve, ProvingCurve, with_curve};
///
/// let curve = Curve::Bls12_381;
/// let bytes = with_curve!(curve, E => { <E as ProvingCurve>::CURVE.g1_bytes() });
/// assert_eq!(bytes, 96);
/// ```
#[macro_export]
macro_rules! with_curve {
    ($curve:expr, $E:ident => $body:expr) => {
        match $curve {
            $crate::Curve::Bn254 => {
                #[allow(dead_code, reason = "the body may not name the curve's type")]
                type $E = $crate::Bn254;
                $body
            }
            $crate::Curve::Bls12_381 => {
                #[allow(dead_code, reason = "the body may not name the curve's type")]
                type $E = $crate::Bls12_381;
                $body
            }
        }
    };
}
