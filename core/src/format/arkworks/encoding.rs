//! How a point is spelled: curve and compression.

use interlock_curves::Curve;

/// Whether points are compressed: `x` and a sign instead of `x, y`. Nothing in a file says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compressed {
    /// Half the bytes; reading takes a square root per point.
    Yes,
    /// Both coordinates.
    No,
}

/// One of the two groups of a pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// The curve over the base field.
    G1,
    /// Its twist over the quadratic extension.
    G2,
}

/// How arkworks spells the points of a curve; on BLS12-381 Zcash, bellman and bellperson do, too.
///
/// Coordinates are canonical integers below the base field's modulus.
///
/// | curve | coordinates | flags | infinity |
/// |---|---|---|---|
/// | BN254 | little-endian, `c0, c1` in G2 | the two highest bits of the *last* byte: 0x80 when `y > −y`, 0x40 infinity | the rest zero |
/// | BLS12-381 | big-endian, `c1, c0` in G2 | the three highest bits of the *first* byte: 0x80 compressed, 0x40 infinity, 0x20 (compressed only) when `y > −y` | the rest zero |
///
/// `y > −y` compares integers; in G2 `c1` counts first. On BN254 an uncompressed point has the sign, too; it is written
/// and, as in arkworks, not looked at when read. Infinity with other bits set is refused (arkworks would accept it
/// on BN254); so is a point off the curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Encoding {
    /// The curve.
    pub curve: Curve,
    /// Whether points are compressed.
    pub compressed: Compressed,
}

impl Encoding {
    /// The encoding of `.params` files and of arkworks' uncompressed BLS12-381 keys.
    pub const ZCASH: Self = Self { curve: Curve::Bls12_381, compressed: Compressed::No };

    /// All encodings.
    pub const ALL: [Self; 4] = [
        Self { curve: Curve::Bn254, compressed: Compressed::Yes },
        Self { curve: Curve::Bn254, compressed: Compressed::No },
        Self { curve: Curve::Bls12_381, compressed: Compressed::Yes },
        Self::ZCASH,
    ];

    /// Bytes of a point.
    pub const fn point_bytes(self, group: Group) -> usize {
        let coordinate = match group {
            Group::G1 => self.curve.base_field_bytes(),
            Group::G2 => 2 * self.curve.base_field_bytes(),
        };
        match self.compressed {
            Compressed::Yes => coordinate,
            Compressed::No => 2 * coordinate,
        }
    }
}

impl Group {
    /// Bytes of an affine point in the wire encoding of [`interlock_curves`].
    pub const fn wire_bytes(self, curve: Curve) -> usize {
        match self {
            Self::G1 => curve.g1_bytes(),
            Self::G2 => curve.g2_bytes(),
        }
    }
}
