//! Why bytes are not a point.

/// Why some bytes are not an encoding of a point of the curve. Says nothing about the subgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PointError {
    /// The buffer has the wrong length.
    #[error("a point takes {expected} bytes, not {found}")]
    Length {
        /// Bytes that the encoding takes.
        expected: usize,
        /// Bytes that were given.
        found: usize,
    },
    /// A coordinate is not a reduced field element.
    #[error("coordinate {name} is not below the field's modulus")]
    Coordinate {
        /// `x`, `y`, or for a Jacobian point `X`, `Y`, `Z`.
        name: &'static str,
    },
    /// The coordinates do not satisfy the curve's equation.
    #[error("the point is not on the curve")]
    NotOnCurve,
}
