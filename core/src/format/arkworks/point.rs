//! One point, between the encodings of [`Encoding`] and the wire's.

use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ff::Zero;
use interlock_curves::{Curve, PointError, ProvingCurve, WireField, ordinates};

use super::{Compressed, Encoding, Group};
use crate::format::FormatErrorKind as Kind;

/// The longest encoding: G2 of BLS12-381, uncompressed.
const LONGEST: usize = 192;

/// Why bytes are no point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// The flag bits contradict each other, the compression, or the rest.
    Flags,
    /// The coordinates are no point.
    Point(PointError),
    /// Infinity, where there must be none.
    Infinity,
    /// On the curve, but outside the subgroup of order `r`.
    Subgroup,
}

impl Flaw {
    pub(crate) fn kind(self, what: String) -> Kind {
        match self {
            Self::Flags => Kind::PointFlags { what },
            Self::Point(source) => Kind::Point { what, source },
            Self::Infinity => Kind::UnexpectedInfinity { what },
            Self::Subgroup => Kind::Subgroup { what },
        }
    }
}

impl Encoding {
    /// Reads a point of [`point_bytes`](Self::point_bytes) bytes into its wire encoding. On the curve, but the subgroup
    /// is not checked.
    pub(crate) fn decode(self, group: Group, bytes: &[u8], wire: &mut [u8]) -> Result<(), Flaw> {
        match (self.curve, group) {
            (Curve::Bn254, Group::G1) => decode::<ark_bn254::g1::Config>(self, bytes, wire),
            (Curve::Bn254, Group::G2) => decode::<ark_bn254::g2::Config>(self, bytes, wire),
            (Curve::Bls12_381, Group::G1) => decode::<ark_bls12_381::g1::Config>(self, bytes, wire),
            (Curve::Bls12_381, Group::G2) => decode::<ark_bls12_381::g2::Config>(self, bytes, wire),
        }
    }

    /// Writes a wire point (whose coordinates are below the modulus) into [`point_bytes`](Self::point_bytes) bytes.
    pub(crate) fn encode(self, group: Group, wire: &[u8], out: &mut [u8]) -> Result<(), PointError> {
        match (self.curve, group) {
            (Curve::Bn254, Group::G1) => encode::<ark_bn254::g1::Config>(self, wire, out),
            (Curve::Bn254, Group::G2) => encode::<ark_bn254::g2::Config>(self, wire, out),
            (Curve::Bls12_381, Group::G1) => encode::<ark_bls12_381::g1::Config>(self, wire, out),
            (Curve::Bls12_381, Group::G2) => encode::<ark_bls12_381::g2::Config>(self, wire, out),
        }
    }

    /// Takes the flags off, and checks them against each other, the compression, and what is left: the coordinates, still
    /// in this encoding's order.
    fn take_flags(self, bytes: &mut [u8]) -> Result<Flags, Flaw> {
        let place = match self.curve {
            Curve::Bn254 => bytes.last_mut(),
            Curve::Bls12_381 => bytes.first_mut(),
        };
        let byte = place.ok_or(Flaw::Flags)?;
        let flags = match self.curve {
            Curve::Bn254 => {
                let flags = Flags { infinity: *byte & 0x40 != 0, larger: *byte & 0x80 != 0 };
                *byte &= 0x3f;
                flags
            }
            Curve::Bls12_381 => {
                if (*byte & 0x80 != 0) != (self.compressed == Compressed::Yes) {
                    return Err(Flaw::Flags);
                }
                let flags = Flags { infinity: *byte & 0x40 != 0, larger: *byte & 0x20 != 0 };
                if flags.larger && self.compressed == Compressed::No {
                    return Err(Flaw::Flags);
                }
                *byte &= 0x1f;
                flags
            }
        };
        if flags.infinity && (flags.larger || bytes.iter().any(|byte| *byte != 0)) {
            return Err(Flaw::Flags);
        }
        Ok(flags)
    }

    fn put_flags(self, flags: Flags, bytes: &mut [u8]) {
        let infinity = if flags.infinity { 0x40 } else { 0 };
        match (self.curve, bytes) {
            (Curve::Bn254, [.., last]) => *last |= infinity | if flags.larger { 0x80 } else { 0 },
            (Curve::Bls12_381, [first, ..]) => {
                *first |= infinity;
                if self.compressed == Compressed::Yes {
                    *first |= 0x80 | if flags.larger { 0x20 } else { 0 };
                }
            }
            _ => {}
        }
    }

    /// Between this encoding's order of bytes and the wire's; its own inverse. Reversing big-endian `c1, c0` as a whole
    /// gives little-endian `c0, c1`.
    fn reorder(self, bytes: &mut [u8], coordinate: usize) {
        if self.curve == Curve::Bls12_381 {
            bytes.chunks_exact_mut(coordinate).for_each(<[u8]>::reverse);
        }
    }
}

#[derive(Clone, Copy)]
struct Flags {
    infinity: bool,
    /// `y > −y`.
    larger: bool,
}

fn decode<P: SWCurveConfig<BaseField: WireField>>(
    encoding: Encoding,
    bytes: &[u8],
    wire: &mut [u8],
) -> Result<(), Flaw> {
    let size = <P::BaseField as WireField>::BYTES;
    let expected = if encoding.compressed == Compressed::Yes { size } else { 2 * size };
    let mut buffer = [0; LONGEST];
    let (Some(buffer), true) = (buffer.get_mut(..expected), bytes.len() == expected) else {
        return Err(Flaw::Point(PointError::Length { expected, found: bytes.len() }));
    };
    buffer.copy_from_slice(bytes);
    let flags = encoding.take_flags(buffer)?;
    if flags.infinity {
        wire.fill(0);
        return Ok(());
    }
    encoding.reorder(buffer, size);
    let coordinate =
        |bytes, name| P::BaseField::from_canonical(bytes).ok_or(Flaw::Point(PointError::Coordinate { name }));
    let (x, y) = buffer.split_at(size);
    let x = coordinate(x, "x")?;
    let y = match encoding.compressed {
        Compressed::Yes => {
            let (smaller, larger) = ordinates::<P>(x).ok_or(Flaw::Point(PointError::NotOnCurve))?;
            if flags.larger { larger } else { smaller }
        }
        Compressed::No => {
            let y = coordinate(y, "y")?;
            // (0, 0) is not on the curve, b not being zero, but arkworks takes these coordinates for infinity, which has a
            // flag here.
            if (x.is_zero() && y.is_zero()) || !Affine::<P>::new_unchecked(x, y).is_on_curve() {
                return Err(Flaw::Point(PointError::NotOnCurve));
            }
            y
        }
    };
    x.write_montgomery(wire);
    y.write_montgomery(&mut wire[size..]);
    Ok(())
}

fn encode<P: SWCurveConfig<BaseField: WireField>>(
    encoding: Encoding,
    wire: &[u8],
    out: &mut [u8],
) -> Result<(), PointError> {
    let size = <P::BaseField as WireField>::BYTES;
    if wire.len() != 2 * size {
        return Err(PointError::Length { expected: 2 * size, found: wire.len() });
    }
    out.fill(0);
    if wire.iter().all(|byte| *byte == 0) {
        encoding.put_flags(Flags { infinity: true, larger: false }, out);
        return Ok(());
    }
    let coordinate =
        |bytes, name| P::BaseField::from_montgomery(bytes).ok_or(PointError::Coordinate { name });
    let (x, y) = wire.split_at(size);
    let (x, y) = (coordinate(x, "x")?, coordinate(y, "y")?);
    x.write_canonical(out);
    if encoding.compressed == Compressed::No {
        y.write_canonical(&mut out[size..]);
    }
    encoding.reorder(out, size);
    encoding.put_flags(Flags { infinity: false, larger: y > -y }, out);
    Ok(())
}

/// Whether wire bytes that hold a point of the curve hold one of the subgroup.
pub(super) fn in_subgroup(curve: Curve, group: Group, wire: &[u8]) -> bool {
    interlock_curves::with_curve!(curve, E => match group {
        Group::G1 => E::g1_in_subgroup(&E::g1_unchecked(wire)),
        Group::G2 => E::g2_in_subgroup(&E::g2_unchecked(wire)),
    })
}
